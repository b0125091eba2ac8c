"""The state of a game of BJ's dice: a turn's points at risk, its safe bonuses, and the last round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from hotdice.dice import Distribution, Roll
from hotdice.errors import ParseError
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, race
from hotdice.games.bj.rules import (
    BONUS,
    MONTHLY,
    MONTHS,
    MOVES,
    PASS,
    ROLL,
    TOSSES,
    BjOptions,
    read_toss,
)
from hotdice.notation import Fields, whole
from hotdice.view import Grid, Result, rank

NOBODY: Final = -1
POINTS_LIMIT: Final = 1_000_000
"""Points beyond this are not read from a position."""


@dataclass(frozen=True, slots=True)
class BjBoard:
    """What a board for BJ's dice draws."""

    target: int
    turn: int
    at_risk: int
    safe: int
    dice: int
    all_dice: int
    starter: int


@frozen
class BjState(State):
    """One moment of BJ's dice."""

    fields = "scores, whose turn, phase, dice to roll, points at risk, safe points, starter of the last round or -"

    options: BjOptions
    scores: tuple[int, ...]
    seat: int
    roller: int
    dice: int
    at_risk: int
    safe: int
    """The bonuses of this turn."""
    starter: int
    """Who started the last round, or `NOBODY`."""

    @classmethod
    def start(cls, options: BjOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, options.dice, 0, 0, NOBODY)

    def legal_moves(self) -> tuple[Move, ...]:
        return MOVES if self.seat >= 0 else ()

    def outcomes(self) -> Distribution:
        return TOSSES[self.dice] if self.seat == CHANCE else NO_ROLL

    def apply(self, move: Move) -> Self:
        if self.seat < 0 or move not in MOVES:
            raise self.illegal(move)
        if move is ROLL:
            return self._turn(CHANCE, self.dice, self.at_risk, self.safe)
        return self._end(self.at_risk + self.safe)

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in TOSSES[self.dice]:
            raise self.impossible(roll)
        toss = read_toss(roll)
        if not toss.points:
            forfeits = self.options.bust == "any" or self.dice == self.options.dice
            return self._end(self.safe if forfeits else self.safe + self.at_risk)
        at_risk, left = self.at_risk + toss.points, self.dice - toss.frozen
        if left:
            return self._turn(self.roller, left, at_risk, self.safe)
        return self._turn(self.roller, self.options.dice, at_risk, self.safe + BONUS)

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.at_risk and not self.safe

    @property
    def stake(self) -> int:
        return self.at_risk

    def places(self, roll: Roll) -> tuple[str, ...]:
        return read_toss(roll).places

    def _turn(self, seat: int, dice: int, at_risk: int, safe: int) -> Self:
        return self.__class__(self.options, self.scores, seat, self.roller, dice, at_risk, safe, self.starter)

    def _end(self, points: int) -> Self:
        """End the turn with so many points, and hand the dice on."""
        turn, scores, starter = self.roller, self.scores, self.starter
        scores = (*scores[:turn], scores[turn] + points, *scores[turn + 1 :])
        if starter == NOBODY and scores[turn] > self.options.target:
            starter = turn
        following = (turn + 1) % len(scores)
        over = following == starter
        seat, roller = (OVER, turn) if over else (CHANCE, following)
        return self.__class__(self.options, scores, seat, roller, self.options.dice, 0, 0, starter)

    @property
    def winner(self) -> int:
        """Who is ahead by the rules of the last round: of equal scores, the one that was there first."""
        players = len(self.scores)
        order = [(max(self.starter, 0) + step) % players for step in range(players)]
        return max(order, key=lambda seat: self.scores[seat])

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        winner = self.winner
        reason = (
            f"Highest score after the last round. {{{winner}}} owes each other player ${MONTHLY:,} a month, "
            f"tax free, for ten years: ${MONTHLY * MONTHS:,}."
        )
        fortune = f"is owed ${MONTHLY * MONTHS:,}"
        debt = f"owes ${MONTHLY * MONTHS * (len(self.scores) - 1):,}"
        notes = [debt if seat == winner else fortune for seat in range(len(self.scores))]
        return Result((winner,), reason, rank(self.scores, (winner,), notes))

    # Notation

    def position_fields(self) -> str:
        phase = {CHANCE: "toss", OVER: "over"}.get(self.seat, "decide")
        starter = "-" if self.starter == NOBODY else self.starter + 1
        scores = "/".join(map(str, self.scores))
        return f"{scores} {self.roller + 1} {phase} {self.dice} {self.at_risk} {self.safe} {starter}"

    @classmethod
    def read_fields(cls, options: BjOptions, fields: Fields) -> Self:
        scores = fields.split("the scores", lambda part, at: whole(part, "a score", 0, POINTS_LIMIT, at, step=50))
        players = len(scores)
        seats = {str(seat + 1): seat for seat in range(players)}
        turn = fields.choice("a seat", seats)
        seat = fields.choice("a phase", {"toss": CHANCE, "decide": turn, "over": OVER})
        dice = fields.number("the number of dice", options.dice if seat == OVER else 1, options.dice)
        at_dice = fields.column
        at_risk = fields.number("the points at risk", 0, 0 if seat == OVER else POINTS_LIMIT, step=50)
        safe = fields.number("the safe points", 0, 0 if seat == OVER else POINTS_LIMIT, step=BONUS)
        frozen = options.dice - dice + safe // BONUS * options.dice
        if at_risk < 50 * frozen or (not frozen and (at_risk or seat == turn)):
            dice_text = "One frozen die" if frozen == 1 else f"{frozen} frozen dice"
            raise ParseError(f"{dice_text} cannot have brought {at_risk} points.", at_dice)
        at = fields.column
        starter = fields.choice("the seat that started the last round", {"-": NOBODY, **seats})
        if seat == OVER and starter != (turn + 1) % players:
            raise ParseError("The game is over only when the last round has come round to its starter.", at)
        if seat != OVER and starter == turn:
            raise ParseError("Whoever started the last round has no turn in it.", at)
        if max(scores) > options.target if starter == NOBODY else scores[starter] <= options.target:
            raise ParseError(f"The last round is on just when its starter has more than {options.target}.", at)
        return cls(options, scores, seat, turn, dice, at_risk, safe, starter)

    # Words

    def tell_move(self, move: Move) -> str:
        if move is ROLL:
            return f"rolls {_dice(self.dice)}."
        kept = self.at_risk + self.safe
        after = self._end(kept)
        return f"passes and keeps {kept:,}, for {after.scores[self.roller]:,} in all.{self._news(after)}"

    def doing(self, move: Move) -> str:
        return f"rolling {_dice(self.dice)}" if move is ROLL else "passing"

    def tell_roll(self, roll: Roll) -> str:
        toss = read_toss(roll)
        after = self.roll(roll)
        thrown = f"rolls {self.game.roll_text(roll)}"
        if toss.points:
            frozen = f"{thrown}: {toss.points:,} points freeze {_dice(toss.frozen)}"
            if toss.frozen < self.dice:
                return f"{frozen}, {after.at_risk:,} at risk."
            return f"{frozen}, the last: {BONUS} more are safe, {after.at_risk:,} at risk. All dice may roll again."
        kept = after.scores[self.roller] - self.scores[self.roller]
        lost = self.at_risk + self.safe - kept
        ends = f"the turn ends with {kept:,}" + (f", and {lost:,} are lost" if lost else "")
        return f"{thrown}: nothing scores, {ends}.{self._news(after)}"

    def _news(self, after: Self) -> str:
        if after.seat == OVER:
            return f" {{{after.winner}}} wins!"
        if after.starter != self.starter:
            return " The last round begins: everybody else has one more turn."
        return ""

    @property
    def prompt(self) -> str:
        who = f"{{{self.roller}}}"
        if self.seat == OVER:
            return f"{{{self.winner}}} has won."
        last = " Last round." if self.starter != NOBODY else ""
        if self.seat == CHANCE:
            return f"{who} rolls {_dice(self.dice)}.{last}"
        return f"{who} rolls {_dice(self.dice)} or passes. At risk: {self.at_risk:,}. Safe: {self.safe:,}.{last}"

    def grids(self) -> tuple[Grid, ...]:
        return race(self.scores, self.options.target)

    def board(self) -> BjBoard:
        return BjBoard(
            self.options.target,
            self.roller,
            self.at_risk,
            self.safe,
            self.dice,
            self.options.dice,
            self.starter,
        )


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


@cache
def _next_toss(dice: int) -> tuple[int, int, int]:
    """For one toss: all its points summed by weight, the weight of its scoreless rolls, and the whole weight."""
    outcomes = TOSSES[dice]
    points = scoreless = 0
    for roll, weight in zip(outcomes.rolls, outcomes.weights, strict=True):
        toss = read_toss(roll)
        points += weight * (toss.points + (BONUS if toss.frozen == dice else 0))
        scoreless += 0 if toss.points else weight
    return points, scoreless, outcomes.total


def look_one_toss_ahead(state: BjState) -> Move:
    """Roll while one more toss gains more than it loses on average, or while passing would lose the game."""
    mine = state.scores[state.seat] + state.at_risk + state.safe
    if state.starter != NOBODY:
        best_before = state.scores[state.winner]
        if mine <= best_before:
            return ROLL
        if (state.seat + 1) % len(state.scores) == state.starter:
            return PASS
    points, scoreless, _ = _next_toss(state.dice)
    forfeits = state.options.bust == "any" or state.dice == state.options.dice
    return ROLL if points > scoreless * (state.at_risk if forfeits else 0) else PASS
