"""The state of a game of Farkle: dice just rolled or set aside, a turn's points, farkles in a row, the last round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

from hotdice.dice import ORDINARY, Distribution, Roll, parse_faces
from hotdice.errors import ParseError
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, race
from hotdice.notation import Fields, listed, read_whole_number
from hotdice.view import DieView, Grid, Result, rank
from hotdice_farkle.rules import (
    BANK,
    CHOICES,
    DICE,
    FARKLES,
    ROLL,
    SINGLES,
    STRAIGHT,
    TOSSES,
    FarkleOptions,
    Keep,
    keeps,
    scores,
    set_score,
)

NOBODY: Final = -1
POINTS_LIMIT: Final = 1_000_000
"""Points beyond this are not read from a position."""


@dataclass(frozen=True, slots=True)
class FarkleEffect:
    """What a move changes: the points that it brings, those of the turn after it, and the dice that may roll then."""

    points: int
    turn: int
    dice: int


@dataclass(frozen=True, slots=True)
class FarkleFacts:
    """What the house rules fix for the whole game."""

    target: int
    opening: int
    one: int
    five: int
    sets: tuple[tuple[int, ...], ...]
    """For each face from 1, what three, four, five and six of a kind score."""
    straight: int
    three_pairs: int
    two_triplets: int
    penalty: int


@frozen
class FarkleState(State):
    """One moment of Farkle."""

    fields = (
        "scores, whose turn, phase, dice to roll or faces rolled, points of the turn, farkles in a row or -, "
        "starter of the last round or -"
    )

    options: FarkleOptions
    scores: tuple[int, ...]
    seat: int
    roller: int
    dice: int
    """How many dice were rolled, or are to be rolled next."""
    rolled: Roll
    """The dice of which some are to be set aside now."""
    points: int
    """The points of this turn."""
    farkles: tuple[int, ...]
    """Each seat's farkles in a row, as long as they are punished."""
    starter: int
    """Who started the last round, or `NOBODY`."""

    # Transitions

    @classmethod
    def start(cls, options: FarkleOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, DICE, (), 0, (0,) * players, NOBODY)

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        return keeps(self.options, self.rolled) if self.rolled else CHOICES

    def outcomes(self) -> Distribution:
        return TOSSES[self.dice] if self.seat == CHANCE else NO_ROLL

    def apply(self, move: Move) -> Self:
        if move not in self.legal_moves():
            raise self.illegal(move)
        if isinstance(move, Keep):
            points = self.points + scores(self.options)[move.dice]
            left = self.dice - len(move.dice) or DICE
            return self._turn(self.roller if self._may_bank(points) else CHANCE, left, (), points)
        if move is ROLL:
            return self._turn(CHANCE, self.dice, (), self.points)
        return self._end(self.scores[self.roller] + self.points, 0)

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in TOSSES[self.dice]:
            raise self.impossible(roll)
        if keeps(self.options, roll):
            return self._turn(self.roller, self.dice, roll, self.points)
        score, farkles = self.scores[self.roller], self.farkles[self.roller]
        if not self.options.penalty:
            return self._end(score, 0)
        if farkles + 1 < FARKLES:
            return self._end(score, farkles + 1)
        return self._end(max(0, score - self.options.penalty), 0)

    def _may_bank(self, points: int) -> bool:
        """Whether the turn may end with these points: a player who has none needs the opening score."""
        return self.scores[self.roller] > 0 or points >= self.options.opening

    def _turn(self, seat: int, dice: int, rolled: Roll, points: int) -> Self:
        """The same turn, a step further."""
        return self.__class__(
            self.options, self.scores, seat, self.roller, dice, rolled, points, self.farkles, self.starter
        )

    def _end(self, score: int, farkles: int) -> Self:
        """End the turn with that score and that many farkles in a row, and hand the dice on."""
        turn, starter = self.roller, self.starter
        new_scores = (*self.scores[:turn], score, *self.scores[turn + 1 :])
        new_farkles = (*self.farkles[:turn], farkles, *self.farkles[turn + 1 :])
        if starter == NOBODY and score >= self.options.target:
            starter = turn
        following = (turn + 1) % len(new_scores)
        seat, roller = (OVER, turn) if following == starter else (CHANCE, following)
        return self.__class__(self.options, new_scores, seat, roller, DICE, (), 0, new_farkles, starter)

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and not self.points

    @property
    def stake(self) -> int:
        return self.points

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

    # Notation

    def position_fields(self) -> str:
        phase = {CHANCE: "roll", OVER: "over"}.get(self.seat, "keep" if self.rolled else "decide")
        dice = "".join(map(str, self.rolled)) or self.dice
        farkles = "/".join(map(str, self.farkles)) if self.options.penalty else "-"
        starter = "-" if self.starter == NOBODY else self.starter + 1
        return f"{'/'.join(map(str, self.scores))} {self.roller + 1} {phase} {dice} {self.points} {farkles} {starter}"

    @classmethod
    def read_fields(cls, options: FarkleOptions, fields: Fields) -> Self:
        scores = fields.split(
            "the scores", lambda part, at: read_whole_number(part, "a score", 0, POINTS_LIMIT, at, step=50)
        )
        seats = {str(seat + 1): seat for seat in range(len(scores))}
        turn = fields.choice("a seat", seats)
        phase = fields.choice("a phase", {name: name for name in ("roll", "keep", "decide", "over")})
        seat = {"roll": CHANCE, "over": OVER}.get(phase, turn)
        rolled: Roll = ()
        if phase == "keep":
            at = fields.column
            rolled = parse_faces((ORDINARY,), fields.word("the faces rolled"), at)
            if len(rolled) > DICE or not keeps(options, rolled):
                raise ParseError("None of these dice score, or there are more than six; that is no choice.", at)
        dice = len(rolled) or fields.number("the number of dice", DICE if seat == OVER else 1, DICE)
        at = fields.column
        points = fields.number("the points of the turn", 0, 0 if seat == OVER else POINTS_LIMIT, step=50)
        if not points and (dice < DICE or phase == "decide"):
            raise ParseError("A turn has points as soon as dice are set aside.", at)
        if phase == "decide" and not scores[turn] and points < options.opening:
            raise ParseError(f"With fewer than {options.opening} points the dice have to be rolled.", at)
        if options.penalty:
            at = fields.column
            farkles = fields.split(
                "farkles in a row", lambda part, at: read_whole_number(part, "a count", 0, FARKLES - 1, at)
            )
            if len(farkles) != len(scores):
                raise ParseError("Every seat has its farkles in a row.", at)
        else:
            farkles = fields.choice("a count of farkles", {"-": (0,) * len(scores)})
        at = fields.column
        starter = fields.choice("the seat that started the last round", {"-": NOBODY, **seats})
        if seat == OVER and starter != (turn + 1) % len(scores):
            raise ParseError("The game is over only when the last round has come round to its starter.", at)
        if seat != OVER and starter == turn:
            raise ParseError("Whoever started the last round has no turn in it.", at)
        if max(scores) >= options.target if starter == NOBODY else scores[starter] < options.target:
            raise ParseError(f"The last round is on just when its starter has {options.target} or more.", at)
        return cls(options, scores, seat, turn, dice, rolled, points, farkles, starter)

    # Words

    def tell_move(self, move: Move) -> str:
        after = self.apply(move)
        if isinstance(move, Keep):
            won = f"{after.points - self.points:,}"
            hot = " All six dice may be rolled again." if len(move.dice) == self.dice else ""
            kept = self.game.roll_words(move.dice)
            return f"sets {kept} aside for {won}, {after.points:,} this turn.{hot}"
        if move is ROLL:
            return f"rolls {_dice(self.dice)}."
        return f"banks {self.points:,}, for {after.scores[self.roller]:,} in all.{self._news(after)}"

    def doing(self, move: Move) -> str:
        if isinstance(move, Keep):
            return f"keeping {self.game.roll_words(move.dice)}"
        return f"rolling {_dice(self.dice)}" if move is ROLL else "banking"

    def tell_roll(self, roll: Roll) -> str:
        after = self.roll(roll)
        told = f"rolls {self.game.roll_words(roll)}"
        if after.rolled:
            return f"{told}."
        lost = f", and {self.points:,} points are lost" if self.points else ""
        fined = self.scores[self.roller] - after.scores[self.roller]
        third = f" The third in a row costs {fined:,}." if fined else ""
        return f"{told}: a farkle{lost}.{third}{self._news(after)}"

    def _news(self, after: Self) -> str:
        if after.seat == OVER:
            return f" {after._winners} the game!"
        if after.starter != self.starter:
            return " The last round begins: everybody else has one more turn."
        return ""

    @property
    def _winners(self) -> str:
        names = [f"{{{seat}}}" for seat in self.leaders]
        return f"{names[0]} wins" if len(names) == 1 else f"{listed(names)} share"

    @property
    def prompt(self) -> str:
        if self.seat == OVER:
            return f"{self._winners} the game."
        last = " Last round." if self.starter != NOBODY else ""
        what = f"rolls {_dice(self.dice)}"
        if self.rolled:
            what = "sets scoring dice aside"
        elif self.seat >= 0:
            what = f"{what} or banks"
        return f"{{{self.roller}}} {what}. This turn: {self.points:,}.{last}"

    def why_illegal(self, move: Move) -> str:
        if self.rolled and isinstance(move, Keep):
            return (
                f"“{move.text}” is not possible: set aside dice of {self.game.roll_text(self.rolled)} that all score."
            )
        return State.why_illegal(self, move)

    # What interfaces see

    def grids(self) -> tuple[Grid, ...]:
        return race(self.scores, self.options.target)

    def dice_view(self) -> tuple[DieView, ...]:
        return tuple(self.game.die_view(code, "rolled") for code in self.rolled)

    def effect(self, move: Move) -> FarkleEffect:
        after = self.apply(move)
        won = after.points - self.points if isinstance(move, Keep) else self.points if move is BANK else 0
        return FarkleEffect(won, after.points, after.dice)

    def facts(self) -> FarkleFacts:
        rules = self.options
        return FarkleFacts(
            target=rules.target,
            opening=rules.opening,
            one=SINGLES[1],
            five=SINGLES[5],
            sets=tuple(tuple(set_score(rules, face, size) for size in range(3, DICE + 1)) for face in range(1, 7)),
            straight=STRAIGHT,
            three_pairs=rules.three_pairs,
            two_triplets=rules.two_triplets,
            penalty=rules.penalty,
        )


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
