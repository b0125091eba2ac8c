"""What the chapter on Rollers says: exact for the first round of a match between two, simulated beyond."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from hotdice import CHANCE
from hotdice.dice import Roll
from hotdice.game import Move
from hotdice.games.rollers import ROLLERS, RollersOptions, RollersState
from hotdice.games.rollers.rules import (
    BLACK_CODE,
    CHIPS,
    CLOSED,
    EMPTY_BOARD,
    NUMBERS,
    OPEN,
    PURPLES,
    ROLLS,
    STAR,
    TOSSES,
    ZAP,
    Apply,
    Board,
    Keep,
    board_after,
)
from hotdice.games.rollers.solving.boards import number_of
from hotdice.games.rollers.solving.match_tables import match_table
from hotdice.games.rollers.solving.tables import race
from hotdice.solve import evaluator_for
from hotdice.values import Evaluator
from strategy.figures import SEED, Estimate, Match, Report, Seats, match, seats_after_roll_off

OPTIONS: Final = RollersOptions()
ROUNDS: Final = 200
"""Rounds that are played out by the best play."""
MATCHES: Final = 20_000
LEADS: Final = range(-50, 51, 5)
LATE: Final[Board] = (CLOSED, CLOSED, CLOSED, OPEN, OPEN)


@dataclass(frozen=True, slots=True)
class Section:
    """What a section of one's own is worth at the beginning of a match, in wins, the other having nothing yet."""

    number: int
    opened: float
    closed: float


@dataclass(frozen=True, slots=True)
class Kept:
    """First rolls that show a number so many times, STARs not counted, and are not zapped."""

    number: int
    count: int
    all_of_them: float
    """On what share of them all of these dice are kept."""
    none: float
    """On what share none."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What the best play does with first rolls on an empty board, as shares of those that are not zapped."""

    stars: float
    """Of rolls with a STAR: all of them are kept."""
    black: float
    """The black die is kept."""
    numbers: Sequence[float]
    """Dice of no number, of one, of two … are kept, STARs aside."""
    kept: Sequence[Kept]


@dataclass(frozen=True, slots=True)
class Rounds:
    """How first rounds go if both play their best."""

    turns: Estimate
    """Turns of both together."""
    rolls: Sequence[float]
    """The share of turns that end after one roll, two, three."""
    opened: Estimate
    """A turn, on average."""
    closed: Estimate
    collected: Estimate
    """Chips a turn."""
    collecting: Estimate
    """The share of turns that collect chips."""
    spared: Estimate
    """The share of turns that leave a section which the dice could have closed on top of all that they did to the
    board: they collect with that die, or leave it."""
    for_chips: float
    """In what share of these they collect more chips instead."""
    closing_loses: Estimate
    """What closing it would have lost in wins, on average over these turns."""
    richest: Estimate
    """How often whoever completes the board has the most chips, too."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the chapter says in numbers."""

    first: float
    """What whoever begins the match wins."""
    race: float
    """Turns to fill a board alone, as fast as can be."""
    sections: Sequence[Section]
    chips: Sequence[tuple[int, float]]
    """The chance to win the match for whoever begins, by how many chips more than 55 they have and the other less."""
    late: Sequence[tuple[int, float]]
    """The same with three sections closed and two open on both boards."""
    opening: Opening
    rounds: Rounds
    seats: Sequence[Seats]
    """By the order of turns in the first round; two exactly, more as players who race."""
    luck: Sequence[Match]


def position(boards: tuple[Board, Board], chips: tuple[int, int]) -> RollersState:
    """The first seat is about to roll in the first round of a match, which it has begun."""
    return RollersState(OPTIONS, boards, chips, (0, 0), 0, CHANCE, 0, 0, (), (), ())


def sections(values: Evaluator, begin: float) -> list[Section]:
    """What an open and a closed section are worth."""
    found = []
    for number in NUMBERS:
        worths = [
            values.expected(position((_with(number, section), EMPTY_BOARD), (CHIPS, CHIPS)), 0) - begin
            for section in (OPEN, CLOSED)
        ]
        found.append(Section(number, *worths))
    return found


def _with(number: int, section: int) -> Board:
    return tuple(section if one == number else 0 for one in NUMBERS)


def chip_leads(values: Evaluator, board: Board) -> list[tuple[int, float]]:
    return [
        (lead, values.expected(position((board, board), (CHIPS + lead, CHIPS - lead)), 0)) for lead in LEADS
    ]  # fmt: skip


def opening(values: Evaluator) -> Opening:
    """All first rolls on an empty board."""
    outcomes = TOSSES[PURPLES][1]
    stars, black, total, starred = 0.0, 0.0, 0.0, 0.0
    numbers = np.zeros(len(NUMBERS) + 1)
    shown, every, none = (np.zeros((len(NUMBERS) + 1, PURPLES + 2)) for _ in range(3))
    start = position((EMPTY_BOARD, EMPTY_BOARD), (CHIPS, CHIPS))
    for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
        if ZAP in roll:
            continue
        move = values.policy(start.roll(roll))
        kept = move.dice if isinstance(move, Keep) else roll
        total += weight
        black += weight * any(die > STAR for die in kept)
        if STAR in roll:
            starred += weight
            stars += weight * (kept.count(STAR) == roll.count(STAR))
        different = 0
        for number in NUMBERS:
            count, held = _count(roll, number), _count(kept, number)
            shown[number, count] += weight
            every[number, count] += weight * (held == count)
            none[number, count] += weight * (held == 0)
            different += held > 0
        numbers[different] += weight
    found = [
        Kept(number, count, float(every[number, count] / shown[number, count]),
             float(none[number, count] / shown[number, count]))
        for number in NUMBERS for count in range(1, 5)
    ]  # fmt: skip
    return Opening(stars / starred, black / total, [float(one / total) for one in numbers], found)


def _count(dice: Roll, number: int) -> int:
    return dice.count(number) + dice.count(BLACK_CODE + number)


def rounds(values: Evaluator) -> Rounds:
    """First rounds that both play as well as can be."""
    random = Random(SEED)
    turns, taken, opened, closed, collected = list[int](), list[int](), list[int](), list[int](), list[int]()
    spared, costs, instead, richest = list[bool](), list[float](), list[bool](), list[bool]()
    for _ in range(ROUNDS):
        state, played = position((EMPTY_BOARD, EMPTY_BOARD), (CHIPS, CHIPS)), 0
        rolls = 0
        while state.scores == (0, 0):  # every round gives points
            if state.seat == CHANCE:
                outcomes = state.outcomes()
                state = state.roll(outcomes.at(random.randrange(outcomes.total)))
                rolls += 1
                continue
            move = values.policy(state)
            if isinstance(move, Apply):
                played += 1
                taken.append(rolls)
                rolls = 0
                mine = state.boards[state.seat]
                after, gains = board_after(mine, move.uses)
                opened.append(sum(a != b and b == OPEN for a, b in zip(mine, after, strict=True)))
                closed.append(after.count(CLOSED) - mine.count(CLOSED))
                chips = sum(number * gain for number, gain in zip(NUMBERS, gains, strict=True))
                collected.append(chips)
                doors = [line for line in values.evaluate(state).lines if _closes_more(mine, after, line.action)]
                spared.append(bool(doors))
                if doors:
                    costs.append(doors[0].behind)
                    other = board_after(mine, _uses(doors[0].action))[1]
                    instead.append(chips > sum(number * gain for number, gain in zip(NUMBERS, other, strict=True)))
                if after.count(CLOSED) == len(NUMBERS):
                    paid = state.apply(move)
                    richest.append(paid.scores[state.seat] == 3)
            state = state.apply(move)
        turns.append(played)
    shares = [taken.count(count) / len(taken) for count in range(1, ROLLS + 1)]
    return Rounds(
        _mean(turns), shares, _mean(opened), _mean(closed), _mean(collected),
        _mean([chips > 0 for chips in collected]), _mean(spared), float(np.mean(instead)), _mean(costs), _mean(richest),
    )  # fmt: skip


def _uses(action: Move | Roll) -> tuple[int, ...]:
    return action.uses if isinstance(action, Apply) else ()


def _closes_more(before: Board, after: Board, action: Move | Roll) -> bool:
    """Whether a use of dice does all that was done to the board, and closes more."""
    if not isinstance(action, Apply):
        return False
    other = board_after(before, action.uses)[0]
    return other.count(CLOSED) > after.count(CLOSED) and all(a >= b for a, b in zip(other, after, strict=True))


def _mean(numbers: Sequence[float]) -> Estimate:
    every = np.asarray(numbers, float)
    return Estimate(float(every.mean()), float(every.std() / len(every) ** 0.5)) if len(every) else Estimate(0.0)


def work(told: Report) -> Figures:
    """Everything from the solved table of a match's first round, which is loaded or solved first."""
    told("the first round of a match, solved (five minutes of CPU the first time)")
    match_table(OPTIONS, (OPTIONS.target_points, OPTIONS.target_points))
    values = evaluator_for(ROLLERS, OPTIONS, 2)
    begin = values.expected(position((EMPTY_BOARD, EMPTY_BOARD), (CHIPS, CHIPS)), 0)
    told("sections and chips")
    parts, leads, late = sections(values, begin), chip_leads(values, EMPTY_BOARD), chip_leads(values, LATE)
    told("first rolls")
    first = opening(values)
    told(f"{ROUNDS} rounds")
    played = rounds(values)
    told("matches")
    two = Seats(2, 0, [Estimate(begin), Estimate(1 - begin)])
    return Figures(
        begin, float(race(False)[number_of(EMPTY_BOARD)]), parts, leads, late, first, played,
        [two, *(seats_after_roll_off("rollers", "race", players, MATCHES) for players in (3, 4, 5))],
        [match("rollers", "optimal", rival, MATCHES) for rival in ("expert", "casual", "beginner", "greedy", "race")],
    )  # fmt: skip
