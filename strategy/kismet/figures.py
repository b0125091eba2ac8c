"""What the chapter on Kismet says, worked out from the solved sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hotdice import simulate
from hotdice.dice import Roll
from hotdice.games.kismet.rules import Box, KismetOptions
from hotdice.games.kismet.solving import NOISE, KismetSolver
from hotdice.games.kismet.solving.evaluators import best_turn
from hotdice.games.kismet.solving.sheets import FIVE, kismet_sheet
from hotdice.games.kismet.solving.tables import points_table
from hotdice.games.kismet.solving.turns import value_entries
from hotdice.games.kismet.solving.worths import worths
from hotdice.values import Unit
from strategy.figures import SEED, Estimate, Match, Report, roll_off
from strategy.kismet.sampling import STOP, Counts, sampled

OPTIONS: Final = KismetOptions()
LEVELS: Final = ("expert", "casual", "beginner")
SAMPLED: Final = 100_000
"""Games from which decisions are counted."""
SOLO: Final = 200_000
"""Games of each way to play alone."""
BEGUN: Final = 100_000
"""Games for what it is worth to begin."""
LISTED: Final = 100


@dataclass(frozen=True, slots=True)
class BoxWorth:
    """What a box is worth as the sheet is empty."""

    box: str
    brings: float
    """The points that it comes to on average, its share of the bonus not counted."""
    missed: float
    """What a zero in it would cost there and then: the points to come of a sheet without the box are less by that."""
    zero: Estimate
    """How often it is a zero in the end."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The first roll of a game."""

    roll: str
    keep: str
    """The dice to keep; none of them, or the roll itself, which is to stop."""
    chance: float
    total: float
    """What the game comes to after it, on average."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Five dice on the table, with some rolls left, on whatever sheet."""

    roll: str
    left: int
    """Rolls that are left."""
    a_game: float
    """How often a game comes to it."""
    keep: str
    """What is best on most sheets."""
    share: float
    """On how many of them."""
    always: str
    """The keep that loses least if it is always the same."""
    always_loses: float
    mistake: str
    """The keep that costs the casual level most."""
    mistake_loses: float
    """What it loses on average, over all sheets that came to it."""
    lost: Sequence[Estimate]
    """What each level loses by one such decision."""


@dataclass(frozen=True, slots=True)
class Alone:
    """A way to play a sheet by itself."""

    player: str
    total: Estimate


@dataclass(frozen=True, slots=True)
class Begins:
    """What whoever begins wins, of so many players who all play for points."""

    players: int
    wins: Estimate


@dataclass(frozen=True, slots=True)
class Figures:
    """All that the chapter says in numbers."""

    total: float
    deviation: float
    kismets: float
    bonus: float
    """The bonus on average."""
    bonuses: Sequence[tuple[int, float]]
    """The chance of each bonus or a better one."""
    boxes: Sequence[BoxWorth]
    openings: Sequence[Opening]
    """Best first."""
    decisions: Sequence[Decision]
    """Those that cost the casual level most in a game first."""
    keeps_cost: Sequence[Estimate]
    """What each level loses in a game by what it keeps."""
    alone: Sequence[Alone]
    luck: Sequence[Match]
    """Both on sheets of their own, for points; a second Kismet strikes nobody."""
    begins: Sequence[Begins]


def dice_text(dice: Roll) -> str:
    return " ".join(map(str, dice))


def openings() -> list[Opening]:
    """All first rolls, by what the game is worth after them."""
    sheet = kismet_sheet(OPTIONS.kismet_is_full_house)
    entries = np.empty(sheet.points.shape[1:])
    value_entries(sheet, 0, 0, points_table(OPTIONS).arrays["value"], entries)
    turn = best_turn(entries)
    found = [
        Opening(
            dice_text(roll), dice_text(FIVE.all[turn.choice[1, FIVE.keeps + at]]), float(FIVE.edges.chance[at]),
            float(turn.worth[1, FIVE.keeps + at]),
        )
        for at, roll in enumerate(FIVE.rolls)
    ]  # fmt: skip
    return sorted(found, key=lambda one: -one.total)


def decisions(counts: Counts) -> list[Decision]:
    """Those that cost the casual level most in a game."""
    games = len(counts.totals)
    casual = LEVELS.index("casual")
    places = np.argsort(-counts.lost[casual], axis=None)[:LISTED]
    found = []
    for at, roll in zip(*np.unravel_index(places, counts.seen.shape), strict=True):
        seen, dice = counts.seen[at, roll], FIVE.rolls[roll]

        def kept(keep: int, dice: Roll = dice) -> str:
            return dice_text(dice if keep == STOP else FIVE.all[keep])

        possible = [keep for keep in range(STOP + 1) if keep == STOP or _is_part(FIVE.all[keep], dice)]
        best = int(np.argmax(counts.best[at, roll]))
        always = min(possible, key=lambda keep: counts.behind[at, roll, keep])
        others = [keep for keep in possible if keep != best]
        mistake = max(others, key=lambda keep: counts.mistaken[at, roll, keep])
        lost = []
        for level in range(len(LEVELS)):
            mean = counts.lost[level, at, roll] / seen
            spread = max(counts.squares[level, at, roll] / seen - mean**2, 0.0)
            lost.append(Estimate(float(mean), float((spread / seen) ** 0.5)))
        found.append(
            Decision(
                roll=dice_text(dice),
                left=2 - int(at),
                a_game=float(seen / games),
                keep=kept(best),
                share=float(counts.best[at, roll, best] / seen),
                always=kept(always),
                always_loses=float(counts.behind[at, roll, always] / seen),
                mistake=kept(mistake),
                mistake_loses=float(counts.behind[at, roll, mistake] / seen),
                lost=lost,
            )
        )
    return found


def _is_part(keep: Roll, dice: Roll) -> bool:
    return all(keep.count(face) <= dice.count(face) for face in set(keep))


def against(best: np.ndarray[tuple[int], np.dtype[np.int32]], rival: str) -> tuple[Alone, Match]:
    """A player alone, and how often the best play beats its totals, both sheets played by themselves."""
    scores = simulate("kismet", [rival], games=SOLO, seed=SEED + 1).columns["score_1"]
    ranks = np.searchsorted(np.sort(scores), best, "left"), np.searchsorted(np.sort(scores), best, "right")
    wins = (ranks[0] + ranks[1]) / 2 / len(scores)
    other = (
        np.searchsorted(np.sort(best), scores, "left") + np.searchsorted(np.sort(best), scores, "right")
    ) / 2 / len(best)  # fmt: skip
    error = float((wins.var() / len(best) + other.var() / len(scores)) ** 0.5)
    return Alone(rival, _mean(scores)), Match(rival, SOLO, Estimate(float(wins.mean()), error))


def _mean(numbers: np.ndarray[tuple[int], np.dtype[np.int32]]) -> Estimate:
    return Estimate(float(numbers.mean()), float(numbers.std() / len(numbers) ** 0.5))


def begins(players: int) -> Begins:
    """What whoever begins wins."""
    columns = simulate("kismet", ["points"] * players, games=BEGUN, seed=SEED).columns
    wins = np.stack([columns[f"win_{seat + 1}"] for seat in range(players)])
    first = np.array([roll_off(game, players)[0] for game in range(BEGUN)])
    return Begins(players, _mean(wins[first, np.arange(BEGUN)]))


def work(told: Report) -> Figures:
    """Everything from the solved tables, which are loaded or solved first."""
    told("the solved sheet (half a minute of CPU the first time)")
    summary = KismetSolver().summary(OPTIONS)
    facts = {fact.name: fact.value for fact in summary.facts}
    value = points_table(OPTIONS).arrays["value"]
    told("what boxes are worth (half a minute of CPU the first time)")
    brings = worths(OPTIONS.kismet_is_full_house)
    brings.solve()
    found, _ = brings.of(0, 0)
    told(f"decisions of {SAMPLED:,} games")
    noise = NOISE[Unit.POINTS]
    counts = sampled(SAMPLED, (noise["expert"], noise["casual"], noise["beginner"]), SEED)
    zeros = counts.zeros / SAMPLED
    boxes = [
        BoxWorth(
            box.title, float(found[box]), float(value[0, 0] - value[1 << box, 0]),
            Estimate(float(zeros[box]), float((zeros[box] * (1 - zeros[box]) / SAMPLED) ** 0.5)),
        )
        for box in Box
    ]  # fmt: skip
    costs = counts.lost.reshape(len(LEVELS), -1).sum(axis=1) / SAMPLED
    told("players alone")
    best = simulate("kismet", ["optimal"], games=SOLO, seed=SEED).columns["score_1"]
    rivals = [against(best, rival) for rival in (*LEVELS, "greedy")]
    told("who begins")
    return Figures(
        summary.value, facts["deviation"], facts["kismets"], float(found[-1]),
        [(points, facts[f"bonus_{points}"]) for points in (35, 55, 75)], boxes, openings(), decisions(counts),
        [Estimate(float(cost)) for cost in costs],
        [Alone("optimal", Estimate(summary.value)), *(one for one, _ in rivals)], [match for _, match in rivals],
        [begins(players) for players in (2, 3, 4)],
    )  # fmt: skip
