"""The chapter on Kismet as it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from strategy.charts import Accent, Bar, bars
from strategy.figures import SEED
from strategy.kismet.figures import BEGUN, LEVELS, LISTED, SAMPLED, SOLO, Figures, Opening
from strategy.words import luck_table, percent, percent_of, points_of, table

ACCENT: Final[Accent] = ("#a31621", "#ff9b90")
SUMMARY: Final = "what to keep, what each box is worth, and the hundred decisions that cost most"
_LEFT: Final = {2: "two", 1: "one"}


def charts(figures: Figures) -> dict[str, str]:
    return {"boxes": _boxes(figures), "zeros": _zeros(figures), "openings": _openings(figures), "luck": _luck(figures)}


def _boxes(figures: Figures) -> str:
    rows = [Bar(box.box, box.brings, f"{box.brings:.1f}") for box in figures.boxes]
    return bars(
        ACCENT, "What each box brings", [*rows, Bar("the bonus", figures.bonus, f"{figures.bonus:.1f}")], low=0, high=42,
        left=204, below="points on average, with the best play",
        told="Points that each of fifteen boxes and the bonus bring, from 1.8 in Aces to 40.3 in Four of a Kind.",
    )  # fmt: skip


def _zeros(figures: Figures) -> str:
    rows = sorted(figures.boxes, key=lambda box: box.missed)
    return bars(
        ACCENT, "What a zero costs", [Bar(box.box, box.missed, f"{box.missed:.1f}") for box in rows], low=0, high=42,
        left=204, below="points, if the box is struck in the first turn",
        told="The cost of a zero in each box at the start, from 18.6 in Aces to 36.2 in Yarborough.",
    )  # fmt: skip


def _openings(figures: Figures) -> str:
    kinds = _kinds(figures.openings)
    rows = [
        Bar(name, total - figures.total, f"{total - figures.total:+.1f}".replace("-", "−")) for name, _, total in kinds
    ]
    return bars(
        ACCENT, "What the first roll is worth", rows, low=-8, high=48, base=0, left=204,
        mark=(0.0, "the average"), below="points more or less than a game comes to on average",
        told="The worth of kinds of first rolls, from five alike to five different numbers without a straight.",
    )  # fmt: skip


def _luck(figures: Figures) -> str:
    rows = [Bar(one.rival, one.wins.value, percent(one.wins.value), one.wins.within) for one in figures.luck]
    return bars(
        ACCENT, "What the best play wins", rows, low=0.45, high=1, base=0.5, mark=(0.5, "half"), left=100,
        told="Shares of wins against four other ways to play.",
    )  # fmt: skip


# fmt: off
def page(figures: Figures) -> str:
    best, worst = figures.openings[0], figures.openings[-1]
    box = {one.box: one for one in figures.boxes}
    openings = table(
        ("rank", "keep", "chance", "the game comes to"),
        (
            (str(rank), keep, percent(chance, 2), f"{total:.1f}")
            for rank, (keep, chance, total) in enumerate(_by_keep(figures.openings), 1)
        ),
    )
    boxes = table(
        ("box", "brings", "a zero at the start costs", "a zero in the end"),
        ((one.box, f"{one.brings:.1f}", f"{one.missed:.1f}", percent_of(one.zero, 2)) for one in figures.boxes),
    )
    players = table(
        ("player", "a sheet comes to", "behind the best play"),
        (
            (f"`{one.player}`", points_of(one.total, 2), f"{figures.total - one.total.value:.1f}" if one.total.error else "0")
            for one in figures.alone
        ),
    )
    return f"""# Kismet: what to keep

A sheet that is played as well as can be comes to {figures.total:.2f} points on average, with a standard deviation of {figures.deviation:.1f}. All
figures here are for one sheet played for points, which is solved exactly. Against others it is nearly the same game: only a second Kismet reaches over to another
sheet, and to play for the win instead of points gains about one game in a hundred ([bots](../bots.md#how-strong-they-are)).

## Rules of thumb

1. **Stop with a straight, a full house of one colour, or five alike.** An ordinary full house in the first roll is not one of these: keep the three.
2. **Keep three or four alike**, and nothing beside them, except the other number of the same colour: a 5 beside three 2s, a 6 beside three 1s. It leaves the
   full house of one colour and the flush open and is worth up to a point.
3. **Keep two pairs of one colour.** Of two pairs of different colours keep the higher one alone.
4. **Keep a pair alone.** Low pairs take their colour along: 1 1 with a 6, 2 2 with a 5, 3 3 with a 4. A pair of 1s without a 6 is worth less
   than a single 5.
5. **With nothing, keep the 6.** Do not chase a straight from three in a row. Four in a row are worth it in the first roll only as 2 2 3 4 5; with one roll left
   2 3 4 5 is the better keep on most sheets, even beside a pair.
6. **If you have to strike a box early,** Aces and Deuces cost least, and after them Kismet and Straight, which are zeros in {percent(box["Kismet"].zero.value, 0)} and
   {percent(box["Straight"].zero.value, 0)} of all games anyway.

That is how to open. With boxes filled the answer changes; the table of decisions says how often.

## The first roll, ranked

![What the first roll is worth, by kind](kismet-openings.svg)

A first roll is worth what is kept of it, so rolls with the same keep are worth the same. From {best.roll.replace(" ", "")} (the game then comes to {best.total:.1f} on average) to
{worst.roll.replace(" ", "")} ({worst.total:.1f}):

{openings}

The chance is that of all rolls with that keep together. All 252 rolls are in the JSON. Where the keep is all five dice, it is to be
written down.

## What a box is worth

![What each box brings](kismet-boxes.svg)

The bonus brings {figures.bonus:.1f} points on average. It is reached in {percent(figures.bonuses[0][1])} of all games, with {percent(figures.bonuses[1][1])} that get at least 55 and
{percent(figures.bonuses[2][1])} that get 75. A game sees {figures.kismets:.2f} turns that end with a Kismet; the Kismet box is filled in {percent(1 - box["Kismet"].zero.value, 0)} of all games.

![What a zero costs](kismet-zeros.svg)

A box is worth more than it brings, as a vacant box also is a place for bad rolls. That is why Yarborough, which takes anything, is the dearest box to give
away, though {sum(1 for one in figures.boxes if one.brings > box["Yarborough"].brings)} boxes bring more; and why Kismet and Straight, which are zeros in most or many games, cost little to strike.

{boxes}

## The hundred decisions that cost most

What counts is what lies on the table: five dice, and how many rolls are left. Weighed by how often it comes up in a game of the best play
({SAMPLED:,} games), and by what a `casual` player loses there, these are the {LISTED} that matter most. **Keep** is what is best on most sheets, and
**on** says on how many of them; **always** is what it loses to keep that keep which loses least if one never looks at the sheet. The
**mistake** is the keep that costs a casual player most, with what it is behind on average. **Casual** and **beginner** are points lost in a game by this decision alone.

By what they keep, {_cost(figures)}. These hundred are {percent(sum(one.a_game * one.lost[1].value for one in figures.decisions) / figures.keeps_cost[1].value, 0)} of the casual player's loss.

{_decisions(figures)}

## What a seat is worth

Who begins is rolled for, so all seats are alike before that, and beginning is worth next to nothing: whoever begins wins {_begins(figures)}, if all play
for points ({BEGUN:,} games each).

## How much is luck

![What the best play wins against other ways to play](kismet-luck.svg)

{players}

{luck_table(figures.luck)}

Both play their own sheets for points here and a second Kismet strikes nobody, so that {SOLO:,} sheets of each can be compared, every one with every other. The same
levels lose far less in [BJ's dice](bj.md#how-much-is-luck): Kismet leaves more to skill.

## How these figures were made

`make strategy ARGS=kismet`. The worth of first rolls, boxes and the bonus is exact; decisions, zeros, totals of the levels and wins are sampled from seed {SEED}.
A Kismet counts as a full house. Levels choose with the noise that [bots](../bots.md) describes; what a level loses in a position is worked out, not sampled, so only the positions are.
"""
# fmt: on


def _begins(figures: Figures) -> str:
    among = {2: "between two", 3: "among three", 4: "among four"}
    words = [f"{percent_of(one.wins)} {among[one.players]}" for one in figures.begins]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _cost(figures: Figures) -> str:
    words = [
        f"`{level}` loses {cost.value:.1f} points a game"
        for level, cost in zip(LEVELS, figures.keeps_cost, strict=True)
    ]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _decisions(figures: Figures) -> str:
    casual, beginner = LEVELS.index("casual"), LEVELS.index("beginner")
    return table(
        ("", "dice", "rolls left", "times a game", "keep", "on", "always", "mistake", "behind", "casual", "beginner"),
        (
            (
                str(rank), one.roll, _LEFT[one.left], f"{one.a_game:.2f}", one.keep or "none", percent(one.share, 0),
                f"{one.always_loses:.1f}" + (f" ({one.always or 'none'})" if one.always != one.keep else ""),
                one.mistake or "none", f"{one.mistake_loses:.1f}", f"{one.a_game * one.lost[casual].value:.2f}",
                f"{one.a_game * one.lost[beginner].value:.2f}",
            )
            for rank, one in enumerate(figures.decisions, 1)
        ),
    )  # fmt: skip


def _by_keep(openings: Sequence[Opening]) -> list[tuple[str, float, float]]:
    """What is kept of first rolls, with the chance and the total of each, best first."""
    found: dict[str, tuple[float, float]] = {}
    for one in openings:
        chance, _ = found.get(one.keep, (0.0, 0.0))
        found[one.keep] = chance + one.chance, one.total
    return [(keep, chance, total) for keep, (chance, total) in found.items()]


def _kinds(openings: Sequence[Opening]) -> list[tuple[str, float, float]]:
    """Kinds of first rolls with their chance and mean total, best first."""
    found: dict[str, tuple[float, float]] = {}
    for one in openings:
        name = _kind(one.roll.split())
        chance, total = found.get(name, (0.0, 0.0))
        found[name] = chance + one.chance, total + one.chance * one.total
    kinds = [(name, chance, total / chance) for name, (chance, total) in found.items()]
    return sorted(kinds, key=lambda kind: -kind[2])


def _kind(dice: Sequence[str]) -> str:
    colours = {"1": 0, "6": 0, "2": 1, "5": 1, "3": 2, "4": 2}
    counts = sorted((dice.count(face), face) for face in set(dice))[::-1]
    numbers = [count for count, _ in counts]
    same = len(numbers) > 1 and colours[counts[0][1]] == colours[counts[1][1]]
    if numbers[:2] == [3, 2]:
        return "full house, one colour" if same else "full house"
    if numbers[:2] == [2, 2]:
        return "two pairs, one colour" if same else "two pairs"
    if len(numbers) == 5:
        return "straight" if ("1" not in dice or "6" not in dice) else "nothing"
    return {5: "five alike", 4: "four alike", 3: "three alike", 2: "a pair"}[numbers[0]]
