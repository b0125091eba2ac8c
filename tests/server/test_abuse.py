"""What strangers can do to a server with bytes alone: floods of frames, connections that idle, crawl or do not read."""

from __future__ import annotations

import asyncio
import json
import math
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from hotdice.server import doors
from hotdice.server.doors import Doors
from hotdice.server.limits import UNLIMITED, Limits
from hotdice.server.proxies import proxies
from hotdice.server.refusals import TooMuch, Unavailable
from hotdice.server.uvicorn_adapter import FRAGMENTS, PIPELINED
from tests.server.fuzz import Guest, Line, frame
from tests.server.running import OPEN, TIMEOUT, Running, person
from tests.server.strict import SOCKETS, Strict

CONTINUATION, BINARY, PING, PONG = 0, 2, 9, 10
HEAD = b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with its usual limits."""
    with Running(str(tmp_path_factory.mktemp("guarded") / "tables.sqlite")) as running:
        yield running


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Strict]:
    """A server without patience."""
    with Strict(str(tmp_path_factory.mktemp("strict") / "tables.sqlite")) as running:
        yield running


def table(server: Running) -> str:
    return server.table("pig", [person("Ann"), OPEN])[0]


def cut_off(one: socket.socket, data: bytes) -> bool:
    """Whether no more can be sent, as the server has closed the connection."""
    try:
        one.sendall(data)
    except OSError:
        return True
    return False


# Frames


@pytest.mark.parametrize(
    "flood",
    [
        frame(b"", PING) * 2000,
        frame(b"", PONG) * 2000,
        frame(b"{", end=False) + frame(b"", CONTINUATION, end=False) * 2000,
        frame(b"", BINARY) * 2000,
    ],
    ids=["pings", "pongs", "continuations", "binary"],
)
def test_a_flood_of_frames_ends_its_connection(guarded: Running, flood: bytes) -> None:
    guest = Guest(guarded.port, table(guarded))
    guest.line.send(flood)
    assert guest.line.end() == 4029
    guest.line.close()


def test_a_message_comes_in_so_many_frames_and_no_more(server: Running) -> None:
    guest = Guest(server.port, table(server))
    guest.line.send(frame(b'{"do": "ping"', end=False) + frame(b"", CONTINUATION, end=False) * (FRAGMENTS - 2))
    guest.line.send(frame(b"}", CONTINUATION))
    assert guest.line.message() == {"type": "pong"}
    guest.line.send(frame(b'{"do": "ping"', end=False) + frame(b"", CONTINUATION, end=False) * FRAGMENTS)
    assert guest.line.end() == 4029
    guest.line.close()


WHOLE = (
    (frame(b'{"do": "ping"}'), [{"type": "pong"}]),
    (frame(b'{"do": "ping"}' + b" " * 200), [{"type": "pong"}]),
    (frame(b'{"do": "ping"}', form=8), [{"type": "pong"}]),
    (frame(b'{"do": ', end=False) + frame(b"?", PING) + frame(b'"ping"}', CONTINUATION), [{"type": "pong"}]),
    (frame(b'{"do": "ping"}') * 3, [{"type": "pong"}] * 3),
)


@pytest.mark.parametrize(("data", "answers"), WHOLE, ids=["short", "longer", "lengthy", "fragments", "several"])
@pytest.mark.parametrize("piece", [1, 5, 17, 1000])
def test_frames_come_in_any_pieces(server: Running, data: bytes, answers: list[Any], piece: int) -> None:
    guest = Guest(server.port, table(server))
    for at in range(0, len(data), piece):
        guest.line.send(data[at : at + piece])
        time.sleep(0.0005)  # so that most pieces come alone
    assert guest.ask(b"")[0] == answers
    guest.line.close()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (frame(b'{"do": "ping"}', masked=False), 1002),
        (frame(b'{"do": "ping"}', reserved=4), 1002),
        (frame(b'{"do": ', end=False) + frame(b'{"do": "ping"}'), 1002),
        (frame(b" " * 8193), 1009),
        (frame(b" " * 8193)[:20], 1009),
    ],
    ids=["unmasked", "reserved", "text-in-text", "long", "head-of-long"],
)
def test_frames_that_no_client_may_send_end_the_connection(server: Running, data: bytes, code: int) -> None:
    guest = Guest(server.port, table(server))
    guest.line.send(data)
    assert guest.line.end() == code
    guest.line.close()


def test_a_few_pings_are_answered(guarded: Running) -> None:
    guest = Guest(guarded.port, table(guarded))
    for number in range(20):
        guest.line.send(frame(b"%d" % number, PING))
        while (answer := guest.line.frame())[0] != PONG:
            pass
        assert answer[1] == b"%d" % number
    guest.line.close()


def test_whoever_pings_and_does_not_read_is_given_up(server: Running) -> None:
    """Even where no rate is set, as the answers would fill the memory."""
    guest = Guest(server.port, table(server))
    pings = frame(b"x" * 125, PING) * 1000
    assert any(cut_off(guest.line.socket, pings) for _ in range(400)), "50 MB were taken, more than systems buffer"
    guest.line.close()


def test_messages_over_the_limit_are_not_forgiven_by_those_within_it(guarded: Running) -> None:
    """Fifty times what is allowed, for as long as it takes, although one in fifty is within the limit."""
    name, tokens = guarded.table("pig", [person("Ann"), OPEN])
    guest = Guest(guarded.port, name, *tokens)
    guest.line.socket.settimeout(TIMEOUT)
    until = time.monotonic() + TIMEOUT
    wish = frame(json.dumps({"do": "undo", "id": "x", "on": 0}).encode())
    while not cut_off(guest.line.socket, wish * 10):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert guest.line.end() == 4029
    guest.line.close()


# Connections


def closed(one: socket.socket) -> bool:
    """Whether the server closes a connection, whatever it says before."""
    one.settimeout(TIMEOUT)
    try:
        while one.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    except TimeoutError:
        return False
    return True


def test_a_connection_on_which_nothing_comes_is_closed(strict: Strict) -> None:
    with socket.create_connection(("127.0.0.1", strict.port)) as idle:
        assert closed(idle)


@pytest.mark.parametrize(
    ("first", "drop"),
    [
        (b"", b"\r\n"),
        (HEAD, b"X: y\r\n"),
        (b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n\r\n", b" "),
        (b"POST /api/tables HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 9999\r\n\r\n", b" "),
        (HEAD + b"\r\n", b"\r\n"),
    ],
    ids=["blank lines", "head", "body", "body after an answer", "blank lines after an answer"],
)
def test_a_request_that_comes_drop_by_drop_is_cut_off(strict: Strict, first: bytes, drop: bytes) -> None:
    with socket.create_connection(("127.0.0.1", strict.port)) as slow:
        slow.sendall(first)
        until = time.monotonic() + TIMEOUT
        while not cut_off(slow, drop):
            assert time.monotonic() < until
            time.sleep(0.05)


def test_whoever_does_not_read_an_answer_is_given_up(strict: Strict) -> None:
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", strict.port))
        deaf.settimeout(1.0)
        ask = HEAD.replace(b"/health", b"/openapi.json") + b"\r\n"
        until = time.monotonic() + TIMEOUT
        gone = False
        while not gone and time.monotonic() < until:
            try:
                deaf.sendall(ask)
            except TimeoutError:
                pass
            except OSError:
                gone = True
            time.sleep(0.001)
        assert gone


def test_a_request_within_its_time_is_answered_and_the_next_one_too(guarded: Running) -> None:
    with socket.create_connection(("127.0.0.1", guarded.port), timeout=TIMEOUT) as one:
        for _ in range(3):
            for part in (HEAD[:20], HEAD[20:], b"\r\n"):
                one.sendall(part)
                time.sleep(0.05)
            assert one.recv(1 << 16).startswith(b"HTTP/1.1 200")


def test_an_address_has_so_many_connections_of_any_kind_and_others_go_on(strict: Strict) -> None:
    line = Line(strict.port)
    assert line.upgrade(table(strict)) == 101
    kept, said = [line.socket], b""
    try:
        until = time.monotonic() + TIMEOUT
        while not said:  # a busy machine may take so long that the first ones are closed before the last one comes
            assert time.monotonic() < until
            more = [socket.create_connection(("127.0.0.1", strict.port), timeout=TIMEOUT) for _ in range(SOCKETS)]
            kept += more
            said = b"".join(one.recv(1 << 16) for one in reversed(more))
        head, _, body = said.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 429")
        message = "Too many connections come from your address; close some."
        assert json.JSONDecoder().raw_decode(body.decode())[0] == {"error": "rate_limited", "message": message}
        with socket.create_connection(("127.0.0.1", strict.port), TIMEOUT, ("127.0.0.2", 0)) as other:
            other.sendall(HEAD + b"\r\n")
            assert other.recv(1 << 16).startswith(b"HTTP/1.1 200")
    finally:
        for one in kept:
            one.close()
    until = time.monotonic() + TIMEOUT
    while strict.get("/health").status_code != 200:
        assert time.monotonic() < until
    assert strict.output().count(f"127.0.0.1 has {SOCKETS} connections; one more was refused.") == 1


class FakeTransport:
    """A connection as far as the doors see it."""

    def __init__(self, address: str) -> None:
        self.address, self.waiting, self.ended = address, 0, ""

    def get_extra_info(self, _: str) -> tuple[str, int]:
        return self.address, 5000

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def close(self) -> None:
        self.ended = "closed"

    def abort(self) -> None:
        self.ended = "aborted"


def entered(open_doors: Doors, *addresses: str) -> list[Any]:
    made = [FakeTransport(address) for address in addresses]
    for one in made:
        open_doors.enter(cast("asyncio.Transport", one))
    return made


def test_there_are_so_many_connections_in_all_and_a_proxy_may_have_them(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        proxy, ann, cleo = "192.0.2.9", "192.0.2.1", "192.0.2.2"
        open_doors = Doors(Limits(sockets=1), (proxy,), most=4)
        first, *_ = entered(open_doors, ann, proxy, proxy)
        for _ in range(3):
            with pytest.raises(TooMuch):
                entered(open_doors, ann)
        entered(open_doors, cleo)
        for _ in range(3):
            with pytest.raises(Unavailable):
                entered(open_doors, "192.0.2.3")
        open_doors.leave(first)
        entered(open_doors, ann)
        assert len(open_doors) == 4

    asyncio.run(run())
    assert caplog.messages == [
        "192.0.2.1 has 1 connections; one more was refused.",
        "All 4 connections are in use; one from 192.0.2.3 was refused.",
    ]


def test_one_address_never_has_all_connections_of_a_server_that_has_few() -> None:
    async def run() -> None:
        few = Doors(Limits(sockets=256), most=4)
        entered(few, "192.0.2.1", "192.0.2.1")
        with pytest.raises(TooMuch):
            entered(few, "192.0.2.1")
        entered(few, "192.0.2.2")
        entered(Doors(UNLIMITED, most=4), *["192.0.2.1"] * 4)

    asyncio.run(run())


def test_late_connections_are_closed_and_deaf_ones_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(doors, "time", SimpleNamespace(monotonic=lambda: now))

    async def run() -> None:
        nonlocal now
        open_doors = Doors(Limits(unread_seconds=60))
        made = entered(open_doors, *["192.0.2.1"] * 4)
        _, _, deaf, slow = made
        for one, due in zip(made, (1010.0, 1100.0, math.inf, math.inf), strict=True):
            open_doors._callers[one].due = due
        deaf.waiting = slow.waiting = 10
        for seconds, reads in ((0.0, False), (50.0, True), (11.0, False)):
            now += seconds
            slow.waiting = 0 if reads else 10
            open_doors.sweep()
        assert [one.ended for one in made] == ["closed", "", "aborted", ""]

    asyncio.run(run())


def test_a_sampled_log_says_what_it_left_out(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    now = 1000.0
    monkeypatch.setattr(doors, "time", SimpleNamespace(monotonic=lambda: now))
    log = doors.SampledLog()
    for _ in range(5):
        log.note("a", "A thing.")
        log.note("b", "Another thing.")
    now += 61
    log.note("a", "A thing again.")
    assert caplog.messages == ["A thing.", "Another thing.", "A thing again. 4 such lines before it were left out."]


def test_a_server_takes_the_descriptors_that_it_may_have() -> None:
    code = "from resource import *; from hotdice.server import doors; setrlimit(RLIMIT_NOFILE, (200, 300)); "
    code += "doors.DESCRIPTORS = 250; print(doors.raise_descriptors(), getrlimit(RLIMIT_NOFILE)); "
    code += "doors.DESCRIPTORS = 999; print(doors.raise_descriptors(), getrlimit(RLIMIT_NOFILE))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split("\n") == ["250 (250, 300)", "300 (300, 300)", ""]


# Requests


def test_a_client_has_so_many_requests_that_wait_and_no_more(server: Running) -> None:
    """Each would take memory before the first one is answered."""
    ask = HEAD + b"\r\n"
    for number, whole in ((PIPELINED, True), (1000, False)):
        line = Line(server.port)
        line.send(ask * (number - 1) + HEAD + b"Connection: close\r\n\r\n")
        answers = b""
        with suppress(ConnectionError):  # closed while more comes
            while data := line.socket.recv(1 << 16):
                answers += data
        assert (answers.count(b"HTTP/1.1 200") == number) == whole
        line.close()


def test_proxies_are_addresses_and_networks() -> None:
    found = proxies("10.0.0.0/8, ::1")
    assert [host in found for host in ("10.1.2.3", "::1", "192.0.2.1")] == [True, True, False]
    assert "127.0.0.1" not in proxies("")


def test_malformed_requests_are_answered_in_json_and_logged_once(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite")) as server:
        for nonsense in [b"\x16\x03\x01 nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nX: " + b"y" * 9000] * 20:
            line = Line(server.port)
            line.send(nonsense)
            assert line.status() == 400
            assert json.loads(line._read or line.socket.recv(1 << 16))["error"] == "unknown"
            line.close()
        said = server.stop()
    assert said.count("A request from 127.0.0.1 was not valid.") == 1
    assert "Invalid HTTP request" not in said


def test_hellos_come_at_the_rate_of_requests(tmp_path: Path) -> None:
    def guess(_: int) -> tuple[str, int]:
        line = Line(server.port)
        line.upgrade("abcd2345")
        line.send(frame(b'{"do": "hello"}'))
        said, code = line.message()["message"], line.end()
        line.close()
        return said, code

    with Running(str(tmp_path / "tables.sqlite")) as server, ThreadPoolExecutor(32) as crowd:
        answers = set(crowd.map(guess, range(300)))
    assert ("Too many requests at once; wait a moment and try again.", 4029) in answers
    assert 4004 in {code for _, code in answers}
