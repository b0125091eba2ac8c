"""Rollers by the thousand: whole matches, compiled, for two to five players.

Sixteen matches are played at a time, a lane each, and a step is one turn of each of them. Between two, a turn can be
looked ahead as the evaluator does it: by the tables of match scores that are in the cache, by that of the round, or by
the race. Nothing is solved for that beyond the race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.dice import Roll
from hotdice.game import Move, State
from hotdice.games.rollers.greedy import CHIP, CLOSING, at_least
from hotdice.games.rollers.rules import (
    CHIPS,
    CLOSED,
    DICE,
    EMPTY,
    FULL_BOARD,
    FULL_BOARD_POINTS,
    MOST_CHIPS_POINTS,
    OPEN,
    POINTS_WITHOUT_CHIPS,
    PURPLES,
    ROLLS,
    TOSSES,
    ZAP,
    Apply,
    Keep,
    RollersOptions,
    pool_of,
)
from hotdice.games.rollers.solving import NOISE
from hotdice.games.rollers.solving.boards import BOARDS, FACES, FULL, SECTIONS, digits, number_of
from hotdice.games.rollers.solving.evaluator import SOLVED, split
from hotdice.games.rollers.solving.guide import MATCH, RACE, TABLE, Aims, Guide, Players, Singles, guide_of
from hotdice.games.rollers.solving.lanes import LANES
from hotdice.games.rollers.solving.lattice import pool_numbers
from hotdice.games.rollers.solving.match import all_needs, chances_for, stakes_at
from hotdice.games.rollers.solving.match_tables import FAR, saved_match
from hotdice.games.rollers.solving.playing import (
    USES,
    FullTurn,
    Memory,
    board_after,
    fill,
    fill_progress,
    full_turn,
    look_ahead,
    pay,
    steps_on,
    work_memory,
)
from hotdice.games.rollers.solving.pools import NONE, STAR_AT
from hotdice.games.rollers.solving.tables import race, saved_round
from hotdice.games.rollers.state import RollersState
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
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import uniform
from hotdice.values import Progress, Unit, no_progress

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RANDOM, GREEDY, FASTEST, BEST, NOISY = range(5)
"""How a seat decides: by chance, by the greedy rule, by the race alone, by the chance to win, by that with noise."""
ZAPS, FULL_BOARDS, CLOSED_SECTIONS, COLLECTED, PAID, ROUNDS, MOST_CHIPS = range(7)
"""The statistics, in their order."""
COUNTED: Final = DICE + 1
"""In work memory, dice are counted by face: the purple ones from the 1s to the STARs, and the black one in `BLACK`."""
BLACK: Final = FACES
"""Where the number on the black die stands, `NONE` if it is not among the dice."""
ZAPPED: Final = SECTIONS + 1
"""What stands for a ZAP there."""
WIDE: Final = 8
"""More than the black die can show: a toss is coded as the pool of purple dice times this, and the black die."""
MOVES: Final = USES + 1
"""More moves than any decision has."""
TIE: Final = 1e-7
"""As the evaluator has it."""
EQUAL: Final = 1e-9
"""Turns to go that differ by no more than this are equal."""


class Ways(NamedTuple):
    """How each seat decides."""

    kind: Ints
    scale: Floats
    """Of values: the noise on them."""


class Board(NamedTuple):
    """The rules, as tables."""

    toss: Codes
    """What each way to throw some dice means."""
    begin: Ints
    """[black dice, purple dice]: where these begin in `toss`, and in the next column where they end."""
    uses: Ints
    """The uses of dice as `FullTurn.pools` numbers them, in the order of a state's legal moves."""
    pool_at: NDArray[np.int16]
    """By the digits of a pool in base 7: its number."""
    reach: Floats
    """[rolls left, successes, dice]: as the greedy rule has it, the chance of so many successes."""
    chip: float
    closing: int
    """What the greedy rule counts a chip and closing a section."""
    target: int
    share: bool
    """Whether all who have the most chips get the point for them."""


class Outlooks(NamedTuple):
    """What two players go by, for every match score."""

    guide: Guide
    stakes: Floats
    """[points to go of the first seat, of the second, who began]: stakes by seat."""
    kinds: Ints
    """[points to go of who began, of the other]: what values are made from."""
    parts: Ints
    """[points to go of who began, of the other]: where in the tables of match scores the turns of these two are."""
    exact: NDArray[np.bool_]
    """[points to go of who began, of the other]: whether values count as exact."""
    keeps: Floats
    """[board, rolls left less one, black die, pool]: minus the turns to go if these dice are kept and the board closed
    as soon as possible."""
    pools: Floats
    """[board, pool]: the same when these dice are applied."""
    race: Floats


class Matches(NamedTuple):
    """The matches under way, by lane and seat."""

    boards: Ints
    chips: Ints
    scores: Ints
    taken: Ints
    """Turns, and rolls in the roll-off."""
    decisions: Ints
    keys: NDArray[np.uint64]
    """What a seat leaves to chance."""


class Moves(NamedTuple):
    """Work memory for the moves of one decision, in the order of the state's."""

    dice: Ints
    """[move, face]: what is kept, as in `COUNTED`; the first move is to stop."""
    use: Ints
    """[move]: the use of dice."""
    value: Floats
    further: Floats
    """What decides between equal values."""
    sure: NDArray[np.bool_]
    """Whether it ends the match."""


class Turn(NamedTuple):
    """A turn under way in a lane."""

    lane: int
    seat: int
    kind: int
    row: int
    needs: Ints
    """The points to go of the two seats."""
    began: int


# Legal moves


@kernel
def _pool(board: Board, dice: Ints) -> int:
    """The number of the purple dice."""
    key = 0
    for face in range(FACES):
        key = key * (DICE + 1) + dice[face]
    return int(board.pool_at[key])


@kernel
def _all_dice(board: Board, dice: Ints) -> int:
    """The number of all the dice, whichever colour."""
    key = 0
    for face in range(FACES):
        key = key * (DICE + 1) + dice[face] + (dice[BLACK] == face + 1)
    return int(board.pool_at[key])


@kernel
def _list_keeps(lying: Ints, fixed: Ints, moves: Moves) -> int:
    """To stop, and every part of the dice that lie there that has the fixed ones; how many moves that are."""
    moves.dice[0] = lying
    count = 1
    black, held = lying[BLACK] != NONE, fixed[BLACK] != NONE
    least, most = int(held), int(black)
    for face in range(FACES):
        least += fixed[face]
        most += lying[face]
    for size in range(least, min(most, DICE - 1) + 1):
        for a in range(lying[0], fixed[0] - 1, -1):
            for b in range(lying[1], fixed[1] - 1, -1):
                for c in range(lying[2], fixed[2] - 1, -1):
                    for d in range(lying[3], fixed[3] - 1, -1):
                        for e in range(lying[4], fixed[4] - 1, -1):
                            rest = size - a - b - c - d - e
                            for stars in range(min(lying[5], rest), fixed[5] - 1, -1):
                                colours = rest - stars
                                if (colours == 0 and not held) or (colours == 1 and black):
                                    kept = moves.dice[count]
                                    kept[0], kept[1], kept[2], kept[3], kept[4], kept[5] = a, b, c, d, e, stars
                                    kept[BLACK] = lying[BLACK] if colours else NONE
                                    count += 1
    return count


@kernel
def _list_uses(full: FullTurn, board: Board, dice: Ints, after: Ints, moves: Moves) -> int:
    """Every legal use of some dice; how many there are."""
    count = 0
    for use in board.uses:
        missing = 0
        for at in range(SECTIONS):
            short = full.pools[use, at] - dice[at] - (dice[BLACK] == at + 1)
            missing += max(short, 0)
        if missing <= dice[STAR_AT] and board_after(after, full.pools, use) >= 0:
            moves.use[count] = use
            count += 1
    return count


# Decisions


@kernel
def _by_chance(count: int, key: np.uint64, matches: Matches, turn: Turn) -> int:
    if count == 1:
        return 0
    at = int(uniform(key, matches.decisions[turn.lane, turn.seat]) * count)
    matches.decisions[turn.lane, turn.seat] += 1
    return at


@kernel
def _by_noise(count: int, moves: Moves, scale: float, key: np.uint64, matches: Matches, turn: Turn) -> int:
    """A move by chances that fall off with what it gives away."""
    if count == 1:
        return 0
    most, total = moves.value[:count].max(), 0.0
    for at in range(count):
        moves.value[at] = np.exp((moves.value[at] - most) / scale)
        total += moves.value[at]
    rest = uniform(key, matches.decisions[turn.lane, turn.seat]) * total
    matches.decisions[turn.lane, turn.seat] += 1
    for at in range(count):
        rest -= moves.value[at]
        if rest < 0.0:
            return at
    return count - 1


@kernel
def _by_value(count: int, moves: Moves, exact: bool) -> int:
    """The move that the evaluator puts first.

    Of moves that are worth the same one that ends the match comes first, unless it loses; then the one that brings the
    end of the round closer, then the higher value.
    """
    most = 0
    for at in range(1, count):
        if moves.value[at] > moves.value[most]:
            most = at
    sure = -1
    if not exact:
        for at in range(count):
            known = moves.sure[at] and moves.value[at] > 0.0 and moves.value[most] - moves.value[at] <= TIE
            if known and (sure < 0 or moves.value[at] > moves.value[sure]):
                sure = at
    first = most if sure < 0 else sure
    best = -1
    for at in range(count):
        rival = sure < 0 or (moves.sure[at] and moves.value[at] > 0.0)
        if not rival or abs(moves.value[first] - moves.value[at]) > TIE:
            continue
        if best < 0 or (moves.sure[at] and not moves.sure[best]):
            best = at
        elif moves.sure[at] == moves.sure[best]:
            gap = moves.further[at] - moves.further[best]
            if gap > 0.0 or (gap == 0.0 and moves.value[at] > moves.value[best]):
                best = at
    return best


@kernel
def _by_race(count: int, moves: Moves) -> int:
    """The move after which the board is closed soonest; of equals the first with the highest value."""
    most, best = moves.further[:count].max(), -1
    for at in range(count):
        if moves.further[at] >= most - EQUAL and (best < 0 or moves.value[at] > moves.value[best]):
            best = at
    return best


@kernel
def _greedy_keep(board: Board, sections: Ints, dice: Ints, left: int, kept: Ints) -> None:
    """The dice that the greedy rule keeps of those that lie there: STARs, and what secures or chases a number."""
    counts, wanted = np.zeros(SECTIONS, np.int64), np.zeros(SECTIONS, np.int64)
    budget = np.zeros(SECTIONS, np.int64)
    stars, size, open_dice = dice[STAR_AT], 0, 0
    for at in range(SECTIONS):
        counts[at] = dice[at] + (dice[BLACK] == at + 1)
        size += counts[at]
        if sections[at] != CLOSED:
            wanted[at] = min(counts[at], at + 2 if sections[at] == EMPTY else 1)
    open_dice = size
    secured = np.zeros(SECTIONS, np.bool_)
    for at in range(SECTIONS):
        if sections[at] != CLOSED and (sections[at] == OPEN or wanted[at] >= at + 1):
            secured[at] = True
            budget[at] = wanted[at]
            open_dice -= wanted[at]
    chase, most = -1, 0.0
    for at in range(SECTIONS):
        if sections[at] != CLOSED and not secured[at]:
            number, have, free = at + 1, counts[at] + stars, max(0, open_dice - counts[at])
            promise = (
                2 * number * board.reach[left, max(0, number - have), free]
                + (number + board.closing) * board.reach[left, max(0, number + 1 - have), free]
            )
            if chase < 0 or promise > most:
                chase, most = at, promise
    if chase >= 0:
        budget[chase] = wanted[chase]
    kept[:] = 0
    kept[BLACK] = NONE
    kept[STAR_AT] = stars
    for at in range(SECTIONS):
        kept[at] = min(dice[at], budget[at])
        if dice[BLACK] == at + 1 and budget[at] > kept[at]:
            kept[BLACK] = at + 1


@kernel
def _greedy_use(
    full: FullTurn, board: Board, matches: Matches, turn: Turn, sections: Ints, count: int, moves: Moves,
    after: Ints, pays: Ints, purses: Ints,
) -> int:  # fmt: skip
    """The use of dice with the most progress by the greedy rule."""
    then = np.empty(SECTIONS, np.int64)
    chips = matches.chips[turn.lane]
    best, most = -1, 0.0
    for at in range(count):
        use = moves.use[at]
        purses[:] = chips
        pay(pays, full.pools, use, turn.seat, purses)
        new = board_after(after, full.pools, use)
        digits(new, then)
        worth = board.chip * (purses[turn.seat] - chips[turn.seat])
        for section in range(SECTIONS):
            if sections[section] == EMPTY and then[section] != EMPTY:
                worth += 2 * (section + 1)
            if sections[section] != CLOSED and then[section] == CLOSED:
                worth += section + 1 + board.closing
        if new == FULL:
            worth += 100
        if best < 0 or worth > most:
            best, most = at, worth
    return best


@kernel
def _value_keeps(
    full: FullTurn, board: Board, outlooks: Outlooks, mine: int, memory: Memory, turn: Turn, left: int, count: int,
    moves: Moves,
) -> None:  # fmt: skip
    """What stopping and each keep are worth."""
    for at in range(count):
        dice = moves.dice[at]
        moves.sure[at] = False
        if at == 0:
            pool = _all_dice(board, dice)
            moves.further[at] = outlooks.pools[mine, pool]
            worth = memory.work[pool * LANES + turn.lane]
        else:
            pool = _pool(board, dice)
            moves.further[at] = outlooks.keeps[mine, left - 1, dice[BLACK], pool]
            worth = memory.work[full.keeps[left - 1, dice[BLACK], pool] * LANES + turn.lane]
        moves.value[at] = 0.0 if turn.kind == FASTEST else min(1.0, max(0.0, worth))


@kernel
def _value_uses(
    full: FullTurn, board: Board, outlooks: Outlooks, matches: Matches, memory: Memory, turn: Turn, count: int,
    moves: Moves, after: Ints, pays: Ints, purses: Ints,
) -> None:  # fmt: skip
    """What each use of dice is worth: by the race, the chips that it collects."""
    chips = matches.chips[turn.lane]
    for at in range(count):
        use = moves.use[at]
        new = board_after(after, full.pools, use)
        moves.value[at] = min(1.0, max(0.0, memory.uses[use * LANES + turn.lane]))
        moves.further[at] = -outlooks.race[new]
        moves.sure[at] = False
        if new == FULL or turn.kind == FASTEST:
            purses[:] = chips
            pay(pays, full.pools, use, turn.seat, purses)
        if turn.kind == FASTEST:
            moves.value[at] = purses[turn.seat] - chips[turn.seat]
        elif new == FULL:
            best = 0
            for seat in range(len(purses)):
                best = max(best, matches.scores[turn.lane, seat] + _points(board, purses, turn.seat, seat))
            moves.sure[at] = best >= board.target


# Rounds and matches


@kernel
def _points(board: Board, chips: Ints, finisher: int, seat: int) -> int:
    """What a round that is over brings a seat."""
    points = 0
    if seat == finisher:
        points = FULL_BOARD_POINTS if chips[seat] else POINTS_WITHOUT_CHIPS
    most, having = chips.max(), 0
    for one in chips:
        having += one == most
    if chips[seat] == most and (having == 1 or board.share):
        points += MOST_CHIPS_POINTS
    return points


@kernel
def _roll_off(matches: Matches, lane: int, seed: int, match: int) -> int:
    """Who begins."""
    inside = (1 << matches.boards.shape[1]) - 1
    while True:
        best, tied, first = 0, 0, 0
        for seat in range(matches.boards.shape[1]):
            if inside >> seat & 1:
                matches.taken[lane, seat] += 1
                value = below(dice_key(seed, match, seat, matches.taken[lane, seat]), 0, FACES) + 1
                if value > best:
                    best, tied, first = value, 0, seat
                if value == best:
                    tied |= 1 << seat
        if tied == 1 << first:
            return first
        inside = tied


@kernel
def _winners(scores: Ints, chips: Ints, target: int) -> int:
    """Who has won, a bit a seat: of those who reached the target those with the most chips, then the most points."""
    won, chip, point = 0, -1, -1
    for seat in range(len(scores)):
        if scores[seat] >= target:
            if chips[seat] > chip or (chips[seat] == chip and scores[seat] > point):
                won, chip, point = 0, chips[seat], scores[seat]
            if chips[seat] == chip and scores[seat] == point:
                won |= 1 << seat
    return won


@kernel
def _aims(outlooks: Outlooks, turn: Turn) -> Aims:
    """What two players play for."""
    needs, began = turn.needs, turn.began
    one, other = needs[began], needs[1 - began]
    guide, kind, parts = outlooks.guide, outlooks.kinds[one, other], np.empty(2, np.int64)
    parts[began], parts[1 - began] = outlooks.parts[one, other, 0], outlooks.parts[one, other, 1]
    kinds = np.full(2, kind)
    found = Guide(
        guide.values, guide.race, guide.bends, guide.first, guide.most, kinds, guide.match, parts
    )  # fmt: skip
    return Aims(found, outlooks.stakes[needs[0], needs[1], began])


@kernel
def play_games(
    ways: Ways, board: Board, full: FullTurn, outlooks: Outlooks, memory: Memory, moves: Moves, seed: int, first: int,
    winners: Bits, all_scores: Counts, turns: Counts, rolls: Counts, counts: Counts,
) -> None:  # fmt: skip
    """Play one match for each row, from the match of that number on."""
    players = all_scores.shape[1]
    whole = np.zeros((5, LANES, players), np.int64)
    matches = Matches(
        whole[0], whole[1], whole[2], whole[3], whole[4], np.empty((LANES, players), np.uint64)
    )  # fmt: skip
    row_of, now, starter = np.full(LANES, -1, np.int64), np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    after, pays = np.empty((SECTIONS, DICE + 1), np.int64), np.empty((players, SECTIONS, DICE + 1), np.int64)
    purses, needs, sections = np.empty(players, np.int64), np.zeros(2, np.int64), np.empty(SECTIONS, np.int64)
    kept, lying, greedy, nothing = np.zeros((4, COUNTED), np.int64)
    begun, active = 0, 1
    while active:
        active, wanted = 0, 0
        for lane in range(LANES):
            if row_of[lane] < 0 and begun < winners.size:
                row_of[lane] = begun
                matches.boards[lane], matches.chips[lane], matches.scores[lane] = 0, CHIPS, 0
                matches.taken[lane], matches.decisions[lane] = 0, 0
                for seat in range(players):
                    matches.keys[lane, seat] = choice_key(seed, first + begun, seat)
                now[lane] = starter[lane] = _roll_off(matches, lane, seed, first + begun)
                rolls[begun] = matches.taken[lane].sum()
                begun += 1
            if row_of[lane] >= 0:
                active += 1
                seat = now[lane]
                if ways.kind[seat] >= BEST:
                    wanted += 1
                    needs[:] = board.target - matches.scores[lane]
                    turn = Turn(lane, seat, ways.kind[seat], row_of[lane], needs, starter[lane])
                    at = Players(matches.boards[lane], matches.chips[lane])
                    fill(full, _aims(outlooks, turn), at, seat, memory, lane)
        if wanted:
            look_ahead(full, memory)
        for lane in range(LANES):
            row, seat = row_of[lane], now[lane]
            if row < 0:
                continue
            kind, random = ways.kind[seat], matches.keys[lane, seat]
            if kind >= BEST:
                needs[:] = board.target - matches.scores[lane]
            turn = Turn(lane, seat, kind, row, needs, starter[lane])
            exact = kind >= BEST and outlooks.exact[needs[starter[lane]], needs[1 - starter[lane]]]
            mine = matches.boards[lane, seat]
            digits(mine, sections)
            matches.taken[lane, seat] += 1
            key = dice_key(seed, first + row, seat, matches.taken[lane, seat])
            kept[:] = 0
            for thrown in range(ROLLS):
                black, free = int(kept[BLACK] == NONE), PURPLES
                for face in range(FACES):
                    free -= kept[face]
                start = board.begin[black, free]
                toss = int(board.toss[start + below(key, thrown, board.begin[black, free + 1] - start)])
                rolls[row] += 1
                zapped = toss % WIDE == ZAPPED
                lying[:] = kept
                if zapped:
                    counts[row, ZAPS, seat] += 1
                else:
                    for face in range(FACES):
                        lying[face] += full.pools[toss // WIDE, face]
                    if black:
                        lying[BLACK] = toss % WIDE
                left = ROLLS - 1 - thrown
                if left == 0:
                    kept[:] = lying
                    break
                stop = False
                if kind == GREEDY:
                    if zapped:
                        greedy[:] = lying
                    else:
                        _greedy_keep(board, sections, lying, left, greedy)
                        if full.locked:
                            for face in range(FACES):
                                greedy[face] = max(greedy[face], kept[face])
                            if kept[BLACK] != NONE:
                                greedy[BLACK] = kept[BLACK]
                    size = int(greedy[BLACK] != NONE)
                    for face in range(FACES):
                        size += greedy[face]
                    stop = size == DICE
                    kept[:] = greedy
                else:
                    count = _list_keeps(lying, kept if full.locked else nothing, moves)
                    if kind == RANDOM:
                        move = _by_chance(count, random, matches, turn)
                    else:
                        _value_keeps(full, board, outlooks, mine, memory, turn, left, count, moves)
                        if kind == FASTEST:
                            move = _by_race(count, moves)
                        elif kind == BEST:
                            move = _by_value(count, moves, exact)
                        else:
                            move = _by_noise(count, moves, ways.scale[seat], random, matches, turn)
                    stop = move == 0
                    kept[:] = moves.dice[move]
                if stop:
                    break
            players_at = Players(matches.boards[lane], matches.chips[lane])
            steps_on(full.sections, players_at, seat, after, pays)
            count = _list_uses(full, board, kept, after, moves)
            if kind == RANDOM:
                move = _by_chance(count, random, matches, turn)
            elif kind == GREEDY:
                move = _greedy_use(full, board, matches, turn, sections, count, moves, after, pays, purses)
            else:
                _value_uses(full, board, outlooks, matches, memory, turn, count, moves, after, pays, purses)
                if kind == FASTEST:
                    move = _by_race(count, moves)
                elif kind == BEST:
                    move = _by_value(count, moves, exact)
                else:
                    move = _by_noise(count, moves, ways.scale[seat], random, matches, turn)
            use = moves.use[move]
            new = board_after(after, full.pools, use)
            purses[:] = matches.chips[lane]
            pay(pays, full.pools, use, seat, matches.chips[lane])
            for other in range(players):
                more = matches.chips[lane, other] - purses[other]
                counts[row, COLLECTED if more > 0 else PAID, other] += abs(more)
            matches.boards[lane, seat] = new
            digits(new, lying)
            for section in range(SECTIONS):
                counts[row, CLOSED_SECTIONS, seat] += sections[section] != CLOSED and lying[section] == CLOSED
            now[lane] = (seat + 1) % players
            if new != FULL:
                continue
            chips = matches.chips[lane]
            counts[row, FULL_BOARDS, seat] += 1
            counts[row, ROUNDS, starter[lane]] += 1
            most = chips.max()
            for other in range(players):
                counts[row, MOST_CHIPS, other] += chips[other] == most
                matches.scores[lane, other] += _points(board, chips, seat, other)
            if matches.scores[lane].max() >= board.target:
                winners[row] = _winners(matches.scores[lane], chips, board.target)
                turns[row] = matches.taken[lane].sum()
                all_scores[row] = matches.scores[lane]
                row_of[lane] = -1
            else:
                starter[lane] = now[lane] = (starter[lane] - 1) % players
                matches.boards[lane], matches.chips[lane] = 0, CHIPS


# What kernels read


@cache
def board_of(options: RollersOptions) -> Board:
    """The rules of a roll, of a decision and of the match, as tables."""
    pools, full = pool_numbers(), full_turn(options.saved_dice == "locked")

    def meaning(roll: Roll) -> int:
        lying = split(tuple(die for die in roll if die != ZAP))
        return lying.pool * WIDE + (ZAPPED if ZAP in roll else lying.black)

    tosses = [
        direct(TOSSES[purple][black], meaning) if purple or black else np.zeros(0, np.int16)
        for black in range(2)
        for purple in range(PURPLES + 1)
    ]
    ends = np.cumsum([0, *map(len, tosses)])
    begin = np.array([ends[: PURPLES + 2], ends[PURPLES + 1 :]])
    pool_at = np.full((DICE + 1) ** FACES, -1, np.int16)
    for pool, number in pools.items():
        pool_at[np.ravel_multi_index(pool, (DICE + 1,) * FACES)] = number
    return Board(
        np.concatenate(tosses), begin, _uses_in_order(full),
        pool_at, _reach(), CHIP, CLOSING, options.target_points, options.chip_tie == "share",
    )  # fmt: skip


def _uses_in_order(full: FullTurn) -> Ints:
    """The uses of dice in the order in which states list them: by how many are 1s, then 2s and so on."""
    return np.array(sorted(range(USES), key=lambda use: full.pools[use, :SECTIONS].tolist()))


def _reach() -> Floats:
    """The chances that the greedy rule reckons with."""
    found = np.zeros((ROLLS, DICE + 1, DICE + 1))
    for left in range(ROLLS):
        for successes in range(DICE + 1):
            for dice in range(DICE + 1):
                found[left, successes, dice] = at_least(successes, dice, left)
    return found


@cache
def _progress(locked: bool) -> tuple[Floats, Floats]:
    """By board: minus the turns to go alone, of all keeps and of all pools to apply."""
    full, memory = full_turn(locked), work_memory(full_turn(locked))
    rows = np.maximum(full.keeps, 0).reshape(-1) * LANES
    keeps, pools = np.empty((BOARDS, *full.keeps.shape)), np.empty((BOARDS, len(full.pools)))
    for begin in range(0, FULL, LANES):
        boards = range(begin, min(begin + LANES, FULL))
        for lane, board in enumerate(boards):
            players = Players(np.array([board, FULL]), np.array([CHIPS, CHIPS]))
            fill_progress(full, race(locked), players, 0, memory, lane)
        look_ahead(full, memory)
        for lane, board in enumerate(boards):
            keeps[board] = memory.work[rows + lane].reshape(full.keeps.shape)
            pools[board] = memory.work[np.arange(len(full.pools)) * LANES + lane]
    return keeps, pools


def outlooks_of(options: RollersOptions, *, racing: bool, by_value: bool) -> Outlooks:
    """What players go by, as far as anybody needs it; of tables those that are in the cache."""
    locked, most = options.saved_dice == "locked", options.target_points if by_value else 0
    if not racing:
        none = np.zeros((1, 1, 1, 1))
        keeps, pools, turns = none, none[0, 0], none[0, 0, 0]
    else:
        (keeps, pools), turns = _progress(locked), race(locked)
    table = (saved_round(True) if locked else None) or saved_round(False) if by_value else None
    guide = guide_of(None if table is None else table.arrays["values"], turns, [RACE, RACE])
    size = most + 1
    stakes = np.zeros((size, size, 2, 2, 2, 4, 2))
    kinds, parts = np.full((size, size), RACE if table is None else TABLE), np.zeros((size, size, 2), np.int64)
    exact, found = np.zeros((size, size), np.bool_), list[Singles]()
    for one in range(1, size):
        for other in range(1, size):
            for began in range(2):
                stakes[one, other, began] = stakes_at(
                    (one, other), began, options.chip_tie == "share", chances_for(options)
                )
    for needs in all_needs(min(most, FAR)):
        solved = saved_match(options, needs)
        if solved is not None:
            at = sum(len(one) for one in found)
            kinds[needs], exact[needs] = MATCH, solved.error < SOLVED
            parts[needs] = at, at + len(solved.values) - 1
            found.append(solved.values)
    if found:
        guide = guide._replace(match=np.concatenate(found))
    return Outlooks(guide, stakes, kinds, parts, exact, keeps, pools, turns)


# The simulator


class RollersSimulator(Simulator):
    """The greedy rule and the race for any number of players; the levels for two."""

    statistics: ClassVar = {
        "zaps": "rolls cancelled by a ZAP",
        "boards": "boards completed",
        "closed": "sections closed",
        "collected": "chips collected",
        "paid": "chips paid",
        "rounds": "rounds begun",
        "richest": "rounds ended with the most chips",
    }
    strategies: ClassVar = {"race": "completes its board as soon as it can, as if alone, and collects what it can then"}

    def counted(self, state: State, action: Move | Roll, after: State) -> Iterable[Counted]:
        if not (isinstance(state, RollersState) and isinstance(after, RollersState)):
            return
        if not isinstance(action, Move):
            if ZAP in action:
                yield Counted("zaps", state.roller)
            return
        if not isinstance(action, Apply):
            return
        seat = state.seat
        board, chips, _ = state.outcome_of(action.uses)
        if closed := board.count(CLOSED) - state.boards[seat].count(CLOSED):
            yield Counted("closed", seat, closed)
        for other, (before, now) in enumerate(zip(state.chips, chips, strict=True)):
            if now != before:
                yield Counted("collected" if now > before else "paid", other, abs(now - before))
        if board == FULL_BOARD:
            yield Counted("boards", seat)
            yield Counted("rounds", state.starter)
            for other in state.richest(chips)[0]:
                yield Counted("richest", other)

    def chooser(self, strategy: Strategy) -> Callable[[RollersState], Move]:
        return _Race().choose

    def compiled(
        self, options: RollersOptions, strategies: Sequence[Strategy], progress: Progress = no_progress
    ) -> PlayMany | None:
        names = {strategy.name for strategy in strategies}
        by_value = bool(names.intersection(LEVELS))
        if by_value and len(strategies) != 2:
            return None
        kinds = {"random": RANDOM, "greedy": GREEDY, "race": FASTEST, "optimal": BEST}
        ways = Ways(
            np.array([kinds.get(one.name, NOISY) for one in strategies]),
            np.array([NOISE[Unit.WIN].get(one.name, 0.0) for one in strategies]),
        )
        board, full = board_of(options), full_turn(options.saved_dice == "locked")
        outlooks = outlooks_of(options, racing=by_value or "race" in names, by_value=by_value)

        def play(seed: int, first: int, columns: Columns) -> None:
            moves = Moves(
                np.zeros((MOVES, COUNTED), np.int64), np.zeros(MOVES, np.int64), np.zeros(MOVES), np.zeros(MOVES),
                np.zeros(MOVES, np.bool_),
            )  # fmt: skip
            play_games(
                ways, board, full, outlooks, work_memory(full), moves, seed, first,
                columns.winners, columns.scores, columns.turns, columns.rolls, columns.counts,
            )  # fmt: skip

        return play


class _Race:
    """Whatever closes the own board soonest, and of uses of dice that do it alike the one that collects most."""

    def choose(self, state: RollersState) -> Move:
        locked = state.options.saved_dice == "locked"
        (keeps, pools), turns = _progress(locked), race(locked)
        own = number_of(state.boards[state.seat])
        moves = state.legal_moves()
        further, collects = [], []
        for move in moves:
            gain = 0
            match move:
                case Apply(uses):
                    board, chips, _ = state.outcome_of(uses)
                    worth, gain = -turns[number_of(board)], chips[state.seat] - state.chips[state.seat]
                case Keep(dice):
                    kept = split(dice)
                    worth = keeps[own, ROLLS - state.rolls - 1, kept.black, kept.pool]
                case _:
                    pool = pool_of(state.usable)
                    worth = pools[own, pool_numbers()[(*pool.counts, pool.stars)]]
            further.append(float(worth))
            collects.append(gain)
        most = max(further)
        alike = [at for at, worth in enumerate(further) if worth >= most - EQUAL]
        return moves[max(alike, key=collects.__getitem__)]
