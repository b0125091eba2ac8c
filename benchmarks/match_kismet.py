"""Kismet bots against each other: playing for the win against playing for points, and against the greedy rule.

Every stream of dice is played twice, the bots changing seats in between, so that much of the luck cancels. Standard
errors are those of the means of such pairs; a shared win counts half. `python -m benchmarks.match_kismet 20000` plays
20,000 games of each match.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from multiprocessing import get_context
from typing import Final, NamedTuple

import numpy as np

from benchmarks.report import Row, alone, share_of
from hotdice.dice import Roll
from hotdice.games.kismet import KISMET, KismetOptions
from hotdice.games.kismet.greedy import NUMBER, PAR, SCALE, keep_worths
from hotdice.games.kismet.rules import DICE, ROLLS, Box, bonus, keeps
from hotdice.games.kismet.solving.box_sets import NEVER
from hotdice.games.kismet.solving.evaluators import Flags, Player, Players, Together, after_kismet
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, kismet_sheet
from hotdice.solve import evaluator_for
from hotdice.solve.jit import kernel

GAMES = 100_000
OPTIONS: Final = KismetOptions()
SEED: Final = 2026
SHARE: Final = 250
"""Pairs of games that a process is given at a time."""
SCORES: Final = kismet_sheet(OPTIONS.kismet_is_full_house).points[0].astype(np.int64)
"""[roll, box]"""
NOTHING: Final = -1
"""Stands where no keep is."""


def _keeps_of(roll: Roll) -> list[int]:
    found = [FIVE.number[kept] for kept in keeps(roll)]
    return found + [NOTHING] * (2**DICE - len(found))


KEPT: Final = np.array([_keeps_of(roll) for roll in FIVE.rolls])
"""[roll]: the numbers of all that can be kept of it, in the order of the legal moves; then `NOTHING`."""


# Bots


class Policy(NamedTuple):
    """How a bot plays a turn: of the moves that are tied for the best value, it makes the one with the most points.

    Where points are equal too, or play no part, the better value and then the order of the legal moves decide.
    """

    worth: Floats
    """[rolls taken, multiset]: the value of keeping those dice."""
    entries: Floats
    """[roll, box]: the value of entering the roll in the box; `NEVER` where that is filled."""
    base: float
    """What is added to all values before they are compared."""
    tie: float
    """A value that misses the best by no more than this is tied with it."""
    points_worth: Floats = np.zeros((ROLLS, FIVE.keeps))
    """The points to expect, laid out as the values are; alike for a bot that they play no part for."""
    points_entries: Floats = np.zeros(SCORES.shape)


Bot = Callable[[Players, Flags, int], Policy]
"""Knows everybody's sheets, who has had a Kismet, and whose turn it is."""


def win_bot(values: Together) -> Bot:
    """Plays for the win, as `optimal` does."""

    def policy(everybody: Players, had_kismet: Flags, roller: int) -> Policy:
        now = everybody[roller]
        turn, points = values.win_turn(everybody, had_kismet, roller), values.points_turn(now.mask, now.basic)
        return Policy(turn.worth, turn.entries, 0.0, values.tie, points.worth, points.entries)

    return policy


def points_bot(values: Together) -> Bot:
    """Plays for the best expected total, as `optimal` does alone."""

    def policy(everybody: Players, had_kismet: Flags, roller: int) -> Policy:
        now = everybody[roller]
        turn = values.points_turn(now.mask, now.basic)
        return Policy(turn.worth, turn.entries, float(now.written), 0.0)

    return policy


def greedy_bot(everybody: Players, had_kismet: Flags, roller: int) -> Policy:
    """Plays by the greedy rule, which counts in parts of a point."""
    mask = everybody[roller].mask
    filled = (mask >> np.arange(len(Box)) & 1).astype(bool)
    entries = np.where(filled, NEVER, SCALE * (SCORES - np.array(PAR, np.float64)))
    return Policy(greedy_worth(mask), entries, 0.0, 0.0)


@cache
def greedy_worth(mask: int) -> Floats:
    """What the greedy rule thinks of each keep, by rolls taken: its own figures, so that ties are broken alike."""
    vacant = tuple(box for box in Box if not mask >> box & 1)
    worth = np.full((ROLLS, FIVE.keeps), NEVER)
    found = keep_worths(vacant, OPTIONS.kismet_is_full_house)
    for taken in range(1, ROLLS):
        worth[taken] = [found[ROLLS - taken - 1][NUMBER[kept]] for kept in FIVE.all[: FIVE.keeps]]
    return worth


# Games


class Played(NamedTuple):
    """A turn: who played it, what was kept after the first two rolls, the last roll, and the box it went into."""

    seat: int
    first: int
    second: int
    roll: int
    box: int


@kernel
def choose(policy: Policy, taken: int, roll: int, kept: Ints) -> int:
    """What to keep after `taken` rolls, or, counted from the last keep on, the box to enter the roll in."""
    rows, boxes = policy.worth.shape[1], policy.entries.shape[1]
    moves = np.empty(len(kept) + boxes, np.int64)
    values, points = np.empty(len(moves)), np.empty(len(moves))
    count = 0
    if taken < ROLLS:
        while kept[count] != NOTHING:
            moves[count] = kept[count]
            values[count] = policy.base + policy.worth[taken, kept[count]]
            points[count] = policy.points_worth[taken, kept[count]]
            count += 1
    for box in range(boxes):
        if policy.entries[roll, box] != NEVER:
            moves[count] = rows + box
            values[count] = policy.base + policy.entries[roll, box]
            points[count] = policy.points_entries[roll, box]
            count += 1
    best = values[:count].max()
    chosen = -1
    for move in range(count):
        if best - values[move] <= policy.tie and (
            chosen < 0
            or points[move] > points[chosen]
            or (points[move] == points[chosen] and values[move] > values[chosen])
        ):
            chosen = move
    return int(moves[chosen])


@kernel
def play_turn(policy: Policy, dice: Ints, more: Ints, kept: Ints) -> tuple[int, int, int, int]:
    """The fields of `Played` but the first. `dice[roll]` are five faces, of which a roll takes as many as it needs."""
    keeps, rows = len(more), policy.worth.shape[1]
    held = np.full(ROLLS, NOTHING)
    row = 0
    for taken in range(1, ROLLS + 1):
        die = 0
        while row < keeps:
            row = more[row, dice[taken - 1, die]]
            die += 1
        roll = row - keeps
        move = choose(policy, taken, roll, kept[roll])
        if move >= rows:
            break
        held[taken - 1] = row = move
    return int(held[0]), int(held[1]), roll, move - rows


def play_game(bots: tuple[Bot, Bot], dice: Ints) -> tuple[list[Played], tuple[int, int]]:
    """The turns and the totals of a game in which the first seat begins. `dice[seat, turn, roll]` are five faces."""
    everybody: Players = (Player(0, 0, 0),) * 2
    had_kismet: Flags = (False, False)
    turns: list[Played] = []
    taken = [0, 0]
    roller = 0
    while any(one.vacant for one in everybody):
        policy = bots[roller](everybody, had_kismet, roller)
        turn = Played(roller, *play_turn(policy, dice[roller, taken[roller]], FIVE.edges.more, KEPT))
        turns.append(turn)
        taken[roller] += 1
        entered = everybody[roller].entered(turn.box, int(SCORES[turn.roll, turn.box]))
        everybody = tuple(entered if seat == roller else one for seat, one in enumerate(everybody))
        goes_on = False
        if SCORES[turn.roll, Box.KISMET]:
            goes_on = OPTIONS.second_kismet and had_kismet[roller]
            everybody, had_kismet = after_kismet(OPTIONS, everybody, had_kismet, roller)
        following = roller if goes_on else 1 - roller
        roller = following if everybody[following].vacant else 1 - following
    first, second = (one.written + bonus(one.basic) for one in everybody)
    return turns, (first, second)


def stream(number: int) -> Ints:
    """The dice of a game, enough for every seat to fill its sheet, as faces from 0."""
    return np.random.default_rng((SEED, number)).integers(0, 6, (2, len(Box), ROLLS, DICE))


def pair_share(bots: tuple[Bot, Bot], dice: Ints) -> float:
    """The share of wins of the first bot in two games with the same dice, in which it begins once."""
    first, second = play_game(bots, dice)[1]
    theirs, ours = play_game((bots[1], bots[0]), dice)[1]
    return float(np.sign(first - second) + np.sign(ours - theirs)) / 4 + 0.5


# Matches

MATCHES: Final = ("points", "greedy")
"""What the bot that plays for the win plays against."""


@cache
def bots_of(match: str) -> tuple[Bot, Bot]:
    """Those who play a match, the one that plays for the win first."""
    values = evaluator_for(KISMET, OPTIONS, 2)
    assert isinstance(values, Together)
    return win_bot(values), points_bot(values) if match == "points" else greedy_bot


def play_pairs(match: str, numbers: range) -> list[float]:
    """The shares of some pairs of games."""
    return [pair_share(bots_of(match), stream(number)) for number in numbers]


def play_match(match: str, pairs: int) -> Iterator[list[float]]:
    """The shares of all pairs of games, some at a time, played on all cores."""
    work = (range(start, min(start + SHARE, pairs)) for start in range(0, pairs, SHARE))
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        yield from pool.imap_unordered(partial(play_pairs, match), work)


def run(match: str, pairs: int) -> Row:
    """Play a match."""
    found: list[float] = []
    for some in play_match(match, pairs):
        found += some
        print(f"\r  win against {match}: {2 * len(found)} of {2 * pairs} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    key, other = ("kismet", "greedy") if match == "greedy" else (f"kismet-{match}", "play for points")
    return share_of(key, KISMET.title, f"optimal against {other}", found)


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """Both matches, each of so many games."""
    games = next((int(word) for word in arguments if word.isdigit()), GAMES)
    play_pairs(MATCHES[0], range(1))  # solves tables and compiles kernels before all processes want them at once
    for match in MATCHES:
        yield run(match, games // 2)


if __name__ == "__main__":
    alone(rows)
