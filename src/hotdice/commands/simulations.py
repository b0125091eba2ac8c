"""`hotdice simulate`: many games, and what they come to."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from hotdice import pictures
from hotdice.errors import HotdiceError
from hotdice.games import load_game, parse_game
from hotdice.options import Options, value_text
from hotdice.simulation import charts
from hotdice.simulation.clusters import Where
from hotdice.simulation.kept import Kept
from hotdice.simulation.plan import Plan, prepare_again
from hotdice.simulation.results import named_columns
from hotdice.simulation.runs import Run, begin, go_on
from hotdice.simulation.tally import PARTS, Interval, Sums, Tally
from hotdice.solve.batches import Columns
from hotdice.terminal.columns import columns
from hotdice.terminal.progress import Work, worked
from hotdice.values import Progress

QUANTILES: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
CONTENTS: Final = 400
"""Bytes that a column of a chunk of games takes in the table of contents of a Parquet file, at most."""
UNTIL_AT_MOST: Final = 10**9
"""Games after which a run ends that is to go on until its error is small."""


def simulate(
    name: str,
    players: Sequence[str],
    options: Sequence[str],
    compare: Sequence[str],
    *,
    games: int | None,
    until: float | None,
    seed: int,
    where: Where,
    as_json: bool,
    parquet: Path | None,
    results: Path | None,
    plot: Path | None,
) -> int:
    """Play many games and print what they come to; stopped by Ctrl-C or an error, what those played so far come to."""
    game = load_game(name.lower())
    chosen = game.options.parse(",".join(options))
    seats = players or ["greedy"] * game.min_players
    plan = Plan.of(game, chosen, seats, seed)
    other = Plan.of(game, _changed(chosen, compare), seats, seed) if compare else None
    most = games if games is not None else UNTIL_AT_MOST if until is not None else 100_000
    if plot:
        pictures.check(plot)
    writer = _Parquet(plan, parquet) if parquet else None
    kept = _kept(results, plan, other)
    run: list[Run] = []

    def keep() -> None:
        if kept:
            kept.write_now_and_then(_sums(run[0]))

    def do(progress: Progress) -> None:
        started = begin(plan, other, progress)
        if kept:
            started.tally, started.other, started.differences = kept.read(_sums(started))
        run.append(started)
        try:
            with where.side_by_side(prepare_again(plan), plan) as mapped:
                each = writer.write if writer else None
                go_on(started, most, mapped=mapped, other=other, until=until, each=each, keep=keep, progress=progress)
        finally:
            if kept:
                kept.write(_sums(started))

    stopped, failed = worked(Work(do, f"Playing {game.title}"))
    try:
        if writer:
            writer.close()
    except HotdiceError as error:
        failed = failed or error
    if run and run[0].tally.games:
        _show(run[0], ended_early=stopped, changed=other, as_json=as_json)
        if plot and not failed:
            charts.write(run[0], plot, _differing(chosen, other))
    if failed:
        raise failed
    return 130 if stopped else 0


def _kept(path: Path | None, plan: Plan, other: Plan | None) -> Kept[list[Any]] | None:
    """The file that results are kept in, if one is named."""
    what = {
        "game": plan.game,
        "players": list(plan.names),
        "seed": plan.seed,
        "compared": other.game if other else None,
    }
    return Kept(path, what) if path else None


def _sums(run: Run) -> list[Any]:
    return [run.tally, run.other, run.differences]


def _show(run: Run, *, ended_early: bool, changed: Plan | None, as_json: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(run, stopped=ended_early, changed=changed), indent=2))
    else:
        print("\n".join(_lines(run, stopped=ended_early, changed=changed)))


def _differing(chosen: Options, other: Plan | None) -> str:
    """The house rules that are compared: `bank_roll=true`."""
    if other is None:
        return ""
    _, options = parse_game(other.game)
    specs = [spec for spec in options.specs() if getattr(options, spec.name) != getattr(chosen, spec.name)]
    return ", ".join(f"{spec.name}={value_text(getattr(options, spec.name))}" for spec in specs)


def _changed(options: Options, compare: Sequence[str]) -> Options:
    """The house rules with those that are compared."""
    given = [part.partition("=") for part in compare]
    if bad := next((name for name, equals, _ in given if not equals), None):
        raise HotdiceError(f"--compare takes NAME=VALUE, a house rule to play by instead, not “{bad}”.")
    kept = {spec.name: getattr(options, spec.name) for spec in options.specs()}
    made = options.make((kept | {name.strip(): value for name, _, value in given}).items())
    if made == options:
        raise HotdiceError("--compare names the house rules that are played anyway; name another value.")
    return made


# As text


def _lines(run: Run, *, stopped: bool, changed: Plan | None) -> list[str]:
    tally, plan = run.tally, run.plan
    how = "compiled" if run.compiled else "by the rules' own states, as not all of these players are compiled"
    lines = [f"{plan.game}: {tally.games:,} games, seed {plan.seed}, played {how}."]
    if stopped:
        lines.append("Stopped; this is what the games played so far come to.")
    lines += ["", *columns(_seat_rows(run))]
    if plan.statistics:
        lines += ["", *columns(_statistic_rows(run))]
    turns, rolls = tally.turns.interval(), tally.rolls.interval()
    spread = ", ".join(f"{value:,}" for value in tally.turn_counts.quantiles(QUANTILES))
    lines += [
        "",
        f"A game takes {shown(turns)} turns and {shown(rolls)} rolls; turns at 5, 25, 50, 75 and 95%: {spread}.",
    ]
    if changed and run.other and run.differences:
        lines += ["", f"With {changed.game} instead, on the same dice:", "", *columns(_difference_rows(run))]
    return [*lines, "", "± is a 95% interval."]


def _seat_rows(run: Run) -> list[list[str]]:
    tally, alone = run.tally, len(run.tally.wins) == 1
    rows = [["Player", "Seat", *([] if alone else ["Wins"]), "Score", "of 5 to 95%"]]
    for seat, name in enumerate(run.plan.names):
        low, *_, high = tally.score_counts[seat].quantiles(QUANTILES)
        won = [] if alone else [share(tally.wins[seat].share())]
        rows.append([name, str(seat + 1), *won, shown(tally.scores[seat].interval()), f"{low:,} to {high:,}"])
    return rows


def _statistic_rows(run: Run) -> list[list[str]]:
    """What the game itself counts, on average in a game."""
    seats = range(1, len(run.plan.players) + 1)
    rows = [["In a game", *(f"seat {seat}" for seat in seats)]]
    for words, counted in zip(run.plan.statistics.values(), run.tally.counts, strict=True):
        rows.append([words, *(shown(seat.interval()) if seat.total else "none" for seat in counted)])
    return rows


def _difference_rows(run: Run) -> list[list[str]]:
    rows = [["Player", "Seat", "Wins", "difference", "Score", "difference"]]
    if run.other and run.differences:
        for seat, name in enumerate(run.plan.names):
            won, scored = run.other.wins[seat].share(), run.other.scores[seat].interval()
            apart = run.differences.wins[seat].interval(PARTS)
            points = run.differences.scores[seat].interval()
            rows.append([name, str(seat + 1), share(won), share(apart, sign="+"), shown(scored), shown(points, "+")])
    return rows


def share(found: Interval, sign: str = "") -> str:
    half = 100 * (found.high - found.low) / 2
    decimals = _decimals(half)
    return f"{100 * found.mean:{sign}.{decimals}f}% ± {half:.{decimals}f}"


def shown(found: Interval, sign: str = "") -> str:
    half = (found.high - found.low) / 2
    decimals = _decimals(half)
    return f"{found.mean:{sign},.{decimals}f} ± {half:,.{decimals}f}"


def _decimals(half: float) -> int:
    """As many as mean something: two figures of the error."""
    return next((decimals for decimals in range(6) if half * 10**decimals >= 9.5), 6)


# As data


def _as_json(run: Run, *, stopped: bool, changed: Plan | None) -> dict[str, Any]:
    made: dict[str, Any] = {
        "game": run.plan.game, "players": list(run.plan.names), "seed": run.plan.seed, "stopped": stopped,
        "compiled": run.compiled, **_tally_json(run.tally, list(run.plan.statistics)),
    }  # fmt: skip
    if changed and run.other and run.differences:
        made["compared"] = {"game": changed.game, **_tally_json(run.other, list(run.plan.statistics))}
        made["differences"] = {
            "wins": [asdict(one.interval(PARTS)) for one in run.differences.wins],
            "scores": [asdict(one.interval()) for one in run.differences.scores],
            "turns": asdict(run.differences.turns.interval()),
        }
    return made


def _tally_json(tally: Tally, statistics: Sequence[str]) -> dict[str, Any]:
    def all_of(seats: Sequence[Sums], figure: Callable[[Sums], Interval]) -> list[dict[str, float]]:
        return [asdict(figure(seat)) for seat in seats]

    return {
        "games": tally.games,
        "wins": all_of(tally.wins, Sums.share),
        "scores": all_of(tally.scores, Sums.interval),
        "score_counts": [dict(sorted(one.counts.items())) for one in tally.score_counts],
        "turns": asdict(tally.turns.interval()),
        "turn_counts": dict(sorted(tally.turn_counts.counts.items())),
        "rolls": asdict(tally.rolls.interval()),
        "statistics": {
            name: all_of(row, Sums.interval) for name, row in zip(statistics, tally.counts, strict=True)
        },
    }  # fmt: skip


class _Parquet:
    """A file that games are written to as they are played, and that stays readable whatever happens.

    Room for the next games and for the table of contents at the end is asked for before they are written.
    """

    def __init__(self, plan: Plan, path: Path) -> None:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise HotdiceError("--parquet needs pyarrow: pip install 'hotdice[data]'.") from None
        self._plan, self._path, self._done, self._groups = plan, path, 0, 0
        self._arrow, self._parquet = pyarrow, parquet
        self._writer: Any = None
        with self._told():
            self._file = path.open("wb")

    def write(self, columns: Columns) -> None:
        table = self._arrow.table(named_columns(self._plan, [columns], self._done))
        with self._told():
            if self._writer is None:
                self._writer = self._parquet.ParquetWriter(self._file, table.schema)
            contents = CONTENTS * table.num_columns * (self._groups + 2)
            self._reserve(table.nbytes + contents)
            self._writer.write_table(table)
        self._done += len(columns)
        self._groups += 1

    def close(self) -> None:
        with self._told():
            try:
                if self._writer is not None:
                    self._writer.close()
                    self._file.truncate(self._file.tell())
            finally:
                with suppress(OSError):
                    self._file.close()

    def _reserve(self, size: int) -> None:
        """Have the disk keep so much free for what comes next, where that can be asked for."""
        if not hasattr(os, "posix_fallocate"):
            return
        try:
            os.posix_fallocate(self._file.fileno(), self._file.tell(), size)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise HotdiceError(
                    f"{self._path} cannot grow any more: {error.strerror}. It has the first {self._done:,} games."
                ) from error

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise HotdiceError(f"{self._path} cannot be written: {error.strerror or error}.") from error
