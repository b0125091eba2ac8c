"""A whole match of Rollers, shrunken: every round begins with two sections left, and two or three points win.

Every turn is played out here on dice counted by hand, chips and points are reckoned by the sheet, and each round is a
plain iteration of turns until nothing changes. The solver's rounds, one after the other, have to come to the same
chances for every match score, pair of boards and number of chips. Nothing of its kernels, lattices or stakes is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from hotdice.games.rollers.rules import Board
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.equity import Chance, Needs
from hotdice.games.rollers.solving.match import all_needs, ends_of, stakes_at
from hotdice.games.rollers.solving.tables import LEVELS, RoundSolve

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Dice = tuple[int, int, int]
"""How many 4s, 5s and STARs there are; other numbers are of no use to anybody."""
Held = tuple[str, Dice]
"""What the black die shows (nothing while it is to be rolled), and the purple dice."""

CHIPS = 110
"""Of both players together."""
BOARDS: tuple[Board, ...] = ((2, 2, 2, 1, 1), (2, 2, 2, 2, 1), (2, 2, 2, 1, 2))
START, FULL = BOARDS[0], (2, 2, 2, 2, 2)
ACCURACY = 1e-7


# Dice: six faces each; a purple one has a STAR, the black one a ZAP, which cancels the roll


@cache
def purple_rolls(count: int) -> list[tuple[Dice, float]]:
    """Rolls of some purple dice: a 4, a 5 and a STAR come with a sixth each, something useless with a half."""
    found = []
    for fours, fives, stars in product(range(count + 1), repeat=3):
        rest = count - fours - fives - stars
        if rest >= 0:
            ways = comb(count, fours) * comb(count - fours, fives) * comb(count - fours - fives, stars)
            found.append(((fours, fives, stars), ways * 3**rest / 6**count))
    return found


def rolls_from(held: Held) -> Iterator[tuple[Held, float]]:
    """What lies there after the other dice are rolled. After a ZAP it is what was held."""
    black, (fours, fives, stars) = held
    blacks = [("4", 1 / 6), ("5", 1 / 6), ("other", 3 / 6)] if black == "" else [(black, 1.0)]
    if black == "":
        yield held, 1 / 6
    for dice, chance in purple_rolls(5 - fours - fives - stars):
        for shown, weight in blacks:
            yield (shown, (fours + dice[0], fives + dice[1], stars + dice[2])), chance * weight


EVERY: list[Held] = [
    (black, (fours, fives, stars))
    for black in ("", "4", "5", "other")
    for fours, fives, stars in product(range(6), repeat=3)
    if fours + fives + stars <= 5
]
NUMBER = {held: at for at, held in enumerate(EVERY)}


ROLLED = np.zeros((len(EVERY), len(EVERY)))
for _held in EVERY:
    for _then, _chance in rolls_from(_held):
        ROLLED[NUMBER[_held], NUMBER[_then]] += _chance


def kept_of(held: Held) -> list[int]:
    """All that may be kept of what lies there."""
    black, dice = held
    fewer = product(*(range(count + 1) for count in dice))
    return [NUMBER[one, (fours, fives, stars)] for fours, fives, stars in fewer for one in {black, ""}]


# Boards and chips


USES = [(fours, fives) for fours, fives in product(range(7), repeat=2) if fours + fives <= 6]
"""How many dice are used as 4s and as 5s."""


def uses_of(held: Held) -> list[int]:
    """The ways to use dice, by number; a STAR is any number, and nobody has to use a die."""
    black, (fours, fives, stars) = held
    fours, fives = fours + (black == "4"), fives + (black == "5")
    return [at for at, (four, five) in enumerate(USES) if max(0, four - fours) + max(0, five - fives) <= stars]


def best_of(choices: list[list[int]]) -> Callable[[Floats], Floats]:
    """What is best for each state of the dice, by what its choices are worth."""
    every = np.concatenate(choices)
    begin = np.cumsum([0, *map(len, choices[:-1])])
    return lambda worth: np.maximum.reduceat(worth[every], begin)


BEST_KEEP = best_of([kept_of(held) for held in EVERY])
BEST_USE = best_of([uses_of(held) for held in EVERY])


def applied(mine: Board, theirs: Board, uses: tuple[int, int], chips: int) -> tuple[Board, int] | None:
    """My board and chips after dice are used: one closes an open section; more dice of a number that I have closed
    collect as many chips as they show, if the other has not closed it and I have chips."""
    board, due = list(mine), 0
    for at, used in zip((3, 4), uses, strict=True):
        left = used
        if left and board[at] == 1:
            board[at], left = 2, left - 1
        if left:
            if theirs[at] == 2 or chips == 0:
                return None
            due += left * (at + 1)
    return tuple(board), chips + min(due, CHIPS - chips)


@cache
def outcomes(mine: Board, theirs: Board) -> list[tuple[int, Ints, Ints, Board]]:
    """What each use of dice leads to: the chips with which it is legal, the board, and the chips then."""
    found = []
    for use, uses in enumerate(USES):
        by_board: dict[Board, list[tuple[int, int]]] = {}
        for chips in range(CHIPS + 1):
            after = applied(mine, theirs, uses, chips)
            if after is not None:
                by_board.setdefault(after[0], []).append((chips, after[1]))
        found += [(use, *np.array(pairs).T, board) for board, pairs in by_board.items()]
    return found


def won(points: tuple[int, int], target: int, chips: int) -> float:
    """What I won of a match that is over: of those with the points, the one with more chips, then more points."""
    mine, theirs = ((score >= target, have, score) for score, have in zip(points, (chips, CHIPS - chips), strict=True))
    return 0.5 + 0.5 * ((mine > theirs) - (mine < theirs))


class Match:
    """All chances of the shrunken match, by who is to move: [the one who began or the other][mine, theirs][chips]."""

    def __init__(self, share: bool, target: int) -> None:
        self.share, self.target = share, target
        self.begins: dict[Needs, float] = {}
        self.rounds: dict[Needs, list[dict[tuple[Board, Board], Floats]]] = {}
        for needs in all_needs(target):
            self.rounds[needs] = self.round(needs)
            self.begins[needs] = float(self.rounds[needs][0][START, START][CHIPS // 2])

    def completed(self, needs: Needs, who: int, chips: int) -> float:
        """What it is worth to complete the board with so many chips: `who` is 0 if I began the round."""
        to_go = needs if who == 0 else needs[::-1]
        mine, theirs = 2 if chips else 1, 0
        if chips > CHIPS - chips or (self.share and 2 * chips == CHIPS):
            mine += 1
        if chips < CHIPS - chips or (self.share and 2 * chips == CHIPS):
            theirs += 1
        left = to_go[0] - mine, to_go[1] - theirs
        if min(left) <= 0:
            return won((self.target - left[0], self.target - left[1]), self.target, chips)
        return 1.0 - self.begins[left[1], left[0]] if who == 0 else self.begins[left]

    def turn(self, needs: Needs, who: int, mine: Board, theirs: Board, after: dict[Board, Floats]) -> Floats:
        """A turn by chips; `after` has what it is worth to leave a board, by the chips that I have then."""
        after = {**after, FULL: np.array([self.completed(needs, who, chips) for chips in range(CHIPS + 1)])}
        worth = np.full((len(USES), CHIPS + 1), -1.0)
        for use, chips, then, board in outcomes(mine, theirs):
            worth[use, chips] = after[board][then]
        ended = best = BEST_USE(worth)
        for _ in range(2):
            best = np.maximum(ended, BEST_KEEP(ROLLED @ best))
        found: Floats = (ROLLED @ best)[NUMBER["", (0, 0, 0)]]
        return found

    def round(self, needs: Needs) -> list[dict[tuple[Board, Board], Floats]]:
        """Every pair of boards, those further on first; turns of both until nothing changes."""
        values: list[dict[tuple[Board, Board], Floats]] = [{}, {}]
        for one, other in sorted(product(BOARDS, repeat=2), key=lambda boards: -sum(map(sum, boards))):
            now = [np.full(CHIPS + 1, 0.5), np.full(CHIPS + 1, 0.5)]
            change = 1.0
            while change > ACCURACY / 100:
                change = 0.0
                for who, mine, theirs in ((1, other, one), (0, one, other)):
                    after = {
                        board: 1.0 - values[1 - who][theirs, board][::-1]
                        for board in BOARDS
                        if board != mine and (theirs, board) in values[1 - who]
                    }
                    after[mine] = 1.0 - now[1 - who][::-1]
                    found = self.turn(needs, who, mine, theirs, after)
                    change = max(change, float(np.abs(found - now[who]).max()))
                    now[who] = found
            values[0][one, other], values[1][other, one] = now
        return values


@pytest.mark.parametrize(("share", "target"), [(False, 3), (True, 2)])
def test_a_shrunken_match_is_what_brute_force_makes_of_it(share: bool, target: int) -> None:
    match = Match(share, target)
    known: dict[Needs, Chance] = {}
    for needs in all_needs(target):
        solve = RoundSolve(False, ends_of(stakes_at(needs, 0, share, known.__getitem__)), 1e-10)
        for level in LEVELS:
            pairs = [
                (number_of(one), number_of(other))
                for one, other in product(BOARDS, repeat=2)
                if sum(one) + sum(other) == level
            ]
            solve.solve(pair for pair in pairs if not solve.done[pair])
        for who, values in enumerate(match.rounds[needs]):
            for (mine, theirs), expected in values.items():
                found = solve.values[who if len(solve.ends) == 2 else 0, number_of(mine), number_of(theirs)]
                assert 0.5 + 0.5 * found == pytest.approx(expected, abs=ACCURACY)
        start = number_of(START)
        value = 0.5 + 0.5 * float(solve.values[0, start, start, CHIPS // 2])
        assert value == pytest.approx(match.begins[needs], abs=ACCURACY)
        known[needs] = Chance(value, 0.0)
