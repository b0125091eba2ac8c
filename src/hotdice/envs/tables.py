"""The tables of `docs/environments.md`, written from the code: `python -m hotdice.envs.tables`, as `make types` does.

For every game of the shelf they say what each number of an observation is, and what each action.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hotdice import games
from hotdice.envs.ids import id_of
from hotdice.envs.layout import Layout, layout_of
from hotdice.game import Game

PAGE: Final = Path(__file__).parents[3] / "docs" / "environments.md"
HEAD: Final = "<!-- What follows is written by `python -m hotdice.envs.tables`. -->\n"
SHOWN: Final = 3
"""How many actions of a kind are shown before “…”."""


def tables() -> str:
    """What follows the head of the page."""
    own = [game for game in games.all_games() if game.state.__module__.startswith(f"{games.__name__}.")]
    return "\n".join(_section(game) for game in own)


def _section(game: Game) -> str:
    layout = layout_of(game, game.options(), game.min_players)
    players = "one player" if layout.players == 1 else f"{layout.players} players"
    compiled = "compiled for many games at once" if game.stepper else "not compiled for many games at once"
    size = f"{layout.size:,} numbers, {len(layout.actions):,} actions"
    lines = [
        f"### {game.title}",
        "",
        f"`{id_of(game)}`, {compiled}. For {players} by the printed rules: {size}.",
        "",
        "| Numbers | Name | From | To | Meaning |",
        "| --- | --- | --- | --- | --- |",
        *_observation(layout),
        "",
        "| Actions | Moves |",
        "| --- | --- |",
        *_actions(layout),
    ]
    return "\n".join(lines) + "\n"


def _observation(layout: Layout) -> Iterator[str]:
    begin = 0
    for entry in layout.entries:
        yield f"| {_range(begin, entry.size)} | `{entry.name}` | {entry.low:,} | {entry.high:,} | {entry.meaning} |"
        begin += entry.size


def _actions(layout: Layout) -> Iterator[str]:
    """A row for each run of actions of one kind."""
    begin = 0
    for at in range(1, len(layout.actions) + 1):
        if at == len(layout.actions) or type(layout.actions[at]) is not type(layout.actions[begin]):
            run = [f"`{move.text}`" for move in layout.actions[begin:at]]
            shown = run if len(run) <= 2 * SHOWN else [*run[:SHOWN], "…", run[-1]]
            yield f"| {_range(begin, len(run))} | {', '.join(shown)} |"
            begin = at


def _range(begin: int, size: int) -> str:
    return str(begin) if size == 1 else f"{begin} to {begin + size - 1}"


def written(page: str) -> str:
    """The page with its tables as the code has them now."""
    top, head, _ = page.partition(HEAD)
    if not head:
        raise ValueError(f"{PAGE.name} has no line where its tables begin: {HEAD.strip()}")
    return f"{top}{HEAD}\n{tables()}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
