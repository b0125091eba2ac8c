"""Compiled loops of BJ's dice: one turn by what is at risk, the chase of the last round, and pairs of scores.

All points are counted in steps of 50. A turn knows two scores: the safe one that a forfeit leaves, and that plus what
is at risk. Turns with the same safe score form a layer, `values[at risk, dice]`; when all dice are frozen the turn goes
on in the layer one bonus higher, and column 0 holds what that is worth. So a toss of some dice, whatever it freezes,
looks ahead in one array.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.solve.jit import fast_kernel, kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bits = NDArray[np.uint8]
"""When to roll, by what is at risk: a bit for each number of dice, one die the lowest."""


class Tosses(NamedTuple):
    """The outcomes of a toss that scores, by the number of dice tossed, and the chance that nothing scores."""

    begin: Ints
    """[dice]: where the outcomes of tossing that many dice begin; they end where the next ones begin."""
    points: Ints
    """[outcome]: the points it scores, in steps of 50."""
    left: Ints
    """[outcome]: the dice left to toss."""
    shift: NDArray[np.uint64]
    """[outcome]: how far it leads in a flattened layer. Unsigned, as the compiler would not gather several entries at
    once if an index could be negative."""
    chance: Floats
    """[outcome]: its chance."""
    scoreless: Floats
    """[dice]: the chance that no die scores."""


class Rules(NamedTuple):
    """What all loops go by: the house rules, tosses, the chase, and how far turns have to be looked at."""

    tosses: Tosses
    keeps: bool
    """Whether a scoreless toss of fewer than all dice ends the turn with its points."""
    bonus: int
    """The points for freezing all dice, in steps of 50."""
    odds: Floats
    """[deficit, dice]: the chance to get more points than the deficit in the last turn of the game."""
    reach: int
    """With a lead of more than this the player is taken to pass: the other hardly ever catches up."""
    cap: int
    """With more than this at risk the player is taken to pass, as a turn hardly ever gets there."""
    room: int
    """One more than the highest stake that a toss can lead to from there."""


@kernel
def chase(most: int, bonus: int, tosses: Tosses) -> Floats:
    """The chance to make up a deficit, and more, in one turn that does not pass before; by deficit and dice."""
    dice = tosses.begin.size - 2
    odds = np.zeros((most + 1, dice + 1))
    for deficit in range(most + 1):
        for count in range(1, dice + 1):
            total = 0.0
            for outcome in range(tosses.begin[count], tosses.begin[count + 1]):
                rest = deficit - tosses.points[outcome]
                after = tosses.left[outcome]
                if after == 0:
                    rest -= bonus
                    after = dice
                total += tosses.chance[outcome] * (1.0 if rest < 0 else odds[rest, after])
            odds[deficit, count] = total
    return odds


@fast_kernel
def play_layer(values: Floats, slopes: Floats, stop: Floats, top: int, rules: Rules, sloped: bool) -> None:
    """Value every decision of a layer, from the highest stake down, and the toss that begins a turn.

    `stop[r]` is what ending the turn with r more than the safe score is worth, so `stop[0]` is that of a forfeit. From
    a stake above `top` on, the player passes. `slopes` are the derivatives by `stop[0]`, none in column 0; they are
    computed only if the caller asks for them by `sloped`.
    """
    tosses = rules.tosses
    begin, shift, chance, scoreless = tosses.begin, tosses.shift, tosses.chance, tosses.scoreless
    dice = begin.size - 2
    width = dice + 1
    flat, steep = values.reshape(-1), slopes.reshape(-1)
    for risk in range(stop.size - 1, top, -1):
        for count in range(1, width):
            values[risk, count] = stop[risk]
            slopes[risk, count] = 0.0
    for risk in range(top, -1, -1):
        ahead, steeper = flat[risk * width :], steep[risk * width :]
        for count in range(1 if risk else dice, width):
            kept = rules.keeps and count < dice
            value = scoreless[count] * (stop[risk] if kept else stop[0])
            ways, odds = shift[begin[count] : begin[count + 1]], chance[begin[count] : begin[count + 1]]
            for j in range(ways.size):
                value += odds[j] * ahead[ways[j]]
            passes = risk > 0 and stop[risk] >= value
            values[risk, count] = stop[risk] if passes else value
            slope = 0.0
            if sloped and not passes:
                slope = 0.0 if kept else scoreless[count]
                for j in range(ways.size):
                    slope += odds[j] * steeper[ways[j]]
            slopes[risk, count] = slope


@kernel
def endings(stop: Floats, wins: Floats, odds: Floats, safe: int, other: int) -> None:
    """What ending a turn is worth, by the points beyond the safe score: the other's turn follows, or their chase."""
    target = wins.shape[0] - 1
    most = odds.shape[0] - 1
    dice = odds.shape[1] - 1
    for risk in range(stop.size):
        score = safe + risk
        if score <= target:
            stop[risk] = 1.0 - wins[other, score]
        else:
            stop[risk] = 1.0 - odds[min(score - other, most), dice]


@kernel
def note_rolls(rolls: Bits, values: Floats, stop: Floats) -> None:
    """Note for which stakes and dice of a layer it is better to roll than to pass."""
    for risk in range(stop.size):
        bits = 0
        for count in range(1, values.shape[1]):
            if values[risk, count] > stop[risk]:
                bits |= 1 << (count - 1)
        rolls[risk] = bits


@kernel
def play_ahead(rules: Rules) -> tuple[Floats, Bits]:
    """What a turn with all dice to roll or pass is worth once its safe score has passed the target, and when to roll.

    By how far the safe score is ahead of the other's, and the stake.
    """
    odds, most, room, bonus = rules.odds, rules.reach, rules.room, rules.bonus
    dice = odds.shape[1] - 1
    ahead, rolls = np.ones((most + bonus + 1, room)), np.zeros((most + bonus + 1, room), np.uint8)
    values, slopes, stop = np.zeros((room, dice + 1)), np.zeros((room, dice + 1)), np.zeros(room)
    wins = np.zeros((1, 1))
    for lead in range(most + bonus, 0, -1):
        endings(stop, wins, odds, lead, 0)
        values[:, 0] = ahead[min(lead + bonus, most + bonus)]
        play_layer(values, slopes, stop, max(0, most - lead), rules, False)
        ahead[lead] = values[:, dice]
        note_rolls(rolls[lead], values, stop)
    return ahead, rolls


@kernel
def solve_diagonal(rules: Rules, wins: Floats, total: int, layers: Floats, ahead: Floats, tolerance: float) -> float:
    """Solve all pairs of scores with that sum; the steepest slope among them.

    `layers` keeps, of the sums solved before, what a turn that has just frozen all dice is worth: by the sum of the
    safe score and the other's (a ring), the other's score, and the stake.
    """
    odds, room, bonus = rules.odds, rules.room, rules.bonus
    target = wins.shape[0] - 1
    dice = odds.shape[1] - 1
    values, slopes = np.zeros((2, room, dice + 1)), np.zeros((2, room, dice + 1))
    stop = np.zeros((2, room))
    top = np.zeros(2, np.int64)
    steepest = 0.0
    for low in range(max(0, total - target), total // 2 + 1):
        pair = (low, total - low)
        for side in range(2):
            safe, other = pair[side], pair[1 - side]
            endings(stop[side], wins, odds, safe, other)
            top[side] = min(rules.cap, max(target, other + rules.reach) - safe)
            if safe + bonus <= target:
                values[side, :, 0] = layers[(total + bonus) % (bonus + 1), other]
            else:
                values[side, :, 0] = ahead[min(safe + bonus - other, ahead.shape[0] - 1)]
        mine = theirs = 0.5
        if pair[1] < target:  # begin near the neighbours
            mine, theirs = wins[low, pair[1] + 1], wins[pair[1] + 1, low]
        off = 1.0
        steep = steeper = 0.0
        for step in range(1000):
            stop[0, 0], stop[1, 0] = 1.0 - theirs, 1.0 - mine
            play_layer(values[0], slopes[0], stop[0], top[0], rules, True)
            play_layer(values[1], slopes[1], stop[1], top[1], rules, True)
            first, second = values[0, 0, dice], values[1, 0, dice]
            steep, steeper = slopes[0, 0, dice], slopes[1, 0, dice]
            off = max(abs(first - mine), abs(second - theirs))
            if off <= tolerance:
                break
            if step < 50:  # where both lines meet; should that ever fail to settle, plain iteration does
                first += steep * (theirs - second + steeper * (first - mine)) / (1.0 - steep * steeper)
                second += steeper * (mine - first)
            mine, theirs = first, second
        wins[low, pair[1]], wins[pair[1], low] = mine, theirs
        for side in range(2):
            layers[total % (bonus + 1), pair[1 - side]] = values[side, :, dice]
        steepest = max(steepest, steep, steeper) if off <= tolerance else 1.0
    return steepest


@kernel
def choose_rolls(rules: Rules, wins: Floats, ahead: Floats) -> Bits:
    """The solved policy before the last round: when to roll, by the other's score, the safe score and the stake."""
    odds, room, bonus = rules.odds, rules.room, rules.bonus
    target = wins.shape[0] - 1
    dice = odds.shape[1] - 1
    rolls = np.zeros((target + 1, target + 1, room), np.uint8)
    values, slopes = np.zeros((room, dice + 1)), np.zeros((room, dice + 1))
    layers, stop = np.zeros((target + 1, room)), np.zeros(room)
    for other in range(target + 1):
        for safe in range(target, -1, -1):
            endings(stop, wins, odds, safe, other)
            if safe + bonus <= target:
                values[:, 0] = layers[safe + bonus]
            else:
                values[:, 0] = ahead[min(safe + bonus - other, ahead.shape[0] - 1)]
            top = min(rules.cap, max(target, other + rules.reach) - safe)
            play_layer(values, slopes, stop, top, rules, False)
            layers[safe] = values[:, dice]
            note_rolls(rolls[other, safe], values, stop)
    return rolls


@kernel
def play_turn(rules: Rules, wins: Floats, score: int, other: int) -> Floats:
    """All decisions of one turn between two scores: by bonuses so far, what is at risk, and dice."""
    odds, bonus = rules.odds, rules.bonus
    dice = odds.shape[1] - 1
    highest = max(wins.shape[0] - 1, other + rules.reach)
    layers = (highest - score) // bonus + 1
    room = highest - score + rules.tosses.points.max() + 1
    values = np.ones((layers + 1, room, dice + 1))
    slopes, stop = np.zeros((room, dice + 1)), np.zeros(room)
    for level in range(layers - 1, -1, -1):
        safe = score + level * bonus
        endings(stop, wins, odds, safe, other)
        values[level, :, 0] = values[level + 1, :, dice]
        play_layer(values[level], slopes, stop, max(0, highest - safe), rules, False)
    return values
