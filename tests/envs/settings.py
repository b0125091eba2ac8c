"""The games and options that the tests of learning environments go through."""

from __future__ import annotations

from hotdice import all_games


def settings(*, short: bool = False) -> list[tuple[str, int]]:
    """Every game by its printed rules and with its choices changed, each with the fewest players and with three.

    In short games numbers have the values that are meant for tests.
    """
    found: dict[tuple[str, int], None] = {}
    for game in all_games():
        last = {spec.name: spec.choices[-1] for spec in game.options.specs()}
        numbers = {spec.name: last[spec.name] for spec in game.options.specs() if spec.high} if short else {}
        others = {spec.name: last[spec.name] for spec in game.options.specs() if not spec.high}
        for options in (game.make_options(numbers), game.make_options(numbers | others)):
            for players in (game.min_players, min(3, game.max_players)):
                found[game.text(options), players] = None
    return list(found)
