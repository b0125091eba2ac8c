"""`hotdice` alone: the app for everybody in the house, in the browser."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.server.running import TIMEOUT
from tests.services import free_port


class Home:
    """A user with a data folder, and perhaps a browser that notes what it is shown."""

    def __init__(self, folder: Path) -> None:
        self.notes = folder / "shown"
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" >>{self.notes}\n', "utf-8")
        browser.chmod(0o755)
        kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.environment = kept | {"XDG_DATA_HOME": str(folder), "HOME": str(folder), "BROWSER": str(browser)}

    def hotdice(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "hotdice", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            env=self.environment,
        )

    @contextmanager
    def running(self, *arguments: str, lines: int = 3) -> Iterator[list[str]]:
        """The lines it says when it has started. It is ended by Ctrl-C, and says nothing more."""
        with self.hotdice(*arguments) as process:
            assert process.stdout
            try:
                yield [process.stdout.readline().rstrip("\n") for _ in range(lines)]
            finally:
                process.send_signal(signal.SIGINT)
                rest = process.communicate(timeout=TIMEOUT)[0]
        assert rest == ""
        assert process.returncode == 0

    def shown(self) -> list[str]:
        """What the browser was shown, once it was shown something."""
        until = time.monotonic() + TIMEOUT
        while not self._noted().endswith("\n"):
            assert time.monotonic() < until, self._noted()
            time.sleep(0.01)
        return self._noted().split()

    def _noted(self) -> str:
        return self.notes.read_text("utf-8") if self.notes.exists() else ""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_it_says_where_it_is_and_gives_out_the_app(home: Home) -> None:
    port = free_port()
    with home.running("--no-browser", "--port", str(port)) as (where, who, ending):
        assert where.startswith(f"Hotdice is at http://localhost:{port}")
        assert who.startswith("Everybody who can reach this machine over a network can reach it")
        assert ending == "Ctrl-C ends it."
        assert httpx.get(f"http://localhost:{port}/api/health", timeout=TIMEOUT).json()["status"] == "ok"
        assert "Hotdice" in httpx.get(f"http://localhost:{port}/", timeout=TIMEOUT).text
        address = httpx.get(f"http://localhost:{port}/api/reach", timeout=TIMEOUT).json()["address"]
        assert where == f"Hotdice is at http://localhost:{port}" + (f" and {address}" if address else "")
    assert not home.notes.exists()


def test_it_opens_the_browser(home: Home) -> None:
    port = free_port()
    with home.running("--port", str(port)):
        assert home.shown() == [f"http://localhost:{port}"]


def test_it_can_be_kept_to_this_machine(home: Home) -> None:
    port = free_port()
    with home.running("--host", "127.0.0.1", "--port", str(port), "--no-browser") as (where, who, _):
        assert where == f"Hotdice is at http://127.0.0.1:{port}"
        assert who.startswith("Only this machine can reach it.")
        assert httpx.get(f"http://127.0.0.1:{port}/api/reach", timeout=TIMEOUT).json() == {"address": ""}


def test_where_it_runs_already_it_opens_the_browser_there(home: Home) -> None:
    port = free_port()
    with home.running("--no-browser", "--port", str(port)):
        second = home.hotdice("--port", str(port))
        said, _ = second.communicate(timeout=TIMEOUT)
        assert (said, second.returncode) == (f"Hotdice is already at http://localhost:{port}.\n", 0)
        assert home.shown() == [f"http://localhost:{port}"]


def test_where_another_program_has_the_port_it_takes_a_free_one(home: Home) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with home.running("--no-browser", "--port", str(port), lines=4) as (why, where, *_):
            assert why == f"Another program has port {port}."
            taken = int(where.split()[3].rsplit(":", 1)[1])
            assert taken != port
            assert httpx.get(f"http://localhost:{taken}/api/health", timeout=TIMEOUT).json()["status"] == "ok"


@pytest.mark.parametrize("display", ["", ":99"])
def test_without_a_browser_it_goes_on_in_silence(home: Home, display: str) -> None:
    home.environment |= {"BROWSER": "", "DISPLAY": display, "PATH": ""}
    with home.running("--port", str(free_port())) as (where, *_):
        port = where.split()[3].rsplit(":", 1)[1]
        time.sleep(0.2)
        assert httpx.get(f"http://localhost:{port}/api/health", timeout=TIMEOUT).status_code == 200


def test_without_the_server_one_line_says_what_to_install(home: Home) -> None:
    program = "import sys; sys.modules['fastapi'] = None; from hotdice.cli import main; sys.exit(main([]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 2
    said = "The app needs fastapi: pip install 'hotdice[server]'; “hotdice play” plays in the terminal without it.\n"
    assert done.stderr == said


def test_its_options_are_not_silently_ignored_by_a_command(home: Home) -> None:
    with home.hotdice("--no-browser", "games") as process:
        said = process.communicate(timeout=TIMEOUT)[0]
    assert process.returncode == 2
    assert said == (
        "--host, --port, --no-browser and --https do nothing before “games”; leave them out, or write them after it.\n"
    )
