"""The state of a KOR game: turns, U-TURN penalties and their chains, and the final round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from hotdice.dice import Distribution, Roll
from hotdice.errors import ParseError
from hotdice.game import CHANCE, NO_ROLL, OVER, Move, State, frozen, race
from hotdice.games.kor.rules import (
    DICE,
    DIE,
    SIGN_NAMES,
    TOSSES,
    Follow,
    KorOptions,
    Side,
    Target,
    lie_of,
    read_toss,
)
from hotdice.notation import Fields, whole
from hotdice.view import Grid, Result, rank

NOBODY: Final = -1
POINTS_LIMIT: Final = 1_000_000
"""Scores beyond this, either way, are not read from a position."""


@dataclass(frozen=True, slots=True)
class KorBoard:
    """What a KOR board draws: the road so far, and where everybody stands."""

    target: int
    turn: int
    penalty: bool
    points: int
    dice: int
    leader: int
    signs: tuple[str, ...]


@frozen
class KorState(State):
    """One moment of KOR. A penalty is a turn whose `points` will be subtracted."""

    fields = "scores, whose turn, who rolls (with a - in a penalty), phase, dice, points so far, leader or -"

    options: KorOptions
    scores: tuple[int, ...]
    seat: int
    turn: int
    roller: int
    penalty: bool
    dice: int
    points: int
    signs: tuple[Side, ...]
    """The two signs of a split that is to be decided."""
    leader: int
    """Who started the final round, or `NOBODY`."""

    @classmethod
    def start(cls, options: KorOptions, players: int) -> Self:
        return cls(options, (0,) * players, CHANCE, 0, 0, False, DICE, 0, (), NOBODY)

    # Decisions: which sign of a split, and whom to send driving backwards

    def legal_moves(self) -> tuple[Move, ...]:
        if self.seat < 0:
            return ()
        return tuple(map(Follow, self.signs)) if self.signs else _targets(self.seat, len(self.scores))

    def apply(self, move: Move) -> Self:
        if move not in self.legal_moves():
            raise self.illegal(move)
        match move:
            case Follow(sign):
                return self._follow(sign)
            case Target(seat):
                return self._begin(self.turn, seat, penalty=True)
        raise self.illegal(move)

    def why_illegal(self, move: Move) -> str:
        match move:
            case Target(seat) if not self.signs and seat == self.seat:
                return "A U-TURN penalty goes to an opponent, not to yourself."
            case Target(seat) if not self.signs:
                return f"There is no seat {seat + 1} at this table."
            case Target():
                return "First choose which of the two signs to follow."
            case Follow() if not self.signs:
                return "There is no sign to choose; name the opponent who serves the penalty."
            case Follow(sign):
                return f"There are no three {SIGN_NAMES[sign]} signs in this toss."
        return State.why_illegal(self, move)

    # Chance: one toss

    def outcomes(self) -> Distribution:
        return TOSSES[self.dice] if self.seat == CHANCE else NO_ROLL

    def roll(self, roll: Roll) -> Self:
        if self.seat != CHANCE or roll not in TOSSES[self.dice]:
            raise self.impossible(roll)
        toss = read_toss(roll)
        options = self.options
        if options.bank_roll and toss.scoring == DICE:
            scores = self._tallied(self.points + toss.total)
            return self._with(scores=scores, points=0)
        if len(toss.signs) == 2:
            return self._with(seat=self.roller, signs=toss.signs)
        if toss.signs:
            return self._follow(toss.signs[0])
        if not toss.scoring:
            return self._end(self.points)
        gain = toss.total if options.scoring == "all" else toss.highest
        return self._with(dice=self.dice - 1 or DICE, points=self.points + gain)

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and self.dice == DICE and not self.points

    @property
    def stake(self) -> int:
        return self.points

    def places(self, roll: Roll) -> tuple[str, ...]:
        return lie_of(roll, bank_roll=self.options.bank_roll, scoring=self.options.scoring)

    def _with(
        self,
        *,
        scores: tuple[int, ...] | None = None,
        seat: int = CHANCE,
        dice: int = DICE,
        points: int | None = None,
        signs: tuple[Side, ...] = (),
        leader: int | None = None,
    ) -> Self:
        """The same turn or penalty, further on."""
        return self.__class__(
            self.options,
            self.scores if scores is None else scores,
            seat,
            self.turn,
            self.roller,
            self.penalty,
            dice,
            self.points if points is None else points,
            signs,
            self.leader if leader is None else leader,
        )

    def _follow(self, sign: Side) -> Self:
        if sign == Side.DEAD_END:
            return self._end(0)
        return self._end(self.points, u_turn=sign == Side.U_TURN)

    def _tallied(self, points: int) -> tuple[int, ...]:
        seat, scores = self.roller, self.scores
        score = scores[seat] - points if self.penalty else scores[seat] + points
        return (*scores[:seat], score, *scores[seat + 1 :])

    def _end(self, points: int, *, u_turn: bool = False) -> Self:
        """End the turn or penalty with so many points."""
        scores = self._tallied(points)
        leader = self.leader
        if not self.penalty and leader == NOBODY and scores[self.turn] >= self.options.target:
            if not self.options.final_round:
                return self._with(scores=scores, seat=OVER, points=0)
            leader = self.turn
        after = self._with(scores=scores, seat=self.roller if u_turn else CHANCE, points=0, leader=leader)
        return after if u_turn else after._pass_on()

    def _pass_on(self) -> Self:
        """Hand the dice to the left of the player whose turn it was, or judge a final round that is complete."""
        following = (self.turn + 1) % len(self.scores)
        if following != self.leader:
            return self._begin(following, following, penalty=False)
        best = max(self.scores)
        if best >= self.options.target and self.scores.count(best) == 1:
            done = self._begin(self.turn, self.turn, penalty=False)
            return done._with(seat=OVER)
        following = (self.leader + 1) % len(self.scores)
        return self._with(leader=NOBODY)._begin(following, following, penalty=False)

    def _begin(self, turn: int, roller: int, *, penalty: bool) -> Self:
        return self.__class__(self.options, self.scores, CHANCE, turn, roller, penalty, DICE, 0, (), self.leader)

    @property
    def result(self) -> Result | None:
        if self.seat != OVER:
            return None
        winner = self.scores.index(max(self.scores))
        when = "after the final round" if self.options.final_round else "at the end of a turn"
        reason = f"{self.options.target:,} or more {when}."
        return Result((winner,), reason, rank(self.scores, (winner,)))

    # Notation

    def position_fields(self) -> str:
        phase = "target"
        if self.seat == CHANCE:
            phase = "toss"
        elif self.seat == OVER:
            phase = "over"
        elif self.signs:
            phase = "+".join(SIGN_NAMES[sign] for sign in self.signs)
        roller = f"{self.roller + 1}{'-' if self.penalty else ''}"
        leader = "-" if self.leader == NOBODY else self.leader + 1
        scores = "/".join(map(str, self.scores))
        return f"{scores} {self.turn + 1} {roller} {phase} {self.dice} {self.points} {leader}"

    @classmethod
    def read_fields(cls, options: KorOptions, fields: Fields) -> Self:
        def score(part: str, at: int) -> int:
            return whole(part, "a score", -POINTS_LIMIT, POINTS_LIMIT, at, step=25)

        scores = fields.split("the scores", score)
        players = len(scores)
        seats = {str(seat + 1): seat for seat in range(players)}
        turn = fields.choice("a seat", seats)
        rollers = {f"{name}-": (seat, True) for name, seat in seats.items()}
        roller, penalty = fields.choice("the seat that rolls", {str(turn + 1): (turn, False), **rollers})
        phases = {"toss": CHANCE, "target": roller, "over": OVER}
        splits = {
            f"{SIGN_NAMES[a]}+{SIGN_NAMES[b]}": (a, b)
            for a, b in ((Side.STOP, Side.DEAD_END), (Side.STOP, Side.U_TURN), (Side.DEAD_END, Side.U_TURN))
        }
        at = fields.column
        phase = fields.choice("a phase", {name: name for name in (*phases, *splits)})
        dice = fields.number("the number of dice", 1 if phase == "toss" else DICE, DICE)
        counts = phase == "toss" or phase in splits
        least = 25 * (DICE - dice)
        points = fields.number("the points so far", least, POINTS_LIMIT if counts else 0, step=25)
        leaders = {"-": NOBODY, **(seats if options.final_round else {})}
        leader = fields.choice("the seat that started the final round", leaders)
        state = cls(
            options, scores, phases.get(phase, roller), turn, roller, penalty, dice, points,
            splits.get(phase, ()), leader,
        )  # fmt: skip
        state._check_end(at)
        return state

    def _check_end(self, at: int) -> None:
        """Refuse a position that is over without a winner, or goes on although there is one."""
        target, scores, leader = self.options.target, self.scores, self.leader
        best = max(scores)
        if self.seat == OVER:
            last = self.turn if not self.options.final_round else (self.turn + 1) % len(scores)
            winner = scores.index(best) if not self.options.final_round else leader
            if best < target or scores.count(best) > 1 or self.penalty or winner != last:
                raise ParseError(f"A game is over when a turn ends with one player alone at {target} or more.", at)
        elif leader == self.turn and not self.penalty and self.seat == CHANCE:
            raise ParseError("Whoever started the final round has no turn in it.", at)
        elif not self.options.final_round:
            banking = self.options.bank_roll and not self.penalty and (self.seat == CHANCE or self.signs)
            if any(score >= target and not (banking and seat == self.turn) for seat, score in enumerate(scores)):
                raise ParseError(f"Somebody has {target} already, so the game cannot go on.", at)

    # Words

    def tell_move(self, move: Move) -> str:
        match move:
            case Target(seat):
                return f"sends {{{seat}}} on a U-TURN: what they roll now is subtracted."
            case Follow(sign):
                return f"follows {DIE.faces[sign - 1].name}{self._told(self._follow(sign), sign)}"
        raise self.illegal(move)

    def doing(self, move: Move) -> str:
        match move:
            case Target(seat):
                return f"sending {{{seat}}} on a U-TURN"
            case Follow(sign):
                return f"following {DIE.faces[sign - 1].name}"
        raise self.illegal(move)

    def tell_roll(self, roll: Roll) -> str:
        toss = read_toss(roll)
        after = self.roll(roll)
        thrown = f"tosses {self.game.roll_words(roll)}"
        if self.options.bank_roll and toss.scoring == DICE:
            verb = "loses" if self.penalty else "banks"
            return f"{thrown}: a Bank Roll! {verb.capitalize()} {self.points + toss.total:,} at once, and rolls on."
        if len(toss.signs) == 2:
            names = " and three ".join(DIE.faces[sign - 1].name for sign in toss.signs)
            return f"{thrown}: three {names}, a choice."
        if toss.signs:
            return f"{thrown}: {DIE.faces[toss.signs[0] - 1].name}{self._told(after, toss.signs[0])}"
        if not toss.scoring:
            return f"{thrown}: no number ends the {'penalty' if self.penalty else 'turn'}{self._told(after)}"
        gain = after.points - self.points
        scores = f", scoring {gain:,}" if gain != toss.highest else ""
        again = " All six roll again." if after.dice == DICE else ""
        return f"{thrown} and sets {toss.highest} aside{scores}: {after.points:,} so far.{again}"

    def _told(self, after: Self, sign: Side | None = None) -> str:
        """How the turn or penalty ends, after the sign that ended it."""
        points = abs(after.scores[self.roller] - self.scores[self.roller])
        if sign == Side.DEAD_END:
            lost = f"the {self.points:,} points are lost" if self.points else "there was nothing to lose"
            text = ", no points are subtracted." if self.penalty else f", {lost}."
        else:
            sends = ", and somebody is sent driving backwards" if after.seat == self.roller else ""
            text = f", {points:,} points are {'subtracted' if self.penalty else 'scored'}{sends}."
        if after.seat == OVER:
            text += f" {{{after.scores.index(max(after.scores))}}} wins!"
        elif after.leader != self.leader:
            text += " The final round is undecided, and play goes on." if after.leader == NOBODY else (
                f" {{{after.leader}}} stands at {after.scores[after.leader]:,}: the final round begins."
            )  # fmt: skip
        return text

    @property
    def prompt(self) -> str:
        who = f"{{{self.roller}}}"
        if self.seat == OVER:
            return f"{{{self.scores.index(max(self.scores))}}} has won."
        last = " Final round." if self.leader != NOBODY else ""
        if self.signs:
            return f"{who} chooses which sign to follow, with {self.points:,} points so far.{last}"
        if self.seat == self.roller:
            return f"{who} names the opponent who serves the U-TURN penalty.{last}"
        what = "serves a penalty and tosses" if self.penalty else "tosses"
        dice = "1 die" if self.dice == 1 else f"{self.dice} dice"
        return f"{who} {what} {dice}, with {self.points:,} points so far.{last}"

    def grids(self) -> tuple[Grid, ...]:
        return race(self.scores, self.options.target)

    def board(self) -> KorBoard:
        signs = tuple(SIGN_NAMES[sign] for sign in self.signs)
        return KorBoard(self.options.target, self.turn, self.penalty, self.points, self.dice, self.leader, signs)


@cache
def _targets(seat: int, players: int) -> tuple[Move, ...]:
    return tuple(Target(other) for other in range(players) if other != seat)


def race_for_the_lead(state: KorState) -> Move:
    """Penalise whoever is ahead; of two signs, take the one that leaves oneself best off against the others."""

    def lead(after: KorState) -> int:
        own = after.scores[state.seat]
        others = max(score for seat, score in enumerate(after.scores) if seat != state.seat)
        return own - others

    def worth(move: Move) -> tuple[int, ...]:
        match move:
            case Target(seat):
                return (state.scores[seat],)
        after = state.apply(move)
        hits_back = after.seat == state.seat
        return (lead(after), hits_back)

    return max(state.legal_moves(), key=worth)
