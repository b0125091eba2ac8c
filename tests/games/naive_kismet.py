"""A second, naive Kismet to compare the engine with: mutable, slow, and written from the rulings alone.

Dice lie in a row and keep their places, a box is scored by trying every order of the dice, and players are passed
over by counting the turns they have to miss. It shares nothing with the package under test.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations, product
from typing import Final

BOXES: Final = (
    "aces", "deuces", "treys", "fours", "fives", "sixes",
    "two-pair", "three-of-a-kind", "straight", "flush", "full-house", "full-house-same-color",
    "four-of-a-kind", "yarborough", "kismet",
)  # fmt: skip
BASIC: Final = BOXES[:6]
Choice = tuple[int, ...] | str
BLACK, RED, GREEN = {1, 6}, {2, 5}, {3, 4}


def same_colour(*dice: int) -> bool:
    """Whether the dice all have pips of one colour."""
    return any(set(dice) <= colour for colour in (BLACK, RED, GREEN))


def fits(box: str, row: tuple[int, ...], kismet_is_full_house: bool) -> bool:
    """Whether dice in this very order, left to right, make what the box asks for."""
    a, b, c, d, e = row
    three_two = a == b == c and d == e and (a != d or kismet_is_full_house)
    match box:
        case "two-pair":
            return a == b and c == d and same_colour(a, c)
        case "three-of-a-kind":
            return a == b == c
        case "straight":
            return row in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6))
        case "flush":
            return same_colour(*row)
        case "full-house":
            return three_two
        case "full-house-same-color":
            return three_two and same_colour(a, d)
        case "four-of-a-kind":
            return a == b == c == d
        case "kismet":
            return a == b == c == d == e
    return box == "yarborough"


PRIZES: Final = {"full-house": 15, "full-house-same-color": 20, "four-of-a-kind": 25, "kismet": 50}
FIXED: Final = {"straight": 30, "flush": 35}


@cache
def worth(box: str, dice: tuple[int, ...], kismet_is_full_house: bool = True) -> int:
    """What five dice score in a box: the dice may be read in any order that suits."""
    if box in BASIC:
        number = BASIC.index(box) + 1
        return sum(die for die in dice if die == number)
    if not any(fits(box, row, kismet_is_full_house) for row in set(permutations(dice))):
        return 0
    return FIXED[box] if box in FIXED else sum(dice) + PRIZES.get(box, 0)


def extra(basic: int) -> int:
    """The bonus on the sum of the basic boxes."""
    if basic <= 62:
        return 0
    if basic <= 70:
        return 35
    return 55 if basic <= 77 else 75


class NaiveKismet:
    """A whole game on a scoring pad."""

    def __init__(self, players: int, kismet_is_full_house: bool = True, second_kismet: bool = True) -> None:
        self.full_house_rule = kismet_is_full_house
        self.second_rule = second_kismet
        self.sheets: list[dict[str, int]] = [{} for _ in range(players)]
        self.kismets = [0] * players
        self.to_miss = [0] * players
        self.turn = 0
        self.rolls = 0
        self.row: list[int] = []
        """The five dice; 0 stands for a die in the hand."""
        self.in_roll_off = list(range(players)) if players > 1 else []
        self.rolled_off: dict[int, int] = {}
        self.done = False

    def copy(self) -> NaiveKismet:
        twin = NaiveKismet(len(self.sheets), self.full_house_rule, self.second_rule)
        twin.sheets = [dict(sheet) for sheet in self.sheets]
        twin.kismets, twin.to_miss = self.kismets[:], self.to_miss[:]
        twin.turn, twin.rolls, twin.row, twin.done = self.turn, self.rolls, self.row[:], self.done
        twin.in_roll_off, twin.rolled_off = self.in_roll_off[:], dict(self.rolled_off)
        return twin

    def key(self) -> tuple[object, ...]:
        """All that matters from now on; dice that cannot be told apart are put in order."""
        return (
            self.acting(), tuple(tuple(sheet.get(box) for box in BOXES) for sheet in self.sheets),
            tuple(map(bool, self.kismets)), tuple(sorted(self.row)), self.rolls,
            tuple(self.in_roll_off), tuple(self.rolled_off.items()),
        )  # fmt: skip

    # What is to happen

    def in_hand(self) -> int:
        """How many dice are to be rolled now."""
        if self.done:
            return 0
        if self.in_roll_off:
            return 1
        return 5 if not self.row else self.row.count(0)

    def acting(self) -> str:
        """Who or what is to act: `over`, `dice 2` or `seat 2`."""
        if self.done:
            return "over"
        return f"{'dice' if self.in_hand() else 'seat'} {self.turn}"

    # Dice

    def throw(self, dice: list[int]) -> None:
        if self.in_roll_off:
            self.rolled_off[self.turn] = dice[0]
            left = [seat for seat in self.in_roll_off if seat not in self.rolled_off]
            if not left:
                high = max(self.rolled_off.values())
                left = [seat for seat in self.in_roll_off if self.rolled_off[seat] == high]
                self.in_roll_off = left if len(left) > 1 else []
                self.rolled_off = {}
            self.turn = left[0]
            return
        if not self.row:
            self.row = [0] * 5
        fresh = iter(dice)
        self.row = [die or next(fresh) for die in self.row]
        self.rolls += 1

    def throws(self) -> Iterator[list[int]]:
        """All that the dice in the hand can show, die by die; each is as likely as any other."""
        return map(list, product(range(1, 7), repeat=self.in_hand()))

    # Choices

    def choices(self) -> dict[str, Choice]:
        """Each choice as a player would say it, with the places to pick up or the box to fill."""
        if self.done or self.in_hand():
            return {}
        found: dict[str, Choice] = {}
        if self.rolls < 3:
            for picks in product((False, True), repeat=5):
                if any(picks):
                    kept = sorted(die for die, pick in zip(self.row, picks, strict=True) if not pick)
                    said = f"keep {' '.join(map(str, kept)) or 'none'}"
                    found[said] = tuple(place for place in range(5) if picks[place])
        for box in BOXES:
            if box not in self.sheets[self.turn]:
                found[f"score {box}"] = box
        return found

    def take(self, choice: Choice) -> None:
        if isinstance(choice, tuple):
            for place in choice:
                self.row[place] = 0
            return
        me = self.turn
        self.sheets[me][choice] = worth(choice, tuple(self.row), self.full_house_rule)
        if len(set(self.row)) == 1:
            self.kismets[me] += 1
            if self.kismets[me] >= 2 and self.second_rule:
                self.strike(me)
        self.row, self.rolls = [], 0
        self.pass_on()

    def strike(self, striker: int) -> None:
        for seat, sheet in enumerate(self.sheets):
            vacant = [box for box in BOXES if box not in sheet]
            if seat != striker and vacant:
                sheet[vacant[0]] = 0
                self.to_miss[seat] += 1

    def pass_on(self) -> None:
        """Go round to the left until somebody can and may play."""
        if all(len(sheet) == len(BOXES) for sheet in self.sheets):
            self.done = True
            return
        while True:
            self.turn = (self.turn + 1) % len(self.sheets)
            if self.to_miss[self.turn]:
                self.to_miss[self.turn] -= 1
            elif len(self.sheets[self.turn]) < len(BOXES):
                return

    # Scores

    def totals(self) -> list[int]:
        return [sum(sheet.values()) + extra(sum(sheet.get(box, 0) for box in BASIC)) for sheet in self.sheets]

    def winners(self) -> list[int]:
        totals = self.totals()
        return [seat for seat, total in enumerate(totals) if total == max(totals)] if self.done else []
