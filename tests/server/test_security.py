"""Who may do what: tokens, spectators, other sites' pages, sizes, rates, and what nobody gets to see."""

from __future__ import annotations

import base64
import hashlib
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.server.playing import finish, joined
from tests.server.running import NOT_KEPT, OPEN, TIMEOUT, Json, Running, local, person

ANN = person("Ann")
ORIGIN = "https://dice.example"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server with its usual limits, which a page at another address may use."""
    with Running(str(tmp_path_factory.mktemp("guarded") / "tables.sqlite"), "--origin", ORIGIN) as running:
        yield running


@pytest.fixture(scope="module")
def http() -> Iterator[httpx.Client]:
    """Requests with whatever headers and bodies."""
    with httpx.Client(timeout=TIMEOUT, limits=NOT_KEPT) as client:
        yield client


def say(socket: ClientConnection, *messages: Json) -> Json:
    """Send messages; the next answer."""
    for message in messages:
        socket.send(json.dumps(message))
    return heard(socket)


def heard(socket: ClientConnection) -> Json:
    message: Json = json.loads(socket.recv(TIMEOUT))
    return message


def closing(socket: ClientConnection) -> int:
    """Read until the server closes; the code."""
    try:
        while True:
            socket.recv(TIMEOUT)
    except ConnectionClosed as closed:
        assert closed.rcvd
        return closed.rcvd.code


def come(server: Running, name: str, **more: Any) -> ClientConnection:
    """Come to a table. What is not read does not stop what comes after it: the goodbye would be waited for."""
    url = f"ws://127.0.0.1:{server.port}/ws/{name}"
    socket: ClientConnection = connect(url, open_timeout=TIMEOUT, max_queue=None, **more)
    return socket


# Tokens


def test_a_token_has_at_least_128_random_bits(server: Running) -> None:
    _, tokens = server.table("pig", [ANN, local("Lou"), local("Max")])
    assert len(set(tokens)) == 3
    for token in tokens:
        assert len(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))) * 8 >= 128


def test_tokens_are_stored_hashed_and_printed_nowhere(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        name, tokens = server.table("pig", [ANN, OPEN], options={"target": 15})
        tokens.append(joined(server, name, "Bob"))
        server.post(f"/tables/{name}/start", token=tokens[0])
        with server.client(name, *tokens) as client:
            shown = json.dumps(client.welcome) + server.get(f"/tables/{name}").text
            finish(client)
            shown += json.dumps(client.events) + server.get(f"/tables/{name}/record").text
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        printed = server.stop()
    for token in tokens:
        assert token.encode() not in kept
        assert hashlib.sha256(token.encode()).hexdigest().encode() in kept
        assert token not in printed
        assert token not in shown
        assert hashlib.sha256(token.encode()).hexdigest() not in shown


def test_a_token_opens_one_seat_at_one_table(server: Running, http: httpx.Client) -> None:
    name, tokens = server.table("pig", [ANN, OPEN])
    other, _ = server.table("pig", [ANN, OPEN])
    for action in ("start", "leave", "rematch"):
        for token in (tokens[0], "", "x" * 32, "é" * 8, tokens[0] + "x", tokens[0][:-1]):
            headers = [(b"Authorization", f"Bearer {token}".encode())] if token else []
            answer = http.post(f"{server.url}/api/tables/{other}/{action}", headers=headers)
            assert answer.status_code == (403 if token else 401), (action, token)
            assert answer.json()["error"] == "no_seat"
    with come(server, other) as socket:
        assert say(socket, {"do": "hello", "tokens": tokens})["type"] == "no_seat"
        assert closing(socket) == 4003
    with server.client(name, *tokens) as client:
        assert client.seats == [0]


def test_one_wrong_token_among_right_ones_opens_nothing_and_closes_nothing(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, local("Lou")], start=True)
    with server.client(name, tokens[0], "x" * 32, tokens[1]) as client:
        assert client.seats == [0, 1]
        assert client.welcome["opens"] == [0, -1, 1]
    with come(server, name) as socket:
        assert say(socket, {"do": "hello", "tokens": ["x" * 32, "y" * 32]})["type"] == "no_seat"
        assert closing(socket) == 4003


def test_a_token_is_never_taken_from_a_url(server: Running, http: httpx.Client) -> None:
    name, tokens = server.table("pig", [ANN, local("Lou")])
    answer = http.post(f"{server.url}/api/tables/{name}/start?token={tokens[0]}&access_token={tokens[0]}")
    assert answer.status_code == 401
    with come(server, f"{name}?token={tokens[0]}") as socket:
        assert say(socket, {"do": "hello"})["seats"] == []


def test_whoever_gave_a_seat_up_cannot_act_for_who_has_it_now(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, OPEN], options={"target": 10_000})
    first = joined(server, name, "Bob")
    with server.client(name, first) as bob, server.client(name, *tokens) as ann:
        server.post(f"/tables/{name}/leave", token=first)
        second = joined(server, name, "Cat")
        server.post(f"/tables/{name}/start", token=tokens[0])
        while ann.state["status"] != "playing":
            ann.receive()
        while ann.state["actor"] == 0:
            ann.play(-1)
        bob.settle(ann.state["number"])
        assert bob.ask("roll")["type"] == "no_seat"
        with server.client(name, second) as cat:
            assert cat.ask("roll")["type"] == "accepted"


def test_whoever_watches_changes_nothing(server: Running) -> None:
    name, _ = server.table("pig", [ANN, local("Lou")])
    with server.client(name) as watching:
        number = watching.events[-1]["number"]
        for message in ({"do": "roll", "id": "a", "on": 0}, {"do": "reveal", "id": "b", "string": "x", "seat": 0}):
            watching.send(message)
            assert watching.until("no_seat")["message"] == "You are watching; join the table to play."
    with server.client(name) as watching:
        assert watching.events[-1]["number"] == number


# Other sites


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "http://localhost:1"])
def test_a_page_of_another_site_may_not_act(guarded: Running, http: httpx.Client, origin: str) -> None:
    name, _ = guarded.table("pig", [ANN, OPEN])
    answer = http.post(f"{guarded.url}/api/tables/{name}/join", json={"name": "Bob"}, headers={"Origin": origin})
    assert answer.status_code == 403
    assert answer.json()["error"] == "foreign_origin"
    assert "access-control-allow-origin" not in answer.headers
    assert guarded.get(f"/tables/{name}").json()["seats"][1]["kind"] == "open"
    with pytest.raises(InvalidStatus) as refused:
        come(guarded, name, origin=origin)
    assert refused.value.response.status_code == 403


def test_a_page_of_ones_own_may(guarded: Running, http: httpx.Client) -> None:
    for origin in (guarded.url, ORIGIN):
        body = {"game": "pig", "seats": [ANN, OPEN]}
        made = http.post(f"{guarded.url}/api/tables", json=body, headers={"Origin": origin})
        assert made.status_code == 201
        with come(guarded, made.json()["table"]["name"], origin=origin) as socket:
            assert say(socket, {"do": "hello"})["type"] == "welcome"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "[::1", "[evil]", "a b"])
def test_a_name_that_is_not_the_servers_is_not_answered_to(guarded: Running, host: str) -> None:
    """So that no site can point a name of its own here and read the answers."""
    request = f"GET {{}} HTTP/1.1\r\nHost: {host}\r\nConnection: {{}}\r\n"
    upgrade = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    assert _status(guarded, request.format("/api/games", "close") + "\r\n") in (400, 421)
    assert _status(guarded, request.format("/ws/k3x9w7fm", "Upgrade") + upgrade + "\r\n") in (400, 403)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "192.168.1.20:8017", "[fe80::1]:8017", "den.local", "dice.example"]
)
def test_the_servers_own_names_and_plain_addresses_are_answered_to(guarded: Running, host: str) -> None:
    assert _status(guarded, f"GET /api/games HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n") == 200


def _status(server: Running, request: str) -> int:
    with socket.create_connection(("127.0.0.1", server.port), TIMEOUT) as raw:
        raw.sendall(request.encode())
        return int(raw.recv(64).split()[1])


def test_only_a_known_proxy_is_believed_about_its_clients(guarded: Running, http: httpx.Client, tmp_path: Path) -> None:
    """Each client behind it has limits of its own, and one that came by https is told what only https can have."""

    def table(server: Running, client: str) -> httpx.Response:
        come = {"X-Forwarded-For": client, "X-Forwarded-Proto": "https"}
        return http.post(f"{server.url}/api/tables", json={"game": "pig", "seats": [ANN, OPEN]}, headers=come)

    with Running(str(tmp_path / "tables.sqlite"), "--proxy", "127.0.0.1") as proxied:
        many = (table(proxied, "192.0.2.1") for _ in range(200))
        refused = next(answer for answer in many if answer.status_code != 201)
        assert refused.status_code == 429, refused.text
        welcome = table(proxied, "192.0.2.2")
        assert welcome.status_code == 201, welcome.text
        assert welcome.headers["cross-origin-opener-policy"] == "same-origin"
        assert "is not believed" not in proxied.output()
    for client in ("192.0.2.2", "192.0.2.3"):
        assert "cross-origin-opener-policy" not in table(guarded, client).headers
    assert guarded.output().count("127.0.0.1 sends requests for others and is not believed") == 1


def test_every_answer_has_the_usual_headers(server: Running, http: httpx.Client) -> None:
    answers = [
        server.get("/health"),
        server.get("/tables/zzzzzzzz"),
        server.get("/nothing"),
        server.post("/tables", {}),
        server.post("/tables", "x" * 30_000),
        http.get(server.url),
        http.get(f"{server.url}/api/openapi.json"),
        http.get(f"{server.url}/api/health", headers={"Host": "evil.example"}),
    ]
    assert [answer.status_code for answer in answers] == [200, 404, 404, 422, 413, 200, 200, 421]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        kept = ("no-store", "no-cache") if answer.url.path == "/" else ("no-store",)  # the app's page, if it is built
        assert answer.headers["cache-control"] in kept
        assert "server" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


# Sizes


def test_a_body_has_a_largest_size_and_a_record_a_larger_one(server: Running, http: httpx.Client) -> None:
    large = {"game": "pig", "seats": [ANN, OPEN], "stand_in": "x" * 20_000}
    assert server.post("/tables", large).json()["error"] == "too_large"
    assert server.post("/records", {"record": "x" * 20_000}).status_code == 422
    assert server.post("/records", {"record": "x" * 2_000_000}).status_code == 413
    chunks = (b"x" * 1000 for _ in range(1000))  # of a length that is not announced
    assert http.post(f"{server.url}/api/tables", content=chunks).status_code == 413


def test_a_message_has_a_largest_size_and_the_table_goes_on(server: Running) -> None:
    name, tokens = server.table("pig", [ANN, local("Lou")], start=True)
    with server.client(name, *tokens) as client, server.client(name, *tokens) as other:
        client.socket.send("x" * 8193)
        assert closing(client.socket) == 1009
        assert other.ask("roll")["type"] == "accepted"


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/tables", b"{"),
        ("POST", "/tables", b"\xff\xfe"),
        ("POST", "/tables", b'{"\\ud800": 1}'),
        ("POST", "/tables", b"[" * 10_000),
        ("POST", "/tables", b'{"game": 1e999}'),
        ("GET", "/tables/%00%ff", b""),
        ("GET", "/tables?limit=99999999999999999999", b""),
        ("GET", "/tables?before=-1", b""),
        ("GET", "/games/..%2f..%2fetc%2fpasswd/rules", b""),
        ("DELETE", "/tables", b""),
    ],
)
def test_nobody_gets_to_see_a_stack_trace(
    server: Running, http: httpx.Client, method: str, path: str, body: bytes
) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.request(method, f"{server.url}/api{path}", content=body, headers=headers)
    assert 400 <= answer.status_code < 500
    assert set(answer.json()) == {"error", "message"}
    for word in ("Traceback", ".py", "site-packages", "Error:"):
        assert word not in answer.text


# Rates


def test_messages_come_at_a_rate(guarded: Running) -> None:
    name, _ = guarded.table("pig", [ANN, OPEN])
    with guarded.client(name) as client:
        answers: list[Json] = []
        refused: list[Json] = []
        until = time.monotonic() + TIMEOUT
        while not refused:  # a busy machine may take so long that more are allowed
            assert time.monotonic() < until
            for _ in range(150):
                client.send({"do": "ping"})
            answers += [client.until("pong", "rate_limited") for _ in range(150)]
            refused = [answer for answer in answers if answer["type"] == "rate_limited"]
        assert [answer["type"] for answer in answers[:60]] == ["pong"] * 60
        assert 0 < refused[-1]["wait"] <= 1
        time.sleep(refused[-1]["wait"] + 0.1)
        client.send({"do": "ping"})
        assert client.until("pong", "rate_limited")["type"] == "pong"


@pytest.mark.parametrize("message", ['{"do": "ping"}', "rubbish", b"\x00", '{"do": "hello"}'])
def test_a_flood_is_cut_off(guarded: Running, message: str | bytes) -> None:
    name, tokens = guarded.table("pig", [ANN, local("Lou")], start=True)
    with come(guarded, name) as client, guarded.client(name, *tokens) as other:
        assert say(client, {"do": "hello"})["type"] == "welcome"
        with suppress(ConnectionClosed):
            for _ in range(1000):
                client.send(message)
        assert closing(client) == 4029
        assert other.ask("roll")["type"] == "accepted"


def test_requests_of_one_address_come_at_a_rate_and_others_go_on(guarded: Running) -> None:
    request = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"
    with socket.create_connection(("127.0.0.1", guarded.port), TIMEOUT, ("127.0.0.9", 0)) as raw:
        came = b""
        for sent in range(15, 301, 15):  # no more of them may wait at a time
            raw.sendall((request + b"\r\n") * 15)
            while came.count(b"HTTP/1.1 ") < sent:
                came += raw.recv(65536)
        answers = came.split(b"HTTP/1.1 ")[1:]
    assert len(answers) == 300
    assert all(answer.startswith(b"200 ") for answer in answers[:100])
    refused = [answer for answer in answers if answer.startswith(b"429 ")]
    assert refused
    assert b'"rate_limited"' in refused[0]
    assert b"retry-after: 1\r\n" in refused[0]
    assert guarded.get("/health").status_code == 200


def test_one_address_has_so_many_connections(guarded: Running) -> None:
    name, _ = guarded.table("pig", [ANN, OPEN])
    here = ("127.0.0.8", 0)
    with ExitStack() as open_ones:
        for _ in range(64):
            say(open_ones.enter_context(come(guarded, name, source_address=here)), {"do": "hello"})
        with come(guarded, name, source_address=here) as one_more:
            assert heard(one_more)["type"] == "rate_limited"
            assert closing(one_more) == 4029
        with come(guarded, name) as from_elsewhere:
            assert say(from_elsewhere, {"do": "hello"})["type"] == "welcome"


def test_a_slow_reader_is_dropped_and_the_table_goes_on(server: Running) -> None:
    name, tokens = server.table("kismet", [ANN, local("Lou"), local("Max")], dice="manual", start=True)
    with socket.socket() as slow, server.client(name, *tokens[:2]) as ann:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        _shake_hands(slow, name)
        _send(slow, {"do": "hello", "tokens": [tokens[2]]})
        while ann.present != [0, 1, 2]:
            ann.receive()
        for faces in ("6", "1", "1", "1 2 3 4 6"):  # Ann begins
            assert ann.ask("roll", faces=faces)["type"] == "accepted"
        while 2 in ann.present:
            assert ann.ask("move", move="keep 1")["type"] == "accepted"
            assert ann.ask("undo")["type"] == "accepted"
        assert ann.ask("move", move="score aces")["type"] == "accepted"


def _shake_hands(raw: socket.socket, name: str) -> None:
    """Open a WebSocket by hand, so that nothing is read of what comes later."""
    key = base64.b64encode(b"sixteen bytes ok").decode()
    lines = ("Host: 127.0.0.1", "Connection: Upgrade", "Upgrade: websocket", f"Sec-WebSocket-Key: {key}")
    raw.sendall("\r\n".join((f"GET /ws/{name} HTTP/1.1", *lines, "Sec-WebSocket-Version: 13", "", "")).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1)
    assert b" 101 " in answer


def _send(raw: socket.socket, message: Json) -> None:
    data = json.dumps(message).encode()
    assert len(data) < 126
    raw.sendall(bytes((0x81, 0x80 | len(data), 0, 0, 0, 0)) + data)  # masked with zeros
