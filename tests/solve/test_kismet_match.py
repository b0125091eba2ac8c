"""The match of Kismet bots against the same games played state by state.

The tables are made up, and quick to make: what is compared are two ways to play by them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from benchmarks.match_kismet import NOTHING, Bot, Played, greedy_bot, pair_share, play_game, points_bot, stream, win_bot
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.kismet import KISMET, Box, Keep, KismetOptions, KismetState, Score
from hotdice.games.kismet.greedy import PAR, beat_par
from hotdice.games.kismet.rules import DICE, bonus
from hotdice.games.kismet.solving import evaluators
from hotdice.games.kismet.solving.evaluators import Alone, Together
from hotdice.games.kismet.solving.sheets import FIVE, TOP, Ints
from hotdice.games.kismet.solving.tables import LATE_ROW
from hotdice.solve.store import Arrays, Tables
from hotdice.values import Evaluator

PRINTED = KismetOptions()
Chooser = Callable[[KismetState], Move]


def made_up() -> tuple[Tables, Tables]:
    """Par for every vacant box, and the bonus that the basic ones of these lead to."""
    masks, sums = np.arange(1 << len(Box))[:, np.newaxis], np.arange(TOP + 1)
    vacant = 1 - (masks >> np.arange(len(Box)) & 1)
    basic = np.minimum((vacant[:, :6] @ PAR[:6])[:, np.newaxis] + sums, TOP)
    value = (vacant @ PAR)[:, np.newaxis] + np.array([bonus(one) for one in range(TOP + 1)])[basic]
    left = vacant.sum(axis=1, keepdims=True) + 0 * sums
    futures = np.zeros((LATE_ROW.max() + 1, TOP + 1, 211), np.float32)
    for mask in np.flatnonzero(LATE_ROW >= 0):
        for lane in range(TOP + 1):
            for off in (-8, 0, 8):
                futures[LATE_ROW[mask], lane, max(0, value[mask, lane] + off * left[mask, lane])] += 1 / 3
    points: Arrays = {"value": value.astype(np.float64)}
    spread: Arrays = {"variance": 90.0 * left, "kismets": (0.06 * left).astype(np.float32), "futures": futures}
    return Tables("points", "made up", dict(points), "", 0.0), Tables("spread", "made up", dict(spread), "", 0.0)


@pytest.fixture(scope="module", autouse=True)
def tables() -> Iterator[None]:
    points, spread = made_up()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluators, "points_table", lambda *_: points)
        patch.setattr(evaluators, "spread_table", lambda *_: spread)
        yield


@pytest.fixture(scope="module")
def bots() -> dict[str, Bot]:
    values = Together(PRINTED, 2)
    return {"win": win_bot(values), "points": points_bot(values), "greedy": greedy_bot}


@pytest.fixture(scope="module")
def choosers() -> dict[str, Chooser]:
    together, alone = Together(PRINTED, 2), Alone(PRINTED)

    def first(values: Evaluator, state: State) -> Move:
        best = values.evaluate(state).lines[0].action
        assert isinstance(best, Move)
        return best

    def for_points(state: KismetState) -> Move:
        sheets, had = (state.sheets[state.seat],), (state.had_kismet[state.seat],)
        return first(alone, KismetState(PRINTED, sheets, had, 0, 0, state.rolls, state.dice, ()))

    return {"win": lambda state: first(together, state), "points": for_points, "greedy": beat_par}


def play_states(choosers: tuple[Chooser, Chooser], dice: Ints) -> tuple[list[Played], KismetState]:
    """The turns of a game in which the first seat begins, and its end."""
    state: State = KISMET.start(2).roll((6,)).roll((1,))
    turns: list[Played] = []
    held: list[int] = []
    while state.seat != OVER:
        assert isinstance(state, KismetState)
        if state.seat == CHANCE:
            taken = sum(turn.seat == state.roller for turn in turns)
            faces = 1 + dice[state.roller, taken, state.rolls, : DICE - len(state.dice)]
            state = state.roll(tuple(sorted(faces.tolist())))
            continue
        move = choosers[state.seat](state)
        match move:
            case Keep(kept):
                held.append(FIVE.number[kept])
            case Score(box):
                first, second = (*held, NOTHING, NOTHING)[:2]
                turns.append(Played(state.seat, first, second, FIVE.number[state.dice] - FIVE.keeps, box))
                held = []
        state = state.apply(move)
    assert isinstance(state, KismetState)
    return turns, state


def loaded(number: int) -> Ints:
    """Dice that bring a Kismet every third turn or so."""
    random = np.random.default_rng(number)
    dice = stream(number)
    for turn in dice.reshape(-1, *dice.shape[2:]):
        if random.random() < 0.3:
            turn[:] = random.integers(6)
    return dice


PAIRS = [("win", "points"), ("points", "win"), ("win", "greedy"), ("greedy", "win")]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_match_plays_as_states_and_evaluations_do(
    bots: dict[str, Bot], choosers: dict[str, Chooser], first: str, second: str
) -> None:
    for number in range(3):
        turns, totals = play_game((bots[first], bots[second]), stream(number))
        expected, end = play_states((choosers[first], choosers[second]), stream(number))
        assert turns == expected
        assert totals == end.scores


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_second_kismets_in_the_match(
    bots: dict[str, Bot], choosers: dict[str, Chooser], first: str, second: str
) -> None:
    hit = 0
    for number in range(4):
        turns, totals = play_game((bots[first], bots[second]), loaded(number))
        expected, end = play_states((choosers[first], choosers[second]), loaded(number))
        assert turns == expected
        assert totals == end.scores
        hit += 2 * len(Box) - len(turns)
    assert hit > 8


def test_the_share_of_a_pair_of_games(bots: dict[str, Bot], choosers: dict[str, Chooser]) -> None:
    """Each bot begins once with the same dice; a win counts one, a shared one a half."""

    def wins(first: str, second: str, dice: Ints) -> list[float]:
        result = play_states((choosers[first], choosers[second]), dice)[1].result
        assert result is not None
        return [(seat in result.winners) / len(result.winners) for seat in range(2)]

    found = []
    for number in range(6):
        dice = stream(number)
        found.append(pair_share((bots["points"], bots["greedy"]), dice))
        assert found[-1] == (wins("points", "greedy", dice)[0] + wins("greedy", "points", dice)[1]) / 2
    assert len(set(found)) > 1
    assert pair_share((bots["points"], bots["points"]), stream(0)) == 0.5
