"""Compiled play of Rollers: whole turns and rounds by the best values that a turn's look-ahead finds.

A turn is looked ahead to all its ends; what an end is worth comes from the two-player round's table or, without it,
from the race. Sixteen rounds are played at a time, a lane each, so that one run of a turn's program serves all of
them. The dice come from counted streams, so that any turn can be played again on the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CHIPS, CLOSED, DICE, PURPLES, ROLLS
from hotdice.games.rollers.solving import kernel as turns
from hotdice.games.rollers.solving.kernel import FACES, LANES, NEVER, NONE, SECTIONS, TOTAL, Floats, load, run, store
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.rollouts import stream, uniform

Ints = NDArray[np.int64]

PLAYERS: Final = 5
FULL: Final = (CLOSED + 1) ** SECTIONS - 1
USES: Final = 462
"""Pools without STARs come first: the ways to use up to six dice."""
RACE, TABLE, EXACT = range(3)
"""What the value of an unfinished round is made from; EXACT is the two-player table for the points of a round."""
ENDLESS: Final = 300
"""Turns of a seat after which a round is taken to be drawn."""
LOGGED: Final = 4 * ROLLS + 3
"""What is noted of a turn: the seat; for each roll the black die and the purple ones that lie there then, and which
of them are kept; the pool that is applied and its use. The rolls that were not made have -1."""


NO_LOG: Final = np.zeros((0, LOGGED), np.int64)


class Program(NamedTuple):
    """All that a turn with any dice needs: its lattice, steps between pools, and the rules of sections."""

    pools: NDArray[np.int8]
    fewer: NDArray[np.int16]
    code: NDArray[np.int32]
    keeps: NDArray[np.int32]
    more: NDArray[np.int16]
    """By pool and face: the pool with one such die more."""
    less: NDArray[np.int16]
    sizes: Ints
    section: NDArray[np.int8]
    rows: int
    locked: bool


@cache
def whole(locked: bool) -> turns.Lattice:
    """The lattice of a turn with any dice at all, so that every keep, however bad, has its value."""
    return turns.lattice_of(np.full(SECTIONS, DICE, np.int64), locked)


@cache
def program(locked: bool) -> Program:
    """The program of a turn with any dice at all."""
    lattice = whole(locked)
    more, less = turns.steps_of(np.full(SECTIONS, DICE, np.int64))
    sizes = lattice.pools.sum(axis=1, dtype=np.int64)
    return Program(
        lattice.pools, lattice.fewer, lattice.code, lattice.keeps, more, less, sizes, turns.section_table(),
        lattice.rows, locked,
    )  # fmt: skip


@cache
def pool_numbers() -> dict[tuple[int, ...], int]:
    """Where each pool is in a program, by its dice of each number and its STARs."""
    return {tuple(pool): number for number, pool in enumerate(whole(False).pools.tolist())}


class Guide(NamedTuple):
    """What values of unfinished rounds are made from."""

    values: Floats
    """The two-player round's values, or nothing."""
    race: Floats
    """The turns to close each board alone."""
    bends: Floats
    """By how many chips more I have: a lead that counts for less the larger it is."""
    first: Floats
    """What tells who completes first, without a table."""
    most: Floats
    """By kind, what tells who has the most chips in the end."""
    kinds: Ints
    """For each seat, whether it goes by the RACE, the TABLE or EXACT values."""


NO_VALUES: Final = np.zeros((1, 1, 1))
PURSE: Final = 14.0
"""The unit of chips in the weights."""
FIRST: Final = (0.0, 0.0, -0.191, -0.405, 0.158, 6.387, -0.150, -3.658)
"""Without a table, for completing first: the logarithm of the odds against one other who is to move, for 1, the round's
value, the lead in chips bent by a hyperbolic tangent, the lead in turns alone, the lead in chips, these two times how
soon it is over, and that alone: one over one more than the turns until somebody may be done. All weights were fitted
to rounds from positions at random (`python -m benchmarks.match_rollers --fit`)."""
MOST: Final = (
    (0.0, 0.0, 0.753, 0.330, -0.421, 4.080, 3.858, -4.615),
    (-0.258, 0.906, 0.974, -0.503, -0.542, 3.369, 3.061, 0.0),
)
"""The same for having the most chips in the end, without a table and with it. With it a constant plays better."""
FINISHER: Final = 4.2
"""By how much who completes first is likelier than others to have the most chips."""
SURE: Final = 1e-4
"""No chance is taken to be smaller."""
ALL_CHIPS: Final = PLAYERS * CHIPS


def guide(values: Floats | None, race: Floats, kinds: Sequence[int]) -> Guide:
    """The guide of players who go by a round's table, if there is one, or by the race."""
    bends = np.tanh(np.arange(-ALL_CHIPS, ALL_CHIPS + 1) / (2 * PURSE))
    return Guide(NO_VALUES if values is None else values, race, bends, np.array(FIRST), np.array(MOST), np.array(kinds))


# What an unfinished round is worth


@kernel
def pair_chips(mine: int, theirs: int) -> int:
    """What the other of two has of all chips of a two-player round, in the same ratio."""
    if mine + theirs == 0:
        return TOTAL // 2
    return int(theirs * (TOTAL / (mine + theirs)) + 0.5)


@kernel
def _weighed(weights: Floats, value: float, bend: float, lead: float, purse: float, soon: float) -> float:
    """The odds of another player against me, by how far I am ahead."""
    ahead = weights[0] + weights[1] * value + weights[2] * bend + weights[3] * lead + weights[4] * purse
    return exp(-ahead - soon * (weights[5] * lead + weights[6] * purse + weights[7]))


@kernel
def _by_value(value: float, most: float) -> tuple[float, float]:
    """The odds of the other of two to complete first and to have the most chips, by those of the latter alone.

    The value is two points for the first and one for the second, less the other's, so that one follows from the other.
    """
    first = 0.5 + 0.25 * (value - (1.0 - most) / (1.0 + most))
    first = min(max(first, SURE), 1.0 - SURE)
    richest = min(max(1.5 + 0.5 * value - 2.0 * first, SURE), 1.0 - SURE)
    return 1.0 / first - 1.0, 1.0 / richest - 1.0


@kernel
def goes_on(
    values: Floats, race: Floats, bends: Floats, firsts: Floats, mosts: Floats, kind: int, worths: Floats,
    boards: Ints, chips: Ints, me: int, board: int, odds: Floats,
) -> float:  # fmt: skip
    """What a round is worth to me after my turn left me this board and everybody these chips.

    `firsts` and `mosts` weigh who completes first and who has the most chips then; `worths` is by these two.
    """
    players = len(boards)
    if kind == EXACT:
        return -float(values[boards[1 - me], board, chips[1 - me]])
    odds[0, me], odds[1, me] = 1.0, 1.0
    mine = race[board]
    for other in range(players):
        if other != me:
            more = chips[me] - chips[other]
            theirs = race[boards[other]]
            soon = 1.0 / (1.0 + min(theirs, mine + 1.0))
            lead, purse, bend = theirs - mine, more / PURSE, bends[more + ALL_CHIPS]
            if kind == TABLE:
                value = -values[boards[other], board, pair_chips(chips[me], chips[other])]
                most = _weighed(mosts, value, bend, lead, purse, soon)
                odds[0, other], odds[1, other] = _by_value(value, most)
            else:
                odds[1, other] = _weighed(mosts, 0.0, bend, lead, purse, soon)
                odds[0, other] = _weighed(firsts, 0.0, bend, lead, purse, soon)
    return _of_two(odds, worths, me) if players == 2 else _of_many(odds, worths)


@kernel
def _of_two(odds: Floats, worths: Floats, me: int) -> float:
    """What a round of two is worth by the odds of the other; both events together by Plackett's formula."""
    other = 1 - me
    first, most = 1.0 / (1.0 + odds[0, other]), 1.0 / (1.0 + odds[1, other])
    ratio = FINISHER * FINISHER
    total = 1.0 + (first + most) * (ratio - 1.0)
    both = (total - sqrt(total * total - 4.0 * ratio * (ratio - 1.0) * first * most)) / (2.0 * (ratio - 1.0))
    return float(
        both * worths[me, me]
        + (first - both) * worths[me, other]
        + (most - both) * worths[other, me]
        + (1.0 - first - most + both) * worths[other, other]
    )


@kernel
def _of_many(odds: Floats, worths: Floats) -> float:
    """What a round is worth by the odds of everybody to complete first and to have the most chips."""
    players = len(worths)
    first, most = odds[0].sum(), odds[1].sum()
    worth = 0.0
    for finisher in range(players):
        extra = (FINISHER - 1.0) * odds[1, finisher]
        part = extra * worths[finisher, finisher]
        for richest in range(players):
            part += odds[1, richest] * worths[finisher, richest]
        worth += odds[0, finisher] * part / (most + extra)
    return float(worth / first)


@kernel
def richest_of(chips: Ints) -> int:
    """The set of those with the most chips, a bit a seat."""
    most = chips.max()
    found = 0
    for seat in range(len(chips)):
        if chips[seat] == most:
            found |= 1 << seat
    return found


@kernel
def steps_on(section: NDArray[np.int8], boards: Ints, chips: Ints, me: int, after: Ints, pays: Ints) -> None:
    """What dice do on my board: by section and dice, the part of the new board's number, or -1 if that is not legal,
    and by player, section and dice what that player owes."""
    mine, theirs = np.empty(SECTIONS, np.int64), np.empty(SECTIONS, np.int64)
    open_to = np.zeros(SECTIONS, np.int64)
    turns.digits(boards[me], mine)
    pays[:] = 0
    for other in range(len(boards)):
        turns.digits(boards[other], theirs)
        for at in range(SECTIONS):
            if other != me and chips[me] > 0 and theirs[at] != CLOSED:
                open_to[at] = 1
                for dice in range(DICE + 1):
                    pays[other, at, dice] = (at + 1) * max(section[at, mine[at], 1, dice, 1], 0)
    unit = 1
    for at in range(SECTIONS):
        for dice in range(DICE + 1):
            step = section[at, mine[at], open_to[at], dice, 0]
            after[at, dice] = unit * step if step >= 0 else -1
        unit *= CLOSED + 1


@kernel
def board_after(after: Ints, pools: NDArray[np.int8], use: int) -> int:
    """The board after a use of dice, or -1 if that is not legal."""
    board = 0
    for at in range(SECTIONS):
        step = after[at, pools[use, at]]
        if step < 0:
            return -1
        board += step
    return board


@kernel
def pay(pays: Ints, pools: NDArray[np.int8], use: int, me: int, chips: Ints) -> None:
    """Have the others pay for a use of dice what they owe, or what they have."""
    for other in range(len(chips)):
        if other != me:
            due = 0
            for at in range(SECTIONS):
                due += pays[other, at, pools[use, at]]
            paid = min(due, chips[other])
            chips[other] -= paid
            chips[me] += paid


@kernel
def fill(
    program: Program, guide: Guide, stakes: Floats, boards: Ints, chips: Ints, me: int, uses: Floats, lane: int
) -> None:
    """The value to the player on turn of each use of dice, in a lane; NEVER where it is not legal."""
    players = len(boards)
    after, pays = np.empty((SECTIONS, DICE + 1), np.int64), np.empty((players, SECTIONS, DICE + 1), np.int64)
    purses, odds = np.empty(players, np.int64), np.empty((2, players))
    steps_on(program.section, boards, chips, me, after, pays)
    worths = np.empty((players, players))
    for finisher in range(players):
        for richest in range(players):
            worths[finisher, richest] = stakes[finisher, 1, 1 << richest, me]
    pools, kind = program.pools, guide.kinds[me]
    firsts, mosts = guide.first, guide.most[min(kind, TABLE)]
    for use in range(USES):
        board = board_after(after, pools, use)
        worth = NEVER
        if board >= 0:
            purses[:] = chips
            pay(pays, pools, use, me, purses)
            if board == FULL:
                worth = stakes[me, 1 if purses[me] else 0, richest_of(purses), me]
            else:
                worth = goes_on(
                    guide.values, guide.race, guide.bends, firsts, mosts, kind, worths, boards, purses, me, board, odds
                )
        uses[use * LANES + lane] = worth


@fast_kernel
def look_ahead(program: Program, uses: Floats, work: Floats) -> None:
    """Run a turn's program in all lanes, from the values of uses. Their last row says NEVER."""
    for pool in range(len(program.pools)):
        most = load(uses, min(pool, USES) * LANES)
        for number in range(SECTIONS):
            part = program.fewer[pool, number]
            if part >= 0:
                most = turns.larger(most, load(work, part * LANES))
        store(work, pool * LANES, most)
    run(program.code, work)


def memory(program: Program) -> tuple[Floats, Floats]:
    """Room for the values of uses and for the rows of a program."""
    uses = turns.aligned((USES + 1) * LANES)
    uses[:] = NEVER
    return uses, turns.aligned(program.rows * LANES)


# A turn on given dice


@kernel
def best_keep(
    program: Program, work: Floats, lane: int, left: int, black: int, pool: int, held_black: int, held: int
) -> tuple[int, int]:
    """The black die (or none) and the purple pool to keep among some dice, with so many rolls left.

    What is held has to stay. A STAR is any face and so never given up.
    """
    pools, less = program.pools, program.less
    most = -1e9
    found_black, found = black, pool
    one = pool
    for _ in range(pools[pool, 0] - pools[held, 0] + 1):
        two = one
        for _ in range(pools[pool, 1] - pools[held, 1] + 1):
            three = two
            for _ in range(pools[pool, 2] - pools[held, 2] + 1):
                four = three
                for _ in range(pools[pool, 3] - pools[held, 3] + 1):
                    five = four
                    for _ in range(pools[pool, 4] - pools[held, 4] + 1):
                        value = work[program.keeps[left - 1, black, five] * LANES + lane]
                        if value > most:
                            most, found_black, found = value, black, five
                        if black != NONE and held_black == NONE:
                            value = work[program.keeps[left - 1, NONE, five] * LANES + lane]
                            if value > most:
                                most, found_black, found = value, NONE, five
                        five = less[five, 4]
                    four = less[four, 3]
                three = less[three, 2]
            two = less[two, 1]
        one = less[one, 0]
    return found_black, found


@kernel
def roll_on(
    program: Program, work: Floats, lane: int, key: np.uint64, left: int, black: int, pool: int, log: Ints
) -> int:
    """Roll the rest of a turn, from dice that are kept and so many rolls left; the pool to apply."""
    for roll in range(ROLLS - left, ROLLS):
        lying_black, lying = black, pool
        for die in range(PURPLES - program.sizes[pool]):
            lying = program.more[lying, int(uniform(key, roll * DICE + die) * FACES)]
        if black == NONE:
            lying_black = int(uniform(key, roll * DICE + PURPLES) * FACES) + 1
        at = 1 + 4 * roll
        log[at], log[at + 1] = lying_black, lying
        if lying_black > SECTIONS:  # a ZAP: what was kept stands
            lying_black, lying = black, pool
        rest = ROLLS - 1 - roll
        if rest == 0:
            black, pool = lying_black, lying
        elif program.locked:
            black, pool = best_keep(program, work, lane, rest, lying_black, lying, black, pool)
        else:
            black, pool = best_keep(program, work, lane, rest, lying_black, lying, NONE, 0)
        log[at + 2], log[at + 3] = black, pool
        if black != NONE and program.sizes[pool] == PURPLES:
            break
    return program.more[pool, black - 1] if black != NONE else pool


@kernel
def best_use(program: Program, uses: Floats, work: Floats, lane: int, pool: int) -> int:
    """The best use of some dice: from the pool down to one all of whose dice are used."""
    goal = work[pool * LANES + lane]
    while pool >= USES or uses[pool * LANES + lane] < goal:
        for number in range(SECTIONS):
            part = program.fewer[pool, number]
            if part >= 0 and work[part * LANES + lane] >= goal:
                pool = part
                break
    return pool


@kernel
def apply_use(program: Program, boards: Ints, chips: Ints, me: int, use: int) -> None:
    """Use dice on a player's board and have the others pay."""
    after = np.empty((SECTIONS, DICE + 1), np.int64)
    pays = np.empty((len(boards), SECTIONS, DICE + 1), np.int64)
    steps_on(program.section, boards, chips, me, after, pays)
    boards[me] = board_after(after, program.pools, use)
    pay(pays, program.pools, use, me, chips)


# Rounds


class Root(NamedTuple):
    """A position to play on from, and its turn looked ahead."""

    boards: Ints
    chips: Ints
    seat: int
    uses: Floats
    work: Floats


@kernel
def finish_turn(
    program: Program, root: Root, moves: Ints, key: np.uint64, boards: Ints, chips: Ints, log: Ints
) -> float:
    """Play a root's turn to its end after a move; how much the dice were worth.

    A move is a use of dice, or -1 and how many rolls are left, the black die kept and the purple pool kept.
    """
    boards[:] = root.boards
    chips[:] = root.chips
    log[:] = -1
    log[0] = root.seat
    use, left, black, pool = moves
    luck = 0.0
    if use < 0:
        if left:
            before = root.work[program.keeps[left - 1, black, pool] * LANES] if left < ROLLS else root.work[-LANES]
            pool = roll_on(program, root.work, 0, key, left, black, pool, log)
            luck = root.work[pool * LANES] - before
        use = best_use(program, root.uses, root.work, 0, pool)
        log[LOGGED - 2] = pool
    log[LOGGED - 1] = use
    apply_use(program, boards, chips, root.seat, use)
    return luck


@kernel
def play_out(
    program: Program, guide: Guide, stakes: Floats, root: Root, moves: Ints, seed: int, first: int, count: int,
    uses: Floats, work: Floats, results: Floats, luck: Floats, log: Ints,
) -> None:  # fmt: skip
    """Play every move of a root out to the end of the round, `count` times each from rollout `first` on.

    `results` is by move, rollout and seat, in the unit of the stakes; `luck` the same, of the dice of each seat's
    turns for that seat. `log` takes the turns of the first rollouts one after the other, as many as there is room.
    """
    players = len(root.boards)
    jobs = len(moves) * count
    boards, chips = np.zeros((LANES, players), np.int64), np.zeros((LANES, players), np.int64)
    job, seats = np.full(LANES, -1, np.int64), np.zeros(LANES, np.int64)
    taken = np.zeros((LANES, players), np.int64)
    note = np.zeros(LOGGED, np.int64)
    begun, logged, active = 0, 0, 1
    while active:
        active = 0
        for lane in range(LANES):
            while job[lane] < 0 and begun < jobs:
                move, rollout = begun // count, begun % count
                key = stream(seed, first + rollout, root.seat, 0)
                luck[move, rollout, root.seat] = finish_turn(
                    program, root, moves[move], key, boards[lane], chips[lane], note
                )
                if logged < len(log):
                    log[logged] = note
                    logged += 1
                if boards[lane, root.seat] == FULL:
                    _settle(stakes, chips[lane], root.seat, results[move, rollout])
                else:
                    job[lane], seats[lane], taken[lane] = begun, (root.seat + 1) % players, 0
                    taken[lane, root.seat] = 1
                begun += 1
            if job[lane] >= 0:
                active += 1
                fill(program, guide, stakes, boards[lane], chips[lane], seats[lane], uses, lane)
        if not active:
            break
        look_ahead(program, uses, work)
        for lane in range(LANES):
            if job[lane] < 0:
                continue
            move, rollout, seat = job[lane] // count, job[lane] % count, seats[lane]
            key = stream(seed, first + rollout, seat, taken[lane, seat])
            note[:] = -1
            note[0] = seat
            pool = roll_on(program, work, lane, key, ROLLS, NONE, 0, note)
            use = best_use(program, uses, work, lane, pool)
            note[LOGGED - 2], note[LOGGED - 1] = pool, use
            luck[move, rollout, seat] += work[pool * LANES + lane] - work[(program.rows - 1) * LANES + lane]
            apply_use(program, boards[lane], chips[lane], seat, use)
            if logged < len(log):
                log[logged] = note
                logged += 1
            taken[lane, seat] += 1
            if boards[lane, seat] == FULL:
                _settle(stakes, chips[lane], seat, results[move, rollout])
                job[lane] = -1
            elif taken[lane, seat] >= ENDLESS:
                results[move, rollout] = stakes[:, 1, 1:].mean()
                job[lane] = -1
            seats[lane] = (seat + 1) % players


@kernel
def _settle(stakes: Floats, chips: Ints, finisher: int, results: Floats) -> None:
    results[:] = stakes[finisher, 1 if chips[finisher] else 0, richest_of(chips)]
