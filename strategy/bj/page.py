"""The chapter on BJ's dice as it is read."""

from __future__ import annotations

from typing import Final

from strategy.bj.figures import SAMPLED, Figures, Thumb
from strategy.charts import Accent, Axis, Bar, Line, Panel, bars, panels, steps
from strategy.figures import SEED
from strategy.words import luck_table, percent, percent_of, points_of, seats_table, table

ACCENT: Final[Accent] = ("#1f6b45", "#7fd6a6")
SUMMARY: Final = "when to pass, and what a rule of thumb loses"
_DICE: Final = ("one die", "two dice", "three dice", "four dice", "five dice", "six dice")
_SHOWN: Final = (-2000, -1000, 0, 1000, 2000)
"""Leads that the table of limits shows."""


def charts(figures: Figures) -> dict[str, str]:
    return {"passing": _passing(figures), "chase": _chase(figures), "seat": _seat(figures), "luck": _luck(figures)}


def _passing(figures: Figures) -> str:
    thumb = figures.thumb
    small = []
    for dice in range(1, len(thumb.limits) + 1):
        curves = [curve for curve in figures.curves if curve.dice == dice]
        lines = [Line(f"best play, the other has {curve.other:,}", steps(curve.limits)) for curve in curves]
        base, slope = thumb.limits[dice - 1], thumb.per_thousand[dice - 1]
        ends = [(lead, max(0.0, base - slope * lead / 1000)) for lead in (-3000, 3000)]
        lines.append(Line("the rule of thumb", ends, plain=True))
        high, tick = (2000, 500) if dice == 4 else (1000, 250)
        small.append(Panel(f"{_DICE[dice - 1]} left".capitalize(), lines, high, range(0, high + 1, tick)))
    return panels(
        ACCENT, "When to pass", small,
        Axis(-3000, 3000, (-2000, 0, 2000), lambda lead: f"{lead:+,.0f}".replace("+0", "0").replace("-", "−"),
             "how far you are ahead, with this turn’s 500s counted"),
        named="Pass with this many points at risk, or more",
        told="Four charts, one for each number of dice left: the points at risk with which to pass, by the lead.",
        words=lambda points: f"{points:,.0f}",
    )  # fmt: skip


def _chase(figures: Figures) -> str:
    chances = [(float(deficit), chance) for deficit, chance in figures.chase if deficit <= 3000]
    return panels(
        ACCENT, "The last turn", [Panel("", [Line("", chances)], 1.0, (0, 0.25, 0.5, 0.75, 1))],
        Axis(0, 3000, (0, 500, 1000, 1500, 2000, 2500, 3000), lambda lead: f"{lead:,.0f}", "points behind"),
        named="How often the last player still wins", columns=1, tall=190,
        told="The chance falls from 97% when level to 26% at 1,000 points and 7% at 2,000.",
        words=lambda share: percent(share, 0),
    )  # fmt: skip


def _seat(figures: Figures) -> str:
    rows = [
        Bar(f"{found.players} players", found.wins[0].value * found.players,
            f"{100 * (found.wins[0].value * found.players - 1):+.0f}%", found.wins[0].within * found.players)
        for found in figures.seats
    ]  # fmt: skip
    return bars(
        ACCENT, "What it is worth to begin", rows, low=1, high=1.2, left=100,
        below="wins of the first seat beyond an equal share",
        told="How much more than an equal share the first seat wins, by the number of players.",
    )  # fmt: skip


def _luck(figures: Figures) -> str:
    rows = [Bar(one.rival, one.wins.value, percent(one.wins.value), one.wins.within) for one in figures.luck]
    return bars(
        ACCENT, "What the best play wins", rows, low=0.45, high=0.85, base=0.5, mark=(0.5, "half"), left=100,
        told="Shares of wins against five other ways to play.",
    )  # fmt: skip


# fmt: off
def page(figures: Figures) -> str:
    thumb, plain = figures.thumb, figures.plain
    at = dict(figures.chase)
    return f"""# BJ's dice: when to pass

The only decision is whether to roll once more or to pass. What counts for it, in this order: how many dice are left, how many
points are **at risk** (the turn's points without the 500s, which nobody can take from you), and how far ahead you are.

## A rule of thumb

1. **Pass from {_limits(plain)} left.** With five or six dice, roll on.
2. **Once passing would take you past 5,000,** pass if you are then ahead by {plain.lead:,} or more; otherwise roll on, whatever dice are left.
3. **In the last round,** roll until you are ahead.

Whoever wants to do better looks at the score, too. Begin with {_limits(thumb)}. Then, for every 1,000 points that you
are behind, add {thumb.per_thousand[0]} ({thumb.per_thousand[3]} with four dice); for every 1,000 that you are ahead, take as much off. Lines 2 and 3 stay as they are.

{_losses(figures)}

Each number was moved until no step of it loses less against the solved play. What a rule loses is exact, not sampled. Most of what is left is
due to line 2: the best play with that line in its place would lose {percent(figures.by_lead, 2)}.

## The limits exactly

![When to pass: limits by dice left and lead](bj-passing.svg)

Pass with as many points at risk as here, or more. The other has 2,500; your lead counts the 500s of this turn.

{_limit_table(figures)}

With five dice left the limit lies near 2,000, with six near 3,000, so a turn hardly ever gets there. Close to 5,000 the limits jump, since it matters then
on which side of 5,000 passing leaves you: in a few places it is right to pass with some points, and to roll with a little more.

## Dice left

{_dice_table(figures)}

The points count the 500 for freezing the last die. That is why a single die is worth more than two or three: it fails most often, but whenever it
scores, the 500 comes with it. A turn of the best play brings {points_of(figures.turns.points)} points on average, {percent_of(figures.turns.busts)} of
turns end with a scoreless toss, and a 500 comes once in {1 / figures.turns.hot.value:.1f} turns. A game between two takes {points_of(figures.turns.per_game, 2)} turns each.

## How safe a lead is

![How often the last player still wins](bj-chase.svg)

Whoever passes 5,000 hands the others one more turn. A player who is level wins in {percent(at[0], 0)} of all cases, as any points will do;
a lead of 500 is beaten in {percent(at[500], 0)}, 1,000 in {percent(at[1000], 0)}, 1,500 in {percent(at[1500], 0)}, 2,000 in {percent(at[2000], 0)}. Between
700 and 1,100 points the chance hardly falls ({percent(at[700], 0)} and {percent(at[1100], 0)}): whoever freezes all dice once has made up nearly any of these.

## What a seat is worth

![What it is worth to begin](bj-seat.svg)

{seats_table(figures.seats)}

Two and three players are solved exactly; for three this is the equilibrium, in which nobody gains by playing otherwise. From four on {SAMPLED:,} games each,
played as if alone against the best of the others.

## How much is luck

![What the best play wins against other ways to play](bj-luck.svg)

{luck_table(figures.luck)}

These are exact as well, and each player begins half of the games. So against an expert the best play gains less than one game in a
hundred: between good players BJ's dice is luck. Against a beginner it is one in ten.

## How these figures were made

`make strategy ARGS=bj`, with six dice, a target of 5,000 and the usual bust. The game of two is solved with an error below 1e-10; rules and levels are
played against it on paper, by the equations of both players for every pair of scores. What was sampled (turns, and seats of four players or more)
follows from seed {SEED}.
"""
# fmt: on


def _limits(thumb: Thumb) -> str:
    found = [f"{points:,} with {_DICE[at].removesuffix(' dice')}" for at, points in enumerate(thumb.limits)]
    return f"{', '.join(found[:-1])} and {found[-1]}"


def _losses(figures: Figures) -> str:
    rows = (
        (f"one number, whatever the dice: {figures.number.limits[0]} points at risk", figures.number.loses),
        ("the three lines", figures.plain.loses),
        ("with a look at the score", figures.thumb.loses),
    )
    return table(("rule", "loses against the best play"), ((rule, percent(loses, 2)) for rule, loses in rows))


def _limit_table(figures: Figures) -> str:
    found = {
        (curve.dice, lead): limit for curve in figures.curves if curve.other == 2500 for lead, limit in curve.limits
    }
    words = {lead: "level" if not lead else f"{abs(lead):,} {'ahead' if lead > 0 else 'behind'}" for lead in _SHOWN}
    return table(
        ("dice left", *words.values()),
        (
            (str(dice), *(f"{found[dice, lead]:,}" for lead in _SHOWN))
            for dice in range(1, len(figures.thumb.limits) + 1)
        ),
    )


def _dice_table(figures: Figures) -> str:
    rows = enumerate(zip(figures.scoreless, figures.gains, strict=True), 1)
    return table(
        ("dice", "score nothing", "a toss brings on average"),
        ((str(dice), percent(chance), f"{gain:.0f}") for dice, (chance, gain) in rows),
    )
