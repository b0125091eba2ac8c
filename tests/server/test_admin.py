"""What whoever runs a server can do about tables and people: by `hotdice admin`, by a list of words, and by forgetting
addresses."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close
from websockets.sync.client import ClientConnection, connect

from hotdice.cli import main
from hotdice.errors import HotdiceError
from hotdice.server import admin as orders
from hotdice.server import moderation as moderation_module
from hotdice.server.admin import AdminSocket, order, socket_path
from hotdice.server.app import Server, Settings
from hotdice.server.refusals import Illegal, Invalid
from hotdice.server.rooms import registry
from hotdice.server.rooms.clock import DAY
from hotdice.server.rooms.registry import KEEP_ADDRESSES
from hotdice.server.words import WordList
from tests.server.inside import Inside, opened, within
from tests.server.playing import two_people
from tests.server.running import OPEN, TIMEOUT, Json, Running, bot, local, person
from tests.services import PostgresServer, RedisServer

ANN, BEN = "192.0.2.1", "192.0.2.2"
Admin = Callable[..., Sequence[str]]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server behind a proxy, so that clients have addresses, with a list of words."""
    folder = tmp_path_factory.mktemp("kept")
    words = folder / "words.txt"
    words.write_text("# not here\nrascal\n*scoundrel*\n", "utf-8")
    arguments = ("--proxy", "127.0.0.1", "--names", str(words), "--unlimited")
    with Running(str(folder / "tables.sqlite"), *arguments) as running:
        yield running


@pytest.fixture
def admin(kept: Running, capsys: pytest.CaptureFixture[str]) -> Admin:
    """Give an order; the lines that are printed."""

    def run(*arguments: str) -> list[str]:
        capsys.readouterr()
        code = main(["admin", *arguments, "--database", kept.database])
        said = capsys.readouterr()
        assert code == (2 if said.err else 0)
        return (said.out or said.err).splitlines()

    return run


def ending(socket: ClientConnection) -> Close:
    """How a connection ends that the server closes."""
    try:
        while True:
            socket.recv(TIMEOUT)
    except ConnectionClosed as closed:
        assert closed.rcvd
        return closed.rcvd


# Over the socket


def test_only_the_same_user_can_open_the_socket(kept: Running) -> None:
    path = socket_path(Path(kept.database).parent, kept.port)
    assert stat.S_ISSOCK(path.stat().st_mode)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_tables_are_listed_private_ones_too(kept: Running, admin: Admin) -> None:
    name, _ = kept.table("pig", [person("Ann"), OPEN])
    (line,) = [line for line in admin("tables") if line.startswith(f"{name[:4]}-{name[4:]}")]
    assert "  pig, waiting, 2 seats, 1 open, private, 127.0.0.1, set up 20" in line
    assert name in [row["name"] for row in json.loads(admin("tables", "--json", "--status", "waiting")[0])]
    assert admin("tables", "--status", "over", "--address", "198.51.100.9") == ["There are no such tables."]
    assert admin("tables", "--status", "lost") == ["--status takes waiting, playing, over or closed, not “lost”."]


def test_a_table_is_closed_before_everybodys_eyes(kept: Running, admin: Admin) -> None:
    name, ann, ben = two_people(kept)
    assert admin("close", f"{name[:4]}-{name[4:]}") == [f"Table {name[:4]}-{name[4:]} is closed."]
    for client in (ann, ben):
        while client.state["status"] != "closed":
            client.receive()
        assert client.events[-1]["told"] == "The game ends: whoever runs this server closed the table."
        client.close()
    (said,) = admin("close", name)
    assert said == "No game is to be given up at this table; delete it if it has to go."
    assert admin("close", "zzzz-zzzz") == ["There is no table zzzz-zzzz; look at the link or the code again."]


def test_a_deleted_table_is_gone_with_its_log_and_its_guests(kept: Running, admin: Admin) -> None:
    name, ann, ben = two_people(kept)
    assert admin("delete", name) == [f"Table {name} and its log are deleted."]
    for client in (ann, ben):
        assert ending(client.socket) == Close(4004, "Whoever runs this server deleted the table.")
    assert kept.get(f"/tables/{name}").status_code == 404
    with sqlite3.connect(kept.database) as connection:
        for query in ('select * from log where "table" = ?', "select * from tables where name = ?"):
            assert connection.execute(query, (name,)).fetchall() == []
    connection.close()
    assert kept.get("/tables", name=name).json() == {"tables": []}


def test_a_seat_is_taken_from_whoever_has_it(kept: Running, admin: Admin) -> None:
    name, ann, ben = two_people(kept)
    assert admin("unseat", name, "2") == [f"Seat 2 of table {name} was taken from its player."]
    while ben.seats:
        ben.receive()
    while not any(event["told"] == "Bob is removed from the table." for event in ann.events):
        ann.receive()
    assert ben.ask("roll")["type"] == "no_seat"
    assert admin("unseat", name, "2") == ["Nobody has seat 2 of this table."]
    assert admin("unseat", name, "two") == ["SEAT takes a whole number from 0 to 99, not “two”."]
    ann.close()
    ben.close()


def test_a_banned_address_is_kept_out_for_a_time(kept: Running, admin: Admin) -> None:
    def status(address: str) -> int:
        return httpx.get(f"{kept.url}/api/games", headers={"X-Forwarded-For": address}).status_code

    assert admin("bans") == ["Nobody is banned."]
    (said,) = admin("ban", BEN, "--for", "2h", "--why", "spam")
    assert said.startswith(f"{BEN} is banned until 20")
    assert (status(ANN), status(BEN)) == (200, 403)
    (line,) = admin("bans")
    assert line.startswith(f"{BEN}  until 20")
    assert line.endswith(" UTC, spam")
    assert json.loads(admin("bans", "--json")[0])[0]["address"] == BEN
    kept.stop()
    kept.start()
    assert status(BEN) == 403
    assert admin("unban", BEN) == [f"{BEN} is no longer banned."]
    assert status(BEN) == 200
    assert admin("unban", BEN) == [f"{BEN} is not banned."]


def test_a_ban_ends_connections_and_lets_none_come(kept: Running, admin: Admin) -> None:
    name, _ = kept.table("pig", [person("Ann"), OPEN])

    def visit(address: str) -> ClientConnection:
        headers = {"X-Forwarded-For": address}
        socket = connect(f"ws://127.0.0.1:{kept.port}/ws/{name}", additional_headers=headers, legacy=True)
        with suppress(ConnectionClosed):  # who is banned is not asked
            socket.send('{"do": "hello", "tokens": [], "last": 0}')
        return socket

    with visit(ANN) as ann, visit(BEN) as ben:
        assert json.loads(ann.recv(TIMEOUT))["type"] == json.loads(ben.recv(TIMEOUT))["type"] == "welcome"
        admin("ban", BEN)
        assert ending(ben).code == 4030
        with visit(BEN) as again:
            answer = json.loads(again.recv(TIMEOUT))
            assert (answer["type"], answer["message"][:45]) == (
                "banned",
                "Your address may not use this server until 20",
            )
            assert ending(again).code == 4030
        ann.send('{"do": "ping"}')
        while json.loads(ann.recv(TIMEOUT))["type"] != "pong":
            pass
        admin("unban", BEN)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ban", "somebody"), "“somebody” is not an address, such as 192.0.2.7 or 2001:db8::7."),
        (("ban", "::1"), "That is this machine itself; behind a proxy, --proxy tells the addresses of clients."),
        (("ban", ANN, "--for", "long"), "--for takes minutes, hours or days, such as 30m, 24h or 7d, not “long”."),
        (("ban", ANN, "--for", "999d"), "A ban takes between a second and a year."),
        (("bans", "--port", "1"), "No server runs at port 1 with its data in "),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(admin: Admin, arguments: Sequence[str], said: str) -> None:
    (line,) = admin(*arguments)
    assert line.startswith(f"{said}")


def test_the_database_may_be_an_address(kept: Running, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admin", "bans", "--json", "--database", f"sqlite:///{kept.database}"]) == 0
    assert capsys.readouterr().out == "[]\n"
    assert main(["admin", "bans", "--database", "mysql://here/there"]) == 2


def test_where_no_server_runs_that_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    socket_path(tmp_path, 8017).touch()
    assert main(["admin", "bans", "--database", str(tmp_path / "tables.sqlite")]) == 2
    assert f"No server runs with its data in {tmp_path}; give --database" in capsys.readouterr().err


def test_nonsense_over_the_socket_is_answered(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        path = socket_path(tmp_path, 1)
        listening = AdminSocket(inside.server.moderation, path)
        await listening.open()
        for said in (b"nonsense\n", b'{"do": "explode"}\n', b"x" * 20_000 + b"\n", b""):
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(said)
            writer.write_eof()
            assert b"does not understand" in await reader.readline()
            writer.close()
        with pytest.raises(HotdiceError, match="There is no table"):
            await asyncio.to_thread(order, path, orders.Close("zzzzzzzz"))
        await listening.close()
        assert not path.exists()

    within(Settings(str(tmp_path / "tables.sqlite")), work)


# Several nodes


@asynccontextmanager
async def two_nodes(postgres: PostgresServer, redis: RedisServer) -> AsyncIterator[tuple[Inside, Inside]]:
    settings = Settings(postgres.create_database(), redis.url)
    async with opened(settings) as one, opened(settings) as other:
        yield one, other


async def until(client: httpx.AsyncClient, address: str, status: int) -> None:
    end = time.monotonic() + 60.0
    while (await client.get(address)).status_code != status:
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


def test_all_nodes_hear_of_it(postgres: PostgresServer, redis: RedisServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation_module, "BAN_SECONDS", 0.05)

    async def test() -> None:
        async with two_nodes(postgres, redis) as (one, other):
            here, there = one.client(ANN), other.client(BEN)
            wish: Json = {"game": "pig", "seats": [person("Ann"), local("Cleo")], "start": True}
            names = [(await here.post("/api/tables", json=wish)).json()["table"]["name"] for _ in range(2)]
            for name in names:
                assert (await there.get(f"/api/tables/{name}")).json()["status"] == "playing"
            assert [card.origin for card in await other.server.moderation.tables(address=ANN)] == [ANN, ANN]
            await other.server.moderation.close(names[0])
            assert (await here.get(f"/api/tables/{names[0]}")).json()["status"] == "closed"
            await one.server.moderation.delete(names[1])
            assert (await there.get(f"/api/tables/{names[1]}")).status_code == 404
            assert not other.server.rooms.is_here(names[1])
            await one.server.moderation.ban(BEN, 600)
            await until(there, "/api/games", 403)
            await one.server.moderation.unban(BEN)
            await until(there, "/api/games", 200)

    asyncio.run(test())


# Names


@pytest.mark.parametrize("name", ["Rascal", "the rascal", "RÄSCAL", "ras-cal", "MyScoundrels", "s c o u n d r e l"])
def test_names_with_a_word_of_the_list_are_refused(name: str) -> None:
    words = WordList(["rascal  # and why", "", "*scoundrel*"])
    with pytest.raises(Invalid, match="is not accepted here; take another one"):
        words.check("Ann", name)
    WordList().check(name)


def test_names_that_only_contain_a_word_pass_unless_it_has_stars() -> None:
    WordList(["ass", "*scoundrel*"]).check("Cassandra", "Ann", "Åsa")


def test_no_name_comes_in_past_the_list(kept: Running) -> None:
    said = {"error": "unknown", "message": "The name “Rascal” is not accepted here; take another one."}
    for seats in (
        [person("Rascal"), OPEN],
        [person("Ann"), local("Rascal")],
        [person("Ann"), {**bot(), "name": "Rascal"}],
    ):
        answer = kept.post("/tables", {"game": "pig", "seats": seats})
        assert (answer.status_code, answer.json()) == (422, said)
    name, _ = kept.table("pig", [person("Ann"), OPEN])
    assert kept.post(f"/tables/{name}/join", {"name": "Rascal"}).json() == said
    head = "hotdice record 1\ngame: pig\ndate: 2026-11-15\nseat 1: Rascal (person)\nseat 2: Ben (person)\n"
    answer = kept.post("/records", {"record": f"{head}dice: manual\n\n1 rolls 6\nresult: unfinished\n"})
    assert answer.json() == said


def test_a_list_that_cannot_be_read_is_said_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(HotdiceError, match="cannot be read: no such file or directory"):
        Server(Settings(str(tmp_path / "tables.sqlite"), names=str(tmp_path / "words.txt")))


# Addresses


@pytest.mark.parametrize("days", [KEEP_ADDRESSES, 2])
def test_addresses_are_forgotten_some_days_after_a_game_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, days: int
) -> None:
    file = tmp_path / "tables.sqlite"
    monkeypatch.setattr(registry, "EXPIRY_SECONDS", 0.02)

    def kept_addresses() -> dict[str, tuple[str, bool]]:
        """For each table what its card says, and whether the address is in its log."""
        with sqlite3.connect(file) as connection:
            rows = connection.execute(
                'select name, origin, body from tables, log where name = "table" and number = 1'
            ).fetchall()
        connection.close()
        return {name: (origin, ANN in str(body)) for name, origin, body in rows}

    def age(readable: str, damaged: str, newer: str) -> None:
        """Have two tables be over for long enough, damage one of them, and have another be over for almost as long."""
        with sqlite3.connect(file, TIMEOUT) as connection:
            connection.execute("update inbox set body = 'x' where number = 1 and \"table\" = ?", (damaged,))
            for name, since in ((readable, days + 1), (damaged, days + 1), (newer, days - 1)):
                connection.execute("update tables set touched = touched - ? where name = ?", (since * DAY, name))
        connection.close()

    async def work(inside: Inside) -> None:
        client = inside.client(ANN)
        wish: Json = {"game": "pig", "seats": [person("Ann"), local("Ben")], "start": True}
        made = [(await client.post("/api/tables", json=wish)).json()["table"]["name"] for _ in range(4)]
        for name in made[:3]:
            await inside.server.moderation.close(name)
        await asyncio.to_thread(
            age, made[0], made[2], made[1]
        )  # the server has to go on meanwhile: it may be writing, too
        end = time.monotonic() + 60.0
        while [kept_addresses()[name] for name in (made[0], made[2])] != [("", False)] * 2:
            assert time.monotonic() < end
            await asyncio.sleep(0.02)
        assert [kept_addresses()[name] for name in (made[1], made[3])] == [(ANN, True)] * 2
        inside.server.rooms._rooms.clear()
        found = (await client.get(f"/api/tables/{made[0]}")).json()
        assert found["status"] == "closed"
        assert (await client.get(f"/api/tables/{made[0]}/record")).status_code == 200

    within(Settings(str(file), keep_addresses=days), work)


def test_only_a_seat_that_somebody_has_can_be_taken_away(tmp_path: Path) -> None:
    async def work(inside: Inside) -> None:
        client = inside.client()
        wish: Json = {"game": "pig", "seats": [person("Ann"), bot(), OPEN]}
        name = (await client.post("/api/tables", json=wish)).json()["table"]["name"]
        for seat in (0, 2, 3, 4):
            with pytest.raises(Illegal, match=f"Nobody has seat {seat} of this table"):
                await inside.server.moderation.unseat(name, seat)

    within(Settings(str(tmp_path / "tables.sqlite")), work)
