"""The table cache: kept, recognised, checked, and never trusted when damaged or foreign."""

from __future__ import annotations

import errno
import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hotdice.solve import store
from hotdice.solve.store import Arrays, load_or_solve
from hotdice.values import Progress

KEY = "pig(target=15) two players"
MINE, OTHER = "0123456789abcdef", "fedcba9876543210"


class Solver:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, progress: Progress) -> Arrays:
        self.asked += 1
        progress(1.0)
        return {"values": np.arange(12.0).reshape(3, 4), "error": np.array([1e-12])}


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(store, "folder", lambda: tmp_path / "tables")
    return tmp_path / "tables"


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_a_table_is_solved_once_and_loaded_after(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solver = Solver()
    first = load_or_solve(KEY, MINE, solver)
    second = load_or_solve(KEY, MINE, solver)
    assert solver.asked == 1
    assert (second.checksum, second.cpu_seconds) == (first.checksum, first.cpu_seconds)
    assert all(np.array_equal(second.arrays[name], array) for name, array in first.arrays.items())
    assert capsys.readouterr().err == ""
    assert only(tables).name.startswith("pig-target=15")


def test_another_game_or_other_sources_make_another_table(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two installations with different sources have their tables side by side."""
    solver = Solver()
    for key, version in ((KEY, MINE), (KEY + " more", MINE), (KEY, OTHER)) * 2:
        load_or_solve(key, version, solver)
    assert solver.asked == 3
    assert len(list(tables.iterdir())) == 3
    assert capsys.readouterr().err == ""


def age(path: Path) -> None:
    """As if it was last used longer ago than tables of other sources are left alone."""
    os.utime(path, (time.time() - store.STALE - 60,) * 2)


def test_tables_left_behind_by_other_sources_are_removed(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solver = Solver()
    load_or_solve(KEY + " more", OTHER, solver)
    load_or_solve(KEY, OTHER, solver)
    store.keep_part(KEY, OTHER, {"values": np.arange(3)})
    for path in tables.iterdir():
        age(path)
    named = next(path for path in tables.iterdir() if OTHER in path.name and "more" not in path.name)
    old = tables / named.name.replace(f"-{OTHER}", "")  # as files were named once
    old.write_bytes(b"anything")
    age(old)
    load_or_solve(KEY, MINE, solver)
    assert sorted(MINE in path.name for path in tables.iterdir()) == [False, True]
    assert store.has(KEY + " more", OTHER)
    assert capsys.readouterr().err.count("was made by other sources and is removed") == 3


def test_a_table_in_use_is_left_to_those_who_use_it(tables: Path) -> None:
    solver = Solver()
    load_or_solve(KEY, OTHER, solver)
    age(only(tables))
    load_or_solve(KEY, OTHER, solver)
    load_or_solve(KEY, MINE, solver)
    assert store.has(KEY, OTHER)
    assert solver.asked == 2


def test_what_is_not_there_is_not_loaded(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store.load(KEY, MINE) is None
    assert not store.has(KEY, MINE)
    kept = store.keep(KEY, MINE, {"values": np.arange(3)}, 1.5)
    found = store.load(KEY, MINE)
    assert found is not None
    assert (found.checksum, found.cpu_seconds, found.arrays["values"].tolist()) == (kept.checksum, 1.5, [0, 1, 2])
    assert store.has(KEY, MINE)
    assert store.load(KEY, OTHER) is None
    assert not store.has(KEY, OTHER)
    only(tables).rename(only(tables).with_name(only(tables).name.replace(MINE, OTHER)))
    assert store.load(KEY, OTHER) is None
    assert "it was made by other sources" in capsys.readouterr().err


def test_what_is_solved_so_far_is_no_table(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert store.load_part(KEY, MINE) is None
    assert store.keep_part(KEY, MINE, {"values": np.arange(3)})
    assert store.load(KEY, MINE) is None
    found = store.load_part(KEY, MINE)
    assert found is not None
    assert found.arrays["values"].tolist() == [0, 1, 2]
    flip(only(tables), -1)
    assert store.load_part(KEY, MINE) is None
    store.discard_part(KEY, MINE)
    store.discard_part(KEY, MINE)
    assert not any(tables.iterdir())
    assert capsys.readouterr().err == ""


def test_where_nothing_can_be_kept_a_solve_goes_on_without(tables: Path) -> None:
    tables.write_text("in the way")
    assert not store.keep_part(KEY, MINE, {"values": np.arange(3)})
    assert store.load_part(KEY, MINE) is None
    store.discard_part(KEY, MINE)


def test_a_file_with_the_checksum_alone_is_read_and_checked(tables: Path) -> None:
    """Files were once written without the quick sum."""
    solver = Solver()
    load_or_solve(KEY, MINE, solver)
    path = only(tables)
    head, _, rest = path.read_bytes().partition(b"\n")
    older = {name: value for name, value in json.loads(head).items() if name != "crc32"}
    path.write_bytes(json.dumps(older).encode() + b"\n" + rest)
    load_or_solve(KEY, MINE, solver)
    assert solver.asked == 1
    flip(path, -3)
    load_or_solve(KEY, MINE, solver)
    assert solver.asked == 2


def flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


DAMAGE = {
    "a flipped bit": lambda path: flip(path, -3),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-5]),
    "something after the end": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "empty": lambda path: path.write_bytes(b""),
    "another file": lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n" * 50),
    "only a head": lambda path: path.write_bytes(path.read_bytes().partition(b"\n")[0]),
    "another head": lambda path: path.write_bytes(b'{"format": "hotdice table 1"}\n'),
    "another format": lambda path: path.write_bytes(b'{"format": "x", "key": "y"}\n'),
    "a list": lambda path: path.write_bytes(b"[1, 2]\n"),
    "another kind of numbers": lambda path: path.write_bytes(path.read_bytes().replace(b"<f8", b"<i8", 1)),
    "a foreign table": lambda path: path.write_bytes(path.read_bytes().replace(b"target=15", b"target=16", 1)),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_or_foreign_file_is_solved_again_with_one_line_of_notice(
    damage: Any, tables: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solver = Solver()
    sound = load_or_solve(KEY, MINE, solver)
    damage(only(tables))
    again = load_or_solve(KEY, MINE, solver)
    assert solver.asked == 2
    assert again.checksum == sound.checksum
    notice = capsys.readouterr().err
    assert notice.count("\n") == 1
    assert "cannot be used" in notice
    load_or_solve(KEY, MINE, solver)
    assert solver.asked == 2


def test_a_full_disk_means_solving_in_memory(
    tables: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    solver = Solver()
    assert load_or_solve(KEY, MINE, solver).arrays["values"][2, 3] == 11.0
    assert "No space left on device); it stays in memory" in capsys.readouterr().err
    assert list(tables.iterdir()) == []


def test_a_folder_that_cannot_be_made_means_solving_in_memory(tables: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tables.write_text("in the way")
    assert load_or_solve(KEY, MINE, Solver()).arrays["error"][0] == 1e-12
    assert capsys.readouterr().err.count("stays in memory") == 1


def test_two_who_solve_at_once_do_not_harm_each_other(tables: Path) -> None:
    """The second finishes while the first is still solving; both get whole tables, and the file is one of them."""
    inner = Solver()

    def slow(progress: Progress) -> Arrays:
        load_or_solve(KEY, MINE, inner)
        return Solver()(progress)

    first = load_or_solve(KEY, MINE, slow)
    second = load_or_solve(KEY, MINE, inner)
    assert inner.asked == 1
    assert first.checksum == second.checksum
    assert [path.suffix for path in tables.iterdir()] == [".table"]
