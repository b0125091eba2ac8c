"""Pig, the smallest whole game: first to 100, roll or hold. The template for a new game."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from hotdice.dice import ORDINARY, Distribution, Roll, tosses
from hotdice.game import CHANCE, NO_ROLL, OVER, Game, Move, State, Word, bare, frozen, race
from hotdice.games import register
from hotdice.notation import Fields, whole
from hotdice.options import Options, option
from hotdice.values import Solver
from hotdice.view import Grid, Result, rank

ONE_DIE: Final = tosses((ORDINARY, 1))


@dataclass(frozen=True, slots=True)
class PigOptions(Options):
    target: int = option(100, "The score that wins.", low=1, high=10_000, short=15)


class Choice(Word):
    ROLL = "roll"
    HOLD = "hold"


ROLL, HOLD = MOVES = tuple(Choice)


@frozen
class PigState(State):
    fields = "scores, whose turn, turn total, and roll or decide"

    options: PigOptions
    scores: tuple[int, ...]
    seat: int
    roller: int
    total: int

    @classmethod
    def start(cls, options: PigOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, 0)

    def legal_moves(self) -> tuple[Move, ...]:
        return MOVES if self.seat >= 0 else ()

    def outcomes(self) -> Distribution:
        return ONE_DIE if self.seat == CHANCE else NO_ROLL

    def apply(self, move: Move) -> Self:
        if self.seat < 0 or move not in MOVES:
            raise self.illegal(move)
        cls, options, scores, turn, total = self.__class__, self.options, self.scores, self.roller, self.total
        if move is ROLL:
            return cls(options, scores, CHANCE, turn, total)
        score = scores[turn] + total
        scores = (*scores[:turn], score, *scores[turn + 1 :])
        seat, roller = (OVER, turn) if score >= options.target else (CHANCE, (turn + 1) % len(scores))
        return cls(options, scores, seat, roller, 0)

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in ONE_DIE:
            raise self.impossible(roll)
        if roll[0] == 1:
            return self.__class__(self.options, self.scores, CHANCE, (self.roller + 1) % len(self.scores), 0)
        return self.__class__(self.options, self.scores, self.roller, self.roller, self.total + roll[0])

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.total

    @property
    def stake(self) -> int:
        return self.total

    @property
    def result(self) -> Result | None:
        reason = f"First to {self.options.target}."
        return Result((self.roller,), reason, rank(self.scores)) if self.seat == OVER else None

    def position_fields(self) -> str:
        phase = {CHANCE: "roll", OVER: "over"}.get(self.seat, "decide")
        return f"{'/'.join(map(str, self.scores))} {self.roller + 1} {self.total} {phase}"

    @classmethod
    def read_fields(cls, options: PigOptions, fields: Fields) -> Self:
        scores = fields.split("the scores", lambda part, at: whole(part, "a score", 0, 20_000, at))
        turn = fields.number("a seat", 1, len(scores)) - 1
        total = fields.number("a turn total", 0, 20_000)
        seat = fields.choice("a phase", {"roll": CHANCE, "decide": turn, "over": OVER})
        return cls(options, scores, seat, turn, total)

    def tell_move(self, move: Move) -> str:
        if move is ROLL:
            return "rolls again."
        return f"holds and scores {self.total}, for {self.scores[self.roller] + self.total} in all."

    def tell_roll(self, roll: Roll) -> str:
        if roll[0] == 1:
            return f"rolls a 1 and loses the {self.total} of this turn."
        return f"rolls a {roll[0]}, {self.total + roll[0]} this turn."

    @property
    def prompt(self) -> str:
        what = {CHANCE: "rolls", OVER: "has won"}.get(self.seat, "rolls again or holds")
        return f"{{{self.roller}}} {what}. Turn total: {self.total}."

    def grids(self) -> tuple[Grid, ...]:
        return race(self.scores, self.options.target)


def hold_at_20(state: PigState) -> Move:
    """Hold at 20, or as soon as holding wins."""
    return HOLD if state.total >= min(20, state.options.target - state.scores[state.seat]) else ROLL


def _solver() -> Solver:
    from hotdice.games.pig.solving import PigSolver  # needs the extra [solve], so only when somebody asks

    return PigSolver()


PIG: Final = register(
    Game(
        name="pig",
        title="Pig",
        pitch="Push your luck with one die: a 1 loses the turn, first to 100 wins.",
        minutes=10,
        min_players=2,
        max_players=8,
        dice=(ORDINARY,),
        options=PigOptions,
        state=PigState,
        verbs={move.text: bare(move) for move in MOVES},
        moves=lambda options, players: MOVES,
        greedy=hold_at_20,
        folder=Path(__file__).parent,
        solver=_solver,
    )
)
