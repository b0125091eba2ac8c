"""What a page draws of a game of KOR, as data: the board, what a move does, and what the rules fix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hotdice.game import Move
from hotdice.games.kor.rules import DICE, DIE, MATCHING, SIGNS, Follow, Side, Target

if TYPE_CHECKING:
    from hotdice.games.kor.state import KorState

_FACES: Final = {face.code: face.text for face in DIE.faces}


@dataclass(frozen=True, slots=True)
class KorBoard:
    """What a KOR board draws: the road so far, and where everybody stands."""

    target: int
    """The score to reach."""
    turn: int
    """Whose turn it is."""
    penalty: bool
    """Whether a penalty is being served."""
    points: int
    """The points of this turn or penalty so far."""
    would: int
    """The roller's score if these points counted now."""
    dice: int
    """How many dice are tossed next."""
    leader: int
    """Who started the final round; -1 outside a final round."""
    signs: tuple[str, ...]
    """The faces of the two signs of which one is to be chosen; otherwise none."""


@dataclass(frozen=True, slots=True)
class Following:
    """The sign that is followed, as its face."""

    sign: str


@dataclass(frozen=True, slots=True)
class Sending:
    """Who has to serve a penalty."""

    seat: int
    """Whoever it is, counted from 0."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, and what following it does."""

    face: str
    """As it is typed in rolls."""
    counts: bool
    """Whether the points are added, or in a penalty subtracted; otherwise they are forgotten."""
    sends: bool
    """Whether somebody is then sent on a penalty."""


@dataclass(frozen=True, slots=True)
class KorFacts:
    """What the rules fix."""

    dice: int
    """How many dice a turn starts with, and so how many can be set aside before all are tossed again."""
    matching: int
    """How many of one sign end a turn."""
    signs: tuple[Sign, ...]
    """The signs that can end a turn, and what following each does."""


_FACTS: Final = KorFacts(
    dice=DICE,
    matching=MATCHING,
    signs=tuple(Sign(_FACES[sign], sign != Side.DEAD_END, sign == Side.U_TURN) for sign in SIGNS),
)


def facts(state: KorState) -> KorFacts:
    """What the rules fix."""
    return _FACTS


def effect(state: KorState, move: Move) -> Following | Sending | None:
    """What a move does."""
    match move:
        case Follow(sign):
            return Following(_FACES[sign])
        case Target(seat):
            return Sending(seat)
    return None


def board(state: KorState) -> KorBoard:
    """The data of the board."""
    score = state.scores[state.roller]
    return KorBoard(
        target=state.options.target,
        turn=state.turn,
        penalty=state.penalty,
        points=state.points,
        would=score - state.points if state.penalty else score + state.points,
        dice=state.dice,
        leader=state.leader,
        signs=tuple(_FACES[sign] for sign in state.signs),
    )
