"""Small sets of games for the tests of the book."""

from __future__ import annotations

from typing import Any

from hotdice.book.played import Played, Sitting

DAY = 86_400_000


def sat(name: str, place: int, score: int = 0, **more: Any) -> Sitting:
    """A person's seat; of a name like `bot:greedy`, a bot's."""
    kind = name.removeprefix("bot:") if name.startswith("bot:") else ""
    return Sitting("Robo" if kind else name, kind, score=score, place=place, turns=more.pop("turns", 1), **more)


def game(number: int, *seats: Sitting, of: str = "pig", **more: Any) -> Played:
    """The game of that number, which ended on that day."""
    return Played(f"t/{number}", of, more.pop("options", ""), number * DAY, seats, text=f"text {number}", **more)
