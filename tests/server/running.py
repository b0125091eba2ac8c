"""A real server in a process of its own, and clients that talk to it as any program would."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, ClassVar, Self

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.services import free_port

TIMEOUT = 120.0
NOT_KEPT = httpx.Limits(max_keepalive_connections=0)
"""A connection that is kept can be closed by the server in the moment in which it is used again."""
Json = dict[str, Any]
AWAY = ("since", "droppable", "deadline", "proposal")
"""What a note on who is present says anew of the state."""


class Running:
    """`hotdice serve` on a port of its own. It can be killed and started again with the same database."""

    program: ClassVar[tuple[str, ...]] = ("-m", "hotdice")
    """What Python runs."""

    def __init__(self, database: str, *arguments: str, port: int = 0) -> None:
        self.port = port or free_port()
        self.database = database
        self._arguments = arguments
        self._http = httpx.Client(base_url=f"{self.url}/api", timeout=TIMEOUT, limits=NOT_KEPT)
        self._output = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (open as long as this is)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.stop()
        finally:
            self._http.close()
            self._output.close()

    def start(self) -> None:
        """Start, and wait for the first answer."""
        command = [sys.executable, *self.program, "serve", "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen([*command, *self._arguments], stdout=self._output, stderr=subprocess.STDOUT)
        until = time.monotonic() + TIMEOUT
        while True:
            try:
                self._http.get("/health").raise_for_status()
                return
            except httpx.HTTPError:
                if self.process.poll() is not None:
                    raise AssertionError(f"The server ended: {self.output()}") from None
                if time.monotonic() > until:
                    self.kill()
                    raise
                time.sleep(0.02)

    def output(self) -> str:
        """What it has printed so far."""
        self._output.seek(0)
        return self._output.read()

    def kill(self) -> None:
        """End it without a chance to tidy up."""
        self._end(signal.SIGKILL)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Have it neither answer nor hang up."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self) -> str:
        """End it as Ctrl-C does; what it printed."""
        self._end(signal.SIGTERM)
        return self.output()

    def _end(self, how: signal.Signals) -> None:
        assert self.process
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        self.process.wait(TIMEOUT)

    # Talking to it

    def post(self, path: str, body: Any = None, token: str = "") -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._http.post(path, json=body, headers=headers)

    def get(self, path: str, token: str = "", **params: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return self._http.get(path, params=params, headers=headers)

    def table(self, game: str, seats: Sequence[Json], **more: Any) -> tuple[str, list[str]]:
        """Set a table up: its name, and the tokens of the creator's seats."""
        made = self.post("/tables", {"game": game, "seats": seats, **more})
        assert made.status_code == 201, made.text
        found = made.json()
        return found["table"]["name"], [token["token"] for token in found["tokens"]]

    def client(self, name: str, *tokens: str, last: int = 0, words: bool = True) -> Client:
        """Come to a table."""
        return Client(self, name, tokens, last, words=words)


def person(name: str) -> Json:
    return {"kind": "person", "name": name}


def local(name: str) -> Json:
    return {"kind": "local", "name": name}


def bot(level: str = "greedy") -> Json:
    return {"kind": "bot", "bot": level}


OPEN: Json = {"kind": "open"}


class Client:
    """One connection to a table: it keeps the entries it has seen and the state as it stands."""

    def __init__(self, server: Running, name: str, tokens: Sequence[str], last: int = 0, *, words: bool = True) -> None:
        self.socket: ClientConnection = connect(
            f"ws://127.0.0.1:{server.port}/ws/{name}",
            compression=None,
            legacy=True,
            max_queue=None,
            open_timeout=TIMEOUT,
            ping_interval=None,
        )
        self.events: list[Json] = []
        self.state: Json = {}
        self.present: list[int] = []
        self.seats: list[int] = []
        self._ids = 0
        self.strings: dict[tuple[str, int], str] = {}
        """What it drew for the dice, by the promise and the seat."""
        self.seals: dict[str, list[str]] = {}
        """By the promise, all seals as they were shown when it revealed a string, as SEAT:SEAL."""
        self.shares = True
        """Whether it takes part in drawing the dice."""
        self.send({"do": "hello", "tokens": list(tokens), "last": last, **({} if words else {"words": False})})
        self.welcome = self.until("welcome")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.socket.close()

    def send(self, message: Json) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, timeout: float = TIMEOUT) -> Json:
        """The next message, taken note of."""
        message: Json = json.loads(self.socket.recv(timeout))
        if message["type"] in ("welcome", "update"):
            self.events += message["events"]
            self.state = message["state"]
            self.seats = message.get("seats", self.seats)
            if self.shares and self.state["dealing"]:
                self._deal()
        elif message["type"] == "presence":
            self.present = message["present"]
            self.state |= {"proposal": None, **{key: message[key] for key in AWAY if key in message}}
        return message

    def _deal(self) -> None:
        """Have a share in the dice for each of this client's seats."""
        promise, name = self.state["promise"], self.state["dice_name"]
        shares = {share["seat"]: share for share in self.state["shares"]}
        for seat in self.seats:
            string = self.strings.setdefault((promise, seat), os.urandom(8).hex())
            if self.state["dealing"] == "sealing" and seat not in shares:
                seal = hashlib.sha256(f"hotdice seal 2\n{name}\n{promise}\n{seat + 1}\n{string}".encode()).hexdigest()
                self.send({"do": "seal", "id": f"seal-{seat}-{promise[:9]}", "seal": seal, "seat": seat})
            elif self.state["dealing"] == "revealing" and seat in shares and not shares[seat].get("string"):
                self.seals.setdefault(promise, [f"{share['seat'] + 1}:{share['seal']}" for share in shares.values()])
                self.send({"do": "reveal", "id": f"reveal-{seat}-{promise[:9]}", "string": string, "seat": seat})

    def until(self, *kinds: str) -> Json:
        """The next message of one of these kinds; the others on the way are taken note of."""
        while (message := self.receive())["type"] not in kinds:
            pass
        return message

    def ask(self, do: str, **fields: Any) -> Json:
        """Send a wish made on the state as it stands; its typed answer."""
        self._ids += 1
        message: Json = {
            "do": do,
            "id": f"{do}-{self._ids}-{os.urandom(3).hex()}",
            "on": self.state["number"],
            **fields,
        }
        self.send(message)
        while (answer := self.receive()).get("id") != message["id"]:
            pass
        return answer

    def play(self, choose: int = 0) -> Json:
        """Act for the seat that is to act: roll, or make the legal move of that index; the answer."""
        if self.state["rolls"]:
            return self.ask("roll")
        return self.ask("move", move=self.state["view"]["moves"][choose]["text"])

    def settle(self, number: int) -> None:
        """Wait until the state has that number or a later one."""
        while self.state["number"] < number:
            self.receive()

    def to_the_end(self) -> None:
        """Play this client's seats by the first legal move until the game is over."""
        while self.state["status"] == "playing":
            if self.state["actor"] in self.seats:
                answer = self.play()
                assert answer["type"] in ("accepted", "stale"), answer
            else:
                self.receive()


def begun(*clients: Client) -> None:
    """Wait until the game has begun; these clients have their shares in its dice."""
    while waiting := [client for client in clients if client.state["status"] == "waiting"]:
        for client in waiting:
            with suppress(TimeoutError):
                client.receive(0.05)


class SafeRunning(Running):
    """The same with `--https`, and a client that does not ask who vouches for the certificate."""

    def __init__(self, database: str, *arguments: str) -> None:
        super().__init__(database, "--https", *arguments)
        self._http = httpx.Client(base_url=f"{self.url}/api", timeout=TIMEOUT, limits=NOT_KEPT, verify=False)  # noqa: S501

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.port}"
