"""The games and options that the tests of learning environments go through."""

from __future__ import annotations

from hotdice import all_games


def settings() -> list[tuple[str, int]]:
    """Every game by its printed rules and with its choices changed, each with the fewest players and with three."""
    found: dict[tuple[str, int], None] = {}
    for game in all_games():
        changed = {spec.name: spec.choices[-1] for spec in game.options.specs() if isinstance(spec.default, bool | str)}
        for options in (game.options(), game.make_options(changed)):
            for players in (game.min_players, min(3, game.max_players)):
                found[game.text(options), players] = None
    return list(found)
