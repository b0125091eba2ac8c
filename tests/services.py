"""PostgreSQL and Redis servers of one's own, for tests and benchmarks: on a free port, in a folder that goes with them;
and where Chromium is, for tests of the browser app.

They run the programs that are installed (`tests/install-services` sees to that) and leave the machine's own servers
alone. The fixtures `postgres` and `redis` give each test process one of each, started when a test first asks for it.
Where a program is missing, such tests are skipped, loudly; in CI they fail: `installed(chromium, config)` does the same
for other fixtures.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, NoReturn, Self, TypeVar

import pytest

_PATIENCE = 60.0
"""Seconds after which a server that does not come up, or does not end, is an error."""

_GUARD = """
read -r _
kill -s "$1" "$2"
for _ in $(seq 100); do kill -0 "$2" || break; sleep 0.1; done
rm -rf "$3"
"""
"""Waits until its input ends, as it does with the process that holds the other side, and cleans up in its stead."""


class NotInstalled(Exception):
    """A program is not on this machine."""


# The servers


@dataclass(slots=True)
class Server(ABC):
    """A server on 127.0.0.1 that runs within a `with` block. After the block its processes and files are gone.

    Within the block it may be stopped or killed and started again, on the same port. Should the process that started
    it be killed, the server goes too.
    """

    _stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    _abort_signal: ClassVar[signal.Signals] = signal.SIGKILL  # the quickest that leaves nothing behind

    port: int = field(init=False, default=0)
    _folder: Path | None = field(init=False, default=None)
    _process: subprocess.Popen[bytes] | None = field(init=False, default=None)
    _guard: subprocess.Popen[bytes] | None = field(init=False, default=None)

    @classmethod
    @abstractmethod
    def program(cls) -> Path:
        """Where the program is; raises NotInstalled."""

    @property
    @abstractmethod
    def url(self) -> str:
        """What a client is told."""

    def __enter__(self) -> Self:
        self.program()
        self.port = free_port()
        self._folder = _own_folder()
        try:
            self._prepare()
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def folder(self) -> Path:
        """Where its files are, and its log."""
        if self._folder is None:
            raise RuntimeError(f"{type(self).__name__} runs within a `with` block only")
        return self._folder

    @property
    def pid(self) -> int:
        """The process that was started; PostgreSQL has more below it."""
        if self._process is None:
            raise RuntimeError(f"{type(self).__name__} is not running")
        return self._process.pid

    def pids(self) -> list[int]:
        """All its processes, the first one first."""
        return [self.pid, *_children(self.pid)]

    def cpu_seconds(self) -> float:
        """The time that all its processes have used since the start, those that have ended included."""
        stats = [stat for pid in self.pids() if (stat := _stat(pid))]
        return sum(stat.ticks + stat.ticks_of_ended for stat in stats) / os.sysconf("SC_CLK_TCK")

    def start(self) -> None:
        """Start it, or start it again, and wait until it answers."""
        if self._process is not None:
            raise RuntimeError(f"{type(self).__name__} is already running")
        log = self.folder / "log"
        with log.open("ab") as output:
            self._process = self._run(self._command(), output.fileno())
        guard = ["sh", "-c", _GUARD, "guard", self._abort_signal.name.removeprefix("SIG"), str(self.pid)]
        self._guard = subprocess.Popen(
            [*guard, str(self.folder)], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            _wait(lambda: self._ended() or self._answers())
            if self._ended():
                raise RuntimeError(f"{type(self).__name__} did not start:\n{log.read_text('utf-8', 'replace')}")
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """End it in good order."""
        self._end(self._stop_signal)

    def kill(self) -> None:
        """End all its processes at once; none can write anything any more."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGSTOP)  # so that no process is added while they are counted
        _wait(lambda: (stat := _stat(self.pid)) is None or stat.state in "TZX")
        self._end(signal.SIGKILL)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Have it neither answer nor hang up: the system takes connections and bytes, and nobody reads them."""
        pids = self.pids()
        try:
            for pid in pids:
                with suppress(ProcessLookupError):  # a server's helpers come and go
                    os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    def close(self) -> None:
        """End it and remove its files."""
        if self._folder is None:
            return
        try:
            self._release()
            self._end(self._abort_signal)
        finally:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        others = self.pids()[1:]
        self._process.send_signal(how)
        if how is signal.SIGKILL:
            for pid in others:
                with suppress(ProcessLookupError):
                    os.kill(pid, how)
        try:
            _wait(self._ended)
        except TimeoutError:
            if how is not signal.SIGKILL:
                self.kill()
            raise
        _wait(lambda: not any(running(pid) for pid in others))
        self._process = None
        if self._guard and self._guard.stdin:
            self._guard.kill()  # before its input ends
            self._guard.wait()
            self._guard.stdin.close()
        self._guard = None

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _run(self, command: Sequence[str | Path], output: int) -> subprocess.Popen[bytes]:
        """Run a program in the server's folder, never as root."""
        user = _unprivileged()
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=self.folder,
            env=_environment(),
            user=user and user.pw_uid,
            group=user and user.pw_gid,
            extra_groups=[] if user else None,
            start_new_session=True,  # ^C is for the tests alone
        )

    @abstractmethod
    def _prepare(self) -> None:
        """What is done once, before the first start."""

    @abstractmethod
    def _release(self) -> None:
        """What is done once, before the end."""

    @abstractmethod
    def _command(self) -> Sequence[str | Path]: ...

    @abstractmethod
    def _answers(self) -> bool: ...


@dataclass(slots=True)
class PostgresServer(Server):
    """PostgreSQL, durable unless `fsync` is off. Its data outlive `stop`, and what was committed outlives `kill`."""

    fsync: bool = True
    _made: int = field(init=False, default=0)

    _stop_signal: ClassVar[signal.Signals] = signal.SIGINT  # without waiting for the clients to go
    _abort_signal: ClassVar[signal.Signals] = signal.SIGQUIT

    @classmethod
    def program(cls) -> Path:
        """Debian and Ubuntu keep `postgres` off the PATH, by version: the newest is taken."""
        if found := list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
            return max(found, key=lambda path: float(path.parts[-3])).with_name("postgres")
        if initdb := shutil.which("initdb"):
            return Path(initdb).resolve().with_name("postgres")
        raise NotInstalled("PostgreSQL is not installed (no initdb in /usr/lib/postgresql or on the PATH)")

    @property
    def url(self) -> str:
        """The database that every server has; a test makes its own with `create_database`."""
        return self._url("postgres")

    def create_database(self, name: str = "") -> str:
        """Make an empty database, by default under a name that was not used before, and give its URL."""
        self._made += 1
        name = name or f"hotdice_{self._made}"
        self._tool("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", name)
        return self._url(name)

    def _url(self, name: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def _data(self) -> Path:
        return self.folder / "data"

    def _tool(self, name: str, *arguments: str | Path) -> None:
        with tempfile.TemporaryFile() as output:
            if self._run([self.program().with_name(name), *arguments], output.fileno()).wait():
                output.seek(0)
                raise RuntimeError(f"{name} failed:\n{output.read().decode('utf-8', 'replace')}")

    def _prepare(self) -> None:
        options = ("--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync")
        self._tool("initdb", *options, "-D", self._data())

    def _release(self) -> None:
        """A server that was killed leaves shared memory behind, which its successor removes."""
        if self._process is None and (self._data() / "postmaster.pid").exists():
            with suppress(RuntimeError, TimeoutError):
                self.start()

    def _command(self) -> Sequence[str | Path]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": "",
            "fsync": "on" if self.fsync else "off",
            "shared_buffers": "32MB",
            "max_connections": "100",
        }
        options = [f"--{name}={value}" for name, value in settings.items()]
        return [self.program(), "-D", self._data(), *options]

    def _answers(self) -> bool:
        """The lock file holds the process on its first line and the status on its eighth."""
        try:
            lines = (self._data() / "postmaster.pid").read_text("utf-8").splitlines()
        except FileNotFoundError:
            return False
        return len(lines) >= 8 and lines[0] == str(self.pid) and lines[7].strip() == "ready"


@dataclass(slots=True)
class RedisServer(Server):
    """Redis, in memory alone: each start is empty."""

    @classmethod
    def program(cls) -> Path:
        """It is on the PATH everywhere."""
        if found := shutil.which("redis-server"):
            return Path(found)
        raise NotInstalled("Redis is not installed (no redis-server on the PATH)")

    @property
    def url(self) -> str:
        """Its first database."""
        return f"redis://127.0.0.1:{self.port}/0"

    def flush(self) -> None:
        """Forget everything."""
        assert self._ask("FLUSHALL") == "+OK"

    def _ask(self, command: str) -> str:
        with socket.create_connection(("127.0.0.1", self.port), timeout=_PATIENCE) as connection:
            connection.sendall(f"{command}\r\n".encode())
            with connection.makefile("r", encoding="utf-8") as answer:
                return answer.readline().strip()

    def _prepare(self) -> None:
        """It has no files."""

    def _release(self) -> None:
        """It has no shared memory."""

    def _command(self) -> Sequence[str | Path]:
        options = ("--save", "", "--appendonly", "no", "--bind", "127.0.0.1", "--dir", self.folder)
        return [self.program(), "--port", str(self.port), *options]

    def _answers(self) -> bool:
        try:
            return self._ask("PING") == "+PONG"
        except ConnectionError:
            return False


def chromium() -> Path:
    """The browser, for Playwright's `executable_path`; or `NotInstalled`."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return Path(found)
    raise NotInstalled("Chromium is not installed (no chromium on the PATH)")


# Processes, ports and folders


@dataclass(frozen=True, slots=True)
class _Stat:
    """What Linux tells of a process."""

    state: str
    parent: int
    ticks: int
    ticks_of_ended: int  # of its children


def _stat(pid: int) -> _Stat | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return _Stat(fields[0], int(fields[1]), int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14]))


def running(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    stat = _stat(pid)
    return stat is not None and stat.state not in "ZX"


def _children(pid: int) -> list[int]:
    others = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [other for other in others if (stat := _stat(other)) and stat.parent == pid]


def _wait(done: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not done():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {_PATIENCE:.0f} s for a server")
        time.sleep(0.005)


def free_port() -> int:
    """A port below those that the system gives to clients: none of them can take it while a server is down.

    No port is given twice, and each worker of the tests has ports of its own.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
    while True:
        port = 20_000 + 1_500 * worker + secrets.randbelow(1_500)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            if port not in _given:
                _given.add(port)
                return port


_given: set[int] = set()


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom to run a server as, if not as oneself: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    with suppress(KeyError):
        return pwd.getpwnam("postgres")
    return pwd.getpwnam("nobody")


def _own_folder() -> Path:
    """A new folder that the server's user can reach."""
    user = _unprivileged()
    if user is None:
        return Path(tempfile.mkdtemp(prefix="hotdice-"))
    bases = [Path(base).resolve() for base in (tempfile.gettempdir(), "/tmp", "/var/tmp")]  # noqa: S108 (made by mkdtemp)
    base = next(base for base in bases if all(path.stat().st_mode & 0o001 for path in (base, *base.parents)))
    folder = Path(tempfile.mkdtemp(prefix="hotdice-", dir=base))
    os.chown(folder, user.pw_uid, user.pw_gid)
    return folder


def _environment() -> dict[str, str]:
    """This process's, without what would tell PostgreSQL of other servers."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


# The fixtures

S = TypeVar("S", bound=Server)


@pytest.fixture(scope="session")
def postgres(pytestconfig: pytest.Config) -> Iterator[PostgresServer]:
    """A PostgreSQL server that many tests share: each makes its own database, and none stops the server."""
    with serving(PostgresServer(), pytestconfig) as server:
        yield server


@pytest.fixture(scope="session")
def redis(pytestconfig: pytest.Config) -> Iterator[RedisServer]:
    """A Redis server that many tests share: each has its own keys or begins with `flush`, and none stops the server."""
    with serving(RedisServer(), pytestconfig) as server:
        yield server


@contextmanager
def serving(server: S, config: pytest.Config) -> Iterator[S]:
    """Run a server for tests, or go without them if it is not installed."""
    installed(server.program, config)
    with server:
        yield server


def installed(find: Callable[[], Path], config: pytest.Config) -> Path:
    """Where a program is, or go without the tests that need it."""
    why = ""
    try:
        found = find()
    except NotInstalled as missing:
        why = str(missing)
    if why:
        unavailable(why, config)
    return found


def in_ci() -> bool:
    """Whether nothing may be skipped."""
    return bool(os.environ.get("CI")) or os.environ.get("HOTDICE_CI") == "1"


def unavailable(why: str, config: pytest.Config) -> NoReturn:
    """Skip a test for want of something, so that nobody overlooks it; in CI it fails."""
    if in_ci():
        pytest.fail(f"{why}, and in CI no test is skipped", pytrace=False)
    _say(f"!!!! TESTS SKIPPED: {why}", config)
    pytest.skip(why)


def _say(line: str, config: pytest.Config) -> None:
    """Print to the terminal, also while pytest keeps what tests print to itself."""
    capture = config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else nullcontext():
        print(f"\n{line}", file=sys.stderr, flush=True)
