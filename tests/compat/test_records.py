"""Records and saves of earlier versions are read as those versions read them, and games go on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hotdice.games import all_games
from hotdice.record import read_record
from hotdice.table import Seat
from tests.compat.data import RECORDS, WITH_RECORDS, expected, record_file
from tests.compat.make import outcome
from tests.terminal.drive import hotdice


def test_something_of_every_kind_is_kept() -> None:
    assert WITH_RECORDS
    for version in WITH_RECORDS:
        records = expected(version, "records").values()
        kept = {record["game"].partition("(")[0] for record in records}
        assert kept <= {game.name for game in all_games()}
        assert {table["game"].partition("(")[0] for table in expected(version, "tables").values()} == kept
        dice = {record["dice"].split()[0].partition("-")[0].rstrip("2") for record in records}
        assert dice == {"seeded", "fair", "manual", "recorded"}
        assert any("hidden" in record["dice"] for record in records)
        assert any(record["result"] == "unfinished" for record in records)


@pytest.mark.parametrize(("version", "name"), RECORDS)
def test_a_record_gives_the_same_game(version: str, name: str) -> None:
    text = record_file(version, name).read_bytes()
    record = read_record(text)
    assert record.text.encode() == text
    assert json.loads(json.dumps(outcome(record))) == expected(version, "records")[name]


@pytest.mark.parametrize(("version", "name"), RECORDS)
def test_a_record_is_replayed_and_verified(version: str, name: str) -> None:
    wanted = expected(version, "records")[name]
    path = record_file(version, name)
    assert hotdice("replay", path).code == 0
    verified = hotdice("verify", path)
    assert verified.code == 0, verified
    assert verified.err == ""
    assert wanted["result"] == "unfinished" or str(wanted["scores"][0]) in verified.out


SAVES = [(version, name) for version, name in RECORDS if name.startswith("save-")]


@pytest.mark.parametrize(("version", "name"), SAVES)
def test_a_saved_game_goes_on_in_the_terminal(
    version: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "game.hotdice"
    shutil.copy(record_file(version, name), path)
    before = read_record(path.read_bytes())
    table = before.table([Seat(sitter.name) for sitter in before.seats])
    state = table.state
    if state.result is None and state.legal_moves():
        typed = [state.legal_moves()[0].text, "quit"]
    else:  # over, or real dice are to be rolled
        typed = [state.game.roll_text(state.outcomes().rolls[0]), "quit"] if state.result is None else []
    assert hotdice("play", "--resume", path, typed=typed).code == 0
    after = read_record(path.read_bytes())
    assert after.seats == before.seats
    assert after.events[: len(before.events)] == before.events
    assert (len(after.events) > len(before.events)) == bool(typed)
