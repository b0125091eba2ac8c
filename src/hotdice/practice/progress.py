"""What somebody has practised: what comes back when, their score, and the days in a row.

What was missed goes into the boxes of Sebastian Leitner (So lernt man lernen, 1972): it starts in the first box, a
right answer moves it to the next, a wrong one back to the first, and each box waits longer than the one before. After
the last box it is known and leaves. Everything here is plain data that turns into JSON; others keep it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final

from hotdice.practice.cards import FULL, Card, NoCard

BOXES: Final = (1, 3, 7, 14, 30)
"""After how many days what lies in each box comes back."""
LATEST: Final = 50
"""How many answers the score is the average of."""
SET: Final = 5
"""How many cards a set has."""
_MARKS: Final = "▁▂▃▄▅▆▇█"


def next_box(box: int, *, right: bool) -> int:
    """Where a card goes after an answer, from a box counted from 1, or from 0 for none; 0 if it need not come back."""
    if not right:
        return 1
    return box + 1 if 0 < box < len(BOXES) else 0


def score(points: Sequence[int]) -> int:
    """The score of some answers: the average of their points."""
    return round(sum(points) / len(points)) if points else 0


def mark(points: int) -> str:
    """Points as a bar of one character."""
    return _MARKS[min(points * len(_MARKS) // FULL, len(_MARKS) - 1)]


def marks(points: Sequence[int], *, plain: bool = False) -> str:
    """Points as a row of bars; plainly, as numbers."""
    return " ".join(map(str, points)) if plain else "".join(map(mark, points))


def result_line(day: date, points: Sequence[int], streak: int, *, plain: bool = False) -> str:
    """The result of a daily set in a line to send to others."""
    row = f", {streak} days in a row" if streak > 1 else ""
    return f"Hotdice daily five {day.isoformat()}: {score(points)} of {FULL} ({marks(points, plain=plain)}){row}"


@dataclass(frozen=True, slots=True)
class Boxed:
    """A card that was missed: its box, counted from 1, and the day from which it is asked again."""

    card: Card
    box: int
    due: date


@dataclass
class Progress:
    """What somebody has practised so far."""

    boxed: dict[str, Boxed] = field(default_factory=dict)
    """What was missed and is not known yet, by the cards' names."""
    seen: list[str] = field(default_factory=list)
    """The names of all cards of decks that were answered."""
    latest: list[int] = field(default_factory=list)
    """The points of the latest answers."""
    answered: int = 0
    right: int = 0
    daily: dict[str, list[int]] = field(default_factory=dict)
    """By the day, the points of its five."""
    records: list[str] = field(default_factory=list)
    """The games whose mistakes were taken in, by the hashes of their records."""

    @property
    def score(self) -> int:
        """The average of the latest answers."""
        return score(self.latest)

    def streak(self, today: date) -> int:
        """How many days in a row the daily set was finished, up to today, or to yesterday if today's is still open."""
        day = today if self._finished(today) else today - timedelta(1)
        days = 0
        while self._finished(day):
            days, day = days + 1, day - timedelta(1)
        return days

    def _finished(self, day: date) -> bool:
        return len(self.daily.get(day.isoformat(), ())) == SET

    def due(self, today: date, game: str = "") -> list[Card]:
        """What is to be asked again, the longest overdue first."""
        cards = sorted((boxed.due, name) for name, boxed in self.boxed.items() if boxed.due <= today)
        found = [self.boxed[name].card for _, name in cards]
        return [card for card in found if game in ("", card.game.name)]

    def new(self, deck: Iterable[Card], count: int) -> list[Card]:
        """The next cards of a deck that were not answered yet; once all were, it begins anew."""
        cards = list(deck)
        found = [card for card in cards if card.id not in self.seen and card.id not in self.boxed][:count]
        if len(found) < count and cards:
            again = {card.id for card in cards}
            self.seen = [name for name in self.seen if name not in again]
            fresh = {card.id for card in found}
            found += [card for card in cards if card.id not in self.boxed and card.id not in fresh][
                : count - len(found)
            ]
        return found

    def add(self, card: Card, today: date) -> bool:
        """Have a mistake of somebody's own asked from today on; whether it was not in a box already."""
        if card.id in self.boxed:
            return False
        self.boxed[card.id] = Boxed(card, 1, today)
        return True

    def take(self, card: Card, points: int, today: date) -> int:
        """Note an answer; the days after which the card comes back, or 0 if it does not."""
        right = points == FULL
        before = self.boxed.pop(card.id, None)
        box = next_box(before.box if before else 0, right=right)
        if box:
            self.boxed[card.id] = Boxed(card, box, today + timedelta(BOXES[box - 1]))
        if card.id not in self.seen:
            self.seen.append(card.id)
        self.latest = [*self.latest, points][-LATEST:]
        self.answered += 1
        self.right += right
        return BOXES[box - 1] if box else 0

    # As data

    def as_json(self) -> dict[str, Any]:
        boxed = [
            {"card": one.card.as_json(), "box": one.box, "due": one.due.isoformat()} for one in self.boxed.values()
        ]
        return {
            "boxed": boxed, "seen": self.seen, "latest": self.latest, "answered": self.answered, "right": self.right,
            "daily": self.daily, "records": self.records,
        }  # fmt: skip

    @classmethod
    def from_json(cls, shown: Any) -> Progress:
        """What was kept; `NoCard` if it is not that."""
        try:
            boxed = [
                Boxed(
                    Card.from_json(one["card"]),
                    min(max(int(one["box"]), 1), len(BOXES)),
                    date.fromisoformat(one["due"]),
                )
                for one in shown["boxed"]
            ]
            return cls(
                {one.card.id: one for one in boxed}, [str(name) for name in shown["seen"]], _points(shown["latest"]),
                int(shown["answered"]), int(shown["right"]),
                {date.fromisoformat(day).isoformat(): _points(found) for day, found in shown["daily"].items()},
                [str(name) for name in shown["records"]],
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise NoCard(f"This is not what was practised: {error!r}.") from None


def _points(found: Any) -> list[int]:
    return [min(max(int(one), 0), FULL) for one in found]
