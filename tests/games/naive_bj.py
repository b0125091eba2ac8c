"""A second BJ's dice to check the first one against, written from the rules alone and sharing no code with it.

It is slow and plain on purpose: a game changes in place, a toss is scored by trying every way to read it,
and the last round is a list of those who have a turn to come.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product

FACES = ["1", "2", "3", "4", "5", "6"]


@cache
def fallen(count: int) -> dict[tuple[str, ...], int]:
    """All that so many dice can show, and in how many orders each of it can fall."""
    return dict(Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=count)))


@cache
def readings(dice: tuple[str, ...]) -> set[tuple[int, int]]:
    """Points and number of scoring dice of every way to read a toss as singles, triples and idle dice."""
    if not dice:
        return {(0, 0)}
    first, rest = dice[0], dice[1:]
    found = set(readings(rest))  # the first die idle
    if first in "15":
        worth = 100 if first == "1" else 50
        found |= {(points + worth, used + 1) for points, used in readings(rest)}
    for one, other in combinations(range(len(rest)), 2):
        if rest[one] == rest[other] == first:
            left = tuple(die for at, die in enumerate(rest) if at not in (one, other))
            found |= {(points + 100 * int(first), used + 3) for points, used in readings(left)}
    return found


class NaiveBj:
    """A game of BJ's dice that is played by `toss` and `choose`."""

    def __init__(self, players: int, bust: str = "any", dice: int = 6, target: int = 5000) -> None:
        self.bust = bust
        self.all_dice = dice
        self.target = target
        self.scores = [0] * players
        self.turn = 0
        self.hand = dice
        self.points = 0  # what a bust costs
        self.bonus = 0  # what it does not
        self.deciding = False
        self.starter: int | None = None
        self.to_come: list[int] = []  # who still has a turn in the last round
        self.winner: int | None = None

    def copy(self) -> "NaiveBj":
        other = NaiveBj(len(self.scores))
        other.__dict__.update(self.__dict__)
        other.scores, other.to_come = self.scores[:], self.to_come[:]
        return other

    @property
    def over(self) -> bool:
        return self.winner is not None

    # What can happen

    def dice(self) -> int:
        """How many dice are to be tossed; none if somebody has to choose or the game is over."""
        return 0 if self.over or self.deciding else self.hand

    def choices(self) -> list[str]:
        return ["roll", "pass"] if self.deciding else []

    def toss(self, dice: Sequence[str]) -> None:
        points, used = max(readings(tuple(sorted(dice))))
        if points == 0:
            if self.bust == "any" or self.hand == self.all_dice:
                self.points = 0
            self.collect()
            return
        self.points += points
        self.hand -= used
        if self.hand == 0:
            self.bonus += 500
            self.hand = self.all_dice
        self.deciding = True

    def choose(self, choice: str) -> None:
        self.deciding = False
        if choice == "pass":
            self.collect()

    def collect(self) -> None:
        """The turn has ended, and what is left of its points goes on the sheet."""
        self.scores[self.turn] += self.points + self.bonus
        self.points = self.bonus = 0
        self.hand = self.all_dice
        if self.starter is None and self.scores[self.turn] > self.target:
            self.starter = self.turn
            self.to_come = [*range(self.turn + 1, len(self.scores)), *range(self.turn)]
        if self.starter is None:
            self.turn = (self.turn + 1) % len(self.scores)
        elif self.to_come:
            self.turn = self.to_come.pop(0)
        else:
            self.settle(self.starter)

    def settle(self, starter: int) -> None:
        """The last round is over; in its order, whoever is to win has to beat the best before them."""
        self.winner = starter
        for seat in [*range(starter, len(self.scores)), *range(starter)]:
            if self.scores[seat] > self.scores[self.winner]:
                self.winner = seat

    # What it looks like

    def actor(self) -> int:
        """Who chooses; -1 if the dice do, -2 if the game is over."""
        if self.over:
            return -2
        return self.turn if self.deciding else -1

    def describe(self) -> str:
        """The position, as the project writes it."""
        phase = "over" if self.over else "decide" if self.deciding else "toss"
        scores = "/".join([str(score) for score in self.scores])
        starter = "-" if self.starter is None else str(self.starter + 1)
        return f"{scores} {self.turn + 1} {phase} {self.hand} {self.points} {self.bonus} {starter}"
