"""What a page draws of a match of Rollers, as data: its board, what each application does, what the rules fix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from operator import ge
from typing import TYPE_CHECKING

from hotdice.dice import faces_text
from hotdice.games.rollers.rules import (
    BLACK,
    BLACK_CODE,
    CHIPS,
    CLOSED,
    DICE,
    EMPTY,
    FULL_BOARD,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    NUMBERS,
    OPEN,
    PURPLE,
    ROLLS,
    STAR,
    Apply,
    Board,
    RollersOptions,
    steps,
)

if TYPE_CHECKING:
    from hotdice.game import Move
    from hotdice.games.rollers.state import RollersState


@dataclass(frozen=True, slots=True)
class RollersBoard:
    """What a Rollers board draws. Sections are 0 empty, 1 open, 2 closed."""

    turn: int
    """Whose turn it is."""
    starter: int
    """Who started this round."""
    rolls: int
    """How many rolls of this turn are taken; all of them from the moment of stopping."""
    boards: tuple[Board, ...]
    """Each seat's sections from the 1s to the 5s: 0 empty, 1 open, 2 closed."""
    chips: tuple[int, ...]
    """Each seat's chips in this round."""
    points: tuple[int, ...]
    """Each seat's points in the match."""
    zapped: bool
    """Whether a ZAP has cancelled the roll on the table."""
    roll_off: tuple[int, ...]
    """In the roll-off, what each seat has rolled; 0 is still to roll, -1 is out."""


def board(state: RollersState) -> RollersBoard:
    """The data of the board."""
    return RollersBoard(
        turn=state.roller,
        starter=state.starter,
        rolls=state.rolls,
        boards=state.boards,
        chips=state.chips,
        points=state.scores,
        zapped=state.zapped,
        roll_off=state.roll_off,
    )


@dataclass(frozen=True, slots=True)
class RoundEnd:
    """How a round ends."""

    points: tuple[int, ...]
    """The points that each seat gets."""
    richest: tuple[int, ...]
    """The seats with the most chips."""
    richest_points: int
    """What each of them gets for that, as part of `points`; 0 where a tie brings nothing."""
    starter: int
    """Who starts the next round; -1 when the match is over."""
    winners: tuple[int, ...]
    """Who wins the match; nobody as long as it goes on."""
    board_points: int
    """What the full board brings whoever filled it, as part of `points`."""
    chips: tuple[int, ...]
    """Each seat's chips as they are counted, before the next round sets them back."""


@dataclass(frozen=True, slots=True)
class RollersEffect:
    """What applying dice does. Moves that keep dice or stop have no effect beyond what they say."""

    opens: tuple[int, ...]
    """The numbers of the sections that it opens."""
    closes: tuple[int, ...]
    """The numbers of the sections that it closes; one that it opens and closes is in both."""
    paid: tuple[int, ...]
    """The chips that each seat pays; empty if no die collects."""
    round_end: RoundEnd | None
    """How the round ends, if this fills the board."""
    unused: int
    """How many more of the dice could be used together with these."""


def effect(state: RollersState, move: Move) -> RollersEffect | None:
    """What a legal move does."""
    return effect_of(state, move) if isinstance(move, Apply) else None


@lru_cache(maxsize=512)
def effect_of(state: RollersState, move: Apply) -> RollersEffect:
    """What a legal application does. Its sentence is made from it as well, so it is computed once for both."""
    board, chips, collected = state.outcome_of(move.uses)
    opens: list[int] = []
    closes: list[int] = []
    for number, before, after in zip(NUMBERS, state.boards[state.seat], board, strict=True):
        if before != after:
            if before == EMPTY:
                opens.append(number)
            if after == CLOSED:
                closes.append(number)
    paid = (
        [had - has if had > has else 0 for had, has in zip(state.chips, chips, strict=True)] if any(collected) else ()
    )
    round_end = _round_end(state, chips) if board == FULL_BOARD else None
    unused = _most_used(state.applications().keys)[move.uses] - sum(move.uses)
    return RollersEffect(tuple(opens), tuple(closes), tuple(paid), round_end, unused)


@lru_cache(maxsize=512)
def _most_used(legal: frozenset[tuple[int, ...]]) -> dict[tuple[int, ...], int]:
    """For each of some uses of dice, how many dice are used by the largest of those that include it."""
    largest = sorted(legal, key=sum, reverse=True)
    return {uses: next(sum(other) for other in largest if all(map(ge, other, uses))) for uses in legal}


def _round_end(state: RollersState, chips: tuple[int, ...]) -> RoundEnd:
    following = state.round_over(chips)
    result = following.result
    richest, richest_points = state.richest(chips)
    return RoundEnd(
        points=tuple([after - before for before, after in zip(state.scores, following.scores, strict=True)]),
        richest=richest,
        richest_points=richest_points,
        starter=-1 if result else following.starter,
        winners=result.winners if result else (),
        board_points=state.full_board_points(chips),
        chips=chips,
    )


@dataclass(frozen=True, slots=True)
class SectionFacts:
    """What the rules fix for one section of a board."""

    number: int
    """The number of its dice, and what each player pays for a die that collects."""
    opening: int
    """How many dice open it."""
    closing: int
    """How many more close it."""
    faces: tuple[str, ...]
    """The faces with its number, as they are typed."""


@dataclass(frozen=True, slots=True)
class RollersFacts:
    """What the rules fix for a whole match."""

    dice: int
    """How many dice there are."""
    rolls: int
    """How many rolls a turn has at most."""
    sections: tuple[SectionFacts, ...]
    """The sections of a board."""
    star: str
    """The face that goes with any section."""
    chips: int
    """What each player starts a round with."""
    full_board_points: int
    """What a full board brings whoever still has chips."""
    most_chips_points: int
    """What the most chips bring."""
    target_points: int
    """The points that win the match."""


def facts(state: RollersState) -> RollersFacts:
    """What the rules fix for a whole match."""
    return _facts(state.options)


@lru_cache(maxsize=64)
def _facts(options: RollersOptions) -> RollersFacts:
    return RollersFacts(
        dice=DICE,
        rolls=ROLLS,
        sections=tuple(
            SectionFacts(
                number,
                opening=steps(number, EMPTY)[0],
                closing=steps(number, OPEN)[0],
                faces=(_text(number), _text(BLACK_CODE + number)),
            )
            for number in NUMBERS
        ),
        star=_text(STAR),
        chips=CHIPS,
        full_board_points=FULL_BOARD_POINTS,
        most_chips_points=MOST_CHIPS_POINTS,
        target_points=options.target_points,
    )


def _text(code: int) -> str:
    return faces_text((PURPLE, BLACK), (code,))
