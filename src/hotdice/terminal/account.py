"""The account of a game as text: tables, a chart of the values, the moments that mattered, every event with its marks.

It reads a `Report`, and the table for positions. Lines have typographic signs; `streams.plain` replaces them where they
cannot be shown. `docs/review.md` defines the figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from hotdice.review.report import BEST, LUCK, QUALITIES, ROLL, Alternative, EventReport, Moment, Report, SeatReport
from hotdice.solve.words import difference
from hotdice.table import Table
from hotdice.terminal import speak
from hotdice.terminal.columns import columns
from hotdice.values import Unit

CHART: Final = 64
"""Columns of a chart."""
ROWS: Final = 6
"""Lines of a tall chart."""
_BLOCKS: Final = " ▁▂▃▄▅▆▇█"
ADDS_UP: Final = 1e-6
"""An account whose remainder is no larger adds up."""


# Figures


def figure(value: float, unit: str, decimals: int = 1) -> str:
    """A value: a chance in percent, or points."""
    return f"{100 * value:.{decimals}f}%" if unit == Unit.WIN.value else f"{value:.{decimals}f}"


def signed(value: float, unit: str, decimals: int = 1) -> str:
    """A change, with its sign; nothing has none."""
    text = figure(abs(value), unit, decimals)
    return text if not float(text.rstrip("%")) else f"{'+' if value > 0 else '−'}{text}"


def accuracy(seat: SeatReport) -> str:
    """The accuracy, where anything was at stake."""
    return "–" if seat.accuracy is None else f"{seat.accuracy:.1f}%"


def rating(seat: SeatReport) -> str:
    """The level that decides about as well, and how sure that is."""
    return "–" if seat.rating is None else f"{seat.rating.word} ({seat.rating.sure:.0%})"


# The account


def account_lines(report: Report, table: Table, *, pictures: bool) -> Iterator[str]:
    """All of the account but the single events."""
    yield from head_lines(report, table)
    yield ""
    yield from columns([*_decided_rows(report)])
    yield ""
    yield from columns([*_sum_rows(report)])
    yield ""
    yield from closing_lines(report)
    if any(one.judged for one in report.events):
        yield ""
        yield from chart_lines(report, pictures=pictures)


def head_lines(report: Report, table: Table) -> Iterator[str]:
    """Which game it is, how it ended, how much of it is judged, and what the values are."""
    state, names = table.state, report.names
    ending = next(iter(speak.standings_lines(state, names)), "") if report.finished else ""
    yield f"{table.game.text(state.options)}: {ending or 'the game is unfinished.'}"
    if not report.finished:
        yield "It is reviewed as far as it goes; its result here is the value of its last position."
    if report.done < 1:
        judged = sum(one.judged for one in report.events)
        yield f"Only {judged} of its {len(report.events)} events are judged; the figures are of these."
    if report.exact:
        yield "All values are exact."
    else:
        largest = figure(report.error, report.unit)
        yield f"Some values are estimates, off by {largest} at most or so; what lies within its error is no mistake."


def _decided_rows(report: Report) -> Iterator[list[str]]:
    """How everybody decided."""
    yield ["Decisions", "all", *QUALITIES, "average loss", "accuracy", "like a bot"]
    for seat in report.seats:
        counts = [str(seat.qualities[quality]) for quality in QUALITIES]
        lost = figure(seat.average_loss, report.unit, 2) if seat.decisions else "–"
        yield [seat.name, str(seat.decisions), *counts, lost, accuracy(seat), rating(seat)]


def _sum_rows(report: Report) -> Iterator[list[str]]:
    """What the game came to for everybody, and how."""
    unit, alone = report.unit, report.players == 1
    open_end = any(abs(seat.remainder) > ADDS_UP for seat in report.seats)
    points = any(seat.points_luck is not None for seat in report.seats)
    given = [] if alone else ["others' losses"]
    yield [
        "Points" if alone else "Chance to win", "start", "luck", "own losses", *given,
        *(["left open"] if open_end else []), "result", "without luck", *(["luck in points"] if points else []),
    ]  # fmt: skip
    for seat in report.seats:
        others = [] if alone else [signed(seat.gifts, unit)]
        rest = [signed(seat.remainder, unit)] if open_end else []
        own = [] if not points else ["–" if seat.points_luck is None else signed(seat.points_luck, Unit.POINTS.value)]
        yield [
            seat.name, figure(seat.start, unit), signed(seat.luck, unit), signed(-seat.losses, unit), *others,
            *rest, figure(seat.result, unit), figure(seat.luck_adjusted, unit), *own,
        ]  # fmt: skip


def closing_lines(report: Report) -> Iterator[str]:
    """Whether the account adds up."""
    largest = max((abs(seat.remainder) for seat in report.seats), default=0.0)
    gave = "" if report.players == 1 else " + what the others' losses gave"
    told = f"Start + luck − own losses{gave} = result"
    if largest <= ADDS_UP:
        yield f"{told}: it adds up{' for everybody' if report.players > 1 else ''}."
        return
    off = figure(max(seat.remainder_error for seat in report.seats), report.unit)
    yield f"{told}, but for what estimates leave open: {figure(largest, report.unit)}; they may be off by {off}."


# The chart


def chart_lines(report: Report, *, pictures: bool) -> Iterator[str]:
    """What the game was worth after every turn: to the first player of two, or to each of more."""
    turns = [[*turn] for _, turn in groupby((one for one in report.events if one.judged), lambda one: one.turn)]
    numbers = [turn[0].turn for turn in turns]
    series = [[turns[0][0].before[seat], *(turn[-1].after[seat] for turn in turns)] for seat in range(report.players)]
    wide = min(CHART, len(turns) + 1)
    places = [round(at * len(turns) / max(wide - 1, 1)) for at in range(wide)]
    shown = [[values[at] for at in places] for values in series]
    what = "Points to be expected" if report.players == 1 else "Chance to win"
    if not pictures:
        yield f"{what} after the turns, from 0 to 9 for tenths of {_scale_words(report, shown)}:"
        low, high = _scale(report, shown)
        for name, values in zip(report.names, shown, strict=True):
            tenths = "".join(str(min(9, max(0, int(10 * (value - low) / (high - low))))) for value in values)
            yield f"{name}: {tenths}"
        return
    marks = _marks(report, numbers, places)
    if report.players > 2:
        yield f"{what} after each turn"
        width = max(map(len, report.names))
        for name, values in zip(report.names, shown, strict=True):
            line = "".join(_BLOCKS[max(1, round(8 * value))] for value in values)
            yield f"  {name:{width}} {line} {figure(values[-1], report.unit, 0)}"
        yield from ([f"  {'':{width}} {marks}"] if marks.strip() else [])
        return
    low, high = _scale(report, shown)
    labels = [figure(high, report.unit, 0), figure((low + high) / 2, report.unit, 0), figure(low, report.unit, 0)]
    width = max(map(len, labels))
    yield f"{what if report.players == 1 else f'{report.names[0]}’s chance to win'} after each turn"
    for row in reversed(range(ROWS)):
        label = {ROWS - 1: labels[0], ROWS // 2 - 1: labels[1], 0: labels[2]}.get(row, "")
        heights = [ROWS * 8 * (value - low) / (high - low) - 8 * row for value in shown[0]]
        yield f"  {label:>{width}} │{''.join(_BLOCKS[min(8, max(0, round(height)))] for height in heights)}"
    yield from ([f"  {'':>{width}}  {marks}"] if marks.strip() else [])


def _scale(report: Report, shown: Sequence[Sequence[float]]) -> tuple[float, float]:
    """From where to where a chart goes: chances from 0 to 1, points as far as they went."""
    if report.unit == Unit.WIN.value:
        return 0.0, 1.0
    low, high = min(map(min, shown)), max(map(max, shown))
    return low, max(high, low + 1.0)


def _scale_words(report: Report, shown: Sequence[Sequence[float]]) -> str:
    low, high = _scale(report, shown)
    return "certainty" if report.unit == Unit.WIN.value else f"the way from {low:.0f} to {high:.0f} points"


def _marks(report: Report, turns: Sequence[int], places: Sequence[int]) -> str:
    """The numbers of the moments under the turns in which they were."""
    line = [" "] * len(places)
    for number, moment in enumerate(report.moments, 1):
        turn = report.events[moment.event].turn
        if turn in turns:
            done = turns.index(turn) + 1
            line[min(range(len(places)), key=lambda at: abs(places[at] - done))] = str(number)
    return "".join(line).rstrip()


# Moments and events


def moment_line(number: int, moment: Moment, report: Report) -> str:
    """A moment as sentences."""
    event = report.events[moment.event]
    name = report.names[moment.seat]
    change = signed(moment.swing, moment.unit)
    if moment.kind == LUCK:
        kind = f"{'good' if moment.swing > 0 else 'bad'} luck, {change} for {name}"
    else:
        kind = f"a choice, {change} for {name}"
    told = f"{number}. Turn {event.turn + 1}, {kind}. {moment.told}"
    return f"{told} {better(event)}" if moment.better else told


def better(event: EventReport) -> str:
    """What would have been better, and why in the game's own terms."""
    best, made = _best_and_made(event)
    if best is None or made is None or not event.loss:
        return ""
    why = difference(best.prospects, made.prospects)
    return f"Better was {best.doing}{f': {why}' if why else ''}."


def _best_and_made(event: EventReport) -> tuple[Alternative | None, Alternative | None]:
    made = next((one for one in event.alternatives if one.text == event.text), None)
    return (event.alternatives[0] if event.alternatives else None), made


def mark(event: EventReport, report: Report) -> str:
    """What an event changed for the seat that rolled or decided, in a few words."""
    unit, seat = report.unit, event.seat
    if not event.judged:
        return "not judged"
    if event.kind == ROLL:
        return f"luck {signed(event.luck[seat], unit)}"
    if not event.quality:
        return "forced"
    if event.quality == BEST:
        return BEST
    return f"{event.quality}, {signed(-event.loss, unit, 2)}"


def note(event: EventReport, report: Report) -> str:
    """The same as sentences, with what would have been better and what the game was worth before and after."""
    if not event.judged:
        return "This was not judged."
    seat = event.seat
    values = f"{figure(event.before[seat], report.unit)} → {figure(event.after[seat], report.unit)}"
    name = report.names[seat]
    said = mark(event, report)
    told = f"{said[0].upper()}{said[1:]}: {name} {values}."
    return f"{told} {better(event)}".rstrip()


def event_lines(report: Report) -> Iterator[str]:
    """Every event with what it changed, and every decision with its alternatives."""
    shown = -1
    for event in report.events:
        if event.turn != shown:
            shown = event.turn
            yield f"Turn {shown + 1}, {report.names[event.seat]}"
        yield f"  {event.told} {note(event, report)}"
        for one in event.alternatives:
            sign = "=" if one.tied else " "
            behind = "" if one.tied else f"  {signed(-one.behind, report.unit, 2)}"
            error = f" ±{figure(one.error, report.unit, 2)}" if one.error > ADDS_UP else ""
            here = "  (played)" if one.text == event.text else ""
            yield f"    {sign} {one.text:24} {figure(one.value, report.unit, 2):>8}{error}{behind}{here}"
