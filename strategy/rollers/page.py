"""The chapter on Rollers as it is read."""

from __future__ import annotations

from typing import Final

from strategy.charts import Accent, Axis, Bar, Cell, Line, Panel, bars, grid, panels
from strategy.figures import SEED
from strategy.rollers.figures import MATCHES, ROUNDS, Figures
from strategy.words import luck_table, percent, percent_of, points_of, seats_table, table

ACCENT: Final[Accent] = ("#6a35b8", "#c3a3f5")
SUMMARY: Final = "when to go for a number, a door or chips"
_COUNTS: Final = ("one", "two", "three", "four")
_SHOWN: Final = (-50, -30, -20, -15, -10, -5, 0, 5, 10, 20, 30, 50)
"""Chips won that the table shows."""


def charts(figures: Figures) -> dict[str, str]:
    return {
        "numbers": _numbers(figures),
        "sections": _sections(figures),
        "chips": _chips(figures),
        "luck": _luck(figures),
    }


def _numbers(figures: Figures) -> str:
    shares = {(one.number, one.count): 1 - one.none for one in figures.opening.kept}
    cells = [
        [Cell(percent(shares[number, count], 0), shares[number, count]) for count in range(1, 5)]
        for number in range(5, 0, -1)
    ]
    return grid(
        ACCENT, "Which number to go for", _COUNTS, [f"{number}s" for number in range(5, 0, -1)], cells, left=60,
        named="first rolls with so many of it: how often any are kept",
        told="Shares of first rolls in which dice of a number are kept, by the number and how many there are: "
        "nearly always for 5s, hardly ever for 1s and 2s.",
    )  # fmt: skip


def _sections(figures: Figures) -> str:
    rows = [
        Bar(f"{one.number}s {what}", 100 * worth, f"{100 * worth:.1f}")
        for one in reversed(figures.sections)
        for what, worth in (("open", one.opened), ("closed", one.closed))
    ]
    return bars(
        ACCENT, "What a section is worth", rows, low=0, high=25, left=100,
        below="wins in a hundred, at the beginning of a match",
        told="What one’s own open or closed section adds to the chance to win the match: 19 for the 5s, 8 for the 4s, "
        "less for the others, and hardly more closed than open.",
    )  # fmt: skip


def _chips(figures: Figures) -> str:
    lines = [
        Line("at the start of the round", [(float(lead), chance) for lead, chance in figures.chips]),
        Line("late: three doors closed and two open, both", [(float(lead), chance) for lead, chance in figures.late]),
    ]
    return panels(
        ACCENT, "What chips are worth", [Panel("", lines, 0.8, (0.4, 0.5, 0.6, 0.7, 0.8), low=0.4)],
        Axis(-50, 50, (-50, -25, 0, 25, 50), lambda lead: f"{lead:+.0f}".replace("+0", "0").replace("-", "−"),
             "chips that the other has paid you"),
        named="The chance to win the match for whoever is to roll", columns=1, tall=190,
        told="At the start the chance rises slowly with the chips. Late it rises between 25 chips behind and level only.",
        words=lambda share: percent(share, 0),
    )  # fmt: skip


def _luck(figures: Figures) -> str:
    rows = [Bar(one.rival, one.wins.value, percent(one.wins.value), one.wins.within) for one in figures.luck]
    return bars(
        ACCENT, "What the best play wins", rows, low=0.45, high=1, base=0.5, mark=(0.5, "half"), left=100,
        told="Shares of matches won against five other ways to play.",
    )  # fmt: skip


# fmt: off
def page(figures: Figures) -> str:
    part = {one.number: one for one in figures.sections}
    early, late, played, first = dict(figures.chips), dict(figures.late), figures.rounds, figures.opening
    goes = {(one.number, one.count): 1 - one.none for one in first.kept}
    gap = max(one.closed - one.opened for one in figures.sections)
    return f"""# Rollers: a number, a door or chips

A round is a race to close five doors, and the chips are a second, smaller prize. All values here are chances to win a match of two, in its first round,
which is solved exactly.

## Rules of thumb

1. **Go for the 5s, then for the 4s.** They take the most dice and are worth the most. Do not keep 1s and 2s of the first roll, not even three of them: they can be
   had at any time.
2. **Keep every STAR.**
3. **Go for one number at a time.** The best play keeps dice of one number in {percent(first.numbers[1], 0)} of all first rolls, of two in {percent(first.numbers[2], 0)}.
4. **Roll three times.** {percent(played.rolls[2], 0)} of all turns take all three rolls.
5. **Open first; a door can wait.** To close an open section adds next to nothing at the beginning: a single die will do it later.
6. **Collect with what is left.** To leave a door open for the sake of chips is right in about {_turns(played.spared.value)}; think of it while both have nearly as many chips.

## Which number

![What a section is worth](rollers-sections.svg)

To have the 5s open as a match begins is worth {100 * part[5].opened:.0f} wins in a hundred, more than all the others together; the 1s are worth less than one. Closing adds at most
{100 * gap:.1f}.

![Which number to go for](rollers-numbers.svg)

These are first rolls on an empty board that are not zapped, and how often dice of a number are kept: {percent(goes[5, 1], 0)} of all single 5s, {percent(goes[5, 2], 0)} of pairs;
{percent(goes[4, 2], 0)} of pairs of 4s, but {percent(goes[2, 3], 0)} of three 2s, with which the section could be opened and closed at once. The dice that are not kept are rolled again for
something better. STARs are kept in {percent(first.stars, 0)} of these rolls, the black die in {percent(first.black, 0)}: while it is kept no ZAP can come.

## Door or chips

![What chips are worth](rollers-chips.svg)

Chips decide one point of three in a round, so they matter where it is open who will have the most. Late in a round that is a narrow place: with three doors closed and two open on
both boards, {-_SHOWN[3]} chips paid to the other cost {100 * (late[0] - late[-15]):.1f} wins in a hundred, but whoever has paid 25 loses nothing by paying more, and whoever is ahead gains nothing by
getting more. Early {_SHOWN[9]} chips are worth {100 * (early[20] - early[0]):.1f}, a tenth of the 5s.

{_chip_table(figures)}

In {ROUNDS:,} rounds of the best play against itself ({points_of(played.turns)} turns of both together), a turn opens {points_of(played.opened, 2)} sections, closes {points_of(played.closed, 2)} doors and collects
{points_of(played.collected)} chips; {percent_of(played.collecting, 0)} of all turns collect something. In {percent_of(played.spared)} of all turns a door is left that could have been closed on top of
everything else, {percent(played.for_chips, 0)} of these times to collect more. Closing it would have lost {100 * played.closing_loses.value:.1f} ± {100 * played.closing_loses.within:.1f} wins in a hundred there. Whoever completes the
board has the most chips, too, in {percent_of(played.richest, 0)} of all rounds.

## What a seat is worth

{seats_table(figures.seats)}

The first seat is whoever has won the roll-off, and the others follow in the order of turns of the first round. Two players are exact; the others are {MATCHES:,} matches each of
players who race (see below). The second round is begun by the player to the right of the starter, the last one of this table, which makes up for some of it.

Alone, a board takes {figures.race:.2f} turns to fill if that is all one wants; a round between two ends after {points_of(played.turns)} turns of both.

## How much is luck

![What the best play wins against other ways to play](rollers-luck.svg)

{luck_table(figures.luck)}

{MATCHES:,} matches each. `race` completes its board as fast as can be and collects only what it can besides: speed alone is not enough.

## How these figures were made

`make strategy ARGS=rollers`. Sections, chips, first rolls and the seat are exact, with an error below 1e-7; rounds and matches follow from seed {SEED}. In the matches the best play and the
levels know the solved first round; the later rounds they look ahead one turn and value by the race, unless those are solved on the machine, too.
"""
# fmt: on


def _turns(share: float) -> str:
    """A small share of turns as words."""
    return f"one turn of {round(1 / share)}"


def _chip_table(figures: Figures) -> str:
    early, late = dict(figures.chips), dict(figures.late)
    words = {
        lead: f"{abs(lead)} {'from the other' if lead > 0 else 'to the other'}" if lead else "none" for lead in _SHOWN
    }
    return table(
        ("chips paid", "at the start", "three closed and two open, both"),
        ((words[lead], percent(early[lead]), percent(late[lead])) for lead in _SHOWN),
    )
