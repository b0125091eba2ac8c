"""Makes pages of `results.json`: `RESULTS.md` here, `docs/benchmarks.md`, and the charts of both. Tables in other pages
of `docs/` are made, too, where a comment says so; `TABLES` has them by name.

What stands in `notes/` is kept by hand and goes above and below a benchmark's table: its first line is the heading,
a line of `***` where the table goes. In it `{simulate.pig}` stands for a figure, `{simulate.pig of simulate.pig.c}` for
a ratio.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import groupby
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from benchmarks import studies
from benchmarks.report import FOLDER, Results, Row, Run, Versus, aimed, figure, number, read
from hotdice import all_games
from hotdice.review.levels import FILE, WORDS

BENCHMARKS = (
    "engine", "simulate", "studies", "solve", "deciding", "uturns", "three_bj", "kismet_error", "matches", "calibrate",
    "review", "review_page", "environments", "server", "hold", "transports",
)  # fmt: skip
"""All of them, in the order of the page."""
NOTES = FOLDER / "notes"
DOCS = FOLDER.parent / "docs"
PAGES = {FOLDER / "RESULTS.md": "../docs/", DOCS / "benchmarks.md": ""}
"""Each page, and how it gets to `docs/`."""
CHARTS = "images/benchmarks/"

WIDTH, MARGIN, BAR, STEP = 460, 12, 16, 40
STYLE = """\
svg { --paper: #fffdf8; --ink: #26211a; --pale: #5f5645; --ours: #1f63c4; --line: #ddd3c1; }
@media (prefers-color-scheme: dark) {
  svg { --paper: #1c222a; --ink: #f3eee4; --pale: #b9b6ac; --ours: #6ea3f2; --line: #343e49; }
}
.paper { fill: var(--paper); }
text { fill: var(--ink); font: 13px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
.group { font-weight: bold; font-size: 14px; }
.pale { fill: var(--pale); }
.ours { fill: var(--ours); stroke: var(--ours); }
.peer { fill: url(#peer); stroke: var(--pale); }
.stripe { stroke: var(--pale); stroke-width: 2; }
.spread { stroke: var(--ink); stroke-width: 1.5; fill: none; }"""
PATTERN = (
    '<pattern id="peer" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="stripe" d="M0 0V6"/></pattern>'
)
INTRODUCTION = """\
<!-- Written by `python -m benchmarks render` from benchmarks/results.json and benchmarks/notes. -->

# Benchmarks

`make bench` runs them and writes this page; `make bench ARGS="simulate solve"` runs some. A figure stands beside that
of a *peer*, another program that does the same work in the same run, in turns where that can be: on a busy machine the
ratio says more than either figure. The range is from the lowest to the highest of the turns, and ± is one standard
error. CPU seconds are those of all threads. The text is written by hand, the tables are not; they are
`benchmarks/results.json`."""
STEADINESS = """\
Before each benchmark and after each row a fixed loop of Python is run. How much its CPU time differs from lap to
lap is the noise that any figure in CPU seconds has; how much longer it takes by the clock is how much of a core others
had. The load is the average number of processes that wanted a core, over a minute."""


def render() -> None:
    """Write all pages, charts and the pictures of the studies."""
    studies.draw()
    for path, text in pages(read()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    kept = {path for path in pages(read()) if path.suffix == ".svg"}
    for path in (DOCS / CHARTS).glob("*.svg"):
        if path not in kept:
            path.unlink()


def pages(results: Results) -> dict[Path, str]:
    """What every file should say."""
    found = {DOCS / CHARTS / f"{name}.svg": text for name in BENCHMARKS if (text := chart(results.of(name)))}
    for path, docs in PAGES.items():
        found[path] = "\n\n".join(page(results, docs)) + "\n"
    for path in sorted(DOCS.rglob("*.md")):
        if path not in found and MADE.search(text := path.read_text("utf-8")):
            found[path] = MADE.sub(lambda table: table[1] + TABLES[table["name"]](results) + table[3], text)
    return found


def page(results: Results, docs: str) -> Iterator[str]:
    """A page, by paragraphs; what is in the documentation is linked from where it stands."""
    yield INTRODUCTION
    for name in BENCHMARKS:
        if (rows := results.of(name)) or (NOTES / f"{name}.md").exists():
            yield from section(name, rows, results, docs)
    yield "## Where and how steadily"
    yield machines(results)


def section(name: str, rows: list[Row], results: Results, docs: str) -> Iterator[str]:
    """One benchmark."""
    heading, above, below = (re.sub(r"\]\((?=[\w-]+\.md)", f"]({docs}", part) for part in notes(name, results))
    yield f"## {heading}"
    yield from [above] if above else []
    if chart(rows):
        what = ", ".join(dict.fromkeys(row.group for row in panels(rows)))
        yield f"![{heading}: {what}, beside peers]({docs}{CHARTS}{name}.svg)"
    if rows:
        yield table(rows, results.rows)
        yield measured(rows, results.runs)
    yield from [below] if below else []


def notes(name: str, results: Results) -> tuple[str, str, str]:
    """The heading, and what is said above and below the table."""
    path = NOTES / f"{name}.md"
    text = path.read_text("utf-8") if path.exists() else f"# {name}\n"
    heading, _, text = text.partition("\n")
    above, _, below = re.sub(r"\{([a-z][^{}]*)\}", lambda found: quoted(results, found[1]), text).partition("\n***\n")
    return heading.removeprefix("# ").strip(), above.strip(), below.strip()


def quoted(results: Results, name: str) -> str:
    """A figure that a note names."""
    mine, _, peer = name.partition(" of ")
    row = results.rows[mine]
    return number(ratio_to(row, peer).ratio) if peer else figure(row)


def ratio_to(row: Row, peer: str) -> Versus:
    """How a row compares with a peer."""
    for one in row.versus:
        if one.peer == peer:
            return one
    raise KeyError(f"{row.id} is not compared with {peer}")


def table(rows: list[Row], known: Mapping[str, Row]) -> str:
    """The rows of a benchmark; columns without an entry are left out."""
    runs = run_letters(rows)
    lines = []
    for name, group in groupby(rows, lambda row: row.group):
        found = list(group)
        together = len(found) > 1
        if together:
            lines.append([f"**{name}**", *[""] * 5])
        lines += [[*line(row, known, together), runs[row.run] if len(runs) > 1 else ""] for row in found]
    heads = ["", "Figure", "Range", "Beside its peer", "Remark", "Run"]
    used = [at for at in range(len(heads)) if at < 2 or any(cells[at] for cells in lines)]
    shown = [[heads[at] for at in used], ["---"] * len(used), *([cells[at] for at in used] for cells in lines)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in shown)


def run_letters(rows: list[Row]) -> dict[str, str]:
    """A letter for every run that rows come from."""
    return dict(zip(dict.fromkeys(row.run for row in rows), ascii_lowercase, strict=False))


def line(row: Row, known: Mapping[str, Row], together: bool) -> Iterator[str]:
    """The cells of a row, which is together with others of its group or alone."""
    name = row.what if together else f"{row.group}: {row.what}"
    yield name if row.ours else f"*{name}*"
    yield figure(row) + aimed(row, row.value, row.aim)
    yield f"{span(row.spread, row.digits)} of {row.repeats}" if row.spread else ""
    yield "; ".join(
        f"{number(one.ratio)} times {known[one.peer].what if one.peer in known else one.peer}"
        f"{f', {span(one.spread)}' if one.spread else ''}{aimed(row, one.ratio, one.aim)}"
        for one in row.versus
    )
    yield row.remark


def span(spread: tuple[float, float], digits: int = 3) -> str:
    return f"{number(spread[0], digits)} to {number(spread[1], digits)}"


def measured(rows: list[Row], runs: Mapping[str, Run]) -> str:
    """When and by which command the rows of a benchmark were measured."""
    letters = run_letters(rows)
    lines = []
    for key, letter in letters.items():
        run = runs[key]
        parts = [f"`{run.command}`, {run.date}" if run.command else f"hand, {run.date}"]
        if run.load:
            parts.append(f"load {run.load[0]} to {run.load[1]}")
        if run.pace:
            parts.append(
                f"calibration {run.pace.cpu_ms} ms of CPU, slowest lap {run.pace.spread:.0%} over the best, "
                f"{run.pace.waited} times as long by the clock"
            )
        if run.remark:
            parts.append(run.remark)
        lines.append(f"{f'- **{letter}**: ' if len(letters) > 1 else 'Measured by '}{'; '.join(parts)}.")
    return "\n".join(lines)


def machines(results: Results) -> str:
    """The machines, each with the benchmarks that it ran."""
    found: dict[str, list[str]] = {}
    for run in results.runs.values():
        memory, cores = f"{run.memory_gb:g} GiB", f"{run.cores} cores"
        libraries = ", ".join(f"{name} {version}" for name, version in run.libraries.items())
        parts = (
            run.machine,
            cores if run.cores else "",
            memory if run.memory_gb else "",
            run.system,
            run.python,
            libraries,
        )
        known = found.setdefault("; ".join(part for part in parts if part), [])
        known += [name for name in BENCHMARKS if any(results.runs[row.run] is run for row in results.of(name))]
    lines = [
        f"- {', '.join(dict.fromkeys(names))}: {about or 'two cores, not described further'}."
        for about, names in found.items()
    ]
    return STEADINESS + "\n\n" + "\n".join(lines)


# Tables in other pages


def levels(results: Results) -> str:
    """What each level of bots loses."""
    lines = ["| Game, players | unit | expert | casual | beginner |", "| --- | --- | --- | --- | --- |"]
    rows = [row for row in results.of("calibrate") if not row.id.endswith(".share")]
    for title, group in groupby(rows, lambda row: row.group):
        game, _, unit = title.rpartition(", ")
        cells = {row.id.rpartition(".")[2]: row for row in group}
        shown = [
            f"{figure(cells[level]).rpartition(' of a')[0] or figure(cells[level]).partition(' points')[0]} "
            f"({results.rows[f'{cells[level].id}.share'].value:.1f}%)"
            for level in ("expert", "casual", "beginner")
        ]
        lines.append(f"| {' | '.join((game, unit, *shown))} |")
    return "\n".join(lines)


def matches(results: Results) -> str:
    """How often the best bot wins."""
    lines = ["| Game | match | wins | standard error |", "| --- | --- | --- | --- |"]
    for row in results.of("matches"):
        error = f"{number(row.error, 2)}%" if row.error else "every pair of games was even"
        lines.append(f"| {row.group} | {row.what} | {number(row.value, row.digits)}% | {error} |")
    return "\n".join(lines)


def thresholds(results: Results) -> str:
    """How far a threshold gets in BJ's dice."""
    both = [row for row in results.of("studies") if row.what.startswith("passes at") and "seat" not in row.what]
    lines = ["| Passes at | wins against the best play |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| {row.what.rpartition(' ')[2]} | {figure(row)} |" for row in both)])


def reviews() -> Iterator[tuple[str, dict[str, Any]]]:
    """What was measured of the words for accuracies, by kind of game: `hotdice.review.fit_levels` has written it."""
    for game in sorted(all_games(), key=lambda game: game.title):
        path = game.folder / FILE
        for players, found in json.loads(path.read_text("utf-8")).items() if path.exists() else ():
            seats = "alone" if players == "1" else f"{players} players"
            options = found["measured"]["options"]
            yield f"{game.title}, {seats}{f' ({options})' if options else ''}", found


def accuracies(_: Results) -> str:
    """How accurately levels play, and how well that tells them apart."""
    lines = [f"| Game | accuracy of {', '.join(WORDS)} | read rightly | thresholds | games apart |", "| --- " * 5 + "|"]
    for title, found in reviews():
        seen = found["measured"]
        means = ", ".join(
            f"{mean:.1f} ± {off:.1f}" for mean, off in zip(seen["means"], seen["deviations"], strict=True)
        )
        right = ", ".join(f"{shares[at]:.0%}" for at, shares in enumerate(seen["words"]))
        thresholds, apart = (
            ", ".join(f"{each:g}" for each in some) for some in (found["accuracies"], seen["games_apart"])
        )
        lines.append(f"| {title} | {means} | {right} | {thresholds} | {apart} |")
    return "\n".join(lines)


def words(_: Results) -> str:
    """How many games of a level got which word."""
    lines = [f"| Game | {' | '.join(f'{name}’s games' for name in WORDS)} |", "| --- " * 5 + "|"]
    for title, found in reviews():
        cells = [", ".join(f"{share:.0%} {name}" for share, name in zip(shares, WORDS, strict=True) if share)
                 for shares in found["measured"]["words"]]  # fmt: skip
        lines.append(f"| {' | '.join((title, *cells))} |")
    return "\n".join(lines)


TABLES = {"levels": levels, "matches": matches, "thresholds": thresholds, "accuracies": accuracies, "words": words}
MADE = re.compile(
    r"(<!-- Table of (?P<name>\w+), written by `python -m benchmarks render`\. -->\n\n)"
    r".*?(\n\n<!-- End of the table\. -->)",
    re.DOTALL,
)


# Charts


def panels(rows: list[Row]) -> list[Row]:
    """The rows that a chart shows: groups in which something has a peer."""
    peers = {one.peer for row in rows for one in row.versus}
    compared = {(row.group, row.unit) for row in rows if row.id in peers}
    return [row for row in rows if (row.group, row.unit) in compared and (row.versus or row.id in peers)]


def chart(rows: list[Row]) -> str:
    """Bars side by side, one panel a group with a scale of its own; empty if nothing has a peer."""
    shown = panels(rows)
    if not shown:
        return ""
    parts, top = [], MARGIN
    for (group, unit), each in groupby(shown, lambda row: (row.group, row.unit)):
        bars = list(each)
        most = max(row.spread[1] if row.spread else row.value for row in bars) or 1.0
        top += 18
        better = next((f", {row.better} is better" for row in bars if row.better), "")
        parts.append(f'<text class="group" x="{MARGIN}" y="{top}">{escape(group)}</text>')
        top += 17
        parts.append(f'<text class="pale" x="{MARGIN}" y="{top}">{escape(unit + better)}</text>')
        top += 8
        for row in bars:
            parts += bar(row, top, (WIDTH - 2 * MARGIN) / most)
            top += STEP
        top += 14
    height = top - 4
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">', f"<style>{STYLE}</style>", PATTERN]
    lines += [f'<rect class="paper" width="{WIDTH}" height="{height}" rx="8"/>', *parts, "</svg>", ""]
    return "\n".join(lines)


def bar(row: Row, top: int, scale: float) -> Iterator[str]:
    """A bar below its label; a line shows the lowest and the highest turn."""
    long, middle = row.value * scale, top + 18 + BAR / 2
    kind = "ours" if row.ours else "peer"
    yield f'<text x="{MARGIN}" y="{top + 13}">{escape(row.what)}</text>'
    yield f'<text x="{WIDTH - MARGIN}" y="{top + 13}" text-anchor="end">{escape(number(row.value, row.digits))}</text>'
    yield f'<rect class="{kind}" x="{MARGIN}" y="{top + 18}" width="{long:.1f}" height="{BAR}"/>'
    if row.spread:
        low, high = (round(MARGIN + each * scale, 1) for each in row.spread)
        ends = f"M{low} {middle - 4:g}v8M{high} {middle - 4:g}v8"
        yield f'<path class="spread" d="M{low} {middle:g}H{high}{ends}"/>'
