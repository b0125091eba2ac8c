"""What the boxes of Kismet and the bonus will bring: by brute force, and by adding up to the value."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from random import Random
from threading import Event

import numpy as np
import pytest

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, State
from hotdice.games import parse_position
from hotdice.games.kismet import Box, KismetOptions, KismetState
from hotdice.games.kismet.rules import bonus
from hotdice.games.kismet.solving.evaluators import Alone
from hotdice.games.kismet.solving.tables import solve_sheet
from hotdice.games.kismet.solving.worths import Worths
from hotdice.solve.multisets import multisets
from hotdice.values import Evaluator
from tests.solve.test_kismet_solver import brute_force, tiny_bonus, tiny_points, tiny_sheet, without

PRINTED = KismetOptions()
TINY_LEVELS = (6, 11)
"""What the bonus of the tiny game can be."""

pytestmark = pytest.mark.usefixtures("own_tables")


@pytest.fixture(scope="module")
def alone(own_tables: None) -> Alone:
    return Alone(PRINTED)


# A tiny game, by an independent expectimax over ordered dice


def tiny_account(dice: int, rolls: int) -> Callable[[int, int], tuple[float, ...]]:
    """The points to come, what the three boxes and the bonus bring of them, and the chance of each bonus or more."""

    def mean(found: list[tuple[float, ...]]) -> tuple[float, ...]:
        return tuple(sum(figures) / len(found) for figures in zip(*found, strict=True))

    @cache
    def start(mask: int, basic: int) -> tuple[float, ...]:
        if mask == 0b111:
            points = tiny_bonus(basic)
            return points, 0, 0, 0, points, *(float(points >= level) for level in TINY_LEVELS)
        return rolled(mask, basic, (), 0)

    @cache
    def rolled(mask: int, basic: int, kept: Roll, taken: int) -> tuple[float, ...]:
        throws = product(range(1, 7), repeat=dice - len(kept))
        return mean([decided(mask, basic, tuple(sorted(kept + throw)), taken + 1) for throw in throws])

    @cache
    def decided(mask: int, basic: int, hand: Roll, taken: int) -> tuple[float, ...]:
        choices = []
        for box, points in enumerate(tiny_points(hand)):
            if not mask >> box & 1:
                total, *parts = start(mask | 1 << box, min(13, basic + (points if box < 2 else 0)))
                parts[box] = points
                choices.append((total + points, *parts))
        if taken < rolls:
            keeps = {kept for count in range(dice) for kept in combinations(hand, count)}
            choices += [rolled(mask, basic, kept, taken) for kept in sorted(keeps)]
        best = max(choice[0] for choice in choices)
        return next(choice for choice in choices if choice[0] > best - 1e-9)

    return start


@pytest.mark.parametrize(("dice", "rolls"), [(2, 3), (3, 2)])
def test_a_tiny_game_by_brute_force_solved_when_asked_and_from_the_table(dice: int, rolls: int) -> None:
    sheet, edges = tiny_sheet(dice, rolls), multisets(dice).edges
    key, value = f"tiny {dice} {rolls}", solve_sheet(sheet, edges)
    when_asked, stopped, solved = (Worths(key, sheet, edges, value) for _ in range(3))
    brute = tiny_account(dice, rolls)

    def check(worths: Worths, error: float) -> None:
        for mask in range(8):
            for basic in np.flatnonzero(sheet.lane[sheet.group[mask]] >= 0).tolist():
                found, stated = worths.of(mask, basic)
                assert found == pytest.approx(brute(mask, basic)[1:5], abs=error)
                assert stated == error

    check(when_asked, 1e-9)
    stop = Event()
    stop.set()
    stopped.solve(stop=stop)
    check(stopped, 1e-9)
    shares: list[float] = []
    solved.solve(shares.append)
    assert shares[-1] == 1.0
    for worths in (solved, stopped, Worths(key, sheet, edges, value)):
        check(worths, 5e-6)


# The real game


def entries(state: State) -> tuple[float, ...]:
    """The total of a player alone, every entry of the sheet, and the bonus."""
    assert isinstance(state, KismetState)
    sheet = state.sheets[0]
    return (float(state.scores[0]), *map(float, sheet), float(bonus(sum(sheet[:6]))))


def rolled(fields: str, random: Random, options: str = "") -> KismetState:
    state = parse_position(f"kismet{options} {fields}")
    while state.seat == CHANCE:
        outcomes = state.outcomes()
        state = state.roll(outcomes.at(random.randrange(outcomes.total)))
    assert isinstance(state, KismetState)
    return state


@pytest.mark.parametrize("boxes", [(Box.SIXES,), (Box.FULL_HOUSE_SAME_COLOR,), (Box.FIVES, Box.STRAIGHT)])
def test_the_last_boxes_by_brute_force(alone: Alone, boxes: tuple[Box, ...]) -> None:
    random = Random(str(boxes))
    brute = brute_force(entries)
    state = rolled(f"{without(*boxes)} 1 0 -", random)
    for _ in range(2):
        for move in random.sample(state.legal_moves(), 3):
            after = brute(state.apply(move))
            found = {one.name: one.value for one in alone.prospects(state, move)}
            assert found == pytest.approx(
                {box.word: after[1 + box] for box in boxes} | {"bonus": after[-1]}, abs=1e-9
            ), move.text
        keep = next(move for move in state.legal_moves() if move.text != "keep none")
        state = rolled(state.apply(keep).position.removeprefix("kismet "), random)


def positions(count: int, seed: int, players: int = 1) -> list[KismetState]:
    """Somewhere in the last five boxes of a sheet."""
    random = Random(seed)
    found = []
    for _ in range(count):
        sheets = [without(*random.sample(tuple(Box), random.randint(1, 5))) for _ in range(players)]
        sheets[0] = sheets[0].replace("18", random.choice(["18", "6", "30"]))
        state = rolled(f"{'/'.join(sheets)} 1 0 -", random)
        for _ in range(random.randrange(3)):
            state = rolled(state.apply(random.choice(state.legal_moves()[:8])).position.removeprefix("kismet "), random)
            if state.seat != 0 or state.rolls == 3:
                break
        if state.seat == 0 and state.seat != OVER:
            found.append(state)
    return found


def to_come(values: Evaluator, state: KismetState) -> list[float]:
    return [sum(one.value for one in values.prospects(state, move)) for move in state.legal_moves()]


def test_the_boxes_and_the_bonus_add_up_to_the_expected_total(alone: Alone) -> None:
    for state in positions(30, 7):
        written = sum(entry for entry in state.sheets[0] if entry >= 0)
        values = alone.action_values(state, 0)
        assert [written + rest for rest in to_come(alone, state)] == pytest.approx(values, abs=1e-7), state.position


def test_every_move_speaks_of_the_same_boxes(alone: Alone) -> None:
    state = parse_position(f"kismet {without(Box.ACES, Box.FLUSH, Box.KISMET)} 1 1 11166")
    for move in state.legal_moves():
        assert [one.name for one in alone.prospects(state, move)] == ["aces", "flush", "kismet", "bonus"]
        assert [one.words for one in alone.prospects(state, move)][1:3] == ["in Flush", "in Kismet"]
