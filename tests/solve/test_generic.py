"""The generic solver against the games' own solvers, and games that have none."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import inf
from pathlib import Path
from typing import Final, Self

import numpy as np
import pytest

from hotdice import CHANCE, OVER, Game, Move, State, games, load_game, parse_position
from hotdice.commands.values import odds, solve
from hotdice.dice import ORDINARY, Distribution, Roll, SeededDice, tosses
from hotdice.game import NO_ROLL, Word, bare, frozen
from hotdice.games.kismet import KismetOptions
from hotdice.games.kismet.solving import KismetSolver
from hotdice.games.pig import PIG, ROLL, PigOptions, PigState
from hotdice.games.pig.solving import PigSolver
from hotdice.games.rollers.solving import RollersSolver
from hotdice.notation import Fields
from hotdice.options import Options, option
from hotdice.players import make_player
from hotdice.review import moments
from hotdice.solve import background, evaluate, evaluator_for, has_values, solver_of, summary_of
from hotdice.solve.generic import GOOD, GenericEvaluator, GenericSolver, Positions
from hotdice.solve.words import hint
from hotdice.table import Seat, Table
from hotdice.values import USUAL_NOISE, NotInstalled, NotSolved, Unit
from hotdice.view import Result, rank

pytestmark = pytest.mark.usefixtures("own_tables")


# Pig, everywhere


def pig_positions(options: PigOptions) -> Iterator[PigState]:
    """Every position of two players, turn totals up to twice the target."""
    target = options.target
    for own, other, total in product(range(target), range(target), range(2 * target)):
        for roller in (0, 1):
            scores = (own, other) if roller == 0 else (other, own)
            yield PigState(options, scores, CHANCE, roller, total)
            if total:
                yield PigState(options, scores, roller, roller, total)


@pytest.mark.parametrize("target", [1, 2, 5])
def test_pig_is_solved_as_by_its_own_solver_everywhere(target: int) -> None:
    options = PigOptions(target=target)
    own, generic = PigSolver().evaluator(options, 2), GenericEvaluator(PIG.start(2, options))
    assert generic.exact
    assert not generic.sampled
    for state in pig_positions(options):
        for seat in (0, 1):
            error = own.error + generic.positions.bounds(state)[1] - generic.positions.bounds(state)[0]
            assert abs(generic.expected(state, seat) - own.expected(state, seat)) <= max(error, own.error + 1e-10)


def test_lines_come_with_the_proven_error() -> None:
    own, generic = PigSolver().evaluator(PigOptions(target=15), 2), GenericEvaluator(PIG.start(2, {"target": 15}))
    state = parse_position("pig(target=15) 3/9 2 5 decide")
    for line in generic.evaluate(state).lines:
        theirs = next(other for other in own.evaluate(state).lines if other.action == line.action)
        assert abs(line.value - theirs.value) <= line.error + theirs.error
        assert 0 <= line.error <= GOOD
    found = generic.evaluate(parse_position("pig(target=15) 3/9 2 0 roll"))
    assert found.value == pytest.approx(own.expected(parse_position("pig(target=15) 3/9 2 0 roll"), 1), abs=1e-9)
    assert found.exact


def test_a_position_far_outside_is_explored_from_there() -> None:
    generic = GenericEvaluator(PIG.start(2, {"target": 15}))
    state = parse_position("pig(target=15) 3/9 1 500 decide")
    known = len(generic.positions)
    hold, roll = generic.evaluate(state).lines
    assert hold.value == 1
    own = PigSolver().evaluator(PigOptions(target=15), 2)
    assert roll.value == pytest.approx(own.expected(state.apply(ROLL), 0), abs=1e-9)
    assert len(generic.positions) > known


# Bounds


def test_bounds_hold_and_only_move_together_however_little_is_explored() -> None:
    options = PigOptions(target=12)
    own, start = PigSolver().evaluator(options, 2), PIG.start(2, options)
    positions = Positions(2)
    before: dict[State, tuple[float, float]] = {}
    for most in (1, 10, 100, 1000, 3000):
        positions.enclose([start], most)
        for state in positions.states:
            low, high = positions.bounds(state)
            assert low - own.error <= own.expected(state, 0) <= high + own.error
            first, last = before.get(state, (0.0, 1.0))
            assert first <= low <= high <= last
            before[state] = low, high
    assert positions.bounds(start)[0] > 0.01


@pytest.mark.parametrize(
    "position",
    [
        "bj(dice=5,target=300) 0/0 1 toss 5 0 0 -",
        "bj(dice=5,target=300) 300/250 1 toss 5 0 0 -",
        "kor(target=200) 0/0 1 1 toss 6 0 -",
        "kor(target=500) 450/-3000 1 1 toss 3 100 -",
    ],
)
def test_bounds_hold_in_games_whose_turns_have_no_end(position: str) -> None:
    state = parse_position(position)
    own = evaluator_for(state.game, state.options, 2)
    positions = Positions(2)
    positions.enclose([state], 20_000)
    assert positions.bounds(state) != (0.0, 1.0)
    for one in positions.states[::50]:
        low, high = positions.bounds(one)
        assert low - 1e-9 <= own.expected(one, 0) <= high + 1e-9


@pytest.mark.parametrize("position", ["600/400 2 toss 6 0 0 1", "600/400 2 decide 3 200 0 1", "650/600 2 toss 6 0 0 1"])
def test_the_last_turn_is_solved_as_by_the_games_own_solver(position: str) -> None:
    state = parse_position(f"bj(target=500) {position}")
    own, positions = evaluator_for(state.game, state.options, 2), Positions(2)
    assert positions.enclose([state], 20_000)
    low, high = positions.bounds(state)
    assert own.expected(state, 0) == pytest.approx((low + high) / 2, abs=high - low + 1e-9)


def test_a_last_box_is_solved_for_points_as_by_the_games_own_solver() -> None:
    own = KismetSolver().evaluator(KismetOptions(), 1)
    state = parse_position("kismet 3,6,9,12,15,-,20,20,30,35,30,38,40,22,0 1 0 -")
    positions = Positions(1)
    assert positions.enclose([state], 200_000)
    for one in positions.states[::7]:
        low, high = positions.bounds(one)
        assert low <= high <= low + 2 * GOOD
        assert own.expected(one, 0) == pytest.approx((low + high) / 2, abs=1e-8)


def test_moves_that_end_a_match_are_worth_what_the_games_own_solver_says() -> None:
    state = parse_position("rollers(target_points=1) 22221/22221 55/55 0/0 1 1 3 - 1,1,1,2,5,b2")
    own = RollersSolver().evaluator(state.options, 2)
    positions = Positions(2)
    assert positions.enclose([state], 20_000)
    assert positions.bounds(state) == (1.0, 1.0)
    best = own.evaluate(state).lines[0]
    assert isinstance(best.action, Move)
    assert positions.bounds(state.apply(best.action)) == (1.0, 1.0)


def test_a_score_has_no_bound_while_positions_are_left() -> None:
    positions = Positions(1)
    start = load_game("kismet").start(1)
    assert not positions.enclose([start], 1000)
    assert positions.bounds(start) == (-inf, inf)


# A game of one's own


@dataclass(frozen=True, slots=True)
class ClimbOptions(Options):
    stalling: bool = option(False, "Whether a player may wait instead of rolling.")


class Step(Word):
    ROLL = "roll"
    STOP = "stop"
    WAIT = "wait"


ONE_DIE: Final = tosses((ORDINARY, 1))


def int_of(text: str, column: int) -> int:
    return int(text)


@frozen
class ClimbState(State):
    """Everybody climbs once: roll and add, or stop; more than 9 is a fall to 0. The highest wins."""

    fields = "scores, seat, total, phase"

    options: ClimbOptions
    scores: tuple[int, ...]
    seat: int
    roller: int
    total: int

    @classmethod
    def start(cls, options: ClimbOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, 0)

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        return tuple(Step) if self.options.stalling else (Step.ROLL, Step.STOP)

    def outcomes(self) -> Distribution:
        return ONE_DIE if self.seat == CHANCE else NO_ROLL

    def apply(self, move: Move) -> Self:
        if move not in self.legal_moves():
            raise self.illegal(move)
        if move is Step.WAIT:
            return self
        if move is Step.ROLL:
            return self.__class__(self.options, self.scores, CHANCE, self.roller, self.total)
        return self._ended(self.total)

    def roll(self, roll: Roll) -> Self:
        total = self.total + roll[0]
        if total > 9:
            return self._ended(0)
        return self.__class__(self.options, self.scores, self.roller, self.roller, total)

    def _ended(self, total: int) -> Self:
        scores = (*self.scores[: self.roller], total, *self.scores[self.roller + 1 :])
        after = self.roller + 1
        if after == len(scores):
            return self.__class__(self.options, scores, OVER, self.roller, 0)
        return self.__class__(self.options, scores, CHANCE, after, 0)

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        winners = tuple(seat for seat, score in enumerate(self.scores) if score == max(self.scores))
        return Result(winners, "The highest.", rank(self.scores, winners))

    def position_fields(self) -> str:
        phase = {CHANCE: "roll", OVER: "over"}.get(self.seat, "decide")
        return f"{'/'.join(map(str, self.scores))} {self.roller + 1} {self.total} {phase}"

    @classmethod
    def read_fields(cls, options: ClimbOptions, fields: Fields) -> Self:
        scores = fields.split("the scores", int_of)
        roller = fields.number("a seat", 1, len(scores)) - 1
        total = fields.number("a total", 0, 9)
        seat = fields.choice("a phase", {"roll": CHANCE, "decide": roller, "over": OVER})
        return cls(options, scores, seat, roller, total)

    def tell_move(self, move: Move) -> str:
        return f"{move.text}s."

    def tell_roll(self, roll: Roll) -> str:
        return f"rolls a {roll[0]}."

    @property
    def prompt(self) -> str:
        return f"{{{self.roller}}} climbs."


def stop_at_6(state: ClimbState) -> Move:
    return Step.STOP if state.total >= 6 else Step.ROLL


@pytest.fixture(scope="module")
def climb() -> Iterator[Game]:
    """A game that is registered at run time and has no solver."""
    game = games.register(
        Game(
            name="climb",
            title="Climb",
            pitch="Climb as high as you dare.",
            minutes=1,
            min_players=1,
            max_players=4,
            dice=(ORDINARY,),
            options=ClimbOptions,
            state=ClimbState,
            verbs={move.text: bare(move) for move in Step},
            moves=lambda options, players: tuple(Step),
            greedy=stop_at_6,
            folder=Path(__file__).parent,
        )
    )
    yield game
    del games._registry[game.name]


def alone(total: int) -> float:
    """What one climber's score is on average from a total on, by hand: stop, or the average over a roll."""
    return max(float(total), rolled(total))


def rolled(total: int) -> float:
    return sum(alone(total + face) for face in range(1, 7) if total + face <= 9) / 6


def test_one_player_plays_for_the_score(climb: Game) -> None:
    found = evaluate(climb.start(1))
    assert found.unit is Unit.POINTS
    assert found.exact
    assert found.value == pytest.approx(rolled(0), abs=1e-9)
    state = climb.start(1).roll((4,))
    lines = {line.action: line for line in evaluate(state).lines}
    assert lines[Step.STOP].value == pytest.approx(4, abs=1e-9)
    assert lines[Step.ROLL].value == pytest.approx(rolled(4), abs=1e-9)


def test_shared_wins_are_shared(climb: Game) -> None:
    """The second of two, at 6 against 6: stopping shares the win."""
    state = ClimbState(ClimbOptions(), (6, 0), 1, 1, 6)
    lines = {line.action: line.value for line in evaluate(state).lines}
    assert lines == pytest.approx({Step.STOP: 0.5, Step.ROLL: 0.5})  # a 1, 2 or 3 wins
    assert all(line.tied for line in evaluate(state).lines)


def test_optimal_and_the_levels_play_a_game_without_a_solver(climb: Game) -> None:
    for kind in ("optimal", "expert", "casual", "beginner"):
        for players in (1, 2, 3):
            table = Table(climb.start(players), [Seat(name) for name in "ABC"[:players]], SeededDice(5))
            bot = make_player(kind, 3)
            while table.state.seat != OVER:
                if table.state.seat == CHANCE:
                    table.roll()
                else:
                    table.play(bot.choose(table.state))
            assert moments(table) is not None
    assert solver_of(climb).noise(Unit.WIN, 2) == USUAL_NOISE[Unit.WIN]


def test_hints_tell_the_best_move_of_a_game_without_a_solver(climb: Game) -> None:
    state = climb.start(1).roll((1,))
    assert hint(state, evaluate(state)).startswith("Rolling is best: ")


def test_odds_and_solve_work_for_a_game_without_a_solver(climb: Game, capsys: pytest.CaptureFixture[str]) -> None:
    odds("climb", "6/0 2 6 decide", (), as_json=True, everything=False)
    found = json.loads(capsys.readouterr().out)
    assert [(move["text"], move["tied"]) for move in found["moves"]] == [("stop", True), ("roll", True)]
    assert found["exact"]
    odds("climb", "0/0/0 1 4 decide", (), as_json=True, everything=False)
    assert not json.loads(capsys.readouterr().out)["exact"]
    solve("climb", (), as_json=False)
    assert capsys.readouterr().out.startswith(f"climb, one player: {rolled(0):.9f} points for the player who begins.")


def test_the_headline_is_for_the_fewest_players(climb: Game) -> None:
    found = summary_of(climb, climb.options())
    assert (found.players, found.unit) == (1, Unit.POINTS)
    assert found.value == pytest.approx(rolled(0), abs=found.error + 1e-12)
    assert found.error < 1e-9
    assert found.states == 1 + 9 + 9 + 10  # to roll with 0 to 9, to decide with 1 to 9, ended with 0 to 9
    assert found.checksum == GenericSolver(climb).summary(climb.options()).checksum


def test_where_a_player_can_wait_for_ever_the_best_is_still_enclosed(climb: Game) -> None:
    """To wait changes nothing, so its bounds are those of the other moves; nobody gains by it."""
    options = ClimbOptions(stalling=True)
    positions = Positions(2)
    start = climb.start(2, options)
    positions.enclose([start], 100_000)
    low, high = positions.bounds(start)
    assert low <= evaluate(climb.start(2)).value <= high


def test_the_background_leaves_a_game_without_a_solver_alone(climb: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(background.OFF, raising=False)
    background.start(climb, climb.options(), 2)
    assert background.progress(climb, climb.options(), 2) is None
    background.stop()


# Which solver is asked


def test_where_a_games_own_solver_has_no_values_the_generic_one_takes_its_place() -> None:
    many = evaluator_for(PIG, PIG.options(), 3)
    assert isinstance(many, GenericEvaluator)
    assert many.sampled
    assert not many.exact
    assert isinstance(evaluator_for(PIG, PIG.options(), 2), type(PigSolver().evaluator(PigOptions(), 2)))


def test_the_last_positions_of_a_game_that_is_too_large_are_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hotdice.solve.generic.MOST", 2000)
    options = PigOptions(target=100)
    with pytest.raises(NotSolved, match="Pig has too many positions"):
        GenericSolver(PIG).summary(options)
    generic, own = GenericEvaluator(PIG.start(2, options)), PigSolver().evaluator(options, 2)
    assert generic.sampled
    state = parse_position("pig 97/98 1 2 decide")
    found = generic.evaluate(state)
    assert found.exact
    for line in found.lines:
        assert isinstance(line.action, Move)
        assert line.value == pytest.approx(own.expected(state.apply(line.action), 0), abs=line.error + own.error)


def test_a_game_for_three_and_more_has_no_headline(climb: Game) -> None:
    with pytest.raises(NotSolved, match="at least 3 players"):
        GenericSolver(replace(climb, min_players=3)).summary(climb.options())


def test_values_are_there_where_what_computes_them_is_installed(climb: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    assert has_values(climb)
    assert has_values(PIG)
    for name in [name for name in sys.modules if name.startswith(("hotdice.solve.", "hotdice.games.pig.solving"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert not has_values(climb)
    assert not has_values(PIG)
    with pytest.raises(NotInstalled, match=r"Values need numba: pip install 'hotdice\[solve\]'"):
        solver_of(climb)
    assert has_values(replace(climb, solver=lambda: GenericSolver(climb)))  # one that needs nothing that is missing


def test_progress_grows_to_no_more_than_one() -> None:
    told: list[float] = []
    GenericEvaluator(PIG.start(2, {"target": 10}), told.append)
    assert told == sorted(told)
    assert told
    assert np.all((np.array(told) >= 0) & (np.array(told) <= 1))
