"""BJ's dice for three, solved: best responses by brute force, the equations through `State`, mixed plans, resuming."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from threading import Event
from typing import Self

import numpy as np
import pytest
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import CHANCE, State
from hotdice.games import parse_position
from hotdice.games.bj import BJ, BjOptions, BjState
from hotdice.games.bj.rules import BONUS, PASS, ROLL, TOSSES, read_toss
from hotdice.games.bj.solving import BjSolver, three
from hotdice.games.bj.solving.evaluator import BjEvaluator
from hotdice.games.bj.solving.kernel import Floats, Ints
from hotdice.games.bj.solving.solver import chase_table, tables
from hotdice.games.bj.solving.three_evaluator import BjThree, BjThreeSolved
from hotdice.solve import store
from hotdice.values import NotSolved, Unit
from tests.solve import expectimax

pytestmark = pytest.mark.usefixtures("own_tables")

RULES = [BjOptions(dice=dice, bust=bust) for dice, bust in product((6, 5), ("any", "all_dice"))]
_readings = [expectimax.by_reading(outcomes, read_toss) for outcomes in TOSSES]


@cache
def _solved(options: BjOptions) -> BjThreeSolved:
    return BjThreeSolved(options, three.table(options))


def _rolls(state: State) -> list[tuple[Roll, int]]:
    assert isinstance(state, BjState)
    return _readings[state.dice]


# The whole game by brute force: what everybody has, and what each could have by playing otherwise


@cache
def _catches_up(options: BjOptions, dice: int, deficit: int) -> float:
    """The chance to score more than the deficit in a turn that goes on until then."""
    if deficit < 0:
        return 1.0
    total = 0.0
    for roll, weight in _readings[dice]:
        toss = read_toss(roll)
        left = dice - toss.frozen
        if toss.points:
            bonus = 0 if left else BONUS
            total += weight * _catches_up(options, left or options.dice, deficit - toss.points - bonus)
    return total / TOSSES[dice].total


def _last_turn(state: State) -> list[float] | None:
    """The chances of all where the last turn of the game begins: to catch up, or else the leader wins."""
    assert isinstance(state, BjState)
    if not state.fresh or (state.roller + 1) % 3 != state.starter:
        return None
    own = _catches_up(state.options, state.dice, max(state.scores) - state.scores[state.roller])
    return [own if seat == state.roller else (1 - own) * (seat == state.winner) for seat in range(3)]


@dataclass(frozen=True, slots=True)
class Whole:
    """A game from its start, cut beyond a score, with what the three decide in it."""

    graph: expectimax.Graph
    exact: BjThreeSolved
    cut: list[int]
    tosses: NDArray[np.bool_]
    """By edge: whether chance takes it."""
    deciding: Ints
    rolling: Ints
    """Where the deciding states lead by rolling, and by passing."""
    passing: Ints
    rolls: NDArray[np.bool_]
    """By deciding state: whether the table rolls."""

    @classmethod
    def of(cls, exact: BjThreeSolved, cap: int) -> Self:
        def far(state: State) -> float | None:
            assert isinstance(state, BjState)
            beyond = state.at_risk + state.safe + state.scores[state.roller] > cap
            return 0.0 if beyond or _last_turn(state) else None

        graph = expectimax.explore([BJ.start(3, exact.options)], frontier=far, rolls=_rolls)
        seats = graph.seats
        edges = np.flatnonzero(seats[graph.source] >= 0)
        deciding, rolling, passing = graph.source[edges[::2]], graph.target[edges[::2]], graph.target[edges[1::2]]
        assert (graph.source[edges[1::2]] == deciding).all()
        worth, ending = (_valued(exact, graph, chosen) for chosen in (deciding, passing))
        mine = zip(deciding, passing, seats[deciding], strict=True)
        rolls = np.array([worth[at][seat] > ending[to][seat] + 1e-12 for at, to, seat in mine])
        cut = [number for number in graph.ends if _last_turn(graph.states[number]) is None]
        return cls(graph, exact, cut, seats[graph.source] == CHANCE, deciding, rolling, passing, rolls)

    def ends(self, seat: int) -> dict[int, float]:
        """What a seat has in the last turns."""
        found = {number: _last_turn(self.graph.states[number]) for number in self.graph.ends}
        return {number: chances[seat] for number, chances in found.items() if chances is not None}

    def worth(self, ends: dict[int, float], free: int | None = None) -> Floats:
        """What states are worth if all play as planned, except that a seat that is free does what is best for it."""
        graph, size = self.graph, len(self.graph.states)
        fixed, known = list(ends), list(ends.values())
        mine = graph.seats[self.deciding] == free
        source, target, chance = (part[self.tosses] for part in (graph.source, graph.target, graph.chance))
        worth: Floats = np.zeros(size)
        for _ in range(5000):
            new: Floats = np.bincount(source, weights=chance * worth[target], minlength=size).astype(np.float64)
            rolling, passing = worth[self.rolling], worth[self.passing]
            new[self.deciding] = np.where(self.rolls, rolling, passing)
            new[self.deciding[mine]] = np.maximum(rolling, passing)[mine]
            new[fixed] = known
            change, worth = np.abs(new - worth).max(), new
            if change < 1e-15:
                return worth
        raise AssertionError("the iteration does not settle")


def _valued(exact: BjThreeSolved, graph: expectimax.Graph, chosen: Iterable[int]) -> dict[int, list[float]]:
    """What the table says of some states for all seats; those of one turn after the other, which is quicker."""

    def turn(number: int) -> tuple[object, ...]:
        state = graph.states[number]
        assert isinstance(state, BjState)
        return state.scores, state.roller, state.starter

    order = sorted(set(map(int, chosen)), key=turn)
    return {number: [exact.expected(graph.states[number], seat) for seat in range(3)] for number in order}


@pytest.mark.parametrize("options", [RULES[0], RULES[3]], ids=lambda options: options.text)
def test_nobody_gains_by_playing_otherwise(options: BjOptions) -> None:
    """Through `State` alone: the chances of the three as they play, and the best answer of each to the two others."""
    exact = _solved(replace(options, target=50))
    whole = Whole.of(exact, 900)
    begins = [
        number
        for number, state in enumerate(whole.graph.states)
        if isinstance(state, BjState) and state.fresh and state.dice == exact.dice
    ]
    assert len(begins) > 100
    table = _valued(exact, whole.graph, begins)
    beyond = _valued(exact, whole.graph, whole.cut)
    for seat in range(3):
        ends = whole.ends(seat)
        valued = ends | {number: beyond[number][seat] for number in whole.cut}
        planned, best = whole.worth(valued), whole.worth(valued, seat)
        assert max(abs(planned[number] - table[number][seat]) for number in begins) < exact.error
        assert (best - planned).max() < 2 * exact.error
        # Whatever lies beyond the cut, the table is between losing and winning all of that.
        lost, won = (whole.worth(ends | dict.fromkeys(whole.cut, worth))[0] for worth in (0.0, 1.0))
        assert lost - exact.error < table[0][seat] < won + exact.error


# One turn by brute force: the equations of longer games, with and without mixed plans


def _one_turn(exact: BjThreeSolved, state: BjState) -> tuple[float, float]:
    """What a turn is worth to its player at best, and to the next player if it is played like that.

    Its ends are valued by the table. Where the plan is mixed, rolling and passing are equal, and the second number is
    that of passing.
    """
    seat, far = state.roller, state.options.target + 3500

    @cache
    def worth(now: BjState) -> tuple[float, float]:
        own, after = seat, (seat + 1) % 3
        if now.roller != seat or now.safe + now.at_risk + now.scores[seat] > far:
            return exact.expected(now, own), exact.expected(now, after)
        if now.seat == CHANCE:
            parts = [(weight, worth(now.roll(roll))) for roll, weight in _rolls(now)]
            total = now.outcomes().total
            return tuple(sum(weight * part[k] for weight, part in parts) / total for k in range(2))  # type: ignore[return-value]
        rolling, passing = worth(now.apply(ROLL)), worth(now.apply(PASS))
        return rolling if rolling[0] > passing[0] + 1e-11 else passing

    return worth(state)


def _before(options: BjOptions, scores: tuple[int, ...]) -> BjState:
    return replace(BjState.start(options, 3), scores=tuple(50 * score for score in scores))


@pytest.mark.parametrize("scores", [(19, 20, 12), (3, 18, 20)])
def test_turns_meet_their_equations(scores: tuple[int, ...]) -> None:
    exact = _solved(BjOptions(target=1000))
    state = _before(exact.options, scores)
    assert _one_turn(exact, state) == pytest.approx([exact.expected(state, 0), exact.expected(state, 1)], abs=1e-10)


def test_a_mixed_plan_is_one_that_nobody_improves() -> None:
    """Both plans are best, and the others' chances are between what the two leave them."""
    exact = _solved(BjOptions(target=1000))
    mixed = [turn for turn, (_, _, weight) in exact._mixtures.items() if 0 < weight < 1]
    assert mixed
    state = _before(exact.options, mixed[0])
    own, _ = _one_turn(exact, state)
    assert own == pytest.approx(exact.expected(state, 0), abs=1e-10)
    chances = [exact.expected(state, seat) for seat in range(3)]
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    after = [
        sum(weight * exact.expected(state.roll(roll), seat) for roll, weight in _rolls(state)) for seat in range(3)
    ]
    assert [worth / state.outcomes().total for worth in after] == pytest.approx(chances, abs=1e-10)
    below, above, _ = exact._mixtures[mixed[0]]
    plain = _with_one_plan(exact, mixed[0], below), _with_one_plan(exact, mixed[0], above)
    shares = sorted(_after_the_toss(one, state, 1) for one in plain)
    assert shares[0] + 1e-7 < chances[1] < shares[1] - 1e-7


def _after_the_toss(exact: BjThreeSolved, state: BjState, seat: int) -> float:
    """What the first toss of a turn leads to, on average."""
    return sum(weight * exact.expected(state.roll(roll), seat) for roll, weight in _rolls(state)) / TOSSES[6].total


def _with_one_plan(exact: BjThreeSolved, turn: tuple[int, ...], worth: float) -> BjThreeSolved:
    """The same values with one plan instead of two in a turn."""
    other = BjThreeSolved(exact.options, three.table(exact.options))
    other._mixtures[turn] = [worth, worth, 0.0]
    return other


# The last round


def test_a_third_player_who_hardly_matters_leaves_the_game_of_two() -> None:
    """With one far behind to come, whoever has to beat 4000 does so as between two, unless the last one succeeds."""
    options = BjOptions(target=1000)
    exact, two = _solved(options), BjEvaluator(options, tables(options))
    alone = two.expected(parse_position("bj(target=1000) 4000/950 2 toss 6 0 0 1"), 1)
    last = float(chase_table(6)[0][80, 6])
    assert last < 0.01
    between = exact.expected(parse_position("bj(target=1000) 4000/950/0 2 toss 6 0 0 1"), 1)
    assert alone * (1 - last) <= between <= alone
    starter = exact.expected(parse_position("bj(target=1000) 4000/950/0 2 toss 6 0 0 1"), 0)
    assert starter == pytest.approx((1 - alone) * (1 - last), rel=1e-3)


def test_the_last_turn_is_that_of_two() -> None:
    options = BjOptions(target=1000)
    exact, two = _solved(options), BjEvaluator(options, tables(options))
    position = parse_position("bj(target=1000) 1200/1300/650 3 toss 4 300 0 1")
    chance = two.expected(parse_position("bj(target=1000) 1300/650 2 toss 4 300 0 1"), 1)
    assert [exact.expected(position, seat) for seat in range(3)] == pytest.approx([0, 1 - chance, chance], abs=1e-12)
    level = parse_position("bj(target=1000) 1300/1300/650 3 toss 4 300 0 1")
    assert exact.expected(level, 0) == pytest.approx(1 - chance), "of equal scores the first one counts"


def test_positions_from_nowhere_are_refused_in_words_or_valued() -> None:
    exact = _solved(BjOptions(target=1000))
    with pytest.raises(NotSolved, match="last round would have begun"):
        exact.expected(_before(exact.options, (21, 0, 0)), 0)
    with pytest.raises(NotSolved, match="other rules"):
        exact.expected(BJ.start(3, BjOptions(target=500)), 0)
    assert exact.expected(parse_position("bj(target=1000) 1000000/0/0 2 toss 6 0 0 1"), 0) == pytest.approx(1)
    assert exact.expected(parse_position("bj(target=1000) 0/0/0 1 decide 3 1000000 0 -"), 0) == pytest.approx(1)


# Tables


def test_a_solve_that_is_stopped_goes_on_to_the_same_table() -> None:
    options = BjOptions(target=750, dice=5)
    whole = three.ThreeSolve(options)
    while whole.total >= 0:
        whole.step()
    stop, shares = Event(), list[float]()

    def tell(share: float) -> None:
        shares.append(share)
        if len(shares) == 20:
            stop.set()

    three.solve_in_steps(options, stop, tell)
    assert len(shares) == 20
    assert shares == sorted(shares)
    assert not three.is_saved(options)
    assert three.ThreeSolve.resume(options).total == whole.target * 3 - 20
    with pytest.raises(KeyboardInterrupt):
        three.solve(options, _interrupt, threads=2)
    assert three.ThreeSolve.resume(options).total == whole.target * 3 - 21
    three.solve_in_steps(options, Event(), shares.append)
    assert shares[-1] == 1
    kept = three.saved(options)
    assert kept is not None
    assert set(kept.arrays) == set(whole.arrays())
    for name, array in whole.arrays().items():
        assert (kept.arrays[name] == array).all(), name
    assert store.load_part(three.key_of(options), three.VERSION) is None
    assert (three.unpacked(kept.arrays) == whole.wins).all()
    assert whole.error < 1e-7


def _interrupt(share: float) -> None:
    raise KeyboardInterrupt


def test_values_are_estimates_until_the_table_is_there() -> None:
    options = BjOptions(target=100)
    values = BjSolver().evaluator(options, 3)
    state = BJ.start(3, options)
    assert isinstance(values, BjThree)
    assert (values.exact, values.sampled, values.provisional) == (False, True, True)
    estimate = values.value(state, 0)
    assert not estimate.exact
    found = BjSolver().summary_for(options, 3)
    exact = values.value(state, 0)
    assert exact.exact
    assert exact.unit is Unit.WIN
    assert exact.value == found.value
    assert exact.error == found.error < 1e-7
    assert abs(exact.value - estimate.value) < 5 * estimate.error
    assert (values.exact, values.sampled, values.provisional) == (True, False, False)
    assert values.evaluate(state.roll((1, 1, 2, 3, 4, 6))).lines[0].action is values.policy(
        state.roll((1, 1, 2, 3, 4, 6))
    )
    facts = {fact.name: fact.value for fact in found.facts}
    assert found.value + facts["second"] + facts["third"] == pytest.approx(1)
    assert facts["epsilon"] == 2 * found.error


def test_what_is_solved_for_how_many() -> None:
    solver = BjSolver()
    assert [solver.solves_in_steps(BjOptions(), players) for players in (2, 3, 4)] == [False, True, False]
    assert not solver.solves_in_steps(BjOptions(target=5050), 3)
    with pytest.raises(NotSolved, match="5000"):
        three.ThreeSolve(BjOptions(target=5050))
