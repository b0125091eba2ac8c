"""Pig, the smallest whole game: roll and add up, or hold before a 1 loses it all. Copy it to begin a game of your own.

A folder like this one is all that a game needs: this file and `rules.md`. The solver, `solving.py`, can come later or
not at all. In a larger game the texts fill half of the file; the other games keep them in `notation.py` and `words.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from hotdice.dice import ORDINARY, Distribution, Roll, tosses
from hotdice.game import CHANCE, NO_ROLL, OVER, Game, Move, State, Word, bare, frozen, left_out, race, seat_without
from hotdice.games import register
from hotdice.notation import Fields, read_whole_number
from hotdice.observation import Entry, Observation, bounded, from_seat
from hotdice.options import Options, option
from hotdice.values import Solver
from hotdice.view import Grid, Result, rank, verb, who

if TYPE_CHECKING:
    from hotdice.solve.batches import Simulator
    from hotdice.solve.stepping import Stepper

# The dice. A game with dice of its own lists their faces in a `Die`.

ONE_DIE: Final = tosses((ORDINARY, 1))
"""Every roll of one die, with its chance."""

# The house rules. Interfaces, rules page and error messages all come from what stands here.


@dataclass(frozen=True, slots=True)
class PigOptions(Options):
    """The length of the game."""

    target: int = option(100, "The score that wins.", low=1, high=10_000, short=15)


# The moves. These two are single words; a move that says more, such as `keep 4 4`, is a frozen dataclass with a `text`.


class Choice(Word):
    """What to do after a roll other than 1."""

    ROLL = "roll"
    HOLD = "hold"


ROLL, HOLD = MOVES = tuple(Choice)

LIMIT: Final = 20_000
"""Points beyond this are not read from a position."""


@frozen
class PigState(State):
    """One moment of Pig: all that players see, and all that the rules need to go on."""

    fields = "scores, whose turn, turn total, and roll or decide"

    options: PigOptions
    """The house rules."""
    scores: tuple[int, ...]
    """Each seat's score, without the turn total."""
    seat: int
    """Who decides whether to roll or hold; `CHANCE` while the die is to be rolled, `OVER` at the end."""
    roller: int
    """Whose turn it is; at the end, who has won."""
    total: int
    """What this turn has brought so far."""

    @classmethod
    def start(cls, options: PigOptions, players: int) -> Self:
        return cls(options=options, scores=(0,) * players, seat=CHANCE, roller=0, total=0)

    # The rules: a state lists what may happen, and gives the state that follows. It never changes itself.

    def legal_moves(self) -> tuple[Move, ...]:
        return MOVES if self.seat >= 0 else ()

    def outcomes(self) -> Distribution:
        return ONE_DIE if self.seat == CHANCE else NO_ROLL

    def apply(self, move: Move) -> Self:
        if self.seat < 0 or move not in MOVES:
            raise self.illegal(move)
        if move is ROLL:
            return self._go_on(CHANCE, self.total)
        turn, scores = self.roller, self.scores
        return self._end_turn((*scores[:turn], scores[turn] + self.total, *scores[turn + 1 :]))

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in ONE_DIE:
            raise self.impossible(roll)
        face = roll[0]
        return self._end_turn(self.scores) if face == 1 else self._go_on(self.roller, self.total + face)

    # A game plays thousands of states, and positional arguments, in the order of the fields, are quickest.

    def _go_on(self, seat: int, total: int) -> Self:
        """The same turn, with another decider and turn total."""
        return self.__class__(self.options, self.scores, seat, self.roller, total)

    def _end_turn(self, scores: tuple[int, ...]) -> Self:
        """The next player's turn, or the end of the game if the turn has won it."""
        turn = self.roller
        if scores[turn] >= self.options.target:
            return self.__class__(self.options, scores, OVER, turn, 0)
        return self.__class__(self.options, scores, CHANCE, (turn + 1) % len(scores), 0)

    # When somebody drops out, the others go on; a game that cannot leaves this away.

    def drop_out(self, seat: int) -> Self:
        scores, players = left_out(self.scores, seat), len(self.scores)
        roller = seat_without(self.roller, seat, players)
        if seat == self.roller:
            return self.__class__(self.options, scores, CHANCE, (roller + 1) % len(scores), 0)
        return self.__class__(self.options, scores, seat_without(self.seat, seat, players), roller, self.total)

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        return Result((self.roller,), f"First to {self.options.target}.", rank(self.scores))

    # What a table shows: where a turn begins, and what would be lost

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.total

    @property
    def stake(self) -> int:
        return self.total

    # Notation: a position as one line of text, and back. Seats are counted from 1 here.

    def position_fields(self) -> str:
        scores = "/".join(map(str, self.scores))
        phase = {CHANCE: "roll", OVER: "over"}.get(self.seat, "decide")
        return f"{scores} {self.roller + 1} {self.total} {phase}"

    @classmethod
    def read_fields(cls, options: PigOptions, fields: Fields) -> Self:
        scores = fields.split("the scores", lambda part, column: read_whole_number(part, "a score", 0, LIMIT, column))
        turn = fields.number("a seat", 1, len(scores)) - 1
        total = fields.number("a turn total", 0, LIMIT)
        seat = fields.choice("a phase", {"roll": CHANCE, "decide": turn, "over": OVER})
        return cls(options=options, scores=scores, seat=seat, roller=turn, total=total)

    # Words: sentences that follow a player's name. A name inside a sentence is `{0}`, `{1}`, …; `verb` has the form
    # for others and the one for whoever sits there, so that a page can say “You roll a 6”.

    def tell_move(self, move: Move) -> str:
        if move is ROLL:
            return f"{verb(self.seat, 'rolls', 'roll')} again."
        holds = verb(self.seat, "holds and scores", "hold and score")
        return f"{holds} {self.total}, for {self.scores[self.roller] + self.total} in all."

    def tell_roll(self, roll: Roll) -> str:
        face, rolls = roll[0], verb(self.roller, "rolls", "roll")
        if face == 1:
            return f"{rolls} a 1 and {verb(self.roller, 'loses', 'lose')} the {self.total} of this turn."
        return f"{rolls} a {face}, {self.total + face} this turn."

    @property
    def prompt(self) -> str:
        say = {CHANCE: ("rolls", "roll"), OVER: ("has won", "have won")}
        others, you = say.get(self.seat, ("rolls again or holds", "roll again or hold"))
        return f"{who(self.roller)} {verb(self.roller, others, you)}. Turn total: {self.total}."

    def grids(self) -> tuple[Grid, ...]:
        return race(self.scores, self.options.target)


# The greedy rule: a simple, sensible way to choose a move, for the bot of that name.


GREEDY: Final = 20
"""The turn total at which the greedy rule holds."""


def hold_at_20(state: PigState) -> Move:
    """Hold at 20, or as soon as holding wins."""
    missing = state.options.target - state.scores[state.seat]
    return HOLD if state.total >= min(GREEDY, missing) else ROLL


# What learning programs see, as numbers with their bounds; without this, the fields of a state describe it.


def _entries(options: PigOptions, players: int) -> tuple[Entry, ...]:
    target = options.target
    return (
        Entry("scores", players, 0, target, "Each player's score, without the turn total."),
        Entry("total", 1, 0, target, "The turn total, as far as it counts towards the target."),
        Entry("turn", 1, 0, players - 1, "Whose turn it is: 0 for one's own, 1 for the next player's, and so on."),
    )


def _numbers(state: PigState, seat: int) -> list[int]:
    points = bounded((*from_seat(state.scores, seat), state.total), 0, state.options.target)
    return [*points, (state.roller - seat) % len(state.scores)]


# The solver, imported when somebody asks for values: it needs the extra [solve]. A game may come without one.


def _solver() -> Solver:
    from hotdice.games.pig.solving import PigSolver

    return PigSolver()


# The simulator, which plays many games compiled. A game without one is simulated by its states, more slowly.


def _simulator() -> Simulator:
    from hotdice.games.pig.simulation import PigSimulator

    return PigSimulator()


# The stepper, which plays thousands of games at once for programs that learn.


def _stepper() -> Stepper:
    from hotdice.games.pig.stepping import PigStepper

    return PigStepper()


# The card, by which everything else finds the game.

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
        verbs={move.text: bare(move) for move in MOVES},  # how each move is read, by its first word
        moves=lambda options, players: MOVES,  # every move that can ever be legal
        greedy=hold_at_20,
        folder=Path(__file__).parent,  # where `rules.md` is
        observation=Observation(_entries, _numbers),
        solver=_solver,
        simulator=_simulator,
        stepper=_stepper,
    )
)
