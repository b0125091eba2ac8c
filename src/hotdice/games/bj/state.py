"""A game of BJ's dice, move by move: freezing, rolling on or passing, the safe bonuses, and the last round.

How positions are written is in `notation`, what is said about them in `words`, and what a page draws in `data`.
"""

from __future__ import annotations

from typing import Self

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, left_out, seat_without
from hotdice.games.bj import data, notation, words
from hotdice.games.bj.rules import BONUS, MOVES, NOBODY, ROLL, TOSSES, BjOptions, forfeits, read_toss
from hotdice.notation import Fields
from hotdice.view import Result


@frozen
class BjState(State):
    """One moment of BJ's dice."""

    fields = "scores, whose turn, phase, dice to roll, points at risk, safe points, starter of the last round or -"

    options: BjOptions
    """The house rules."""
    scores: tuple[int, ...]
    """Each seat's score, without the points of the turn that is being played."""
    seat: int
    """Who decides whether to roll or pass; `CHANCE` while dice are to be rolled, `OVER` at the end."""
    roller: int
    """Whose turn it is; at the end, whose turn was the last."""
    dice: int
    """How many dice are rolled next: those that are not frozen, or all of them."""
    at_risk: int
    """The points of this turn that a scoreless toss would lose."""
    safe: int
    """The bonuses of this turn, which cannot be lost."""
    starter: int
    """Who started the last round by exceeding the target; `NOBODY` before that."""

    @classmethod
    def start(cls, options: BjOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, options.dice, 0, 0, NOBODY)

    # A decision: roll the dice that are left, or pass

    def legal_moves(self) -> tuple[Move, ...]:
        return MOVES if self.seat >= 0 else ()

    def apply(self, move: Move) -> Self:
        if self.seat < 0 or move not in MOVES:
            raise self.illegal(move)
        if move is ROLL:
            return self._go_on(CHANCE, self.dice, self.at_risk, self.safe)
        return self._end_turn(self.at_risk + self.safe)

    # Chance: a toss, whose scoring dice are frozen

    def outcomes(self) -> Distribution:
        return TOSSES[self.dice] if self.seat == CHANCE else NO_ROLL

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in TOSSES[self.dice]:
            raise self.impossible(roll)
        toss = read_toss(roll)
        if not toss.points:
            return self._end_turn(self.safe if forfeits(self.options, self.dice) else self.safe + self.at_risk)
        at_risk, left = self.at_risk + toss.points, self.dice - toss.frozen
        if left:
            return self._go_on(self.roller, left, at_risk, self.safe)
        return self._go_on(self.roller, self.options.dice, at_risk, self.safe + BONUS)

    def _go_on(self, seat: int, dice: int, at_risk: int, safe: int) -> Self:
        return self.__class__(self.options, self.scores, seat, self.roller, dice, at_risk, safe, self.starter)

    # The end of a turn, and of the game

    def _end_turn(self, points: int) -> Self:
        """Add `points` to the score and pass the dice on, or end the last round."""
        turn, scores, starter = self.roller, self.scores, self.starter
        scores = (*scores[:turn], scores[turn] + points, *scores[turn + 1 :])
        if starter == NOBODY and scores[turn] > self.options.target:
            starter = turn
        return self._pass_on(scores, turn, starter)

    def _pass_on(self, scores: tuple[int, ...], turn: int, starter: int) -> Self:
        """Give the dice to whoever comes after a turn, or end the game when the last round is complete."""
        following = (turn + 1) % len(scores)
        seat, roller = (OVER, turn) if following == starter else (CHANCE, following)
        return self.__class__(self.options, scores, seat, roller, self.options.dice, 0, 0, starter)

    # When somebody drops out

    def drop_out(self, seat: int) -> Self:
        """Without that player; their turn ends without points."""
        players = len(self.scores)
        starter = self._next_starter() if seat == self.starter else self.starter
        decider, roller, starter = (seat_without(other, seat, players) for other in (self.seat, self.roller, starter))
        scores = left_out(self.scores, seat)
        if seat == self.roller:
            return self._pass_on(scores, roller, starter)
        return self.__class__(self.options, scores, decider, roller, self.dice, self.at_risk, self.safe, starter)

    def _next_starter(self) -> int:
        """Who has exceeded the target first in the last round after its starter; `NOBODY` if nobody has."""
        players = len(self.scores)
        others = ((self.starter + step) % players for step in range(1, players))
        return next((seat for seat in others if self.scores[seat] > self.options.target), NOBODY)

    @property
    def winner(self) -> int:
        """Who is ahead by the rules of the last round: of equal scores, the one that was there first."""
        players = len(self.scores)
        order = [(max(self.starter, 0) + step) % players for step in range(players)]
        return max(order, key=lambda seat: self.scores[seat])

    @property
    def result(self) -> Result | None:
        return words.result(self) if self.seat == OVER else None

    # What a table shows

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.at_risk and not self.safe

    @property
    def stake(self) -> int:
        return self.at_risk

    @property
    def hot(self) -> bool:
        return self.seat >= 0 and self.dice == self.options.dice

    def places(self, roll: Roll) -> tuple[str, ...]:
        return read_toss(roll).places

    # Notation, words and data

    position_fields = notation.position_fields

    @classmethod
    def read_fields(cls, options: BjOptions, fields: Fields) -> Self:
        return notation.read_fields(cls, options, fields)

    tell_move = words.tell_move
    tell_roll = words.tell_roll
    doing = words.doing
    reason = words.reason
    grids = words.grids
    board = data.board
    effect = data.effect
    facts = data.facts

    @property
    def prompt(self) -> str:
        return words.prompt(self)
