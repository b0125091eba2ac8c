"""What README and docs claim: every figure that was measured is marked, and is what the report of the benchmarks says.

A mark stands behind the figure and is not shown: `5,500<!-- bench: server.50.sqlite -->` for the value of a row,
`<!-- bench: server.50.sqlite of server.50.memory -->` for its ratio to a peer, `<!-- bench: matches.bj error -->` for
its standard error. Where words stand for a number the mark has it: `a third<!-- bench: a.b of a.c = 0.3 -->`. Figures
are compared within the digits that they are given to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isclose
from pathlib import Path

import pytest

from benchmarks.render import ratio_to
from benchmarks.report import Results, Row, Versus, read

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
MADE = {DOCS / "benchmarks.md", *(DOCS / "strategy").glob("*.md")}
"""Written by programs from figures that they keep: of the report, and of the strategy book."""
PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in (ROOT / "README.md", *sorted(DOCS.rglob("*.md")))
    if path not in MADE
}
RESULTS = read()

MARK = re.compile(
    r"<!-- bench: (?P<row>[\w.-]+)(?: of (?P<peer>[\w.-]+)| (?P<error>error))?(?: = (?P<said>[\d.,-]+))? -->"
)
NUMBER = re.compile(
    r"(?P<number>[+−-]?\d[\d,]*(?:\.\d+)?)(?: ?(?P<unit>%|µs|ms|s|seconds|minutes|million|[KMG]i?B)(?![\w]))?"
)
SCALES = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "seconds": 1.0, "minutes": 60.0}
CODE = re.compile(r"^```.*?^```$|^    .*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
GENERATED = re.compile(r"<!-- What follows is written by `.*|<!-- Table of .*?<!-- End of the table", re.DOTALL)
"""What is compared with what writes it."""

MEASURED = re.compile(
    r"""[\d.,]*\d\ ?(?:ms|µs|ns)\b                    # times of programs
      | \d+\.\d+\ ?(?:s|seconds|minutes)\b
      | \d+\ s\b
      | (?:\d|\bmillion|\bthousand|\bhundred)\b[^.|]{0,40}\b(?:a|per|for\ a|for\ each|each)\ (?:CPU\ )?second\b
      | \d/s\b
      | [\d.,]*\d\ ?(?:[KMG]i?B|kB)\b                  # sizes
      | ±\ ?[\d.]+
      | (?<![\d.])(?!95%|100%)[\d.,]*\d%               # not confidence, nor all
      | [\d.,]*\d\ times\ (?:as|faster|slower|that|one)\b
    """,
    re.VERBOSE,
)
"""What looks as if it was measured."""

FINE = (
    # page, a heading or a part of the line, why figures there are no measurements of this report
    ("docs/start.md", "| ", "weights of extras, which tests/test_docs.py compares with what is installed"),
    ("docs/start.md", "not Hotdice's own", "as above"),
    ("docs/architecture.md", "**Noise is fitted to a share.**", "what is aimed at"),
    ("docs/architecture.md", "**Dice are CSS, not WebGL.**", "a dated decision; what lost is not in the repository"),
    ("docs/bots.md", "A level is meant to lose", "what is aimed at"),
    ("docs/environments.md", "50% would be perfect", "half of all games"),
    ("docs/operations.md", "has 100 MB free", "a setting"),
    ("docs/practice.md", "between 3% and 97%", "a setting"),
    ("docs/review.md", "(30, 10 and 2% of what random moves lose)", "what is aimed at"),
    ("docs/review.md", "has estimated values until the last boxes", "the error that values come with"),
    ("docs/review.md", "## What is exact", "the errors that values come with"),
    ("docs/operations.md", "| For each address | |", "settings"),
    ("docs/operations.md", "| For each connection | |", "settings"),
    ("docs/server.md", "A welcome has up to 200 kB", "a setting"),
    ("docs/server.md", "| 1009 |", "a setting"),
    ("docs/tutorial.md", "The second player has 15 against 17", "worked out by hand there"),
    ("docs/solving.md", "**More players or more positions: playouts.**", "a setting"),
    ("docs/solving.md", "**KOR for three** is not solved.", "reckoned from the size of its tables"),
)


def prose(text: str) -> str:
    """A page without its code and what is generated, with as many characters in every line as before."""
    for left_out in (GENERATED, CODE):
        text = left_out.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    return text


def digit(number: str) -> float:
    """What the last digit that means something is worth: 100 in 5,500, and 0.01 in 0.50."""
    plain = number.replace(",", "").lstrip("+−-")
    whole, _, rest = plain.partition(".")
    return 10.0 ** -len(rest) if rest else 10.0 ** (len(whole) - len(whole.rstrip("0"))) if int(plain) else 1.0


def problem(before: str, mark: re.Match[str]) -> str:
    """What is wrong with a mark and the text before it; nothing if all is right."""
    row = RESULTS.rows.get(mark["row"])
    if row is None:
        return f"there is no row {mark['row']}"
    try:
        true = ratio_to(row, mark["peer"]).ratio if mark["peer"] else row.error if mark["error"] else row.value
    except KeyError as error:
        return str(error)
    if true is None:
        return f"{row.id} has no error"
    found = NUMBER.fullmatch(mark["said"]) if mark["said"] else last_number(before)
    if found is None:
        return "there is no figure before the mark"
    claimed, step = float(found["number"].replace(",", "").replace("−", "-")), digit(found["number"])
    factor = 1e6 if found["unit"] == "million" else 1.0
    if mark["peer"] and found["unit"] == "%":
        factor = 0.01
    elif found["unit"] in SCALES:
        unit = next((SCALES[word] for word in row.unit.split() if word in SCALES), None)
        if unit is None:
            return f"{row.id} is no time"
        factor = SCALES[found["unit"]] / unit
    if abs(claimed * factor - true) <= 0.5000001 * step * factor or isclose(claimed * factor, true, rel_tol=1e-6):
        return ""
    return f"{found[0]} is claimed; {mark['row']} says {true / factor:.6g}"


def last_number(text: str) -> re.Match[str] | None:
    """The figure right before a mark."""
    found = list(NUMBER.finditer(re.sub(r"<!--.*?-->", "", text[-80:].rpartition("\n")[2])))
    return found[-1] if found else None


@pytest.mark.parametrize("name", PAGES)
def test_marked_figures_are_those_of_the_report(name: str) -> None:
    text = PAGES[name].read_text("utf-8")
    wrong = [f"line {text.count(chr(10), 0, mark.start()) + 1}: {said}" for mark in MARK.finditer(text)
             if (said := problem(text[: mark.start()], mark))]  # fmt: skip
    assert not wrong, "\n".join(wrong)
    assert len(MARK.findall(text)) == text.count("<!-- bench:"), "a mark is misspelt"


def unmarked(text: str) -> Iterator[tuple[int, str, str, str]]:
    """The lines in which something looks measured and is not marked, with their headings and paragraphs."""
    heading = paragraph = ""
    for at, line in enumerate(prose(text).splitlines(), 1):
        heading = line if line.startswith("#") else heading
        paragraph = f"{paragraph}\n{line}" if line.strip() else ""
        for found in MEASURED.finditer(line):
            if not re.match(r"[^<|]{0,60}<!-- bench: ", line[found.start() :]):
                yield at, found[0], heading, paragraph


@pytest.mark.parametrize("name", PAGES)
def test_what_looks_measured_is_marked(name: str) -> None:
    fine = [part for page, part, _ in FINE if page == name]
    missing = [
        f"line {at}: {found}"
        for at, found, heading, paragraph in unmarked(PAGES[name].read_text("utf-8"))
        if not any(part == heading or part in paragraph for part in fine)
    ]
    assert not missing, f"{name}: mark these, or say in FINE why they are no measurements\n" + "\n".join(missing)


def test_nothing_is_excused_that_is_not_there() -> None:
    for page, part, _ in FINE:
        assert part in PAGES[page].read_text("utf-8"), f"{page} has no {part!r} any more"


def checked(text: str) -> str:
    """What is wrong with a text that ends with a mark."""
    mark = MARK.search(text)
    assert mark
    return problem(text[: mark.start()], mark)


@pytest.fixture
def one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "a.b": Row("a.b", "", "", 5475.0, "ms of CPU", error=0.26, versus=(Versus("a.c", 0.78),)),
        "a.c": Row("a.c", "", "", 1.25e6, "games"),
    }
    monkeypatch.setitem(globals(), "RESULTS", Results(rows, {}))


@pytest.mark.usefixtures("one_row")
@pytest.mark.parametrize(
    "text",
    [
        "so 5,475<!-- bench: a.b -->",
        "about 5,500<!-- bench: a.b -->",
        "5 s<!-- bench: a.b -->",
        "5.48 s<!-- bench: a.b -->",
        "some 0.78<!-- bench: a.b of a.c -->",
        "78% of it<!-- bench: a.b of a.c -->",
        "± 0.3<!-- bench: a.b error -->",
        "3 and 1.2 million<!-- bench: a.c -->",
        "a million<!-- bench: a.c = 1000000 -->",
    ],
)
def test_a_mark_takes_what_is_right_within_its_digits(text: str) -> None:
    assert checked(text) == ""


@pytest.mark.usefixtures("one_row")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("so 5,400<!-- bench: a.b -->", "5,400 is claimed; a.b says 5475"),
        ("so 5,474<!-- bench: a.b -->", "5,474 is claimed"),
        ("6 s<!-- bench: a.b -->", "6 s is claimed; a.b says 5.475"),
        ("77%<!-- bench: a.b of a.c -->", "77% is claimed"),
        ("5<!-- bench: a.b of a.d -->", "not compared with a.d"),
        ("5<!-- bench: a.c error -->", "a.c has no error"),
        ("5<!-- bench: a.d -->", "there is no row a.d"),
        ("none<!-- bench: a.b -->", "no figure before the mark"),
    ],
)
def test_a_mark_says_what_is_wrong(text: str, said: str) -> None:
    assert said in checked(text)


@pytest.mark.parametrize(
    "text",
    [
        "it takes 4 ms.",
        "0.6 s",
        "two million games a second",
        "a table of 10 MB",
        "wins 57.9%",
        "3 times as fast",
        "5 ± 1",
    ],
)
def test_what_looks_measured_is_found(text: str) -> None:
    assert list(unmarked(text))
    assert not list(unmarked(f"`{text}`"))
    assert not list(unmarked(f"{text}<!-- bench: a.b -->"))


@pytest.mark.parametrize("text", ["a 95% interval", "after 20 seconds", "two dice and 4 players", "at 3-3"])
def test_what_is_no_measurement_is_left(text: str) -> None:
    assert not list(unmarked(text))
