"""The report of all benchmarks: its rows, on what machine and how steadily they were measured, and their file.

A benchmark gives rows; `python -m benchmarks` puts them into `results.json`, each with the run that it comes from.
`benchmarks.render` makes pages of that file, and tests compare it with what README and docs claim.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from decimal import Decimal
from importlib.metadata import distributions
from pathlib import Path
from shutil import which
from statistics import mean, median, stdev
from time import perf_counter, process_time
from typing import Any, Literal, TypeVar

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"
LIBRARIES = (
    "numpy", "numba", "llvmlite", "open-spiel", "yatzy-solver", "pettingzoo", "gymnasium", "uvicorn", "uvloop",
    "websockets", "aiosqlite", "asyncpg", "granian",
)  # fmt: skip
PEERS = tuple((FOLDER.parent / ".venv/peers").glob("lib/python*/site-packages"))
PROGRAMS = {"Node.js": "node", "cc": "cc", "PostgreSQL": "/usr/lib/postgresql/*/bin/postgres", "Chromium": "chromium"}
LAPS = 9
"""How often the calibration loop runs before a benchmark, and a third of that after each row."""

Better = Literal["higher", "lower", ""]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Versus:
    """A row beside a peer in the same run."""

    peer: str
    """The id of the peer's row."""
    ratio: float
    """How many times the peer's figure it is: the median over turns, where the two take turns."""
    spread: tuple[float, float] | None = None
    """The lowest and the highest of the turns."""
    aim: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One figure.

    Its id begins with the benchmark's name, and is what claims in the docs refer to: `simulate.pig` to the value,
    `simulate.pig of simulate.pig.c` to the ratio to a peer. An aim is at least or at most so much, as `better` says.
    """

    id: str
    group: str
    """What it is shown beside; peers are in the same group."""
    what: str
    value: float
    unit: str
    better: Better = ""
    digits: int = 3
    """How many digits of the value mean something."""
    error: float | None = None
    """One standard error."""
    spread: tuple[float, float] | None = None
    """The lowest and the highest value, of so many."""
    repeats: int = 1
    versus: tuple[Versus, ...] = ()
    aim: float | None = None
    remark: str = ""
    ours: bool = True
    run: str = ""
    """The key of the run that it comes from."""

    @property
    def benchmark(self) -> str:
        return self.id.partition(".")[0]

    def reached(self, found: float, aim: float) -> bool:
        """Whether a value or a ratio is what was aimed at."""
        return found >= aim if self.better == "higher" else found <= aim


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a fixed loop was before and between the rows of a benchmark, and how much of a core it was given."""

    cpu_ms: float
    """The median CPU time of the loop."""
    spread: float
    """Its slowest lap over its quickest one, less 1."""
    waited: float
    """Time by the clock over CPU time, on average: 1 on a machine with nothing else to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """When and where rows were measured."""

    command: str
    date: str
    commit: str = ""
    machine: str = ""
    cores: int = 0
    memory_gb: float = 0
    system: str = ""
    python: str = ""
    libraries: dict[str, str] = field(default_factory=dict)
    load: tuple[float, float] | None = None
    """The lowest and the highest load of the machine that was seen, by the average over a minute."""
    pace: Pace | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """All rows, and the runs that they come from."""

    rows: dict[str, Row]
    runs: dict[str, Run]

    def of(self, benchmark: str) -> list[Row]:
        """The rows of a benchmark, by groups, in each ours first."""
        rows = [row for row in self.rows.values() if row.benchmark == benchmark]
        groups = list(dict.fromkeys(row.group for row in rows))
        return sorted(rows, key=lambda row: (groups.index(row.group), not row.ours))

    def with_run(self, key: str, run: Run, rows: Iterable[Row]) -> Results:
        """Replace rows of the same ids, the new ones first; runs that no row comes from any more are left out."""
        new = {row.id: replace(row, run=key) for row in rows}
        found = new | {name: row for name, row in self.rows.items() if name not in new}
        order = list(dict.fromkeys(row.benchmark for row in (*self.rows.values(), *new.values())))
        found = {row.id: row for row in sorted(found.values(), key=lambda row: order.index(row.benchmark))}
        used = {row.run for row in found.values()}
        return Results(found, {name: one for name, one in ({**self.runs, key: run}).items() if name in used})


def read(path: Path = RESULTS) -> Results:
    """The results kept in a file; none if there is no file."""
    if not path.exists():
        return Results({}, {})
    data = json.loads(path.read_text("utf-8"))
    rows = [_row(one) for one in data["rows"]]
    return Results({row.id: row for row in rows}, {key: _run(one) for key, one in data["runs"].items()})


def write(results: Results, path: Path = RESULTS) -> None:
    """Keep results; what a row does not say is left out."""
    data = {
        "runs": {key: _brief(run) for key, run in sorted(results.runs.items())},
        "rows": [_brief(row) for row in results.rows.values()],
    }
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def _brief(thing: Row | Run) -> dict[str, Any]:
    usual = {each.name: each.default for each in fields(thing)}
    digits = max(6, thing.digits) if isinstance(thing, Row) else 6
    found = {name: value for name, value in asdict(thing).items() if value != usual[name] and value != {}}
    return {name: _rounded(value, digits) for name, value in found.items()}


def _rounded(value: Any, digits: int) -> Any:
    match value:
        case float():
            return float(f"{value:.{digits}g}")
        case dict():
            return {name: _rounded(each, digits) for name, each in value.items()}
        case tuple() | list():
            return [_rounded(each, digits) for each in value]
    return value


def _read(kind: type[T], data: dict[str, Any]) -> T:
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in data.items()})


def _row(data: dict[str, Any]) -> Row:
    return replace(_read(Row, data), versus=tuple(_read(Versus, one) for one in data.get("versus", ())))


def _run(data: dict[str, Any]) -> Run:
    pace = data.pop("pace", None)
    return replace(_read(Run, data), pace=Pace(**pace) if pace else None)


def medians(values: Sequence[float]) -> dict[str, Any]:
    """What a row says of values measured several times, as keywords: their median, how many, and their spread."""
    return {"value": median(values), "spread": (min(values), max(values)), "repeats": len(values)}


def share_of(key: str, group: str, what: str, pairs: Sequence[float]) -> Row:
    """The wins of a match, whose games come in pairs on the same dice: an observation each."""
    error = 100 * stdev(pairs) / len(pairs) ** 0.5
    remark = f"{2 * len(pairs):,} games{'' if error else ', every pair even'}"
    return Row(f"matches.{key}", group, what, 100 * mean(pairs), "%", "higher", digits=4, error=error, remark=remark)


def versus(peer: str, mine: Sequence[float], theirs: Sequence[float], aim: float | None = None) -> Versus:
    """The ratios of turns."""
    found = [own / other for own, other in zip(mine, theirs, strict=True)]
    return Versus(peer, median(found), (min(found), max(found)) if len(found) > 1 else None, aim)


# Measuring


def machine() -> dict[str, Any]:
    """What a run says of the machine, as keywords."""
    compiler = platform.python_compiler()
    python = f"{platform.python_implementation()} {platform.python_version()} ({compiler})"
    return {
        "machine": _cpu(), "cores": os.cpu_count() or 1, "memory_gb": round(_memory() / 2**30, 1), "system": _system(),
        "python": python, "libraries": _versions(), "commit": _commit(),
    }  # fmt: skip


def _versions() -> dict[str, str]:
    """Of what is measured here, with and beside: packages, also those of the peers' own Python, and programs."""
    here = {one.name.lower().replace("_", "-"): one.version for one in distributions()}
    theirs = {one.name.lower(): one.version for one in distributions(path=[str(path) for path in PEERS])}
    found = {name: here[name] for name in LIBRARIES if name in here}
    found |= {name: theirs[name] for name in ("pgx", "jax") if name in theirs}
    for name, command in PROGRAMS.items():
        if path := which(command) or next((str(one) for one in Path("/").glob(command.lstrip("/"))), None):
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if number := re.search(r"\d+(\.\d+)+", told):
                found[name] = number[0]
    return found


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(": ")[2] for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _system() -> str:
    kernel = f"{platform.system()} {'.'.join(platform.release().split('.')[:2])} {platform.machine()}"
    try:
        return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, {kernel}"
    except (OSError, KeyError):
        return kernel


def _memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def _commit() -> str:
    command = ("git", "describe", "--always", "--dirty=, with changes")
    try:
        found = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return found.stdout.strip()


def lap() -> tuple[float, float]:
    """CPU seconds and seconds by the clock of a fixed piece of work."""
    cpu, clock = process_time(), perf_counter()
    number = 1
    for _ in range(300_000):
        number = number * 1_103_515_245 + 12_345 & 0x7FFF_FFFF
    return process_time() - cpu, perf_counter() - clock


def pace_of(laps: Sequence[tuple[float, float]]) -> Pace:
    """What laps say of the machine."""
    spent = [cpu for cpu, _ in laps]
    waited = mean(clock / cpu for cpu, clock in laps)
    return Pace(round(1000 * median(spent), 2), round(max(spent) / min(spent) - 1, 3), round(waited, 2))


def measure(name: str, rows: Callable[[Sequence[str]], Iterator[Row]], arguments: Sequence[str]) -> Iterator[Results]:
    """Run a benchmark and print its rows as they come; after each, all results with it."""
    begun = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    run = Run(" ".join(("python -m benchmarks", name, *arguments)), begun, **machine())
    laps, loads, found = [lap() for _ in range(LAPS)], [_load()], list[Row]()
    for row in rows(arguments):
        found.append(row)
        loads.append(_load())
        print(f"  {told(row)}", flush=True)
        laps += [lap() for _ in range(LAPS // 3)]
        run = replace(run, load=(min(loads), max(loads)), pace=pace_of(laps))
        yield read().with_run(f"{begun} {name}", run, found)


def _load() -> float:
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else 0.0


def told(row: Row) -> str:
    """A row as a line of text."""
    parts = [f"{row.group}, {row.what}: {figure(row)}{aimed(row, row.value, row.aim)}"]
    parts += [f"{number(one.ratio)} times {one.peer}{aimed(row, one.ratio, one.aim)}" for one in row.versus]
    return "; ".join(parts)


def part(arguments: Sequence[str], *parts: str) -> str:
    """Which part of a benchmark is asked for; all of it if none is named."""
    unknown = [word for word in arguments if word not in parts]
    if unknown or len(arguments) > 1:
        raise SystemExit(f"Takes nothing or one of {', '.join(parts)}, not {' '.join(unknown or arguments)}.")
    return arguments[0] if arguments else ""


def alone(rows: Callable[[Sequence[str]], Iterator[Row]]) -> None:
    """A benchmark as a program of its own: print its rows, and keep nothing."""
    for row in rows(sys.argv[1:]):
        print(told(row), flush=True)


# Words


def number(value: float, digits: int = 3) -> str:
    """A number with as many digits as mean something, and all that stand before the point."""
    if value == 0:
        return "0"
    shown = f"{value:.{digits}g}" if abs(value) < 10**digits - 0.5 else f"{value:.0f}"
    if "e" in shown:
        return shown.replace("e-0", "e-").replace("e+0", "e")
    whole, point, rest = shown.partition(".")
    return f"{int(whole):,}{point}{rest}" if len(whole) > 3 else shown


def figure(row: Row) -> str:
    """The value with its unit and its error, of which two digits mean something."""
    unit = row.unit if row.unit[:1] in ("", "%") else f" {row.unit}"
    if not row.error:
        return number(row.value, row.digits) + unit
    error = f"{Decimal(f'{row.error:.2g}'):f}"
    return f"{row.value:,.{len(error.partition('.')[2])}f} ± {error}{unit}"


def aimed(row: Row, found: float, aim: float | None) -> str:
    """What was aimed at, in brackets, and whether it is reached."""
    if aim is None:
        return ""
    least = "at least" if row.better == "higher" else "at most"
    return f" (aim: {least} {number(aim)}, {'reached' if row.reached(found, aim) else 'not reached'})"
