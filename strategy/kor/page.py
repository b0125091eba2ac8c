"""The chapter on KOR as it is read."""

from __future__ import annotations

from typing import Final

from strategy.charts import Accent, Bar, Cell, bars, grid
from strategy.figures import SEED
from strategy.kor.figures import GAMES, MINE, POSITIONS, SCORES, STAKES, Figures
from strategy.words import luck_table, percent, percent_of, points_of, seats_table, table

ACCENT: Final[Accent] = ("#c07f00", "#f5b62b")
SUMMARY: Final = "whom to send backwards, and what Bank Roll and the final round change"


def charts(figures: Figures) -> dict[str, str]:
    return {"sending": _sending(figures), "habits": _habits(figures), "first": _first(figures)}


def _sending(figures: Figures) -> str:
    gains = {(one.following, one.last): one.gains.value for one in figures.sending}
    cells = [[_cell(gains[following, last]) for last in SCORES] for following in SCORES]
    return grid(
        ACCENT, "Whom to send back, among three", [f"{score:,}" for score in SCORES], [f"next: {score:,}" for score in SCORES], cells,
        named=f"you: {MINE:,}; across: the other; shaded: send the next", left=104,
        told="Below the diagonal, where the next player is ahead, numbers are positive: send back the next player. "
        "Above it the other one.",
    )  # fmt: skip


def _cell(gain: float) -> Cell:
    words = f"{100 * gain:+.1f}".replace("-", "−")
    return Cell("0" if words[1:] == "0.0" else words, abs(gain) / 0.06 if gain > 0 else 0.0)


def _habits(figures: Figures) -> str:
    rows = []
    for habit in figures.habits:
        for name, lost in (("the leader", habit.leader), ("anybody", habit.random), ("the last", habit.last)):
            label = f"{name}, among {habit.players}"
            rows.append(Bar(label, 100 * lost.value, f"{100 * lost.value:.2f}", 100 * lost.within))
    return bars(
        ACCENT, "What it costs to send back …", rows, low=-0.3, high=4.2, base=0, left=180,
        below="wins in a hundred, lost by one choice",
        told="Sending back the leader loses next to nothing, anybody about one win in a hundred and the last about two.",
    )  # fmt: skip


def _first(figures: Figures) -> str:
    rows = [
        Bar(f"{found.players} players", found.wins[0].value * found.players,
            f"{100 * (found.wins[0].value * found.players - 1):+.1f}%", found.wins[0].within * found.players)
        for found in figures.seats
    ]  # fmt: skip
    return bars(
        ACCENT, "What it is worth to begin", rows, low=1, high=1.1, left=100,
        below="wins of the first seat beyond an equal share",
        told="How much more than an equal share the first seat wins, by the number of players.",
    )  # fmt: skip


# fmt: off
def page(figures: Figures) -> str:
    plain = figures.variants[0]
    splits = [
        (f"{one.own:,}", f"{one.other:,}", f"{one.limit:,} points" if one.limit < STAKES[-1] else "never")
        for one in figures.splits
    ]
    changed = ", ".join(f"{percent_of(one.share)} of games of {_number(one.players)}" for one in figures.overturned)
    return f"""# KOR: whom to send backwards

The dice play nearly all of KOR. Two kinds of choice are left: whom to send back after a U-TURN, which with three players or more comes in
{percent(figures.u_turn)} of all turns, and which of two signs to follow when three and three fall, once in {1 / figures.split:.0f} turns.

## Rules of thumb

1. **Send back whoever has the most points.** Next to nothing else matters, neither who is next nor who did it to you.
2. **In your own turn, follow U-TURN rather than STOP, and either of them rather than DEAD END.**
3. **In a penalty, follow DEAD END rather than STOP. Against U-TURN, take DEAD END from about {_usual(figures)} points on**; with less it is worth
   more to send somebody else back.

## Whom to send back

![Whom to send back among three](kor-sending.svg)

Three play, it is your U-TURN and you have {MINE:,}. A number says how many more games in a hundred you win if you send back the player who is next, rather than the
other one; below zero, send back the other. The numbers are right to about {100 * max(one.gains.within for one in figures.sending):.1f}. So it is always the
one with more points, and it matters most when that one has about as much as you or somewhat more, and the other is far behind. Against somebody who needs
only 500 more it does less, as a penalty takes off about 300 points.

![What habits cost](kor-habits.svg)

{_habit_table(figures)}

In {POSITIONS:,} U-TURNs of as many games, each choice was judged by rollouts with other dice than those that had found the best one. Whoever always sends back the leader
loses about a tenth of a game in a hundred by a choice, or less.

Over a whole game that adds up. {_alone(figures)}

## Three and three

{table(("rule, between two", "right in"), ((words, percent(share)) for words, share in figures.simple))}

The positions are those of both scores from 0 to 5,500 in steps of 500, with 50 to 600 points in hand. STOP is better than U-TURN in your own turn only where you need
1,000 more at most and are ahead, as whoever is sent back may roll a U-TURN, too; it gains less than a tenth of a game in a hundred there. In a penalty, DEAD END against U-TURN depends on the points that would be lost:

{table(("your score", "the other’s", "DEAD END from"), splits)}

These values are exact.

## What Bank Roll and the final round change

{_variant_table(figures)}

- **Bank Roll** makes a turn worth {figures.variants[1].points - plain.points:.1f} points more ({figures.variants[1].points:.1f} instead of {plain.points:.1f}). In a game of four a player has {figures.variants[1].banks.value:.2f}
  of them on average. It is luck on top of luck; nothing else in this table moves much.
- **The final round** changes who wins in {changed}. These are the
  same games on the same dice, with the final round and without it. It makes games a little longer, and the advantage of beginning a little smaller.

## What a seat is worth

![What it is worth to begin](kor-first.svg)

{seats_table(figures.seats)}

Two players are exact; from three on {GAMES:,} games each in which everybody sends back the leader.

## How much is luck

{luck_table(figures.luck)}

Between two nobody has to choose whom to send back, so not even a player who follows signs at random loses much: KOR for two is luck. Among more, whom to
send back counts, as above; what the levels lose there was not measured, as every choice of theirs takes rollouts.

## How these figures were made

`make strategy ARGS=kor`. KOR for two is solved with an error below 1e-9; the rest is sampled from seed {SEED}. How rollouts judge a choice is said in [solving](../solving.md#rollouts).
"""
# fmt: on


def _usual(figures: Figures) -> int:
    """What limits are where both have the same score, to the nearest 50."""
    level = [one.limit for one in figures.splits if one.own == one.other]
    return round(sum(level) / len(level) / 50) * 50


def _number(players: int) -> str:
    return {2: "two", 3: "three", 4: "four", 6: "six", 8: "eight"}[players]


def _habit_table(figures: Figures) -> str:
    def lost(habit: object, name: str) -> str:
        found = getattr(habit, name)
        return f"{100 * found.value:.2f} ± {100 * found.within:.2f}"

    return table(
        ("players", "the leader", "anybody, at random", "the last"),
        ((str(one.players), *(lost(one, name) for name in ("leader", "random", "last"))) for one in figures.habits),
    )


def _alone(figures: Figures) -> str:
    one = {(found.player, found.players): found.wins for found in figures.alone}
    words = [
        f"Among {_number(players)}, a player who sends back the leader while the others choose at random wins {percent_of(one['greedy', players])} instead of "
        f"{percent(1 / players)}; one who chooses at random among such players wins {percent_of(one['random', players])}."
        for players in (3, 4, 6)
    ]  # fmt: skip
    return " ".join(words)


def _variant_table(figures: Figures) -> str:
    return table(
        ("", "first of two wins", "points a turn", "turns and penalties of two", "of four", "of eight", "Bank Rolls of a player of four"),
        (
            (
                one.name, percent(one.first, 3), f"{one.points:.1f}",
                *(points_of(length) for _, length in one.lengths), points_of(one.banks, 3) if one.banks.value else "",
            )
            for one in figures.variants
        ),
    )  # fmt: skip
