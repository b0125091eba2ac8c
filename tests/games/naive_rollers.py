"""A second, naive Rollers to compare the engine with: mutable, slow, and written from the rulings alone.

Six dice lie in a row, the black one last. Dice are applied one after the other, highest numbers first, and every
chip changes hands as the die that collects it is used. It shares nothing with the package under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Final

PURPLE: Final = ("1", "2", "3", "4", "5", "*")
BLACK: Final = ("b1", "b2", "b3", "b4", "b5", "zap")
NUMBERS: Final = (1, 2, 3, 4, 5)
Choice = tuple[int, ...] | str
NOTHING: Final[tuple[int, ...]] = (0, 0, 0, 0, 0)


@cache
def spendings(dice: tuple[str, ...]) -> frozenset[tuple[int, ...]]:
    """How many dice can be spent on each number: every die goes to a number that it shows, or to waste."""
    found = {NOTHING}
    for die in dice:
        shows = NUMBERS if die == "*" else (int(die[-1]),)
        found |= {
            tuple(count + (number == shown) for number, count in zip(NUMBERS, spent, strict=True))
            for spent in found
            for shown in shows
        }
    return frozenset(found)


class NaiveRollers:
    """A whole match on a table full of chips."""

    def __init__(
        self, players: int, chip_tie: str = "nobody", saved_dice: str = "free", target_points: int = 5
    ) -> None:
        self.players = players
        self.chip_tie, self.saved_dice, self.target = chip_tie, saved_dice, target_points
        self.points = [0] * players
        self.starter = 0
        self.in_roll_off = list(range(players))
        self.rolled_off: dict[int, int] = {}
        self.done = False
        self.turn = 0
        self.new_round()

    def new_round(self) -> None:
        self.sections = [dict.fromkeys(NUMBERS, "empty") for _ in range(self.players)]
        self.chips = [55] * self.players
        self.clear_dice()

    def clear_dice(self) -> None:
        self.row = [""] * 6
        """What each die shows; nothing while it is in the hand."""
        self.kept = [False] * 6
        self.rolls = 0
        self.stopped = False

    def copy(self) -> NaiveRollers:
        twin = NaiveRollers(self.players, self.chip_tie, self.saved_dice, self.target)
        twin.points, twin.chips = self.points[:], self.chips[:]
        twin.sections = [dict(sections) for sections in self.sections]
        twin.starter, twin.turn, twin.done = self.starter, self.turn, self.done
        twin.in_roll_off, twin.rolled_off = self.in_roll_off[:], dict(self.rolled_off)
        twin.row, twin.kept, twin.rolls, twin.stopped = self.row[:], self.kept[:], self.rolls, self.stopped
        return twin

    def key(self) -> tuple[object, ...]:
        """All that matters from now on; dice that cannot be told apart are put in order."""
        kept = sorted(face for face, kept in zip(self.row, self.kept, strict=True) if face and kept)
        fresh = sorted(face for face, kept in zip(self.row, self.kept, strict=True) if face and not kept)
        return (
            self.acting(), tuple(tuple(sections.values()) for sections in self.sections), tuple(self.chips),
            tuple(self.points), self.starter, tuple(kept), tuple(fresh), 3 if self.stopped else self.rolls,
            tuple(self.in_roll_off), tuple(self.rolled_off.items()),
        )  # fmt: skip

    # What is to happen

    def in_hand(self) -> int:
        """How many dice are to be rolled now."""
        return len(self.empty_places())

    def empty_places(self) -> list[int]:
        """Where the dice to be rolled now will lie."""
        if self.done:
            return []
        return [0] if self.in_roll_off else [place for place in range(6) if not self.row[place]]

    def acting(self) -> str:
        """Who or what is to act: `over`, `dice 2` or `seat 2`."""
        if self.done:
            return "over"
        return f"{'dice' if self.in_hand() else 'seat'} {self.turn}"

    def rolling(self) -> bool:
        """Whether the dice may still be rolled again."""
        return self.rolls < 3 and not self.stopped

    def zapped(self) -> bool:
        return "zap" in self.row

    def usable(self) -> list[int]:
        """The places of the dice that count."""
        return [place for place in range(6) if self.row[place] and (self.kept[place] or not self.zapped())]

    # Dice

    def throw(self, faces: list[str]) -> None:
        if self.in_roll_off:
            self.rolled_off[self.turn] = PURPLE.index(faces[0]) + 1
            left = [seat for seat in self.in_roll_off if seat not in self.rolled_off]
            if not left:
                high = max(self.rolled_off.values())
                left = [seat for seat in self.in_roll_off if self.rolled_off[seat] == high]
                self.in_roll_off = left if len(left) > 1 else []
                self.rolled_off = {}
                if len(left) == 1:
                    self.starter = left[0]
            self.turn = left[0]
            return
        for place, face in zip(self.empty_places(), faces, strict=True):
            self.row[place] = face
        self.rolls += 1

    def throws(self) -> Iterator[list[str]]:
        """All that the dice in the hand can show, die by die; each is as likely as any other."""
        kinds = [BLACK if place == 5 else PURPLE for place in self.empty_places()]
        return map(list, product(*kinds))

    # Choices

    def choices(self) -> dict[str, Choice]:
        """Each choice as a player would say it, with the places to keep or the dice to spend, or `stop`."""
        if self.done or self.in_hand():
            return {}
        if not self.rolling():
            return {
                f"apply {said(str(n) for n in NUMBERS for _ in range(spent[n - 1]))}": spent
                for spent in spendings(tuple(self.row[place] for place in self.usable()))
                if self.spend(spent) is not None
            }
        found: dict[str, Choice] = {"stop": "stop"}
        for picks in product((False, True), repeat=6):
            places = tuple(place for place in range(6) if picks[place])
            locked = self.saved_dice == "locked" and any(self.kept[p] and not picks[p] for p in range(6))
            if set(places) <= set(self.usable()) and len(places) < 6 and not locked:
                found[f"keep {said(sorted((self.row[p] for p in places), key=face_order))}"] = places
        return found

    def take(self, choice: Choice) -> None:
        if choice == "stop":
            self.stopped = True
        elif not self.rolling():
            self.finish(tuple(map(int, choice)))
        else:
            for place in range(6):
                self.kept[place] = place in choice
                if not self.kept[place]:
                    self.row[place] = ""

    def spend(self, spent: tuple[int, ...]) -> tuple[dict[int, str], list[int]] | None:
        """The roller's sections and everybody's chips after spending dice one by one; nothing if that is illegal."""
        me, chips = self.turn, self.chips[:]
        sections = dict(self.sections[me])
        for number in reversed(NUMBERS):
            left = spent[number - 1]
            while left:
                if sections[number] == "empty":
                    if left < number:
                        return None
                    sections[number] = "open"
                    left -= number
                elif sections[number] == "open":
                    sections[number] = "closed"
                    left -= 1
                else:
                    payers = [s for s in range(self.players) if s != me and self.sections[s][number] != "closed"]
                    if not payers or self.chips[me] == 0:
                        return None
                    for payer in payers:
                        for _ in range(number):
                            if chips[payer]:
                                chips[payer] -= 1
                                chips[me] += 1
                    left -= 1
        return sections, chips

    def finish(self, spent: tuple[int, ...]) -> None:
        after = self.spend(spent)
        if after is None:
            raise ValueError(f"{spent} cannot be applied")
        self.sections[self.turn], self.chips = after
        if set(self.sections[self.turn].values()) == {"closed"}:
            self.end_round()
        else:
            self.clear_dice()
            self.turn = (self.turn + 1) % self.players

    def end_round(self) -> None:
        self.points[self.turn] += 2 if self.chips[self.turn] else 1
        rich = [seat for seat in range(self.players) if self.chips[seat] == max(self.chips)]
        if len(rich) == 1 or self.chip_tie == "share":
            for seat in rich:
                self.points[seat] += 1
        if any(points >= self.target for points in self.points):
            self.done = True
            self.clear_dice()
            return
        self.new_round()
        self.starter = (self.starter + self.players - 1) % self.players
        self.turn = self.starter

    def winners(self) -> list[int]:
        """Of those at the target: the richest, of these the ones with the most points."""
        if not self.done:
            return []
        there = [seat for seat in range(self.players) if self.points[seat] >= self.target]
        there = [seat for seat in there if self.chips[seat] == max(self.chips[s] for s in there)]
        return [seat for seat in there if self.points[seat] == max(self.points[s] for s in there)]


def said(faces: Iterator[str] | list[str]) -> str:
    """Faces as a player says them."""
    return " ".join(faces) or "none"


def face_order(face: str) -> int:
    """Purple numbers, STAR, black numbers, ZAP."""
    return (*PURPLE, *BLACK).index(face)
