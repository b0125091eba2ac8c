"""A game of KOR, toss by toss: turns, U-TURN penalties and their chains, and the final round.

How positions are written is in `notation`, what is said about them in `words`.
"""

from __future__ import annotations

from functools import cache
from typing import Self

from hotdice.dice import Distribution, Roll
from hotdice.game import CHANCE, NO_ROLL, OVER, PENALTY, TURN, Move, State, frozen, left_out, seat_without
from hotdice.games.kor import data, notation, words
from hotdice.games.kor.rules import DICE, NOBODY, TOSSES, Follow, KorOptions, Side, Target, places_of, read_toss
from hotdice.notation import Fields
from hotdice.view import Result


@frozen
class KorState(State):
    """One moment of KOR. A penalty is a turn whose `points` will be subtracted."""

    fields = "scores, whose turn, who rolls (with a - in a penalty), phase, dice, points so far, leader or -"

    options: KorOptions
    """The house rules."""
    scores: tuple[int, ...]
    """Each seat's score, without the points of the turn or penalty that is being played."""
    seat: int
    """Who decides about a sign or a target; `CHANCE` while dice are to be tossed, `OVER` at the end."""
    turn: int
    """Whose turn it is, also while others serve the penalties that it led to."""
    roller: int
    """Who tosses: whoever has the turn, or serves a penalty."""
    penalty: bool
    """Whether this is a penalty."""
    dice: int
    """How many dice are tossed next."""
    points: int
    """The points of this turn or penalty so far."""
    signs: tuple[Side, ...]
    """The two signs of a split toss of which one is to be chosen; otherwise none."""
    leader: int
    """Who started the final round by reaching the target; `NOBODY` outside a final round."""

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

    # The end of a turn or penalty, and of the game

    def _follow(self, sign: Side) -> Self:
        if sign == Side.DEAD_END:
            return self._end(0)
        return self._end(self.points, u_turn=sign == Side.U_TURN)

    def _tallied(self, points: int) -> tuple[int, ...]:
        """The scores with `points` added to the roller's, or subtracted in a penalty."""
        seat, scores = self.roller, self.scores
        score = scores[seat] - points if self.penalty else scores[seat] + points
        return (*scores[:seat], score, *scores[seat + 1 :])

    def _end(self, points: int, *, u_turn: bool = False) -> Self:
        """End the turn or penalty with `points` points; by a U-TURN, a target is named next."""
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

    # When somebody drops out

    def drop_out(self, seat: int) -> Self:
        """Without that player; their turn ends without points, and a penalty of theirs is not served."""
        players = len(self.scores)
        leader = self._next_leader() if seat == self.leader else self.leader
        decider, turn, roller, leader = (
            seat_without(other, seat, players) for other in (self.seat, self.turn, self.roller, leader)
        )
        scores = left_out(self.scores, seat)
        if seat == self.roller:
            return self.__class__(self.options, scores, CHANCE, turn, turn, False, DICE, 0, (), leader)._pass_on()
        return self.__class__(
            self.options, scores, decider, turn, roller, self.penalty, self.dice, self.points, self.signs, leader
        )

    def _next_leader(self) -> int:
        """Who has reached the target first in this final round after its leader; `NOBODY` if nobody has."""
        players = len(self.scores)
        turn_is_over = self.penalty or (self.seat >= 0 and not self.signs)
        for step in range(1, (self.turn - self.leader) % players + turn_is_over):
            seat = (self.leader + step) % players
            if self.scores[seat] >= self.options.target:
                return seat
        return NOBODY

    @property
    def winner(self) -> int:
        """The seat with the highest score, which has won once the game is over."""
        return self.scores.index(max(self.scores))

    @property
    def result(self) -> Result | None:
        return words.result(self) if self.seat == OVER else None

    # What a table shows

    @property
    def fresh(self) -> bool:
        return self.seat == CHANCE and self.dice == DICE and not self.points

    @property
    def occasion(self) -> str:
        return PENALTY if self.penalty else TURN

    def same_turn(self, before: Self) -> bool:
        """A Bank Roll leaves six dice and no points, as a turn begins. But a turn of the same player follows only where
        a final round ends without a winner, and then there is no leader any more."""
        return (self.turn, self.leader) == (before.turn, before.leader)

    @property
    def stake(self) -> int:
        return self.points

    @property
    def hot(self) -> bool:
        return self.seat == CHANCE and self.dice == DICE and self.points > 0

    def places(self, roll: Roll) -> tuple[str, ...]:
        return places_of(roll, bank_roll=self.options.bank_roll, scoring=self.options.scoring)

    # Notation, words and data

    position_fields = notation.position_fields

    @classmethod
    def read_fields(cls, options: KorOptions, fields: Fields) -> Self:
        return notation.read_fields(cls, options, fields)

    why_illegal = words.why_illegal
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


@cache
def _targets(seat: int, players: int) -> tuple[Move, ...]:
    return tuple(Target(other) for other in range(players) if other != seat)
