"""Matches of Rollers between two: the best play against the greedy rule, and against play for the points of the round.

Run `python -m benchmarks.match_rollers [matches]`. Matches come in pairs on the same dice, in which the players change
seats; a standard error is that of the pairs. The best play is what the bot `optimal` does for the match with the
round's table, before that of the match score is solved. `--fit` measures instead what the constants in
`hotdice.games.rollers.solving.equity` and `guide` say of rounds.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Row, alone, share_of
from hotdice.games.rollers import RollersOptions
from hotdice.games.rollers.greedy import CHIP, CLOSING, chase_one_number
from hotdice.games.rollers.rules import CHIPS, CLOSED, DICE, EMPTY, EMPTY_BOARD, PURPLES, ROLLS, TOSSES, ZAP, Keep
from hotdice.games.rollers.solving import equity, playing
from hotdice.games.rollers.solving.boards import FULL, SECTIONS, Ints, board_of, digits
from hotdice.games.rollers.solving.evaluator import split
from hotdice.games.rollers.solving.guide import EXACT, PURSE, TABLE, Aims, Guide, Players, guide_of
from hotdice.games.rollers.solving.lanes import LANES, Floats
from hotdice.games.rollers.solving.lattice import full_lattice
from hotdice.games.rollers.solving.match import chances_for, stakes_at
from hotdice.games.rollers.solving.playing import (
    LOG_POOL,
    LOG_SEAT,
    LOG_USE,
    LOGGED,
    NO_LOG,
    USES,
    Choice,
    Dice,
    FullTurn,
    Memory,
    Rollouts,
    Root,
)
from hotdice.games.rollers.solving.pools import NONE
from hotdice.games.rollers.solving.tables import race, saved_round
from hotdice.games.rollers.state import RollersState
from hotdice.solve.jit import kernel
from hotdice.solve.rollouts import stream

BEST, ROUNDS, GREEDY = range(3)
"""Who plays: the best play, the same for the points of the round alone, and the greedy rule."""
TARGET: Final = 5
CODE: Final = 1024
"""A keep is the black die times this, and the pool."""
PORTION: Final = 1000
SEED: Final = 31_415
"""Not the dice that the constants were chosen on."""


# The greedy rule, tabulated


def greedy_keeps(boards: Iterable[int]) -> NDArray[np.int16]:
    """What the rule keeps of six dice, by board, rolls left less one, black die and purple pool."""
    found = np.full((FULL, ROLLS - 1, SECTIONS + 1, len(full_lattice(False).pools)), -1, np.int16)
    rolls = [(roll, split(roll)) for roll in TOSSES[PURPLES][1].rolls if ZAP not in roll]
    for board in boards:
        both = (board_of(board), EMPTY_BOARD)
        for left in range(1, ROLLS):
            for roll, (black, pool) in rolls:
                state = RollersState(
                    RollersOptions(), both, (CHIPS, CHIPS), (0, 0), 0, 0, 0, ROLLS - left, (), roll, ()
                )  # fmt: skip
                move = chase_one_number(state)
                kept = split(move.dice if isinstance(move, Keep) else roll)
                found[board, left - 1, black, pool] = kept.black * CODE + kept.pool
    return found


@kernel
def greedy_rolls(full: FullTurn, keeps: NDArray[np.int16], board: int, key: np.uint64, log: Ints) -> int:
    """Roll a turn by the rule; the pool to apply."""
    black, pool = NONE, 0
    for roll in range(ROLLS):
        lying = playing.rolled_on(full, Dice(black, pool), key, roll)
        if lying.black <= SECTIONS:
            black, pool = lying
            if roll < ROLLS - 1:
                kept = keeps[board, ROLLS - 2 - roll, black, pool]
                black, pool = kept // CODE, kept % CODE
        playing.note_roll(log, roll, lying, Dice(black, pool))
        if playing.all_kept(full, Dice(black, pool)):
            break
    return playing.pool_to_apply(full, Dice(black, pool))


@kernel
def greedy_use(full: FullTurn, order: Ints, players: Players, me: int, pool: int) -> int:
    """The rule's use of some dice; of equal ones the first as the rules list them."""
    chips, pools = players.chips, full.pools
    after, pays = np.empty((SECTIONS, DICE + 1), np.int64), np.empty((2, SECTIONS, DICE + 1), np.int64)
    mine, then, purses = np.empty(SECTIONS, np.int64), np.empty(SECTIONS, np.int64), np.empty(2, np.int64)
    playing.steps_on(full.sections, players, me, after, pays)
    digits(players.boards[me], mine)
    best, most = 0, -1.0
    for use in order:
        missing = 0
        for at in range(SECTIONS):
            missing += max(0, pools[use, at] - pools[pool, at])
        board = playing.board_after(after, pools, use)
        if board < 0 or missing > pools[pool, SECTIONS]:
            continue
        purses[:] = chips
        playing.pay(pays, pools, use, me, purses)
        digits(board, then)
        worth = CHIP * (purses[me] - chips[me])
        for at in range(SECTIONS):
            worth += 2 * (at + 1) * (mine[at] == EMPTY and then[at] != EMPTY)
            worth += (at + 1 + CLOSING) * (mine[at] != CLOSED and then[at] == CLOSED)
        worth += 100 * (board == FULL)
        if worth > most:
            best, most = use, worth
    return best


# Matches


class Rules(NamedTuple):
    """What both players go by."""

    full: FullTurn
    rounds: Guide
    match: Guide
    stakes: Floats
    """By the points of both and who began: what the end of a round is worth, for the match."""
    round_stakes: Floats
    keeps: NDArray[np.int16]
    order: Ints


class Matches(NamedTuple):
    """Which matches are played, and what is noted of them."""

    kinds: Ints
    """The two kinds of players."""
    begin: Ints
    """The points that matches begin from."""
    board: int
    """The board that everybody has as a round begins."""
    seed: int
    first: int
    """The number of the first pair of matches."""
    won: Floats
    """What the first kind of player won of each match."""
    log: Ints
    """Takes turns one after the other, as many as there is room for."""


def rules(values: Floats, keeps: NDArray[np.int16]) -> Rules:
    """The rules of matches to the target, with a round's table."""
    turns = race(False)
    chance_at = chances_for(RollersOptions(target_points=TARGET))
    stakes = np.zeros((TARGET, TARGET, 2, 2, 2, 4, 2))
    for mine in range(TARGET):
        for theirs in range(TARGET):
            for began in range(2):
                stakes[mine, theirs, began] = stakes_at((TARGET - mine, TARGET - theirs), began, False, chance_at)
    uses = playing.full_turn(False).pools[:USES, :SECTIONS].tolist()
    order = np.array(sorted(range(USES), key=lambda use: uses[use]))
    return Rules(
        playing.full_turn(False),
        guide_of(values, turns, [EXACT, EXACT]),
        guide_of(values, turns, [TABLE, TABLE]),
        stakes,
        equity.round_stakes(2, False),
        keeps,
        order,
    )


@kernel
def play_matches(rules: Rules, matches: Matches, memory: Memory) -> None:
    """Play matches. Matches 2n and 2n + 1 have the same dice, and the players in other seats."""
    full, work = rules.full, memory.work
    kinds, begin, board, seed, first, won, log = matches
    points, chips = np.zeros((LANES, 2), np.int64), np.zeros((LANES, 2), np.int64)
    boards, taken = np.zeros((LANES, 2), np.int64), np.zeros((LANES, 2), np.int64)
    match, seats = np.full(LANES, -1, np.int64), np.zeros(LANES, np.int64)
    starters, note = np.zeros(LANES, np.int64), np.zeros(LOGGED, np.int64)
    begun, logged, active = 0, 0, 1
    while active:
        active = 0
        for lane in range(LANES):
            if match[lane] < 0 and begun < len(won):
                match[lane], seats[lane], starters[lane] = begun, 0, 0
                points[lane], chips[lane], boards[lane], taken[lane] = begin, CHIPS, board, 0
                begun += 1
            if match[lane] >= 0:
                active += 1
                seat = seats[lane]
                kind = kinds[(seat + match[lane]) % 2]
                mine, theirs = points[lane]
                players = Players(boards[lane], chips[lane])
                if kind == BEST:
                    aims = Aims(rules.match, rules.stakes[mine, theirs, starters[lane]])
                    playing.fill(full, aims, players, seat, memory, lane)
                elif kind != GREEDY:
                    playing.fill(full, Aims(rules.rounds, rules.round_stakes), players, seat, memory, lane)
        if not active:
            break
        playing.look_ahead(full, memory)
        for lane in range(LANES):
            if match[lane] < 0:
                continue
            seat = seats[lane]
            key = stream(seed, first + match[lane] // 2, seat, taken[lane, seat])
            note[:] = -1
            note[LOG_SEAT] = seat
            players = Players(boards[lane], chips[lane])
            if kinds[(seat + match[lane]) % 2] == GREEDY:
                pool = greedy_rolls(full, rules.keeps, boards[lane, seat], key, note)
                use = greedy_use(full, rules.order, players, seat, pool)
            else:
                pool = playing.roll_on(full, work, lane, key, ROLLS, Dice(NONE, 0), note)
                use = playing.best_use(full, memory, lane, pool)
            note[LOG_POOL], note[LOG_USE] = pool, use
            if logged < len(log):
                log[logged] = note
                logged += 1
            taken[lane, seat] += 1
            playing.apply_use(full, players, seat, use)
            seats[lane] = 1 - seat
            if boards[lane, seat] == FULL:
                left = end_round(points[lane], chips[lane], seat)
                if left >= 0.0:
                    won[match[lane]] = left if match[lane] % 2 == 0 else 1.0 - left
                    match[lane] = -1
                starters[lane] = 1 - starters[lane]
                seats[lane] = starters[lane]
                chips[lane], boards[lane] = CHIPS, board


@kernel
def end_round(points: Ints, chips: Ints, seat: int) -> float:
    """Score a round that a seat completed; what the first seat won of the match, or -1 if it goes on."""
    points[seat] += 2 if chips[seat] else 1
    if chips[0] != chips[1]:
        points[0 if chips[0] > chips[1] else 1] += 1
    if max(points) < TARGET:
        return -1.0
    if min(points) < TARGET:
        return 1.0 if points[0] >= TARGET else 0.0
    order = (chips[0] > chips[1]) - (chips[0] < chips[1])
    if order == 0:
        order = (points[0] > points[1]) - (points[0] < points[1])
    return float(0.5 + 0.5 * order)


# What is measured

_RULES: list[Rules] = []
"""The rules, made before the processes are."""


def portion(job: tuple[tuple[int, int], tuple[int, int], int, int]) -> Floats:
    """Some matches."""
    kinds, begin, first, count = job
    found = np.zeros(count)
    matches = Matches(np.array(kinds), np.array(begin), 0, SEED, first, found, NO_LOG)
    play_matches(_RULES[0], matches, playing.work_memory(_RULES[0].full))
    return found


def contest(key: str, what: str, kinds: tuple[int, int], begin: tuple[int, int], matches: int) -> Row:
    """Play matches on two processes: what share the first kind won."""
    jobs = [(kinds, begin, first, 2 * PORTION) for first in range(0, -(-matches // 2), PORTION)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        won = np.concatenate(pool.map(portion, jobs, chunksize=1))
    return share_of(f"rollers{key}", "Rollers, matches to 5", what, won.reshape(-1, 2).mean(axis=1).tolist())


def rows(arguments: Sequence[str]) -> Iterator[Row]:
    """One row a contest."""
    table = saved_round(False)
    if table is None:
        print("The round's table is not in the cache: run `hotdice solve rollers` first.", file=sys.stderr)
        return
    matches = next((int(word) for word in arguments if word.isdigit()), 100_000)
    _RULES[:] = [rules(table.arrays["values"], greedy_keeps(range(FULL)))]
    portion(((BEST, GREEDY), (4, 4), 0, 2))  # compiles
    yield contest("", "optimal against greedy", (BEST, GREEDY), (0, 0), matches)
    for mine, theirs in ((4, 4), (3, 4), (3, 3), (2, 4), (2, 3)):
        what = f"optimal against play for the round, from {mine}-{theirs}"
        yield contest(f"-{mine}-{theirs}", what, (BEST, ROUNDS), (mine, theirs), matches)


# Fitting

FITTED: Final = 30_000
"""Positions that the weights are fitted to, each played out a few times."""
TIMES: Final = 4


def fit(values: Floats) -> None:
    """How rounds end, and what tells who completes first and who has the most chips in the end."""
    for players in range(2, 6):
        both, other, nobody, broke = endings(values, players)
        print(f"{players} players: ({both:.3f}, {other:.3f}, {nobody:.3f}, {broke:.3f})", flush=True)
    known, first, most = sampled(values)
    for name, columns in (("race", [2, 3, 4, 5, 6, 7]), ("table", [0, 1, 2, 3, 4, 5, 6])):
        features = known[:, columns]
        for event, outcome in (("first", first), ("most", most)):
            weights, loss = logistic(features, outcome)
            print(f"{name}, {event}: {dict(zip(columns, weights.round(3).tolist(), strict=True))}, loss {loss:.4f}")
        weights, loss = logistic(np.column_stack((features, 2 * first - 1)), most)
        print(f"{name}, finisher: {np.exp(weights[-1]):.2f}")


def rounds_from(values: Floats, players: Players, seat: int, seed: int, count: int) -> Floats:
    """The points of rounds from a position, by round and seat: one's own less the others' on average."""
    full, seats = playing.full_turn(False), len(players.boards)
    kind = EXACT if seats == 2 else TABLE
    aims = Aims(guide_of(values, race(False), [kind] * seats), equity.round_stakes(seats, False))
    ahead = playing.work_memory(full)
    playing.fill(full, aims, players, seat, ahead, 0)
    playing.look_ahead(full, ahead)
    results, luck = np.zeros((2, 1, count, seats))
    rollouts = Rollouts(seed, 0, results, luck, NO_LOG)
    playing.play_out(
        full, aims, Root(players, seat, ahead), np.array([Choice(-1, ROLLS)]), playing.work_memory(full), rollouts
    )
    points: Floats = results[0]
    return points


def endings(values: Floats, players: int) -> tuple[float, ...]:
    """How often who completes has the most chips, another has, nobody has alone, and another has beside one with none.

    The most points that a round brought, less the others' on average, tell these apart.
    """
    start = Players(np.zeros(players, np.int64), np.full(players, CHIPS))
    points = rounds_from(values, start, 0, 1, 20_000).max(axis=1)
    paid = 1 / (players - 1)
    return tuple(float(np.isclose(points, most).mean()) for most in (3, 2 - paid, 2, 1 - paid))


def sampled(values: Floats) -> tuple[Floats, Floats, Floats]:
    """Features of positions at random for who has just played, and whether they completed first and were richest."""
    rng = np.random.default_rng(1)
    turns = race(False)
    known, first, most = [], [], []
    for seed in range(FITTED):
        progress = rng.random()
        sections = rng.binomial(CLOSED, np.clip(progress + rng.normal(0, 0.15, 2), 0, 1)[:, None], (2, SECTIONS))
        boards = sections @ (CLOSED + 1) ** np.arange(SECTIONS)
        if (boards == FULL).any():
            continue
        mine = int(np.clip(round(rng.normal(CHIPS, 3 + 30 * progress)), 0, 2 * CHIPS))
        chips = np.array([mine, 2 * CHIPS - mine])
        points = rounds_from(values, Players(boards, chips), 1, seed, TIMES)[:, 0]
        lead, soon = turns[boards[1]] - turns[boards[0]], 1 / (1 + min(turns[boards[1]], turns[boards[0]] + 1))
        purse = (chips[0] - chips[1]) / PURSE
        value = -values[boards[1], boards[0], chips[1]]
        row = (1.0, value, np.tanh(purse / 2), lead, purse, lead * soon, purse * soon, soon)
        for result in points[points != 0]:  # completing without chips says nothing here
            known.append(row)
            first.append(float(result > 0))
            most.append({3: 1.0, -1: 1.0, 1: 0.0, -3: 0.0}.get(int(result), 0.5))
    return np.array(known), np.array(first), np.array(most)


def logistic(features: Floats, outcome: Floats) -> tuple[Floats, float]:
    """Logistic regression by Newton's steps: the weights, and the mean loss."""
    weights = np.zeros(features.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-features @ weights))
        curvature = (features.T * (chance * (1 - chance) + 1e-9)) @ features
        weights += np.linalg.solve(curvature + 1e-6 * np.eye(len(weights)), features.T @ (outcome - chance))
    chance = np.clip(1 / (1 + np.exp(-features @ weights)), 1e-9, 1 - 1e-9)
    loss = -(outcome * np.log(chance) + (1 - outcome) * np.log(1 - chance)).mean()
    return weights, float(loss)


if __name__ == "__main__":
    if "--fit" in sys.argv:
        solved = saved_round(False)
        fit(solved.arrays["values"] if solved else sys.exit("Run `hotdice solve rollers` first."))
    else:
        alone(rows)
