"""A sensible Kismet player: makes the most of this turn, measured against a par for each box.

What every keep is worth depends on the vacant boxes alone, and is worked out for all of them at once: multisets of dice
are numbers, and lists of them are looked up and added up as wholes, which plain Python does best.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, Final

from hotdice.dice import Roll
from hotdice.game import Move
from hotdice.games.kismet.rules import DICE, DIE, ROLLS, TOSSES, VACANT, Box, Score, box_scores, keeps
from hotdice.games.kismet.state import KismetState

PAR: Final = (2, 5, 8, 12, 15, 18, 15, 20, 16, 18, 20, 12, 18, 22, 8)
"""A modest score for each box, so that a box is not spent on less than it is likely to bring later."""

SCALE: Final = len(DIE.faces) ** (DICE * (ROLLS - 1))
"""What points are counted in, so that every average of a turn is a whole number: equal worths are equal, whichever way
they were added up."""

Get = Callable[[Sequence[int]], tuple[int, ...]]
"""Looks several entries of a list up at once."""

_BOXES: Final = tuple(Box)
_FACES: Final = tuple(face.code for face in DIE.faces)
NUMBER: Final = {kept: number for number, kept in enumerate(kept for toss in TOSSES[:DICE] for kept in toss.rolls)}
"""Of every multiset that can be kept: its place in `keep_worths`."""


def _places(count: int) -> dict[Roll, int]:
    return {dice: place for place, dice in enumerate(TOSSES[count].rolls)}


def _getter(places: list[int]) -> Get:
    get: Any = itemgetter(*places)
    return get if len(places) > 1 else lambda values: (get(values),)


@cache
def _more(count: int) -> tuple[Get, ...]:
    """By face: where `count` dice lead with one more of that face."""
    places, fewer = _places(count + 1), TOSSES[count].rolls
    return tuple(_getter([places[tuple(sorted((*dice, face)))] for dice in fewer]) for face in _FACES)


@cache
def _fewer(count: int) -> tuple[Get, ...]:
    """By die: what is left of `count` dice without it."""
    places, more = _places(count - 1), TOSSES[count].rolls
    return tuple(_getter([places[dice[:die] + dice[die + 1 :]] for dice in more]) for die in range(count))


@cache
def _over_par(box: Box, kismet_is_full_house: bool) -> tuple[int, ...]:
    """What each roll of five dice scores in a box, over its par, in parts of a point."""
    return tuple(SCALE * (box_scores(dice, kismet_is_full_house)[box] - PAR[box]) for dice in TOSSES[DICE].rolls)


def _averages(best: Sequence[int]) -> list[Sequence[int]]:
    """By how many dice are kept: what that is worth before the last of the others is rolled, down from all five."""
    layers: list[Sequence[int]] = [best]
    for count in range(DICE - 1, -1, -1):
        rolled = zip(*(get(layers[0]) for get in _more(count)), strict=True)
        layers.insert(0, [sum(each) // len(_FACES) for each in rolled])
    return layers


def _best_keeps(layers: list[Sequence[int]]) -> Sequence[int]:
    """What each roll of five dice is worth if the best of it is kept, or all."""
    best = layers[0]
    for count in range(1, DICE + 1):
        best = list(map(max, layers[count], *(get(best) for get in _fewer(count))))
    return best


@lru_cache(maxsize=4096)
def keep_worths(vacant: tuple[Box, ...], kismet_is_full_house: bool) -> tuple[array[int], ...]:
    """By rolls to come, less one: what keeping each multiset of less than five dice is worth on average,
    in parts of a point."""
    columns = [_over_par(box, kismet_is_full_house) for box in vacant]
    stop: Sequence[int] = columns[0] if len(columns) == 1 else list(map(max, *columns))
    worths: list[array[int]] = []
    best = stop
    for left in range(1, ROLLS):
        layers = _averages(best)
        worths.append(array("q", (worth for layer in layers[:DICE] for worth in layer)))
        if left + 1 < ROLLS:
            best = _best_keeps([*layers[:DICE], stop])
    return tuple(worths)


def beat_par(state: KismetState) -> Move:
    """The keep or box with the best expected score over par this turn, as if no turn came after."""
    flag, dice, sheet = state.options.kismet_is_full_house, state.dice, state.sheets[state.seat]
    vacant = tuple([box for box in _BOXES if sheet[box] == VACANT])
    scores = box_scores(dice, flag)
    over_par = [SCALE * (scores[box] - PAR[box]) for box in vacant]
    most = max(over_par)
    if state.rolls < ROLLS:
        worths, kept = keep_worths(vacant, flag)[ROLLS - state.rolls - 1], keeps(dice)
        best = max(kept, key=lambda some: worths[NUMBER[some]])
        if worths[NUMBER[best]] >= most:
            return kept[best]
    return Score(vacant[over_par.index(most)])
