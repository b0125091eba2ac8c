"""The report of the benchmarks: its pages are made of its rows, and what README and docs claim is in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import studies
from benchmarks.render import PAGES, chart, pages, ratio_to
from benchmarks.report import Results, Row, Run, Versus, aimed, figure, number, pace_of, read, versus, write
from hotdice.simulation import charts

RESULTS = read()


@pytest.mark.parametrize("page", pages(RESULTS), ids=lambda page: page.name)
def test_pages_are_what_the_results_say(page: Path) -> None:
    assert page.read_text("utf-8") == pages(RESULTS)[page], "run: python -m benchmarks render"


def test_every_row_has_a_run_and_its_peers() -> None:
    for row in RESULTS.rows.values():
        assert row.run in RESULTS.runs, row.id
        for one in row.versus:
            assert one.peer in RESULTS.rows, f"{row.id} is compared with {one.peer}, which has no row"
    assert {row.run for row in RESULTS.rows.values()} == set(RESULTS.runs)


def row(name: str, value: float, **more: object) -> Row:
    return Row(name, "Pig", name, value, "games/s", "higher", **more)  # type: ignore[arg-type]


def test_results_come_back_from_the_file(tmp_path: Path) -> None:
    mine = row("a.mine", 3.5, spread=(3.0, 4.0), repeats=3, versus=(Versus("a.peer", 1.75, (1.5, 2.0), 2.0),), aim=4)
    run = Run("python -m benchmarks a", "2026-11-19 12:00", libraries={"numpy": "2.4"}, load=(1.0, 2.0))
    run = Run(run.command, run.date, libraries=run.libraries, load=run.load, pace=pace_of([(0.01, 0.02), (0.02, 0.02)]))
    kept = Results({}, {}).with_run("now", run, [mine, row("a.peer", 2.0, ours=False)])
    write(kept, tmp_path / "results.json")
    assert read(tmp_path / "results.json") == kept


def test_a_run_replaces_its_own_rows_only() -> None:
    first = Results({}, {}).with_run("1", Run("x", "1"), [row("a.one", 1.0), row("a.two", 2.0), row("b.one", 3.0)])
    second = first.with_run("2", Run("y", "2"), [row("a.two", 4.0)])
    assert {name: (one.value, one.run) for name, one in second.rows.items()} == {
        "a.one": (1.0, "1"), "a.two": (4.0, "2"), "b.one": (3.0, "1"),
    }  # fmt: skip
    assert set(second.with_run("3", Run("z", "3"), [row("a.one", 1.0), row("b.one", 1.0)]).runs) == {"2", "3"}


def test_ratios_are_those_of_turns() -> None:
    assert versus("a.peer", [2.0, 9.0, 4.0], [1.0, 3.0, 4.0], 2.5) == Versus("a.peer", 2.0, (1.0, 3.0), 2.5)


def test_figures_keep_the_digits_that_mean_something() -> None:
    assert [number(one) for one in (0.0, 0.00123456, 0.5, 12.345, 999.6, 1234.5, 2_815_877.3)] == [
        "0", "0.00123", "0.5", "12.3", "1,000", "1,234", "2,815,877",
    ]  # fmt: skip
    assert number(0.5302269170, 9) == "0.530226917"
    assert figure(Row("a.b", "Pig", "", 57.88, "%", digits=4, error=0.12)) == "57.88 ± 0.12%"


def test_aims_say_whether_they_are_reached() -> None:
    fast, slow = row("a.b", 10.0), Row("a.c", "Pig", "", 10.0, "s", "lower")
    assert aimed(fast, 10, 8) == " (aim: at least 8, reached)"
    assert aimed(slow, 10, 8) == " (aim: at most 8, not reached)"


def test_a_chart_has_a_bar_for_every_row_that_has_a_peer() -> None:
    mine = row("a.mine", 2.0, versus=(Versus("a.peer", 2.0),))
    drawn = chart([mine, row("a.peer", 1.0, ours=False), row("a.other", 5.0)])
    assert drawn.count('class="ours"') == drawn.count('class="peer"') == 1
    assert chart([row("a.other", 5.0)]) == ""
    assert ratio_to(mine, "a.peer").ratio == 2.0


@pytest.mark.parametrize("name", studies.DRAWN)
def test_pictures_of_studies_show_what_was_kept(name: str, tmp_path: Path) -> None:
    """The same words and shapes; places may differ by less than can be seen, as processors round differently."""
    pytest.importorskip("matplotlib")
    charts.write(studies.run(name), tmp_path / "drawn.svg")
    words, places = parts(studies.PICTURES / f"{name}.svg")
    drawn_words, drawn_places = parts(tmp_path / "drawn.svg")
    assert words == drawn_words, "run: python -m benchmarks render"
    assert places == pytest.approx(drawn_places, abs=0.01), "run: python -m benchmarks render"


def parts(picture: Path) -> tuple[list[str], list[float]]:
    """A picture without the names that its shapes have: all that is no number, and the numbers."""
    text = re.sub(r"\b[a-z][0-9a-f]{10}\b", "shape", picture.read_text("utf-8"))
    return re.split(r"-?\d+\.\d+", text), [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


@pytest.mark.parametrize("name", studies.DRAWN)
def test_what_was_kept_is_what_the_report_says(name: str) -> None:
    tally = studies.run(name).tally
    said = {key: one.value for key, one in RESULTS.rows.items() if key.startswith(f"studies.{name}")}
    if len(tally.wins) == 1:
        assert tally.scores[0].interval().mean == pytest.approx(said[f"studies.{name}"], abs=0.001)
        assert tally.score_counts[0].quantiles((0.25, 0.75)) == (said[f"studies.{name}.25"], said[f"studies.{name}.75"])
    else:
        bot = studies.DRAWN[name][0]
        for seat, wins in enumerate(tally.wins, 1):
            assert 100 * wins.share().mean == pytest.approx(said[f"studies.{name}-{bot}-{seat}"], abs=0.01)


def test_both_pages_are_there() -> None:
    assert all(page.exists() for page in PAGES)
