"""What the chapter on BJ's dice says, worked out from the solved game of two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from hotdice import simulate
from hotdice.games.bj import BjOptions
from hotdice.games.bj.greedy import next_toss
from hotdice.games.bj.solving import NOISE, BjSolver
from hotdice.games.bj.solving.kernel import Floats, Rules
from hotdice.games.bj.solving.solver import STEP, rules_of, tables
from hotdice.solve.jit import kernel
from hotdice.values import Unit
from strategy.bj.duel import Chances, Way, duel, level
from strategy.figures import SEED, Estimate, Match, Report, Seats, seats

OPTIONS: Final = BjOptions()
DICE: Final = OPTIONS.dice
SAMPLED: Final = 200_000
"""Games for each number of players from four on, and for what a turn brings."""
OTHERS: Final = (1000, 2500, 4000)
"""Scores of the other player for which limits are drawn."""
LEADS: Final = range(-3000, 3001, 250)
LIMITED: Final = 4
"""With more dice left than these a limit hardly matters."""


@dataclass(frozen=True, slots=True)
class Curve:
    """From how many points at risk on to pass, by how far ahead the player is."""

    dice: int
    other: int
    limits: Sequence[tuple[int, int]]
    """Lead and limit; the lead counts what the turn has made safe."""


@dataclass(frozen=True, slots=True)
class Thumb:
    """A rule of thumb: pass from so many points at risk on."""

    limits: Sequence[int]
    """By the dice left, from one on; with more dice than that, never."""
    per_thousand: Sequence[int]
    """By the dice left: what to add for each 1000 points that the other is ahead, or take off."""
    lead: int
    """Past the target, pass with such a lead; 0 if that is not looked at."""
    loses: float
    """Of all games against the best play, sitting in either seat equally often."""


@dataclass(frozen=True, slots=True)
class Turns:
    """What a turn of the best play brings, in games between two."""

    points: Estimate
    busts: Estimate
    hot: Estimate
    per_game: Estimate


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the chapter says in numbers."""

    first: float
    """What the first of two wins if both play their best."""
    scoreless: Sequence[float]
    """The chance that a toss of one die, two, … scores nothing."""
    gains: Sequence[float]
    """The mean points of such a toss, with the 500 for freezing all dice."""
    curves: Sequence[Curve]
    number: Thumb
    """The best single number."""
    plain: Thumb
    """By the dice left."""
    thumb: Thumb
    """By the dice left and the difference."""
    by_lead: float
    """What the best play would lose if past the target it went by the lead of `thumb` alone."""
    chase: Sequence[tuple[int, float]]
    """A deficit, and the chance to make it up and more with the last turn."""
    turns: Turns
    seats: Sequence[Seats]
    luck: Sequence[Match]


class Numbers(NamedTuple):
    """A rule of thumb as loops read it, in steps of 50; by dice - 1."""

    limits: Floats
    slopes: Floats
    lead: int


@kernel
def follow(numbers: Numbers, target: int, most: int, room: int) -> Way:
    """A rule of thumb as a way of playing. In the last round it rolls until it is ahead."""
    limits, slopes, lead = numbers
    dice = limits.size
    early = np.zeros((target + 1, target + 1, room, dice), np.float32)
    past, last = np.zeros((most, room, dice), np.float32), np.zeros((most, room, dice), np.float32)
    for risk in range(1, room):
        for count in range(dice):
            for other in range(target + 1):
                for safe in range(target + 1):
                    if lead > 0 and safe + risk > target:
                        on = safe + risk - other < lead
                    else:
                        on = risk < limits[count] + slopes[count] * (other - safe)
                    early[other, safe, risk, count] = on
            for margin in range(most):
                past[margin, risk, count] = margin + risk < lead if lead > 0 else risk < limits[count]
                last[margin, risk, count] = risk <= margin
    return Way(early, past, last)


def numbers_of(thumb: Thumb) -> Numbers:
    """The rule in steps; a slope is what a step of difference adds in steps."""
    known = len(thumb.limits)
    limits = np.full(DICE, np.inf)
    limits[:known] = np.array(thumb.limits) / STEP
    slopes = np.zeros(DICE)
    slopes[:known] = np.array(thumb.per_thousand) / 1000
    return Numbers(limits, slopes, thumb.lead // STEP)


class Rivals:
    """The best play, and what others win against it."""

    def __init__(self) -> None:
        self.rules: Rules = rules_of(OPTIONS)
        self.wins: Floats = tables(OPTIONS).arrays["wins"]
        self.best = level(self.rules, self.wins, 0.0)
        self.target = OPTIONS.target // STEP

    def share(self, way: Way) -> float:
        """What the best play wins against a way, both seats alike."""
        found = duel(self.rules, self.target, self.best, way)
        return float(found[0, 0, 0] + 1 - found[1, 0, 0]) / 2

    def way(self, thumb: Thumb) -> Way:
        return follow(numbers_of(thumb), self.target, len(self.best.past), self.rules.room)

    def measured(self, limits: Sequence[int], per_thousand: Sequence[int], lead: int) -> Thumb:
        """A rule of thumb with what it loses."""
        rule = Thumb(limits, per_thousand, lead, 0.0)
        return Thumb(limits, per_thousand, lead, self.share(self.way(rule)) - 0.5)

    def by_lead(self, lead: int) -> Way:
        """The best play, but past the target by its lead alone."""
        best, thumb = self.best, self.way(Thumb((), (), lead, 0.0))
        safe, risk = np.ogrid[: best.early.shape[1], : best.early.shape[2]]
        past = (safe + risk > self.target)[np.newaxis, :, :, np.newaxis]
        return Way(np.where(past, thumb.early, best.early), thumb.past, best.last)

    def greedy(self) -> Way:
        """The greedy rule: roll on if one toss gains more than it loses on average; in the last round, until ahead."""
        limits = [gain / scoreless / STEP for gain, scoreless in map(next_toss, range(1, DICE + 1))]
        numbers = Numbers(np.array(limits), np.zeros(DICE), 0)
        return follow(numbers, self.target, len(self.best.past), self.rules.room)

    def random(self) -> Way:
        """A coin for every decision."""
        return Way(*(np.full_like(chances, 0.5) for chances in self.best))


def limits(chances: Chances, other: int, lead: int, dice: int) -> int:
    """The fewest points at risk with which the best play passes."""
    on = chances[other // STEP, (other + lead) // STEP, :, dice - 1]
    return int(1 + np.argmin(on[1:])) * STEP


def fitted(rivals: Rivals, start: Sequence[int], widths: Sequence[int], told: Report) -> Thumb:
    """The rule of the kind `limits for one to four dice, what 1000 points add for one to three and for four, lead`
    that loses least: each number is moved until no step makes it better. A number of width 0 stays."""

    def measured(numbers: Sequence[int]) -> Thumb:
        return rivals.measured(numbers[:4], [*[numbers[4]] * 3, numbers[5]], numbers[6])

    numbers, found = list(start), measured(start)
    moved = True
    while moved:
        moved = False
        for at, width in enumerate(widths):
            for step in (width, -width):
                while step:
                    tried = [*numbers[:at], numbers[at] + step, *numbers[at + 1 :]]
                    other = measured(tried)
                    if other.loses > found.loses - 1e-6:
                        break
                    numbers, found, moved = tried, other, True
                    told(f"fitting a rule of thumb: {numbers} loses {100 * found.loses:.2f}%")
    return found


def turns() -> Turns:
    """What turns of the best play bring, over many games of it against itself."""
    columns = simulate("bj", ["optimal", "optimal"], games=SAMPLED, seed=SEED).columns
    played = columns["turns"].astype(float)

    def per_turn(name: str) -> Estimate:
        every = columns[f"{name}_1"] + columns[f"{name}_2"]
        mean = every.sum() / played.sum()
        return Estimate(float(mean), float((every - mean * played).std() / played.mean() / np.sqrt(SAMPLED)))

    return Turns(
        per_turn("score"), per_turn("busts"), per_turn("hot"),
        Estimate(float(played.mean() / 2), float(played.std() / 2 / np.sqrt(SAMPLED))),
    )  # fmt: skip


def three_seats() -> Seats:
    """What each of three wins in equilibrium."""
    found = BjSolver().summary_for(OPTIONS, 3)
    facts = {fact.name: fact.value for fact in found.facts}
    return Seats(3, 0, [Estimate(found.value), Estimate(facts["second"]), Estimate(facts["third"])])


def work(told: Report) -> Figures:
    """Everything from the solved tables, which are loaded or solved first."""
    told("the solved game of two")
    rivals = Rivals()
    curves = [
        Curve(dice, other, [
            (lead, limits(rivals.best.early, other, lead, dice))
            for lead in LEADS if 0 <= other + lead <= OPTIONS.target
        ])
        for dice in range(1, LIMITED + 1) for other in OTHERS
    ]  # fmt: skip
    told("rules of thumb")
    number = min((rivals.measured([at] * DICE, [0] * DICE, 0) for at in range(250, 651, 50)), key=lambda one: one.loses)
    plain = fitted(rivals, (450, 350, 500, 1000, 0, 0, 500), (50, 50, 50, 100, 0, 0, 50), told)
    thumb = fitted(rivals, (450, 350, 500, 1000, 75, 200, 500), (50, 50, 50, 100, 25, 50, 50), told)
    told("levels against the best play")
    noise = NOISE[Unit.WIN]
    others = {name: level(rivals.rules, rivals.wins, noise[name]) for name in ("expert", "casual", "beginner")}
    others |= {"greedy": rivals.greedy(), "random": rivals.random()}
    luck = [Match(name, 0, Estimate(rivals.share(way))) for name, way in others.items()]
    told("the equilibrium of three (two minutes of CPU the first time)")
    every = [Seats(2, 0, [Estimate(float(rivals.wins[0, 0])), Estimate(1 - float(rivals.wins[0, 0]))]), three_seats()]
    told("games of four to eight")
    every += [seats("bj", "duel", players, SAMPLED) for players in range(4, 9)]
    tosses = rivals.rules.tosses
    return Figures(
        float(rivals.wins[0, 0]),
        [float(chance) for chance in tosses.scoreless[1:]],
        [next_toss(dice)[0] / 6**dice for dice in range(1, DICE + 1)],
        curves, number, plain, thumb, rivals.share(rivals.by_lead(thumb.lead)) - 0.5,
        [(deficit, float(rivals.rules.odds[deficit // STEP, DICE])) for deficit in range(0, 4001, 100)],
        turns(), every, luck,
    )  # fmt: skip
