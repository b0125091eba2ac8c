"""Compiled play of Rollers: whole turns and rounds by the best values that a turn's look-ahead finds.

A turn is looked ahead to all its ends; what an end is worth comes from `guide`. Sixteen rounds are played at a time, a
lane each, so that one run of a turn's program serves all of them. The dice come from counted streams, so that any turn
can be played again on the same dice.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.rollers.rules import CLOSED, DICE, PURPLES, ROLLS
from hotdice.games.rollers.solving.boards import (
    AFTER,
    COLLECTS,
    FACES,
    FULL,
    SECTIONS,
    Ints,
    Sections,
    digits,
    section_table,
)
from hotdice.games.rollers.solving.guide import Aims, Players, goes_on, outlook_of
from hotdice.games.rollers.solving.lanes import LANES, Floats, aligned, larger, load, store
from hotdice.games.rollers.solving.lattice import ALL_DICE, full_lattice
from hotdice.games.rollers.solving.pools import NONE, pools_of
from hotdice.games.rollers.solving.program import Code, run
from hotdice.games.rollers.solving.round import NEVER
from hotdice.solve.jit import fast_kernel, kernel
from hotdice.solve.rollouts import stream, uniform

USES: Final = 462
"""Pools without STARs come first: the ways to use up to six dice."""
ENDLESS: Final = 300
"""Turns of a seat after which a round is taken to be drawn."""
HASTE: Final = 1e-8
"""What a turn less to the end of the round is worth where nothing else tells moves apart: sure winners end it."""
LOG_SEAT, LOG_ROLLS = range(2)
LOG_OF_ROLL: Final = 4
LOG_POOL: Final = LOG_ROLLS + LOG_OF_ROLL * ROLLS
LOG_USE: Final = LOG_POOL + 1
LOGGED: Final = LOG_USE + 1
"""What is noted of a turn, and where: the seat; for each roll four numbers, the black die and the purple pool that lie
there then and those that are kept; the pool that is applied, and its use. Rolls that were not made have -1."""
NO_LOG: Final = np.zeros((0, LOGGED), np.int64)


class FullTurn(NamedTuple):
    """All that a turn with any dice needs: its full lattice, steps between pools, and the rules of sections."""

    pools: NDArray[np.int8]
    fewer: NDArray[np.int16]
    code: Code
    keeps: NDArray[np.int32]
    more: NDArray[np.int16]
    """By pool and face: the pool with one such die more."""
    less: NDArray[np.int16]
    """By pool and face: the pool with one such die less."""
    sizes: Ints
    sections: Sections
    rows: int
    locked: bool


@cache
def full_turn(locked: bool) -> FullTurn:
    """What a turn with any dice at all needs."""
    lattice, pools = full_lattice(locked), pools_of(np.array(ALL_DICE, np.int64))
    return FullTurn(
        lattice.pools, lattice.fewer, lattice.code, lattice.keeps, pools.more, pools.less, pools.sizes,
        section_table(), lattice.rows, locked,
    )  # fmt: skip


class Memory(NamedTuple):
    """Work memory of a look-ahead, in lanes."""

    uses: Floats
    """What each use of dice is worth; the row after the last use says NEVER."""
    work: Floats
    """The rows of the turn's program."""


class Dice(NamedTuple):
    """Some dice: the number on the black one (or none), and the pool of the purple ones."""

    black: int
    pool: int


# Looking ahead


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
def steps_on(sections: Sections, players: Players, me: int, after: Ints, pays: Ints) -> None:
    """What dice do on my board: by section and dice, the part of the new board's number, or -1 if that is not legal,
    and by player, section and dice what that player owes."""
    boards, chips = players.boards, players.chips
    mine, theirs = np.empty(SECTIONS, np.int64), np.empty(SECTIONS, np.int64)
    open_to = np.zeros(SECTIONS, np.int64)
    digits(boards[me], mine)
    pays[:] = 0
    for other in range(len(boards)):
        digits(boards[other], theirs)
        for at in range(SECTIONS):
            if other != me and chips[me] > 0 and theirs[at] != CLOSED:
                open_to[at] = 1
                for dice in range(DICE + 1):
                    pays[other, at, dice] = (at + 1) * max(sections[at, mine[at], 1, dice, COLLECTS], 0)
    unit = 1
    for at in range(SECTIONS):
        for dice in range(DICE + 1):
            step = sections[at, mine[at], open_to[at], dice, AFTER]
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
def fill(full: FullTurn, aims: Aims, players: Players, me: int, memory: Memory, lane: int) -> None:
    """The value to the player on turn of each use of dice, in a lane; NEVER where it is not legal."""
    boards, chips, pools, stakes = players.boards, players.chips, full.pools, aims.stakes
    after, pays = np.empty((SECTIONS, DICE + 1), np.int64), np.empty((len(boards), SECTIONS, DICE + 1), np.int64)
    purses, odds = np.empty(len(boards), np.int64), np.empty((2, len(boards)))
    steps_on(full.sections, players, me, after, pays)
    outlook = outlook_of(aims, me)
    for use in range(USES):
        board = board_after(after, pools, use)
        worth = NEVER
        if board >= 0:
            purses[:] = chips
            pay(pays, pools, use, me, purses)
            if board == FULL:
                worth = stakes[me, 1 if purses[me] else 0, richest_of(purses), me]
            else:
                worth = goes_on(outlook, boards, purses, me, board, odds) - HASTE * outlook.race[board]
        memory.uses[use * LANES + lane] = worth


@kernel
def fill_progress(full: FullTurn, race: Floats, players: Players, me: int, memory: Memory, lane: int) -> None:
    """The same if all that counts is to complete the board soon: by the turns that it takes alone, less than none."""
    after = np.empty((SECTIONS, DICE + 1), np.int64)
    pays = np.empty((len(players.boards), SECTIONS, DICE + 1), np.int64)
    steps_on(full.sections, players, me, after, pays)
    for use in range(USES):
        board = board_after(after, full.pools, use)
        memory.uses[use * LANES + lane] = -race[board] if board >= 0 else NEVER * race[0]


@fast_kernel
def look_ahead(full: FullTurn, memory: Memory) -> None:
    """Run a turn's program in all lanes, from the values of uses. Their last row says NEVER."""
    uses, work = memory.uses, memory.work
    for pool in range(len(full.pools)):
        most = load(uses, min(pool, USES) * LANES)
        for number in range(SECTIONS):
            part = full.fewer[pool, number]
            if part >= 0:
                most = larger(most, load(work, part * LANES))
        store(work, pool * LANES, most)
    run(full.code, work)


def work_memory(full: FullTurn) -> Memory:
    """Room for the values of uses and for the rows of a program."""
    uses = aligned((USES + 1) * LANES)
    uses[:] = NEVER
    return Memory(uses, aligned(full.rows * LANES))


# A turn on given dice


@kernel
def best_keep(full: FullTurn, work: Floats, lane: int, left: int, lying: Dice, held: Dice) -> Dice:
    """What to keep of the dice that lie there, with `left` rolls left.

    What is held has to stay. A STAR is any face and so never given up.
    """
    pools, less, keeps = full.pools, full.less, full.keeps
    black, pool = lying
    most = -1e9
    found_black, found = black, pool
    one = pool
    for _ in range(pools[pool, 0] - pools[held.pool, 0] + 1):
        two = one
        for _ in range(pools[pool, 1] - pools[held.pool, 1] + 1):
            three = two
            for _ in range(pools[pool, 2] - pools[held.pool, 2] + 1):
                four = three
                for _ in range(pools[pool, 3] - pools[held.pool, 3] + 1):
                    five = four
                    for _ in range(pools[pool, 4] - pools[held.pool, 4] + 1):
                        value = work[keeps[left - 1, black, five] * LANES + lane]
                        if value > most:
                            most, found_black, found = value, black, five
                        if black != NONE and held.black == NONE:
                            value = work[keeps[left - 1, NONE, five] * LANES + lane]
                            if value > most:
                                most, found_black, found = value, NONE, five
                        five = less[five, 4]
                    four = less[four, 3]
                three = less[three, 2]
            two = less[two, 1]
        one = less[one, 0]
    return Dice(found_black, found)


@kernel
def rolled_on(full: FullTurn, kept: Dice, key: np.uint64, roll: int) -> Dice:
    """The dice that lie there after a roll of those not kept. A black die above the numbers is a ZAP."""
    black, pool = kept
    for die in range(PURPLES - full.sizes[kept.pool]):
        pool = full.more[pool, int(uniform(key, roll * DICE + die) * FACES)]
    if black == NONE:
        black = int(uniform(key, roll * DICE + PURPLES) * FACES) + 1
    return Dice(black, pool)


@kernel
def pool_to_apply(full: FullTurn, kept: Dice) -> int:
    """The pool of all dice kept, whichever colour."""
    return full.more[kept.pool, kept.black - 1] if kept.black != NONE else kept.pool


@kernel
def all_kept(full: FullTurn, kept: Dice) -> bool:
    """Whether no die is left to be rolled."""
    return kept.black != NONE and full.sizes[kept.pool] == PURPLES


@kernel
def note_roll(log: Ints, roll: int, lying: Dice, kept: Dice) -> None:
    """Note a roll of a turn."""
    at = LOG_ROLLS + LOG_OF_ROLL * roll
    log[at], log[at + 1] = lying
    log[at + 2], log[at + 3] = kept


@kernel
def roll_on(full: FullTurn, work: Floats, lane: int, key: np.uint64, left: int, kept: Dice, log: Ints) -> int:
    """Roll the rest of a turn, from dice that are kept and `left` rolls left; the pool to apply."""
    black, pool = kept
    for roll in range(ROLLS - left, ROLLS):
        held = Dice(black, pool)
        lying = rolled_on(full, held, key, roll)
        usable = held if lying.black > SECTIONS else lying  # after a ZAP what was kept stands
        rest = ROLLS - 1 - roll
        if rest == 0:
            black, pool = usable
        elif full.locked:
            black, pool = best_keep(full, work, lane, rest, usable, held)
        else:
            black, pool = best_keep(full, work, lane, rest, usable, Dice(NONE, 0))
        note_roll(log, roll, lying, Dice(black, pool))
        if all_kept(full, Dice(black, pool)):
            break
    return pool_to_apply(full, Dice(black, pool))


@kernel
def best_use(full: FullTurn, memory: Memory, lane: int, pool: int) -> int:
    """The best use of some dice: from the pool down to one all of whose dice are used."""
    uses, work = memory.uses, memory.work
    goal = work[pool * LANES + lane]
    while pool >= USES or uses[pool * LANES + lane] < goal:
        for number in range(SECTIONS):
            part = full.fewer[pool, number]
            if part >= 0 and work[part * LANES + lane] >= goal:
                pool = part
                break
    return pool


@kernel
def apply_use(full: FullTurn, players: Players, me: int, use: int) -> None:
    """Use dice on a player's board and have the others pay."""
    after = np.empty((SECTIONS, DICE + 1), np.int64)
    pays = np.empty((len(players.boards), SECTIONS, DICE + 1), np.int64)
    steps_on(full.sections, players, me, after, pays)
    players.boards[me] = board_after(after, full.pools, use)
    pay(pays, full.pools, use, me, players.chips)


# Rounds


class Root(NamedTuple):
    """A position to play on from, whose turn it is, and that turn looked ahead."""

    players: Players
    seat: int
    memory: Memory


class Choice(NamedTuple):
    """A move to play on from, as a row of `moves`: a use of dice, or -1 and what is rolled on from.

    With no rolls left, the pool is the one to apply, the black die included.
    """

    use: int
    left: int = 0
    """Rolls left."""
    black: int = NONE
    pool: int = 0


class Rollouts(NamedTuple):
    """Which rollouts are played, and what is noted of them."""

    seed: int
    first: int
    """The number of the first one."""
    results: Floats
    """By move, rollout and seat: what the round brought, in the unit of the stakes."""
    luck: Floats
    """The same for the dice of each seat's turns, to that seat."""
    log: Ints
    """Takes the turns of the first rollouts one after the other, as many as there is room for."""


@kernel
def finish_turn(full: FullTurn, root: Root, move: Ints, key: np.uint64, players: Players, log: Ints) -> float:
    """Play a root's turn to its end after a move, which is a `Choice`; how much the dice were worth."""
    work = root.memory.work
    players.boards[:] = root.players.boards
    players.chips[:] = root.players.chips
    log[:] = -1
    log[LOG_SEAT] = root.seat
    use, left, black, pool = move
    luck = 0.0
    if use < 0:
        if left:
            before = work[full.keeps[left - 1, black, pool] * LANES] if left < ROLLS else work[-LANES]
            pool = roll_on(full, work, 0, key, left, Dice(black, pool), log)
            luck = work[pool * LANES] - before
        use = best_use(full, root.memory, 0, pool)
        log[LOG_POOL] = pool
    log[LOG_USE] = use
    apply_use(full, players, root.seat, use)
    return luck


@kernel
def play_out(full: FullTurn, aims: Aims, root: Root, moves: Ints, memory: Memory, rollouts: Rollouts) -> None:
    """Play every move of a root out to the end of the round, as often as there are rollouts.

    Each row of `moves` is a `Choice`.
    """
    stakes, work = aims.stakes, memory.work
    seed, first, results, luck, log = rollouts
    count, players = results.shape[1], len(root.players.boards)
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
                    full, root, moves[move], key, Players(boards[lane], chips[lane]), note
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
                fill(full, aims, Players(boards[lane], chips[lane]), seats[lane], memory, lane)
        if not active:
            break
        look_ahead(full, memory)
        for lane in range(LANES):
            if job[lane] < 0:
                continue
            move, rollout, seat = job[lane] // count, job[lane] % count, seats[lane]
            key = stream(seed, first + rollout, seat, taken[lane, seat])
            note[:] = -1
            note[LOG_SEAT] = seat
            pool = roll_on(full, work, lane, key, ROLLS, Dice(NONE, 0), note)
            use = best_use(full, memory, lane, pool)
            note[LOG_POOL], note[LOG_USE] = pool, use
            luck[move, rollout, seat] += work[pool * LANES + lane] - work[(full.rows - 1) * LANES + lane]
            apply_use(full, Players(boards[lane], chips[lane]), seat, use)
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
