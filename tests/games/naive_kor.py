"""A second KOR to check the first one against, written from the rules alone and sharing no code with it.

It is slow and plain on purpose: a game changes in place, dice are tuples of words in the order in which they fell,
and the final round is a list of those who have a turn to come.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product

NUMBERS = {"25": 25, "50": 50, "100": 100}
SIGNS = ["STOP", "DEAD-END", "U-TURN"]
FACES = [*NUMBERS, *SIGNS]


@cache
def fallen(count: int) -> dict[tuple[str, ...], int]:
    """All that so many dice can show, and in how many orders each of it can fall."""
    return dict(Counter(tuple(sorted(dice)) for dice in product(FACES, repeat=count)))


class NaiveKor:
    """A game of KOR that is played by `toss` and `choose`."""

    def __init__(
        self,
        players: int,
        bank_roll: bool = False,
        final_round: bool = False,
        scoring: str = "highest",
        target: int = 6000,
    ) -> None:
        self.bank_roll = bank_roll
        self.final_round = final_round
        self.scoring = scoring
        self.target = target
        self.scores = [0] * players
        self.turn = 0  # whose turn it is
        self.who = 0  # who tosses or chooses
        self.penalty = False
        self.hand = 6
        self.pot = 0
        self.signs: list[str] = []  # to choose from
        self.naming = False  # an opponent is to be named
        self.leader: int | None = None
        self.to_come: list[int] = []  # who still has a turn in the final round
        self.winner: int | None = None

    def copy(self) -> "NaiveKor":
        other = NaiveKor(len(self.scores))
        other.__dict__.update(self.__dict__)
        other.scores, other.signs, other.to_come = self.scores[:], self.signs[:], self.to_come[:]
        return other

    @property
    def over(self) -> bool:
        return self.winner is not None

    def left_of(self, seat: int) -> int:
        return seat + 1 if seat + 1 < len(self.scores) else 0

    # What can happen

    def dice(self) -> int:
        """How many dice are to be tossed; none if somebody has to choose or the game is over."""
        return 0 if self.over or self.signs or self.naming else self.hand

    def choices(self) -> list[str]:
        if self.signs:
            return [f"follow {sign.lower()}" for sign in self.signs]
        if self.naming:
            return [f"target {seat + 1}" for seat in range(len(self.scores)) if seat != self.who]
        return []

    def toss(self, dice: Sequence[str]) -> None:
        numbers = [NUMBERS[face] for face in dice if face in NUMBERS]
        thrice = [sign for sign in SIGNS if sum(face == sign for face in dice) > 2]
        if self.bank_roll and len(numbers) == 6:
            self.tally(self.pot + sum(numbers))
            self.pot = 0
            self.hand = 6
        elif len(thrice) == 2:
            self.signs = thrice
        elif len(thrice) == 1:
            self.obey(thrice[0])
        elif numbers:
            self.pot += sum(numbers) if self.scoring == "all" else max(numbers)
            self.hand -= 1
            if self.hand == 0:
                self.hand = 6
        else:
            self.tally(self.pot)
            self.finish(False)

    def choose(self, choice: str) -> None:
        verb, what = choice.split()
        if verb == "follow":
            self.signs = []
            self.obey(what.upper())
        else:
            self.naming = False
            self.begin(self.turn, int(what) - 1, True)

    # What follows from it

    def obey(self, sign: str) -> None:
        if sign != "DEAD-END":
            self.tally(self.pot)
        self.finish(sign == "U-TURN")

    def tally(self, points: int) -> None:
        if self.penalty:
            self.scores[self.who] -= points
        else:
            self.scores[self.who] += points

    def finish(self, u_turn: bool) -> None:
        """A turn or a penalty has ended, and its points are on the sheet."""
        self.pot = 0
        self.hand = 6
        if not self.penalty and self.leader is None and self.scores[self.turn] >= self.target:
            if not self.final_round:
                self.winner = self.turn
                return
            self.leader = self.turn
            seat = self.left_of(self.turn)
            while seat != self.turn:
                self.to_come.append(seat)
                seat = self.left_of(seat)
        if u_turn:
            self.naming = True
        elif self.leader is None:
            self.begin(self.left_of(self.turn), self.left_of(self.turn), False)
        elif self.to_come:
            seat = self.to_come.pop(0)
            self.begin(seat, seat, False)
        else:
            self.judge(self.leader)

    def begin(self, turn: int, who: int, penalty: bool) -> None:
        self.turn, self.who, self.penalty = turn, who, penalty

    def judge(self, leader: int) -> None:
        """The final round is over."""
        *_, second, best = sorted(self.scores)
        if best >= self.target and best != second:
            self.winner = self.scores.index(best)
            self.begin(self.turn, self.turn, False)
        else:
            self.leader = None
            self.begin(self.left_of(leader), self.left_of(leader), False)

    # What it looks like

    def actor(self) -> int:
        """Who chooses; -1 if the dice do, -2 if the game is over."""
        if self.over:
            return -2
        return self.who if self.choices() else -1

    def describe(self) -> str:
        """The position, as the project writes it."""
        phase = "toss"
        if self.over:
            phase = "over"
        elif self.naming:
            phase = "target"
        elif self.signs:
            phase = "+".join(self.signs).lower()
        scores = "/".join([str(score) for score in self.scores])
        who = str(self.who + 1) + ("-" if self.penalty else "")
        leader = "-" if self.leader is None else str(self.leader + 1)
        return f"{scores} {self.turn + 1} {who} {phase} {self.hand} {self.pot} {leader}"
