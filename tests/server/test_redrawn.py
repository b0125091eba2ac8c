"""Tables restored from a backup: unfinished games go on with new dice, as players saw more of the old ones."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

import pytest

from hotdice.cli import main
from hotdice.fair import commitment
from hotdice.record import Comment, read_record
from hotdice.server import entries
from hotdice.server.entries import PERSON, SeatPlan
from hotdice.server.match import commands, company
from hotdice.server.match.fold import MANUAL, Status
from hotdice.server.refusals import Illegal
from tests.server.running import Running, bot, local, person
from tests.server.test_backup import renewed
from tests.server.test_match import ANN_AND_AN_OPEN_SEAT, deal, join, play, start, table
from tests.server.test_match import begun as begun_match

REMARK = "continued with new dice, as the server's tables were restored from a backup"


def test_only_games_that_began_before_get_new_dice() -> None:
    match = begun_match(*ANN_AND_AN_OPEN_SEAT)
    assert match.keep(company.redraw(match, match.begun)) == []
    with_real_dice = begun_match(SeatPlan(PERSON, "Ann"), SeatPlan(PERSON, "Ben"), dice=MANUAL)
    assert company.redraw(with_real_dice, match.begun + 1) == []
    over = begun_match(*ANN_AND_AN_OPEN_SEAT)
    play(over, random.Random(1))
    assert company.redraw(over, over.now) == []


def test_the_game_goes_on_where_it_stood_and_the_record_says_so() -> None:
    match = begun_match(*ANN_AND_AN_OPEN_SEAT, game="pig(target=500)")
    assert match.table
    for _ in range(6):
        assert match.actor is not None
        state = match.table.state
        moves = state.legal_moves()
        match.keep(commands.move(match, match.actor, moves[0].text) if moves else commands.roll(match, match.actor))
    before, promise = match.table.state, match.promise
    match.keep(company.redraw(match, match.now))
    assert (match.status, match.round, match.position) == (Status.WAITING, 2, before)
    match.keep(start(match, here=(0, 1)))
    match.keep(deal(match))
    assert match.table.state == before
    assert match.promise != promise
    play(match, random.Random(2))
    first, second = match.record(1), match.record(2)
    assert first.result == "unfinished"
    assert first.check_dice()
    assert second.entries[0] == Comment(REMARK)
    assert second.check_dice()
    again = match.again_from_log()
    assert (again.record(1), again.record(2)) == (first, second)


def test_dice_that_were_being_drawn_are_given_up() -> None:
    """Players may have seen all of that game, and its secret."""
    match = table(*ANN_AND_AN_OPEN_SEAT)
    join(match, "Bob")
    match.keep(start(match, here=(0, 1)))
    since = match.dealing().since
    assert company.redraw(match, since) == []
    match.keep(company.redraw(match, since + 1))
    assert (match.status, match.deal) == (Status.CLOSED, None)
    with pytest.raises(Illegal):
        start(match)


def test_a_server_gives_up_dice_that_were_being_drawn_when_it_was_backed_up(tmp_path: Path) -> None:
    database, file = str(tmp_path / "tables.sqlite"), str(tmp_path / "backup")
    with Running(database, "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), bot()], options={"target": 10_000})
    promised = entries.encode(entries.Promised(commitment(bytes(32)), bytes(32).hex()))
    connection = sqlite3.connect(database)
    with connection:
        ((last, at),) = connection.execute("select max(number), max(at) from events").fetchall()
        connection.execute("insert into events values (?, ?, ?, ?)", (name, last + 1, at, promised))
    connection.close()
    assert main(["backup", file, "--database", database]) == 0
    (tmp_path / "tables.sqlite").unlink()
    assert main(["restore", file, "--database", database]) == 0
    with Running(database, "--unlimited") as server, server.client(name, *tokens) as client:
        while client.state["status"] == "waiting":
            client.receive()
        assert client.state["status"] == "closed"
        ended = client.events[-1]
        assert "restored from a backup while its dice were drawn" in ended["entry"]["why"]


def test_a_restored_server_rolls_other_dice(tmp_path: Path) -> None:
    database, file = str(tmp_path / "tables.sqlite"), str(tmp_path / "backup")
    with Running(database, "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), local("Ben")], options={"target": 10_000}, start=True)
        assert main(["backup", file, "--database", database]) == 0
        with server.client(name, *tokens) as client:
            for _ in range(30):
                client.play()
        seen = [line for line in server.get(f"/tables/{name}/record").text.splitlines() if " rolls " in line]
    (tmp_path / "tables.sqlite").unlink()
    assert main(["restore", file, "--database", database]) == 0
    with Running(database, "--unlimited") as server, server.client(name, *tokens) as client:
        renewed(client)
        assert [share["seat"] for share in client.state["shares"]] == [0, 1]
        for _ in range(30):
            client.play()
        text = server.get(f"/tables/{name}/record").text
    assert [line for line in text.splitlines() if " rolls " in line] != seen
    assert f"# {REMARK}" in text
    read_record(text)
