"""Compiled loops of BJ's dice for three: a turn with its decisions, the last round, and cycles of three turns.

Points are counted in steps of 50. Scores are told from the player who begins a turn: theirs, the next player's and the
one's after that. What a position is worth is told by two chances, that of the player who is to move and that of the
next one; the third has the rest. A turn is a row of layers as with two players, one for each bonus; a cell of a layer
holds the chances of the player who rolls and of the next one, and how the first changes with what a forfeit is worth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hotdice.games.bj.solving.kernel import Floats, Ints, Tosses
from hotdice.solve.jit import fast_kernel, kernel

SCALE = 2.0**40
"""Chances in the table are multiples of one part in this."""
CELL = 4
"""The numbers of a cell; the last is not used, but four are read at once."""
SURE = 0.9
"""How much of the gap there has to be for a pass to be the best without a look at what rolling is worth."""
STEPS = 40
"""Of one cycle, until it counts as one in which plans have to be mixed."""
TOGETHER = 8
"""Steps in which all three change their plans at once."""
TIE = 4e-12
"""After a bonus, rolling has to be better than passing by more than this. Where a plan is mixed, both are equal."""
ROOM = 1e-12
"""How far what a forfeit is worth is away from where a plan changes; rounding is far below that."""


class Rules(NamedTuple):
    """What all loops go by."""

    tosses: Tosses
    keeps: bool
    """Whether a scoreless toss of fewer than all dice ends the turn with its points."""
    bonus: int
    target: int
    reach: int
    """Beyond the target and with a larger lead than this over everybody the player is taken to pass."""
    most: int
    """The most points of a toss."""
    odds: Floats
    """[deficit]: the chance to get more points than the deficit in the last turn of the game."""
    last: Floats
    """[next's score less the third's + target, starter's score less the third's, 2]: a last round, as it begins."""


class Cycle(NamedTuple):
    """A cycle of three turns that is being solved, by seat."""

    cells: Floats
    stop: Floats
    top: Ints
    worth: Floats
    """What a forfeit is worth to the seat."""
    low: Floats
    """From where to where it could be without a change of plan."""
    high: Floats
    plans: Floats
    """[seat, 4]: what its turn is worth to everybody, forfeits left out, and the chance of a forfeit."""
    value: Floats
    """[turn, seat]: what its beginning is worth to a seat."""


@fast_kernel
def play_layer(
    cells: Floats, stop: Floats, low: int, top: int, end: int, tie: float, rules: Rules
) -> tuple[float, float, float]:
    """Value the decisions of a layer from a stake of `top` down to `low`; from there up to `end` the player passes.

    `stop[r]` has the chances after ending the turn with r more than the safe score, `stop[0]` those after a forfeit.
    Stake 0 is the toss that begins a turn. Returned are the distances down and up by which the forfeit's worth could
    move without changing a decision, and the least difference between rolling and passing.
    """
    tosses = rules.tosses
    begin, shift, chance, scoreless = tosses.begin, tosses.shift, tosses.chance, tosses.scoreless
    dice = begin.size - 2
    width = dice + 1
    flat = cells.reshape(-1)
    least, down, up = 1.0, 1.0, 1.0 if rules.keeps else (1.0 - SURE) * (1.0 - stop[0, 0])
    for risk in range(top + 1, end):
        for count in range(1, width):
            cells[risk, count, 0] = stop[risk, 0]
            cells[risk, count, 1] = stop[risk, 1]
            cells[risk, count, 2] = 0.0
    for risk in range(top, low - 1, -1):
        ahead = flat[risk * width * 4 :]
        own, other = stop[risk, 0], stop[risk, 1]
        for count in range(1 if risk else dice, width):
            kept = rules.keeps and count < dice
            passes = risk > 0
            value, second, slope = own, other, 0.0
            if not passes or kept or SURE * scoreless[count] * (1.0 - stop[0, 0]) < 1.0 - own:
                chances = scoreless[count]
                if kept:
                    value, second, slope = chances * own, chances * other, 0.0
                else:
                    value, second, slope = chances * stop[0, 0], chances * stop[0, 1], chances
                ways, odds = shift[begin[count] : begin[count + 1]], chance[begin[count] : begin[count + 1]]
                for j in range(ways.size):
                    at = ways[j] * np.uint64(4)
                    value += odds[j] * ahead[at]
                    second += odds[j] * ahead[at + np.uint64(1)]
                    slope += odds[j] * ahead[at + np.uint64(2)]
                if passes:
                    more = value - own
                    passes = more <= tie
                    least = min(least, abs(more - tie))
                    if passes:
                        if -more < up * slope:
                            up = -more / slope
                        value, second, slope = own, other, 0.0
                    elif more < down * slope:
                        down = more / slope
            cells[risk, count, 0] = value
            cells[risk, count, 1] = second
            cells[risk, count, 2] = slope
    return down, up, least


@kernel
def endings(stop: Floats, wins: Floats, safe: int, second: int, third: int, end: int, rules: Rules) -> None:
    """The chances after ending a turn, by the points beyond the safe score: of whoever ends it, and of the next."""
    target = rules.target
    inside = min(end, target + 1 - safe)
    for risk in range(inside):
        to_move, after = wins[second, third, safe + risk, 0], wins[second, third, safe + risk, 1]
        stop[risk, 0] = 1.0 - to_move - after
        stop[risk, 1] = to_move
    rounds = rules.last[second - third + target]
    for risk in range(max(0, inside), end):
        lead = min(safe + risk - third, rounds.shape[0] - 1)
        to_move, after = rounds[lead, 0], rounds[lead, 1]
        stop[risk, 0] = 1.0 - to_move - after
        stop[risk, 1] = to_move


@kernel
def last_endings(stop: Floats, safe: int, lead: int, rules: Rules) -> None:
    """The same for the turn before the last of a game, in which `lead` is to be beaten.

    All scores are counted from the last player's.
    """
    for risk in range(stop.shape[0]):
        total = safe + risk
        beaten = rules.odds[min(max(total, lead), rules.odds.size - 1)]
        stop[risk, 0] = 1.0 - beaten if total > lead else 0.0
        stop[risk, 1] = beaten


@kernel
def last_turn_but_one(rules: Rules, lead: int, out: Floats) -> None:
    """Solve the turn before the last of a game, in which `lead` is to be beaten, for all scores.

    Scores are counted from the last player's. `out[score + target]` gets the chances of whoever has this turn and of
    the last player.
    """
    target, bonus, dice = rules.target, rules.bonus, rules.tosses.begin.size - 2
    highest = max(lead, rules.reach)
    room = highest + target + rules.most + bonus + 1
    bonuses = np.zeros((highest + target + bonus + 1, room, 2))
    cells, stop = np.zeros((room, dice + 1, CELL)), np.zeros((room, 2))
    for safe in range(highest + bonus, -target - 1, -1):
        last_endings(stop, safe, lead, rules)
        if safe > highest:
            bonuses[safe + target] = stop
            continue
        cells[:, 0, :2] = bonuses[safe + bonus + target]
        play_layer(cells, stop, 0, highest - safe, room, TIE, rules)
        bonuses[safe + target] = cells[:, dice, :2]
        if safe <= target:
            out[safe + target] = cells[0, dice, :2]


@kernel
def bonus_layers(
    cells: Floats, stop: Floats, wins: Floats, scores: tuple[int, int, int], rules: Rules
) -> tuple[int, float]:
    """Play the layers of a turn after its bonuses, and note in column 0 of the first layer what they are worth.

    Returned are the highest stake of the first layer, and the least difference between rolling and passing.
    """
    own, second, third = scores
    dice = rules.tosses.begin.size - 2
    top = max(rules.target, max(second, third) + rules.reach) - own
    level = 0
    while top - rules.bonus * level >= dice * level:
        level += 1
    least = 1.0
    extra = rules.most + 1
    for layer in range(level, 0, -1):
        highest = top - rules.bonus * layer
        end = highest + rules.bonus + extra
        endings(stop, wins, own + rules.bonus * layer, second, third, end, rules)
        _, _, close = play_layer(cells, stop, dice * layer, highest, end, TIE, rules)
        least = min(least, close)
        for risk in range(dice * layer, end):
            for part in range(2):
                cells[risk, 0, part] = cells[risk, dice, part]
            cells[risk, 0, 2] = 0.0
    endings(stop, wins, own, second, third, top + extra, rules)
    return top, least


@kernel
def rounded(chance: float) -> float:
    """A chance as the table keeps it."""
    return round(chance * SCALE) / SCALE


@kernel
def play_first_layer(work: Cycle, seat: int, worth: float, rules: Rules) -> float:
    """Find the best plan of a seat's turn for what a forfeit is worth; the least difference between its choices."""
    stop, dice = work.stop[seat], rules.tosses.begin.size - 2
    stop[0, 0], stop[0, 1] = worth, 0.0
    end = work.top[seat] + rules.most + 1
    down, up, close = play_layer(work.cells[seat], stop, 0, work.top[seat], end, 0.0, rules)
    begun, plan = work.cells[seat, 0, dice], work.plans[seat]
    work.low[seat], work.high[seat] = worth - down + ROOM, worth + up - ROOM
    plan[3] = begun[2]
    plan[seat] = begun[0] - begun[2] * worth
    plan[(seat + 1) % 3] = begun[1]
    plan[(seat + 2) % 3] = 1.0 - begun[2] - plan[seat] - begun[1]
    return close


@kernel
def go_round(work: Cycle) -> None:
    """What the three turns are worth to everybody if each is played by its plan, and so what forfeits are worth."""
    plans, value = work.plans, work.value
    for seat in range(3):
        after, later = (seat + 1) % 3, (seat + 2) % 3
        for who in range(3):
            rest = plans[after, who] + plans[after, 3] * plans[later, who]
            value[seat, who] = (plans[seat, who] + plans[seat, 3] * rest) / (
                1.0 - plans[0, 3] * plans[1, 3] * plans[2, 3]
            )
    for seat in range(3):
        after = (seat + 1) % 3
        work.worth[seat] = 1.0 - rounded(value[after, after]) - rounded(value[after, (after + 1) % 3])


@kernel
def settle(work: Cycle, rules: Rules) -> tuple[bool, float]:
    """Let the three change their plans until all are best; whether they came to rest, and the least difference."""
    least = np.ones(3)
    work.low[:], work.high[:] = 2.0, -1.0
    for trial in range(STEPS):
        settled = True
        for turn in range(3):
            seat = (trial + turn) % 3
            if not work.low[seat] < work.worth[seat] < work.high[seat]:
                settled = False
                least[seat] = play_first_layer(work, seat, work.worth[seat], rules)
                if trial > TOGETHER:  # one at a time, should they dodge each other
                    break
        if settled:
            return True, least.min()
        go_round(work)
    return False, least.min()


@kernel
def new_work(rules: Rules) -> Cycle:
    """Memory for a cycle."""
    room, dice = rules.target + rules.reach + rules.most + 2, rules.tosses.begin.size - 2
    return Cycle(
        np.zeros((3, room, dice + 1, CELL)), np.zeros((3, room, 2)), np.zeros(3, np.int64), np.zeros(3), np.zeros(3),
        np.zeros(3), np.zeros((3, 4)), np.zeros((3, 3)),
    )  # fmt: skip


@kernel
def begin_cycle(work: Cycle, wins: Floats, scores: tuple[int, int, int], rules: Rules) -> float:
    """Play all layers but the first of the three turns, and guess what forfeits are worth; the least difference."""
    least = 1.0
    for seat in range(3):
        one, two, three = scores[seat], scores[(seat + 1) % 3], scores[(seat + 2) % 3]
        work.top[seat], close = bonus_layers(work.cells[seat], work.stop[seat], wins, (one, two, three), rules)
        least = min(least, close)
        work.worth[seat] = 1.0 / 3.0
        if one < rules.target:  # begin near the neighbours
            work.worth[seat] = 1.0 - wins[two, three, one + 1, 0] - wins[two, three, one + 1, 1]
    return least


@kernel
def note_cycle(work: Cycle, wins: Floats, scores: tuple[int, int, int]) -> float:
    """Write a cycle that is solved to the table; how many turns it lasts at most.

    Whoever changes their way of playing may forfeit every time, the others do as planned.
    """
    turns = 0.0
    for seat in range(3):
        after, later = (seat + 1) % 3, (seat + 2) % 3
        found = wins[scores[seat], scores[after], scores[later]]
        found[0], found[1] = rounded(work.value[seat, seat]), rounded(work.value[seat, after])
        one, other = work.plans[after, 3], work.plans[later, 3]
        turns = max(turns, (2.0 + max(one, other)) / (1.0 - one * other))
    return turns


@kernel
def solve_cycles(
    rules: Rules, wins: Floats, total: int, first: int, step: int, unsettled: Ints
) -> tuple[float, float, int]:
    """Solve the cycles of scores with that sum: each `step`th, from the one with the number `first` on.

    Returned are the most turns that a cycle lasts, the least difference between rolling and passing where they were
    compared, and how many cycles did not come to rest. Their scores are in `unsettled`.
    """
    target, work = rules.target, new_work(rules)
    turns, least, rest, number = 0.0, 1.0, 0, -1
    for x in range(max(0, total - 2 * target), total // 3 + 1):
        for y in range(max(x, total - x - target), min(target, total - 2 * x) + 1):
            z = total - x - y
            if z == x and y > x:  # a rotation of one before
                continue
            number += 1
            if number % step != first:
                continue
            scores = (x, y, z)
            close = begin_cycle(work, wins, scores, rules)
            settled, closer = settle(work, rules)
            if settled:
                turns = max(turns, note_cycle(work, wins, scores))
                least = min(least, close, closer)
            else:
                unsettled[rest, 0], unsettled[rest, 1], unsettled[rest, 2] = x, y, z
                rest += 1
    return turns, least, rest


# Turns that somebody asks about


@kernel
def play_whole_turn(stops: Floats, top: int, tie: float, rules: Rules) -> Floats:
    """All decisions of a turn, by bonuses, what is at risk, and dice; above a stake of `top` the player passes.

    `stops` are the chances after ending it, by bonuses and points at risk. In the first layer rolling has to be better
    by more than `tie`.
    """
    layers, room, dice = stops.shape[0] - 1, stops.shape[1], rules.tosses.begin.size - 2
    cells = np.zeros((layers + 1, room, dice + 1, CELL))
    cells[layers, :, dice, :2] = stops[layers]
    for layer in range(layers - 1, -1, -1):
        cells[layer, :, 0, :2] = cells[layer + 1, :, dice, :2]
        highest = max(0, top - rules.bonus * layer)
        play_layer(cells[layer], stops[layer], 0, highest, room, TIE if layer else tie, rules)
    return cells
