"""`hotdice review`: the account of one game, on paper or step by step, and the results of many."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from threading import Event
from typing import Any, Final

from hotdice import pictures
from hotdice.dice import ManualDice
from hotdice.errors import HotdiceError
from hotdice.games import load_game
from hotdice.notation import listed
from hotdice.record import Record, parse_record
from hotdice.review import Report, Review
from hotdice.review.plot import plot as draw_plot
from hotdice.review.report import SeatReport
from hotdice.simulation.clusters import Where
from hotdice.simulation.pieces import cores
from hotdice.solve import NEEDED, has_values, solver_of
from hotdice.solve.sources import fingerprint
from hotdice.table import Table
from hotdice.terminal import account, speak
from hotdice.terminal.columns import columns
from hotdice.terminal.progress import Stopped, Work
from hotdice.terminal.saves import load, naming, read
from hotdice.terminal.screen import Screen
from hotdice.terminal.signals import INTERRUPTED
from hotdice.terminal.steps import step_through
from hotdice.terminal.streams import complain, plain
from hotdice.values import NotInstalled, Progress

NEEDS_VALUES: Final = (
    f"A review needs the values of moves, and these need {listed(NEEDED)}: pip install 'hotdice[solve]'."
)
_AHEAD: Final = 3
"""Records waiting for each process, so that none runs dry."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody wants to see of a review."""

    as_json: bool = False
    events: bool = False
    """Every event, not only the account."""
    plain: bool = False
    plot: Path | None = None
    html: Path | None = None


def review(paths: Sequence[Path], wishes: Wishes, where: Where) -> int:
    """Review games and show what came of it; the answer is the exit code."""
    if (wishes.plot or wishes.html) and len(paths) > 1:
        raise HotdiceError(f"{'--plot draws' if wishes.plot else '--html shows'} one game; name one record.")
    if wishes.plot:
        pictures.check(wishes.plot)
    if wishes.html and not wishes.html.parent.is_dir():
        raise HotdiceError(f"{wishes.html} cannot be written: there is no folder {wishes.html.parent}.")
    if len(paths) == 1:
        return _review_one(paths[0], wishes)
    if wishes.events:
        raise HotdiceError("--events is for one game; name one record, or use --json.")
    return _review_many(paths, wishes, where)


# One game


def _review_one(path: Path, wishes: Wishes) -> int:
    record, table = _checked(path)
    work, stopped = _Judging(record), False
    doing = Work(work.run, "Reviewing the game", "Reviewing the game")
    try:
        doing.wait(plain_lines=wishes.plain)
    except (KeyboardInterrupt, Stopped):
        work.stop.set()
        doing.end()
        stopped = True
    if work.review is None:
        return INTERRUPTED
    report = work.review.report()
    if stopped and not report.done:
        return INTERRUPTED
    if report.events and not report.done:
        raise HotdiceError(f"“{path}”: no position of this game has a value, so there is nothing to review it by.")
    if wishes.plot:
        _plot(report, wishes.plot)
    if wishes.html:
        _write_page(record, report, wishes.html)
    if wishes.as_json:
        print(json.dumps(report.json(), indent=2))
        return INTERRUPTED if stopped else 0
    screen = Screen(plain_lines=wishes.plain)
    _show(report, table, screen, wishes, stopped=stopped)
    if wishes.plot:
        screen.say(f"The chart is in {wishes.plot}.")
    if wishes.html:
        screen.say(f"The page is in {wishes.html}; open it in a browser.")
    if screen.drawn and not (stopped or wishes.events or wishes.plot or wishes.html) and table.played:
        screen.ask(f"{screen.margin}Enter steps through the game> ")
        return _step(record, table, report, screen)
    return INTERRUPTED if stopped else 0


class _Judging:
    """A review under way in a thread; what is done by now can be asked for at any time."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.review: Review | None = None
        self.stop = Event()

    def run(self, progress: Progress) -> None:
        """Load or solve the tables, judge the game, and find the reasons for what was better."""
        if not has_values(self._record.game):
            raise NotInstalled(NEEDS_VALUES)
        self.review = Review(self._record, progress=progress)
        self.review.run(progress)
        if self.review.unexplained:
            first = self._record.first_state
            solver_of(first.game).solve_prospects(first.options, first.players, self.stop, progress)


def _plot(report: Report, path: Path) -> None:
    if not any(one.judged for one in report.events):
        raise HotdiceError("--plot has nothing to draw: nothing was played in this game yet.")
    draw_plot(report, load_game(report.game), path)


def _write_page(record: Record, report: Report, path: Path) -> None:
    try:
        from hotdice.server.review_file import html_of
    except ImportError as error:
        raise HotdiceError(f"--html needs {error.name}: pip install 'hotdice[server]'.") from None
    try:
        path.write_text(html_of(record, report), "utf-8")
    except OSError as error:
        raise HotdiceError(f"{path} cannot be written: {error.strerror or error}.") from None


def _show(report: Report, table: Table, screen: Screen, wishes: Wishes, *, stopped: bool) -> None:
    """Print the account, the moments with their positions, and every event if that is asked for."""
    if stopped:
        screen.say("Stopped; this is what is judged so far.")
    for line in account.account_lines(report, table, pictures=screen.pictures):
        _say(screen, line)
    if report.moments:
        _say(screen, "")
        _say(screen, "What mattered most")
    for number, moment in enumerate(report.moments, 1):
        _say(screen, "")
        screen.explain(account.moment_line(number, moment, report))
        _draw(screen, _at(table, moment.event if moment.better else moment.last + 1))
    if wishes.events:
        _say(screen, "")
        for line in account.event_lines(report):
            _say(screen, line)


def _say(screen: Screen, line: str) -> None:
    """Print a line; one that goes into a pipe has typewriter signs."""
    print(line if screen.pictures else plain(line))


def _draw(screen: Screen, table: Table) -> None:
    """The dice on the table, drawn or in words, and the scores."""
    if screen.pictures:
        from hotdice.terminal.draw import dice_lines

        for line in dice_lines(table, screen.room):
            screen.console.print(line, no_wrap=True)
    else:
        shown = speak.dice_shown(table)
        if shown.groups:
            _say(screen, f"   {table.names[shown.seat]}'s dice. {speak.dice_line(shown)}")
    _say(screen, f"   {speak.scores_line(table.state, table.names)}")


def _at(table: Table, events: int) -> Table:
    """The table after some events."""
    then = Table(table.before(0), table.seats, ManualDice())
    for event in table.events[:events]:
        then.repeat(event)
    return then


def _step(record: Record, table: Table, report: Report, screen: Screen) -> int:
    """Step through the game, with what is to be said of every event."""
    mattered = {moment.event for moment in report.moments}

    def notes(begin: int, end: int) -> list[str]:
        events = report.events[begin:end]
        if len(events) == 1:
            return [account.note(events[0], report)]
        said = [f"{table.tell(one.event)} {account.note(one, report)}" for one in events if one.loss]
        if events[-1].judged and events[0].judged:
            seat, unit = events[0].seat, report.unit
            luck = account.signed(sum(one.luck[seat] for one in events), unit)
            before, after = events[0].before[seat], events[-1].after[seat]
            values = f"{account.figure(before, unit)} → {account.figure(after, unit)}"
            said.append(f"This turn: {report.names[seat]} {values}, luck {luck}.")
        return said

    marked = [one.event for one in report.events if one.loss or one.event in mattered]
    return step_through(record, table, screen, notes, marked)


def _checked(path: Path) -> tuple[Record, Table]:
    """The record in a file and its game on a table, all of which holds."""
    with naming(path):
        record = load(path)
        return record, record.table()


# Many games


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one of many records: its account, or what is wrong with it."""

    path: str
    report: Report | None = None
    error: str = ""


def outcome_of(piece: tuple[str, bytes | None], *, whole: bool) -> Outcome:
    """Review a record by its file's name and, if that was read already, its text; without its events unless the whole
    is asked for, as they take long to send."""
    path, data = piece
    try:
        with naming(Path(path)):
            record = load(Path(path)) if data is None else parse_record(data)
            record.table()
        if not has_values(record.game):
            raise NotInstalled(NEEDS_VALUES)
        work = Review(record)
        work.run()
        report = work.report()
    except NotInstalled:
        raise  # it is the same with every record
    except HotdiceError as error:
        named = str(error) if path in str(error) else f"“{path}”, {error}"
        return Outcome(path, error=named)
    return Outcome(path, report if whole else replace(report, events=()))


@dataclass(slots=True)
class Totals:
    """The games of one name at one game, taken together."""

    name: str
    game: str
    unit: str
    games: int = 0
    won: float = 0.0
    luck: float = 0.0
    adjusted: float = 0.0
    decisions: int = 0
    losses: float = 0.0
    accuracies: list[float] = field(default_factory=list)

    def add(self, seat: SeatReport) -> None:
        """One more game."""
        self.games += 1
        self.won += seat.result
        self.luck += seat.luck
        self.adjusted += seat.luck_adjusted
        self.decisions += seat.decisions
        self.losses += seat.losses
        self.accuracies += [] if seat.accuracy is None else [seat.accuracy]

    @property
    def accuracy(self) -> float | None:
        """The average of the games in which anything was at stake."""
        return sum(self.accuracies) / len(self.accuracies) if self.accuracies else None


def totals(reports: Sequence[Report]) -> list[Totals]:
    """By name and game, those with the most games first. Games that are not over count, too, as far as they went."""
    found: dict[tuple[str, str, str], Totals] = {}
    for report in reports:
        for seat in report.seats:
            key = (seat.name, report.game, report.unit)
            found.setdefault(key, Totals(*key)).add(seat)
    return sorted(found.values(), key=lambda one: (one.game, -one.games, one.name))


def _review_many(paths: Sequence[Path], wishes: Wishes, where: Where) -> int:
    done: dict[int, Outcome] = {}
    doing = Work(
        lambda progress: _judge_all([str(path) for path in paths], where, done, wishes.as_json, progress),
        f"Reviewing {len(paths)} games",
    )
    stopped = False
    try:
        doing.wait(plain_lines=wishes.plain)
    except (KeyboardInterrupt, Stopped):
        doing.end()
        stopped = True
    outcomes = [done[number] for number in sorted(done)]
    for outcome in outcomes:
        if outcome.error:
            complain(outcome.error)
    screen = Screen(plain_lines=wishes.plain)
    reviewed = [(one.path, one.report) for one in outcomes if one.report]
    if wishes.as_json:
        print(json.dumps(_as_json(outcomes, stopped=stopped), indent=2))
    elif reviewed:
        if stopped:
            _say(screen, f"Stopped; {len(outcomes)} of {len(paths)} games are done.")
        for line in _many_lines(reviewed):
            _say(screen, line)
    return INTERRUPTED if stopped else 2 if len(reviewed) < len(outcomes) else 0


def _judge_all(paths: Sequence[str], where: Where, done: dict[int, Outcome], whole: bool, progress: Progress) -> None:
    """Review all records, in processes if there are to be several; what is done is put into `done` at once."""
    workers = min(where.jobs or cores(), len(paths))
    if where.scheduler or where.workers or workers == 1:
        there = where if where.scheduler or where.workers else Where(jobs=1)
        with there.processes(partial(fingerprint, Review.__module__)) as mapped:
            for outcome in mapped(partial(outcome_of, whole=whole), map(_read, paths)):
                done[len(done)] = outcome
                progress(len(done) / len(paths))
        return
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_ignore_interrupts)
    going: dict[Future[Outcome], int] = {}
    waiting = iter(enumerate(paths))
    try:
        while True:
            while len(going) < _AHEAD * workers and (following := next(waiting, None)):
                number, path = following
                going[pool.submit(outcome_of, (path, None), whole=whole)] = number
            if not going:
                return
            ready, _ = wait(going, timeout=0.5, return_when=FIRST_COMPLETED)
            for future in ready:
                done[going.pop(future)] = future.result()
            progress(len(done) / len(paths))
    except BrokenProcessPool:
        raise HotdiceError("A process that reviewed games was ended from outside; try fewer --jobs.") from None
    finally:
        pool.shutdown(wait=not going, cancel_futures=True)
        for process in list((getattr(pool, "_processes", None) or {}).values()) if going else ():
            process.terminate()


def _read(path: str) -> tuple[str, bytes | None]:
    """A record as other machines can have it; what cannot be read is left to whoever reviews it to say."""
    try:
        return path, read(Path(path))
    except HotdiceError:
        return path, None


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that everybody else works for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _many_lines(reviewed: Sequence[tuple[str, Report]]) -> Iterator[str]:
    rows = [["Record", "Game", "Player", "result", "accuracy", "luck", "without luck"]]
    for path, report in reviewed:
        open_end = "" if report.finished else ", unfinished"
        for seat in report.seats:
            first = seat.seat == 0
            rows.append(
                [
                    Path(path).name[:40] if first else "", f"{report.game}{open_end}" if first else "", seat.name,
                    account.figure(seat.result, report.unit), account.accuracy(seat),
                    account.signed(seat.luck, report.unit), account.figure(seat.luck_adjusted, report.unit),
                ]
            )  # fmt: skip
    yield from columns(rows)
    yield ""
    rows = [["Player", "Game", "games", "decisions", "average loss", "accuracy", "result", "luck", "without luck"]]
    for one in totals([report for _, report in reviewed]):
        lost = account.figure(one.losses / one.decisions, one.unit, 2) if one.decisions else "–"
        accurate = "–" if one.accuracy is None else f"{one.accuracy:.1f}%"
        results = [account.figure(one.won / one.games, one.unit), account.signed(one.luck / one.games, one.unit)]
        adjusted = account.figure(one.adjusted / one.games, one.unit)
        rows.append([one.name, one.game, str(one.games), str(one.decisions), lost, accurate, *results, adjusted])
    yield from columns(rows)
    yield "Result, luck and the result without luck are averages of a game."


def _as_json(outcomes: Sequence[Outcome], *, stopped: bool) -> dict[str, Any]:
    """Every record with its account or what is wrong with it, and the totals by name."""
    records = [
        {"file": one.path, "review": one.report.json()} if one.report else {"file": one.path, "error": one.error}
        for one in outcomes
    ]
    players = [
        {
            "name": one.name, "game": one.game, "unit": one.unit, "games": one.games, "decisions": one.decisions,
            "losses": one.losses, "accuracy": one.accuracy, "result": one.won, "luck": one.luck,
            "luck_adjusted": one.adjusted,
        }
        for one in totals([one.report for one in outcomes if one.report])
    ]  # fmt: skip
    return {"stopped": stopped, "records": records, "players": players}
