"""What a page draws of a game of BJ's dice, as data: the board, what a move does, and what the rules fix."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from hotdice.dice import ORDINARY
from hotdice.game import OVER, Move
from hotdice.games.bj.rules import BONUS, NOBODY, ROLL, read_toss

if TYPE_CHECKING:
    from hotdice.games.bj.state import BjState


class LastTurn(StrEnum):
    """How far a seat is in the last round."""

    STARTED = "started"
    PLAYED = "played"
    PLAYING = "playing"
    TO_PLAY = "to play"


@dataclass(frozen=True, slots=True)
class BjBoard:
    """What a board for BJ's dice draws."""

    target: int
    """The score to exceed."""
    turn: int
    """Whose turn it is."""
    at_risk: int
    """The points of this turn that a scoreless toss would lose."""
    safe: int
    """The bonuses of this turn, which cannot be lost."""
    dice: int
    """How many dice are rolled next."""
    all_dice: int
    """How many dice the game is played with."""
    last_round: tuple[LastTurn, ...]
    """In the last round, how far each seat is; before it, nothing."""
    to_come: tuple[int, ...]
    """In the last round, who plays after this turn, in order."""
    to_beat: int
    """In the last round, the best of the others; -1 before it."""


@dataclass(frozen=True, slots=True)
class Passing:
    """What passing brings."""

    kept: int
    """The points of this turn that go to the score."""
    score: int
    """What the score is then."""
    loses_to: int
    """In the last round, who is out of reach then; -1 if the game is not lost by it."""


@dataclass(frozen=True, slots=True)
class BjFacts:
    """What scores. Points are listed by face, from 1 to 6."""

    singles: tuple[int, ...]
    """What one die scores by itself."""
    triples: tuple[int, ...]
    """What three of a kind score."""
    bonus: int
    """What freezing all dice brings, which cannot be lost."""


_FACTS: Final = BjFacts(
    singles=tuple(read_toss((face.code,)).points for face in ORDINARY.faces),
    triples=tuple(read_toss((face.code,) * 3).points for face in ORDINARY.faces),
    bonus=BONUS,
)


def facts(state: BjState) -> BjFacts:
    """What the rules fix."""
    return _FACTS


def effect(state: BjState, move: Move) -> Passing | None:
    """What passing brings; to roll changes nothing yet."""
    if move is ROLL:
        return None
    kept = state.at_risk + state.safe
    ahead = state.apply(move).winner if state.starter != NOBODY else state.roller
    return Passing(kept, state.scores[state.roller] + kept, NOBODY if ahead == state.roller else ahead)


def board(state: BjState) -> BjBoard:
    """The data of the board."""
    last, to_come = _last_round(state.starter, state.roller, len(state.scores), state.seat == OVER)
    return BjBoard(
        target=state.options.target,
        turn=state.roller,
        at_risk=state.at_risk,
        safe=state.safe,
        dice=state.dice,
        all_dice=state.options.dice,
        last_round=last,
        to_come=to_come,
        to_beat=_best_other(state) if last else NOBODY,
    )


@cache
def _last_round(starter: int, turn: int, players: int, over: bool) -> tuple[tuple[LastTurn, ...], tuple[int, ...]]:
    """How far each seat is in the last round, and who is still to come: everybody else has one turn."""
    if starter == NOBODY:
        return (), ()
    order = [(starter + step) % players for step in range(players)]
    at = order.index(turn)
    to_come = () if over else tuple(order[at + 1 :])

    def of(seat: int) -> LastTurn:
        if seat == starter:
            return LastTurn.STARTED
        if seat in to_come:
            return LastTurn.TO_PLAY
        return LastTurn.PLAYING if seat == turn and not over else LastTurn.PLAYED

    return tuple(map(of, range(players))), to_come


def _best_other(state: BjState) -> int:
    """Who has the highest score of those whose turn it is not."""
    others = (seat for seat in range(len(state.scores)) if seat != state.roller)
    return max(others, key=lambda seat: state.scores[seat])
