"""A game of Farkle, move by move: setting dice aside, rolling on or banking, farkles, and the last round.

How positions are written is in `notation`, what is said about them in `words`.
"""

from __future__ import annotations

from typing import Self

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen
from hotdice.notation import Fields
from hotdice.view import DieView, Result, rank
from hotdice_farkle import notation, words
from hotdice_farkle.rules import CHOICES, DICE, FARKLES, NOBODY, ROLL, TOSSES, FarkleOptions, Keep, keeps, scores


@frozen
class FarkleState(State):
    """One moment of Farkle."""

    fields = (
        "scores, whose turn, phase, dice to roll or faces rolled, points of the turn, farkles in a row or -, "
        "starter of the last round or -"
    )

    options: FarkleOptions
    """The house rules."""
    scores: tuple[int, ...]
    """Each seat's score, without the points of the turn that is being played."""
    seat: int
    """Who sets dice aside, or rolls on or banks; `CHANCE` while dice are to be rolled, `OVER` at the end."""
    roller: int
    """Whose turn it is; at the end, whose turn was the last."""
    dice: int
    """How many dice were rolled, while some are to be set aside; otherwise how many are rolled next."""
    rolled: Roll
    """The dice of which some are to be set aside now; otherwise none."""
    points: int
    """The points of this turn."""
    farkles: tuple[int, ...]
    """Each seat's farkles in a row, where they are punished; otherwise zeros."""
    starter: int
    """Who started the last round by reaching the target; `NOBODY` before that."""

    @classmethod
    def start(cls, options: FarkleOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, DICE, (), 0, (0,) * players, NOBODY)

    # A decision: set scoring dice aside; then roll the others, or bank

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        return keeps(self.options, self.rolled) if self.rolled else CHOICES

    def apply(self, move: Move) -> Self:
        if move not in self.legal_moves():
            raise self.illegal(move)
        if isinstance(move, Keep):
            points = self.points + scores(self.options)[move.dice]
            left = self.dice - len(move.dice) or DICE
            return self._go_on(self.roller if self._may_bank(points) else CHANCE, left, (), points)
        if move is ROLL:
            return self._go_on(CHANCE, self.dice, (), self.points)
        return self._end_turn(self.scores[self.roller] + self.points, 0)

    def _may_bank(self, points: int) -> bool:
        """Whether the turn may end with these points: a player who has none needs the opening score."""
        return self.scores[self.roller] > 0 or points >= self.options.opening

    # Chance: a roll, which may be a farkle

    def outcomes(self) -> Distribution:
        return TOSSES[self.dice] if self.seat == CHANCE else NO_ROLL

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in TOSSES[self.dice]:
            raise self.impossible(roll)
        if keeps(self.options, roll):
            return self._go_on(self.roller, self.dice, roll, self.points)
        score, farkles = self.scores[self.roller], self.farkles[self.roller] + 1
        if not self.options.penalty:
            return self._end_turn(score, 0)
        if farkles < FARKLES:
            return self._end_turn(score, farkles)
        return self._end_turn(max(0, score - self.options.penalty), 0)

    def _go_on(self, seat: int, dice: int, rolled: Roll, points: int) -> Self:
        return self.__class__(
            self.options, self.scores, seat, self.roller, dice, rolled, points, self.farkles, self.starter
        )

    # The end of a turn, and of the game

    def _end_turn(self, score: int, farkles: int) -> Self:
        """Set the score and the farkles in a row, and pass the dice on, or end the last round."""
        turn, starter = self.roller, self.starter
        new_scores = (*self.scores[:turn], score, *self.scores[turn + 1 :])
        new_farkles = (*self.farkles[:turn], farkles, *self.farkles[turn + 1 :])
        if starter == NOBODY and score >= self.options.target:
            starter = turn
        following = (turn + 1) % len(new_scores)
        seat, roller = (OVER, turn) if following == starter else (CHANCE, following)
        return self.__class__(self.options, new_scores, seat, roller, DICE, (), 0, new_farkles, starter)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who has the most points."""
        best = max(self.scores)
        return tuple(seat for seat, score in enumerate(self.scores) if score == best)

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        return Result(self.leaders, "Highest score after the last round.", rank(self.scores))

    # What a table shows

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.points

    @property
    def stake(self) -> int:
        return self.points

    def dice_view(self) -> tuple[DieView, ...]:
        return tuple(self.game.die_view(code, "rolled") for code in self.rolled)

    # Notation and words

    position_fields = notation.position_fields

    @classmethod
    def read_fields(cls, options: FarkleOptions, fields: Fields) -> Self:
        return notation.read_fields(cls, options, fields)

    tell_move = words.tell_move
    tell_roll = words.tell_roll
    doing = words.doing
    why_illegal = words.why_illegal
    grids = words.grids
    effect = words.effect
    facts = words.facts

    @property
    def prompt(self) -> str:
        return words.prompt(self)
