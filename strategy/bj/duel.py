"""Two given ways of playing BJ's dice against each other, exactly: how often each wins, from every pair of scores.

The solver's equations (`hotdice.games.bj.solving.solver`) with decisions given instead of chosen, each as the chance to
roll on. A turn's value is then linear in what a forfeit of everything is worth, and each pair of scores is two linear
equations. Points are counted in steps of 50, as there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hotdice.games.bj.solving.kernel import Floats, Rules, endings, play_ahead, play_layer
from hotdice.solve.jit import kernel

Chances = NDArray[np.float32]


class Way(NamedTuple):
    """How likely a player is to roll on, by points at risk and the dice left (one die first) in the end."""

    early: Chances
    """[other's score, safe score, risk, dice - 1], with a safe score up to the target, before the last round."""
    past: Chances
    """[lead of the safe score, risk, dice - 1], once that has passed the target."""
    last: Chances
    """[deficit of the safe score, risk, dice - 1], in the last round."""


@kernel
def _follow(values: Floats, slopes: Floats, stop: Floats, top: int, chances: Chances, rules: Rules) -> None:
    """What each decision of a layer comes to, and its slope by what a forfeit is worth; column 0 is given."""
    tosses = rules.tosses
    dice = tosses.begin.size - 2
    for risk in range(stop.size - 1, -1, -1):
        for count in range(1 if risk else dice, dice + 1):
            on = 0.0 if risk > top else 1.0 if risk == 0 else float(chances[risk, count - 1])
            value, slope = (1 - on) * stop[risk], 0.0
            if on > 0:
                kept = rules.keeps and count < dice
                value += on * tosses.scoreless[count] * (stop[risk] if kept else stop[0])
                slope += 0.0 if kept else on * tosses.scoreless[count]
                for outcome in range(tosses.begin[count], tosses.begin[count + 1]):
                    after = risk + tosses.points[outcome]
                    value += on * tosses.chance[outcome] * values[after, tosses.left[outcome]]
                    slope += on * tosses.chance[outcome] * slopes[after, tosses.left[outcome]]
            values[risk, count], slopes[risk, count] = value, slope


@kernel
def last_turn(rules: Rules, last: Chances) -> Floats:
    """[deficit, dice]: the chance to win of whoever has the last turn; filled for all dice alone."""
    room, bonus = rules.room, rules.bonus
    dice = rules.odds.shape[1] - 1
    most = last.shape[0] - 1
    odds, layers = np.zeros((most + 1, dice + 1)), np.ones((most + 1, room))
    values, slopes, stop = np.zeros((room, dice + 1)), np.zeros((room, dice + 1)), np.zeros(room)
    for deficit in range(most + 1):
        for risk in range(room):
            stop[risk] = 1.0 if risk > deficit else 0.0
            values[risk, 0] = layers[deficit - bonus, risk] if deficit >= bonus else 1.0  # the 500 alone would do
        _follow(values, slopes, stop, rules.cap, last[deficit], rules)
        layers[deficit] = values[:, dice]
        odds[deficit, dice] = values[0, dice]
    return odds


@kernel
def _past_target(rules: Rules, past: Chances, odds: Floats) -> Floats:
    """What a turn with all dice in hand is worth once its safe score has passed the target, by lead and stake."""
    room, bonus = rules.room, rules.bonus
    most = past.shape[0] - 1
    dice = rules.odds.shape[1] - 1
    worth = np.ones((most + 1, room))
    values, slopes, stop = np.zeros((room, dice + 1)), np.zeros((room, dice + 1)), np.zeros(room)
    none = np.zeros((1, 1))
    for lead in range(most, 0, -1):
        endings(stop, none, odds, lead, 0)
        values[:, 0] = worth[min(lead + bonus, most)]
        _follow(values, slopes, stop, max(0, rules.reach - lead), past[lead], rules)
        worth[lead] = values[:, dice]
    return worth


@kernel
def duel(rules: Rules, target: int, first: Way, second: Way) -> Floats:
    """[who, own score, other's score]: the chance to win of whoever begins a turn with these scores."""
    room, bonus = rules.room, rules.bonus
    dice = rules.odds.shape[1] - 1
    wins = np.zeros((2, target + 1, target + 1))
    # What a turn is worth that has just frozen all dice: [who, sum of safe score and other's (a ring), other's].
    layers = np.zeros((2, bonus + 1, target + 1, room))
    one_odds, two_odds = last_turn(rules, first.last), last_turn(rules, second.last)
    past = np.zeros((2, first.past.shape[0], room))
    past[0], past[1] = _past_target(rules, first.past, two_odds), _past_target(rules, second.past, one_odds)
    values, slopes = np.zeros((2, room, dice + 1)), np.zeros((2, room, dice + 1))
    stop, begins = np.zeros((2, room)), np.zeros(2)
    for total in range(2 * target, -1, -1):
        for own in range(max(0, total - target), min(total, target) + 1):
            # The first player has `own` and the second the rest; either may be the one who begins.
            for who in range(2):
                safe, other = (own, total - own) if who == 0 else (total - own, own)
                endings(stop[who], wins[1 - who], two_odds if who == 0 else one_odds, safe, other)
                stop[who, 0] = 0.0
                if safe + bonus <= target:
                    values[who, :, 0] = layers[who, (total + bonus) % (bonus + 1), other]
                else:
                    values[who, :, 0] = past[who, min(safe + bonus - other, past.shape[1] - 1)]
                slopes[who, :, 0] = 0.0
                top = min(rules.cap, max(target, other + rules.reach) - safe)
                way = first if who == 0 else second
                _follow(values[who], slopes[who], stop[who], top, way.early[other, safe], rules)
                begins[who] = slopes[who, 0, dice]
            # A forfeit is worth what is left when the other begins a turn.
            one, two = values[0, 0, dice], values[1, 0, dice]
            worth = (one + begins[0] * (1 - two - begins[1])) / (1 - begins[0] * begins[1])
            wins[0, own, total - own] = worth
            wins[1, total - own, own] = two + begins[1] * (1 - worth)
            for who in range(2):
                other = total - own if who == 0 else own
                forfeit = 1 - wins[1 - who, other, total - other]
                layers[who, total % (bonus + 1), other] = values[who, :, dice] + slopes[who, :, dice] * forfeit
    return wins


@kernel
def _chance(gap: float, scale: float) -> float:
    """How likely a level is to roll on, by what that gains; without noise, whether it gains anything."""
    if scale == 0.0:
        return 1.0 if gap > 0 else 0.0
    return float(1.0 / (1.0 + np.exp(-gap / scale)))


@kernel
def _gap(values: Floats, stop: Floats, risk: int, count: int, rules: Rules) -> float:
    """What rolling on gains over passing, by the solved values of a layer."""
    tosses = rules.tosses
    kept = rules.keeps and count < tosses.begin.size - 2
    value = tosses.scoreless[count] * (stop[risk] if kept else stop[0])
    for outcome in range(tosses.begin[count], tosses.begin[count + 1]):
        value += tosses.chance[outcome] * values[risk + tosses.points[outcome], tosses.left[outcome]]
    return float(value - stop[risk])


@kernel
def level(rules: Rules, wins: Floats, scale: float) -> Way:
    """How a level plays: by the solved values with noise of that scale. Without any it is the best play."""
    room, bonus, cap = rules.room, rules.bonus, rules.cap
    dice = rules.odds.shape[1] - 1
    target = wins.shape[0] - 1
    worth, _ = play_ahead(rules)
    early = np.zeros((target + 1, target + 1, room, dice), np.float32)
    past = np.zeros((worth.shape[0], room, dice), np.float32)
    last = np.zeros((worth.shape[0], room, dice), np.float32)
    values, slopes, stop = np.zeros((room, dice + 1)), np.zeros((room, dice + 1)), np.zeros(room)
    layers = np.zeros((target + 1, room))
    for other in range(target + 1):
        for safe in range(target, -1, -1):
            endings(stop, wins, rules.odds, safe, other)
            if safe + bonus <= target:
                values[:, 0] = layers[safe + bonus]
            else:
                values[:, 0] = worth[min(safe + bonus - other, worth.shape[0] - 1)]
            top = min(cap, max(target, other + rules.reach) - safe)
            play_layer(values, slopes, stop, top, rules, False)
            layers[safe] = values[:, dice]
            for risk in range(1, top + 1):
                for count in range(1, dice + 1):
                    early[other, safe, risk, count - 1] = _chance(_gap(values, stop, risk, count, rules), scale)
    for lead in range(worth.shape[0] - 1, 0, -1):
        endings(stop, np.zeros((1, 1)), rules.odds, lead, 0)
        values[:, 0] = worth[min(lead + bonus, worth.shape[0] - 1)]
        top = max(0, rules.reach - lead)
        play_layer(values, slopes, stop, top, rules, False)
        for risk in range(1, top + 1):
            for count in range(1, dice + 1):
                past[lead, risk, count - 1] = _chance(_gap(values, stop, risk, count, rules), scale)
    most = rules.odds.shape[0] - 1
    for deficit in range(worth.shape[0]):
        for risk in range(room):
            ahead = risk > deficit
            stop[risk] = 1.0 if ahead else 0.0
            for count in range(1, dice + 1):
                values[risk, count] = 1.0 if ahead else rules.odds[min(deficit - risk, most), count]
            values[risk, 0] = 1.0 if risk > deficit - bonus else rules.odds[min(deficit - bonus - risk, most), dice]
        for risk in range(1, cap + 1):
            for count in range(1, dice + 1):
                last[deficit, risk, count - 1] = _chance(_gap(values, stop, risk, count, rules), scale)
    return Way(early, past, last)
