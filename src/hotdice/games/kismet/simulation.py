"""Kismet by the thousand: whole games, compiled, for any number of players.

Many games are played at a time, a lane each, and a step is one turn of each of them: what every keep is worth in a turn
is worked out for all lanes at once. The greedy rule depends on the vacant boxes alone and is a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import Move, State
from hotdice.games.kismet.greedy import PAR, SCALE
from hotdice.games.kismet.rules import (
    BASIC,
    DICE,
    ROLLS,
    TOSSES,
    VACANT,
    Box,
    KismetOptions,
    Score,
    basic_sum,
    bonus,
    keeps,
)
from hotdice.games.kismet.solving import NOISE
from hotdice.games.kismet.solving.evaluators import TIE, Alone, ends_soonest, move_values, player
from hotdice.games.kismet.solving.sheets import FIVE, Floats, Ints, kismet_sheet
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.kismet.state import KismetState
from hotdice.solve.batches import (
    LEVELS,
    Bits,
    Codes,
    Columns,
    Counted,
    Counts,
    PlayMany,
    Simulator,
    Strategy,
    below,
    choice_key,
    dice_key,
    direct,
)
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.multisets import Edges
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

RANDOM, GREEDY, BEST, NOISY = range(4)
"""How a seat decides: by chance, by the greedy rule, by what is worth the most points, by that with noise."""
KISMETS, SECONDS, STRUCK, BONUS = range(4)
"""The statistics, in their order."""
LANES: Final = 32
"""Games that are played at a time."""
BOXES: Final = len(Box)
EVERY: Final = (1 << BOXES) - 1
"""All boxes, as a set of bits."""
LOW: Final = -1e30
"""Less than any value."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    scale: Floats
    """Of values: the noise on them."""


class Board(NamedTuple):
    """The rules, as tables. Multisets of dice are numbered as in `FIVE`; rolls of five dice count from 0."""

    toss: Codes
    """The multiset of each way to throw some dice, from one die to five."""
    begin: Ints
    """[dice]: where these begin in `toss`."""
    joined: NDArray[np.int16]
    """[keep, multiset]: both together, as a roll of five dice."""
    size: Ints
    """[keep]: how many dice it has."""
    keeps: Ints
    """The keeps that each roll allows, in the order of its legal moves."""
    first: Ints
    """[roll]: where these begin in `keeps`."""
    points: Floats
    """[box, roll]: what a box would score."""
    entry: Ints
    """[box, roll]: the number of that box with what it adds to the basic sum."""
    entry_box: Ints
    entry_gain: Ints
    bonus: Ints
    """[basic sum]."""
    kismet: NDArray[np.bool_]
    """[roll]: whether it is five of a kind."""
    second: bool
    """Whether a second Kismet strikes the others."""


class Games(NamedTuple):
    """The games under way, by lane and seat."""

    mask: Ints
    """The boxes filled."""
    basic: Ints
    """The basic sum, up to the least that earns the highest bonus."""
    written: Ints
    """All entries together."""
    had: Ints
    """Whether a turn has ended with a Kismet."""
    taken: Ints
    """Turns, and rolls in the roll-off."""
    decisions: Ints
    keys: NDArray[np.uint64]
    """What a seat leaves to chance."""


# What keeps are worth: rows are multisets, columns are lanes


@fast_kernel
def _average(rows: Floats, more: Ints, lanes: int) -> None:
    """Each keep becomes the mean of the six that one more die makes of it; the rows of whole rolls are given."""
    for row in range(len(more) - 1, -1, -1):
        a, b, c, d, e, f = more[row, 0], more[row, 1], more[row, 2], more[row, 3], more[row, 4], more[row, 5]
        for lane in range(lanes):
            mean = ((rows[a, lane] + rows[b, lane]) + (rows[c, lane] + rows[d, lane])) + (rows[e, lane] + rows[f, lane])
            rows[row, lane] = mean * (1 / 6)


@fast_kernel
def _raise(rows: Floats, raised: Floats, edges: Edges, lanes: int) -> None:
    """In `raised`, each multiset becomes the best of itself and of all that is left after dropping dice from it."""
    for row in range(len(rows)):
        for lane in range(lanes):
            raised[row, lane] = rows[row, lane]
        for at in range(edges.first[row], edges.first[row + 1]):
            other = edges.fewer[at]
            for lane in range(lanes):
                raised[row, lane] = max(raised[row, lane], raised[other, lane])


@fast_kernel
def _stop(board: Board, mask: int, after: Floats, stop: Floats) -> None:
    """What each roll is worth that has to be entered now; `after` has what comes after each entry."""
    for roll in range(len(stop)):
        stop[roll] = LOW
    for box in range(BOXES):
        if mask >> box & 1 == 0:
            if box < len(BASIC):
                for roll in range(len(stop)):
                    stop[roll] = max(stop[roll], board.points[box, roll] + after[board.entry[box, roll]])
            else:
                rest = after[box]
                for roll in range(len(stop)):
                    stop[roll] = max(stop[roll], board.points[box, roll] + rest)


@kernel
def _after(board: Board, value: Floats, mask: int, basic: int, out: Floats) -> None:
    """The points to come after each entry, on a sheet that is played for points."""
    end = value.shape[1] - 1
    for entry in range(len(board.entry_box)):
        own = 1 << board.entry_box[entry]
        if mask & own == 0:
            out[entry] = value[mask | own, min(basic + board.entry_gain[entry], end)]


# The greedy rule


@kernel
def greedy_choices(board: Board, edges: Edges, pars: Ints, scale: int, masks: Ints, out: Bits) -> None:
    """Fill `out[mask, rolls to come, roll]`: the keep, or the box counted from the number of keeps."""
    keeps, rolls = len(edges.more), len(edges.chance)
    worth, best = np.empty((2, keeps + rolls), np.int64)
    stop, box_of = np.empty((2, rolls), np.int64)
    which = np.empty(keeps + rolls, np.int64)
    for mask in masks:
        for roll in range(rolls):
            found = -1
            for box in range(BOXES):
                if mask >> box & 1 == 0:
                    over = (int(board.points[box, roll]) - pars[box]) * scale
                    if found < 0 or over > stop[roll]:
                        found, stop[roll] = box, over
            box_of[roll], out[mask, 0, roll] = found, keeps + found
            worth[keeps + roll] = stop[roll]
        for left in range(1, ROLLS):
            for row in range(keeps - 1, -1, -1):
                total = 0
                for face in range(edges.more.shape[1]):
                    total += worth[edges.more[row, face]]
                worth[row] = total // edges.more.shape[1]
            for row in range(keeps + rolls):
                best[row], which[row] = (worth[row], row) if row < keeps else (0, keeps)
                for at in range(edges.first[row], edges.first[row + 1]):
                    other = edges.fewer[at]
                    better = which[row] == keeps or best[other] > best[row]
                    if better or (best[other] == best[row] and which[other] < which[row]):
                        best[row], which[row] = best[other], which[other]
            for roll in range(rolls):
                row = keeps + roll
                keeping = best[row] >= stop[roll]
                out[mask, left, roll] = which[row] if keeping else keeps + box_of[roll]
                worth[row] = max(best[row], stop[roll])


# Decisions


@kernel
def _any_move(board: Board, mask: int, roll: int, left: int, key: np.uint64, games: Games, lane: int, seat: int) -> int:
    """A keep or a box by chance."""
    keeps = board.first[roll + 1] - board.first[roll] if left else 0
    vacant = 0
    for box in range(BOXES):
        vacant += mask >> box & 1 == 0
    at = 0
    if keeps + vacant > 1:
        at = int(uniform(key, games.decisions[lane, seat]) * (keeps + vacant))
        games.decisions[lane, seat] += 1
    if at < keeps:
        return int(board.keeps[board.first[roll] + at])
    at -= keeps
    for box in range(BOXES):
        if mask >> box & 1 == 0:
            if at == 0:
                return len(board.size) + box
            at -= 1
    return -1


@kernel
def _best_move(board: Board, mask: int, roll: int, left: int, after: Floats, rows: Floats, lane: int) -> int:
    """What is worth the most points. Of equal moves to enter the dice comes first, and then the box further up."""
    most, entering = LOW, LOW
    for box in range(BOXES):
        if mask >> box & 1 == 0:
            entering = max(entering, board.points[box, roll] + after[board.entry[box, roll]])
    if left:
        for at in range(board.first[roll], board.first[roll + 1]):
            most = max(most, rows[board.keeps[at], lane])
    most = max(most, entering)
    if entering >= most - TIE:
        for box in range(BOXES):
            if mask >> box & 1 == 0 and board.points[box, roll] + after[board.entry[box, roll]] >= most - TIE:
                return len(board.size) + box
    for at in range(board.first[roll], board.first[roll + 1]):
        if rows[board.keeps[at], lane] >= most - TIE:
            return int(board.keeps[at])
    return -1


@kernel
def _noisy_move(
    board: Board, mask: int, roll: int, left: int, after: Floats, rows: Floats, lane: int, scale: float, chance: float
) -> int:
    """A move by chances that fall off with what it gives away."""
    count, most = 0, LOW
    moves, values = np.empty(BOXES + (1 << DICE), np.int64), np.empty(BOXES + (1 << DICE))
    if left:
        for at in range(board.first[roll], board.first[roll + 1]):
            moves[count], values[count] = board.keeps[at], rows[board.keeps[at], lane]
            count += 1
    for box in range(BOXES):
        if mask >> box & 1 == 0:
            moves[count] = len(board.size) + box
            values[count] = board.points[box, roll] + after[board.entry[box, roll]]
            count += 1
    if count == 1:
        return int(moves[0])
    for one in range(count):
        most = max(most, values[one])
    total = 0.0
    for one in range(count):
        values[one] = np.exp((values[one] - most) / scale)
        total += values[one]
    rest = chance * total
    for one in range(count):
        rest -= values[one]
        if rest < 0.0:
            return int(moves[one])
    return int(moves[count - 1])


# Games


@kernel
def _begin(games: Games, board: Board, lane: int, seed: int, game: int) -> int:
    """Begin a game in a lane with its roll-off; who begins."""
    players = games.mask.shape[1]
    for seat in range(players):
        games.mask[lane, seat], games.basic[lane, seat], games.written[lane, seat] = 0, 0, 0
        games.had[lane, seat], games.taken[lane, seat], games.decisions[lane, seat] = 0, 0, 0
        games.keys[lane, seat] = choice_key(seed, game, seat)
    if players == 1:
        return 0
    inside = (1 << players) - 1
    while True:
        best, tied, first = 0, 0, 0
        for seat in range(players):
            if inside >> seat & 1:
                games.taken[lane, seat] += 1
                value = below(dice_key(seed, game, seat, games.taken[lane, seat]), 0, 6) + 1
                if value > best:
                    best, tied, first = value, 0, seat
                if value == best:
                    tied |= 1 << seat
        if tied == 1 << first:
            return first
        inside = tied


@kernel
def _enter(board: Board, games: Games, lane: int, seat: int, box: int, roll: int, counts: Counts) -> int:
    """Write a roll into a box and strike the others if need be; whose turn is next, -1 at the end."""
    mask, basic, written = games.mask, games.basic, games.written
    players, end = mask.shape[1], len(board.bonus) - 1
    points = int(board.points[box, roll])
    mask[lane, seat] |= 1 << box
    written[lane, seat] += points
    if box < len(BASIC):
        before = basic[lane, seat]
        basic[lane, seat] = min(before + points, end)
        counts[BONUS, seat] += board.bonus[basic[lane, seat]] - board.bonus[before]
    again = False
    if board.kismet[roll]:
        counts[KISMETS, seat] += 1
        again = board.second and games.had[lane, seat] == 1
        games.had[lane, seat] = 1
    if again:
        counts[SECONDS, seat] += 1
        for other in range(players):
            if other != seat and mask[lane, other] != EVERY:
                mask[lane, other] |= mask[lane, other] + 1  # the topmost vacant box is the lowest bit not set
                counts[STRUCK, other] += 1
    step = 0 if again else 1
    for more in range(step, step + players):
        following = (seat + more) % players
        if mask[lane, following] != EVERY:
            return int(following)
    return -1


@kernel
def _settle(games: Games, board: Board, lane: int, scores: Counts) -> int:
    """Write down the totals of a game that is over; who has won, a bit a seat."""
    best, won = -1, 0
    for seat in range(len(scores)):
        scores[seat] = games.written[lane, seat] + board.bonus[games.basic[lane, seat]]
        if scores[seat] > best:
            best, won = scores[seat], 0
        if scores[seat] == best:
            won |= 1 << seat
    return won


@kernel
def play_games(
    ways: Ways, board: Board, edges: Edges, value: Floats, greedy: Bits, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one game for each row, from the game of that number on."""
    players, keeps, count = all_scores.shape[1], len(board.size), len(edges.chance)
    whole = np.zeros((6, LANES, players), np.int64)
    games = Games(
        whole[0], whole[1], whole[2], whole[3], whole[4], whole[5], np.empty((LANES, players), np.uint64)
    )  # fmt: skip
    row_of, turn, column = np.full(LANES, -1, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    after, stop = np.empty((LANES, len(board.entry_box))), np.empty(count)
    one_left, two_left = np.empty((keeps + count, LANES)), np.empty((keeps + count, LANES))
    begun, active = 0, 1
    while active:
        active, wanted = 0, 0
        for lane in range(LANES):
            if row_of[lane] < 0 and begun < winners.size:
                row_of[lane], turn[lane] = begun, _begin(games, board, lane, seed, first + begun)
                rolls[begun] = games.taken[lane].sum()
                begun += 1
            if row_of[lane] >= 0:
                active += 1
                seat = turn[lane]
                if ways.kind[seat] >= BEST:
                    mask = games.mask[lane, seat]
                    _after(board, value, mask, games.basic[lane, seat], after[lane])
                    _stop(board, mask, after[lane], stop)
                    for roll in range(count):
                        one_left[keeps + roll, wanted] = stop[roll]
                    column[lane] = wanted
                    wanted += 1
        if wanted:
            _average(one_left, edges.more, wanted)
            _raise(one_left, two_left, edges, wanted)
            _average(two_left, edges.more, wanted)
        for lane in range(LANES):
            row, seat = row_of[lane], turn[lane]
            if row < 0:
                continue
            mask, kind, random = games.mask[lane, seat], ways.kind[seat], games.keys[lane, seat]
            games.taken[lane, seat] += 1
            key = dice_key(seed, first + row, seat, games.taken[lane, seat])
            move, roll = 0, 0
            for thrown in range(ROLLS):
                start = board.begin[DICE - board.size[move]]
                ways_to = board.begin[DICE - board.size[move] + 1] - start
                roll = int(board.joined[move, board.toss[start + below(key, thrown, ways_to)]])
                rolls[row] += 1
                left = ROLLS - 1 - thrown
                if kind == RANDOM:
                    move = _any_move(board, mask, roll, left, random, games, lane, seat)
                elif kind == GREEDY:
                    move = greedy[mask, left, roll]
                else:
                    values = two_left if left == 2 else one_left
                    if kind == BEST:
                        move = _best_move(board, mask, roll, left, after[lane], values, column[lane])
                    else:
                        chance = uniform(random, games.decisions[lane, seat])
                        move = _noisy_move(
                            board, mask, roll, left, after[lane], values, column[lane], ways.scale[seat], chance
                        )
                        games.decisions[lane, seat] += left > 0 or mask | mask + 1 != EVERY
                if move >= keeps:
                    break
            turn[lane] = _enter(board, games, lane, seat, move - keeps, roll, counts[row])
            if turn[lane] < 0:
                winners[row] = _settle(games, board, lane, all_scores[row])
                turns[row] = games.taken[lane].sum()
                row_of[lane] = -1


@cache
def board_of(options: KismetOptions) -> Board:
    """The rules of a turn, as tables."""
    sheet = kismet_sheet(options.kismet_is_full_house)
    tosses = [direct(TOSSES[dice], lambda roll: FIVE.number[roll]) for dice in range(1, DICE + 1)]
    joined = np.full((FIVE.keeps, len(FIVE.all)), -1, np.int16)
    for keep, kept in enumerate(FIVE.all[: FIVE.keeps]):
        for roll in TOSSES[DICE - len(kept)].rolls:
            joined[keep, FIVE.number[roll]] = FIVE.number[tuple(sorted(kept + roll))] - FIVE.keeps
    allowed = [[FIVE.number[dice] for dice in keeps(roll)] for roll in FIVE.rolls]
    return Board(
        np.concatenate(tosses), np.cumsum([0, 0, *map(len, tosses)]), joined,
        np.array([len(kept) for kept in FIVE.all[: FIVE.keeps]]),
        np.concatenate(allowed), np.cumsum([0, *map(len, allowed)]),
        sheet.points[0].T.copy(), sheet.entry.T.copy(), sheet.entry_box, sheet.entry_gain,
        sheet.bonus.astype(np.int64), sheet.marked > 0, options.second_kismet,
    )  # fmt: skip


@cache
def _greedy(kismet_is_full_house: bool) -> Bits:
    """The greedy rule as a table: [boxes filled, rolls to come, roll]."""
    found = np.zeros((EVERY, ROLLS, len(FIVE.rolls)), np.uint8)
    board = board_of(KismetOptions(kismet_is_full_house=kismet_is_full_house))
    with ThreadPoolExecutor() as pool:
        parts = np.array_split(np.arange(EVERY), 16)
        list(pool.map(lambda masks: greedy_choices(board, FIVE.edges, np.array(PAR), SCALE, masks, found), parts))
    return found


class KismetSimulator(Simulator):
    """The greedy rule and play for points for any number of players; for one alone, the levels too."""

    statistics: ClassVar = {
        "kismets": "turns ended with a Kismet",
        "seconds": "Kismets after a player's first that strike",
        "struck": "zeros struck by others",
        "bonus": "points of the bonus",
    }
    strategies: ClassVar = {"points": "plays its own sheet for the most points, by the solved tables"}

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        if not (isinstance(state, KismetState) and isinstance(after, KismetState) and isinstance(action, Score)):
            return
        seat = state.seat
        if state.kismet:
            yield Counted("kismets", seat)
        if state.strikes:
            yield Counted("seconds", seat)
            for other, struck in enumerate(state.strikes):
                if struck != VACANT:
                    yield Counted("struck", other)
        if more := bonus(basic_sum(after.sheets[seat])) - bonus(basic_sum(state.sheets[seat])):
            yield Counted("bonus", seat, more)

    def chooser(self, strategy: Strategy) -> Callable[[KismetState], Move]:
        return _ForPoints().choose

    def compiled(
        self, options: KismetOptions, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        names = {strategy.name for strategy in strategies}
        if names.intersection(LEVELS) and len(strategies) > 1:
            return None
        kinds = {"random": RANDOM, "greedy": GREEDY, "points": BEST, "optimal": BEST}
        ways = Ways(
            np.array([kinds.get(one.name, NOISY) for one in strategies]),
            np.array([NOISE[Unit.POINTS].get(one.name, 0.0) for one in strategies]),
        )
        solved = names.intersection((*LEVELS, "points"))
        value = points_table(options, progress).arrays["value"] if solved else np.zeros((1, 1))
        greedy = _greedy(options.kismet_is_full_house) if "greedy" in names else np.zeros((1, 1, 1), np.uint8)
        board = board_of(options)

        def play(seed: int, first: int, columns: Columns) -> None:
            play_games(
                ways, board, FIVE.edges, value, greedy, seed, first,
                columns.winners, columns.scores, columns.turns, columns.rolls, columns.counts,
            )  # fmt: skip

        return play


class _ForPoints:
    """Each turn for the most points on the own sheet."""

    def __init__(self) -> None:
        self._evaluators: dict[KismetOptions, Alone] = {}

    def choose(self, state: KismetState) -> Move:
        if state.options not in self._evaluators:
            self._evaluators[state.options] = Alone(state.options)
        now, moves = player(state.sheets[state.seat]), state.legal_moves()
        turn = self._evaluators[state.options].points_turn(now.mask, now.basic)
        values = move_values(state, turn, 0.0)
        best = max(values)
        alike = [move for move, value in zip(moves, values, strict=True) if value >= best - TIE]
        return max(alike, key=dict(zip(alike, ends_soonest(state, alike), strict=True)).__getitem__)
