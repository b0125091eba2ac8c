"""`hotdice tables` and `hotdice doctor`: what is in the cache, what is here, and how to get the rest."""

from __future__ import annotations

import json
from importlib.metadata import requires
from pathlib import Path

import pytest

from hotdice.cli import main
from hotdice.commands import doctor, extras

np = pytest.importorskip("numpy")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from hotdice.solve import store

    folder = tmp_path / "tables"
    monkeypatch.setenv(store.ELSEWHERE, str(folder))
    store.keep("pig(target=9) two players", "0123456789abcdef", {"wins": np.arange(9.0)})
    store.keep_part("rollers round", "0123456789abcdef", {"wins": np.arange(3.0)})
    return folder


def said(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["tables", *args])
    return code, *capsys.readouterr()


def test_tables_are_listed(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys)
    assert code == 0
    assert "pig(target=9) two players, of other sources, used" in out
    assert "rollers round, not finished, of other sources, used" in out
    size = sum(path.stat().st_size for path in cache.glob("*.table")) / 1000
    assert f"2 tables, {size:.1f} kB, in {cache}" in out


def test_tables_of_these_sources_are_told_from_others(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "pig", "-o", "target=10"]) == 0
    capsys.readouterr()
    found = {one["key"]: one["current"] for one in json.loads(said(capsys, "--json")[1])}
    assert found == {
        "pig(target=9) two players": False,
        "rollers round so far": False,
        "pig(target=10) two players": True,
    }
    assert said(capsys, "remove", "--old")[1].startswith("Removed 2 tables")
    assert [one["key"] for one in json.loads(said(capsys, "--json")[1])] == ["pig(target=10) two players"]


def test_damage_is_found_and_removed(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "check")[:2] == (0, "2 of 2 tables sound.\n")
    path = next(cache.glob("pig*"))
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    code, out, _ = said(capsys, "check")
    assert code == 1
    assert "pig(target=9) two players: it is damaged." in out
    assert said(capsys, "remove", "pig(target=9) two players")[1].startswith("Removed 1 table,")
    assert said(capsys, "check")[0] == 0


def test_tables_are_moved_and_found_there(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "elsewhere"
    _, out, _ = said(capsys, "move", str(there))
    assert out.splitlines()[-1] == f"export HOTDICE_TABLES={there}"
    assert not list(cache.glob("*.table"))
    monkeypatch.setenv("HOTDICE_TABLES", str(there))
    assert said(capsys, "check")[1] == "2 of 2 tables sound.\n"


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("remove",), "Name tables as"),
        (("remove", "--old", "--all"), "Name tables as"),
        (("remove", "nonsense"), "There is no table “nonsense”"),
        (("move", "/dev/null/there"), "no table is lost"),
    ],
)
def test_bad_input_gets_one_line(
    cache: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], told: str
) -> None:
    code, _, err = said(capsys, *args)
    assert code == 2
    assert told in err
    assert len(err.splitlines()) == 1
    assert len(list(cache.glob("*.table"))) == 2


def test_every_extra_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = {one["what"]: one for one in json.loads(capsys.readouterr().out)}
    extras = {line.rpartition("==")[2].strip(" '\"") for line in requires("hotdice") or () if "extra ==" in line}
    assert {f"[{extra}]" for extra in extras} <= set(found)
    assert set(doctor.BRINGS) == extras


def test_what_is_missing_says_what_to_type(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(extras, "installed", lambda package: package != "numba")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "--  [solve]" in out
    assert "numba missing" in out
    assert "pip install 'hotdice[play]'" in out
