"""`hotdice serve`: what it says when it starts, when it cannot, and how it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from itertools import chain
from pathlib import Path

import httpx
import pytest

from hotdice.cli import main
from hotdice.server import run
from hotdice.server.app import Settings
from hotdice.server.limits import UNLIMITED
from tests.server.running import TIMEOUT, Running, bot, local, person
from tests.services import free_port

ONLY_HERE = "Only this machine can reach it. For others in the house, add --host 0.0.0.0"


def serve(*arguments: str, before: str = "pass") -> subprocess.CompletedProcess[str]:
    """Run the command until it gives up."""
    program = f"import sys; {before}; from hotdice.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "serve", "--port", "0", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT, check=False)


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence with which the command gave up."""
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith(".")
    assert not line.endswith("..")
    return line


# Starting


def test_by_default_only_this_machine_can_reach_it(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite")) as server:
        assert server.output().splitlines() == [f"Hotdice is at {server.url}", ONLY_HERE]


def test_it_says_that_everybody_can_reach_it_if_so(tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite"), "--host", "0.0.0.0") as server:  # noqa: S104 (that is the point)
        first, second = server.output().splitlines()
        assert first.startswith(f"Hotdice is at http://localhost:{server.port}")
        assert second.startswith("Everybody who can reach this machine over a network can reach it")
        assert httpx.get(f"http://localhost:{server.port}/api/health", timeout=TIMEOUT).json()["status"] == "ok"


def test_any_free_port_is_taken_if_none_is_asked_for(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hotdice", "serve", "--port", "0", "--database", str(tmp_path / "t.sqlite")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as process:
        assert process.stdout
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        assert httpx.get(f"http://127.0.0.1:{port}/api/health", timeout=TIMEOUT).status_code == 200
        process.terminate()


def test_tables_are_kept_in_the_users_data_folder_by_default(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "hotdice", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout
        assert process.stdout.readline().startswith(b"Hotdice is at ")
        process.terminate()
    assert [file.name for file in tmp_path.rglob("*.sqlite")] == ["tables.sqlite"]


def test_what_it_is_told_reaches_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Settings] = []
    monkeypatch.setattr(run, "serve", lambda settings, *_, **__: seen.append(settings))
    told = {
        "--database": "some.sqlite", "--database-timeout": "9", "--keep-addresses": "3", "--names": "words.txt",
        "--redis": "redis://127.0.0.1", "--metrics": "192.0.2.0/24", "--access-log": "json",
        "--origin": "https://dice.example",
    }  # fmt: skip
    assert main(["serve", "--unlimited", "--believe-clock", "--book", *chain.from_iterable(told.items())]) == 0
    assert main(["serve", "--database", "some.sqlite"]) == 0
    assert seen == [
        Settings(
            "some.sqlite",
            database_timeout=9,
            keep_addresses=3,
            names="words.txt",
            redis="redis://127.0.0.1",
            metrics=("192.0.2.0/24",),
            access_log="json",
            origins=("https://dice.example",),
            limits=UNLIMITED,
            believe_clock=True,
            book=True,
        ),
        Settings("some.sqlite"),
    ]


# Not starting


def test_a_port_that_is_in_use(tmp_path: Path) -> None:
    port = free_port()
    with socket.create_server(("127.0.0.1", port)):
        said = refused(serve("--port", str(port), "--database", str(tmp_path / "tables.sqlite")))
    assert said == f"Port {port} of 127.0.0.1 cannot be used (address already in use); choose another with --port."


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--host", "nowhere.invalid"), "There is no host “nowhere.invalid”"),
        (("--host", "192.0.2.77"), "of 192.0.2.77 cannot be used"),
        (
            ("--database", "mysql://ann:hunter2@host/dice"),
            "Hotdice keeps its tables in SQLite or PostgreSQL, not in mysql",
        ),
        (("--database", "postgresql://ann:hunter2@host:port/dice"), "is not the address of a database"),
        (("--database", "postgresql://ann:hunter2@127.0.0.1:1/dice"), "ann:***@127.0.0.1:1/dice cannot be used"),
        (("--database", "/dev/null/tables.sqlite"), "cannot be used: "),
        (
            ("--proxy", "nonsense"),
            "--proxy takes addresses or networks, such as 10.0.0.2 or 10.0.0.0/24, not “nonsense”",
        ),
        (("--proxy", "10.0.0.2,"), "--proxy takes addresses or networks"),
        (("--redis", "http://ann:hunter2@host"), "is not an address of Redis; write redis://host:6379/0"),
        (("--redis", "redis://ann:hunter2@127.0.0.1:1/0"), "Redis does not answer at redis://…@127.0.0.1:1/0"),
    ],
)
def test_what_cannot_be_used_is_named_in_one_sentence(arguments: tuple[str, str], said: str, tmp_path: Path) -> None:
    others = () if arguments[0] == "--database" else ("--database", str(tmp_path / "tables.sqlite"))
    line = refused(serve(*others, *arguments))
    assert said in line
    assert "hunter2" not in line


def test_what_is_missing_is_named_with_the_extra_that_has_it(tmp_path: Path) -> None:
    def without(module: str, *arguments: str) -> str:
        return refused(serve(*arguments, before=f"sys.modules[{module!r}] = None"))

    file = str(tmp_path / "tables.sqlite")
    assert without("fastapi") == "The server needs fastapi: pip install 'hotdice[server]'."
    many = "pip install 'hotdice[cluster]'."
    assert without("asyncpg", "--database", "postgresql://127.0.0.1:1/x").endswith(f"asyncpg: {many}")
    assert without("redis", "--database", file, "--redis", "redis://127.0.0.1:1").endswith(many)


def test_a_file_that_another_server_has_until_that_one_is_killed(tmp_path: Path) -> None:
    file = str(tmp_path / "tables.sqlite")
    with Running(file) as server:
        name, _ = server.table("pig", [bot(), bot()])  # a bot's process must not keep the file
        said = refused(serve("--database", file))
        assert said.startswith(f"Another Hotdice server has the tables in {file}: stop that one first")
        server.kill()
        with Running(file) as other:
            assert other.get(f"/tables/{name}").status_code == 200


# Ending


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=lambda how: how.name)
def test_it_ends_in_good_order_with_clients_at_its_tables(how: signal.Signals, tmp_path: Path) -> None:
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), local("Lou")], start=True)
        with server.client(name, *tokens) as client:
            client.ask("roll")
            assert server.process
            server.process.send_signal(how)
            code = server.process.wait(TIMEOUT)
        assert code in (0, -how, 128 + how)
        assert server.output().splitlines() == [f"Hotdice is at {server.url}", ONLY_HERE]
        server.start()
        with server.client(name, *tokens) as client:
            assert client.events[-1]["entry"]["kind"] == "rolled"
