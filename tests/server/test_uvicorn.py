"""What Hotdice uses of uvicorn that is not public is still there, and still means the same."""

from __future__ import annotations

import ast
import asyncio
import inspect
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import uvicorn
from uvicorn.config import Config
from uvicorn.server import ServerState

from hotdice.server import uvicorn_adapter
from hotdice.server.uvicorn_adapter import USES, HeadProtocol, TableProtocol
from tests.server.fuzz import frame

ADAPTER = "hotdice/server/uvicorn_adapter.py"
ADAPTED = (HeadProtocol, TableProtocol)


def changed(what: str) -> str:
    return (
        f"uvicorn {uvicorn.__version__} is not as {ADAPTER} knows it: {what}. Read uvicorn's change, adapt that file "
        "and its list `USES`, or keep the older uvicorn."
    )


def source(thing: object) -> str:
    return textwrap.dedent(inspect.getsource(thing))  # type: ignore[arg-type]


def of_self(cls: type) -> set[str]:
    """The attributes of `self` and `super()` that a class's own code names."""
    return {
        node.attr
        for node in ast.walk(ast.parse(source(cls)))
        if isinstance(node, ast.Attribute)
        and (
            (isinstance(node.value, ast.Name) and node.value.id == "self")
            or (isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()")
        )
    }


@pytest.mark.parametrize("adapted", ADAPTED)
def test_all_that_is_used_is_there(adapted: type) -> None:
    base = adapted.__bases__[0]

    async def make() -> object:
        config = uvicorn.Config(lambda: None, log_config=None)
        return base(config=config, server_state=ServerState(), app_state={})

    made = asyncio.run(make())
    known = of_self(base) | set(dir(made))
    for name in USES[base]:
        assert name in known, changed(f"{base.__name__} has no “{name}”")


@pytest.mark.parametrize("adapted", ADAPTED)
def test_the_list_of_what_is_used_is_complete(adapted: type) -> None:
    base = adapted.__bases__[0]
    own = {name for name in vars(adapted) if name not in dir(base)}
    overridden = {name for name in vars(adapted) if name in dir(base) and not name.startswith("__")}
    assert (of_self(adapted) | overridden) - own == set(USES[base]), f"`USES` in {ADAPTER} is not what the class uses."


@pytest.mark.parametrize("adapted", ADAPTED)
def test_what_is_overridden_is_called_in_the_same_way(adapted: type) -> None:
    base = adapted.__bases__[0]
    for name, method in vars(adapted).items():
        before = getattr(base, name, None)
        if inspect.isfunction(method) and before is not None:
            ours, theirs = (list(inspect.signature(one).parameters) for one in (method, before))
            assert ours == theirs, changed(f"{base.__name__}.{name} takes {theirs}, not {ours}")


def test_texts_still_go_through_the_method_that_is_overridden() -> None:
    base = TableProtocol.__bases__[0]
    methods = inspect.getmembers(base, inspect.isfunction)
    calling = {name for name, method in methods if "self.send_receive_event_to_app()" in source(method)}
    assert {"handle_text", "handle_cont"} <= calling, changed("messages reach the application by another way")


def test_nothing_else_reaches_into_uvicorn() -> None:
    for path in Path(inspect.getfile(uvicorn_adapter)).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        if path.name != "uvicorn_adapter.py":
            assert "uvicorn.protocols" not in text, f"{path.name} belongs into {ADAPTER}"


class Timer:
    """An event loop of which only the clock is asked, and what is to be done when."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.due: list[float] = []

    def time(self) -> float:
        return self.now

    def call_later(self, seconds: float, _: object) -> None:
        self.due.append(self.now + seconds)


def test_only_those_are_pinged_who_have_been_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    pinged: list[float] = []
    timer = Timer()
    base = TableProtocol.__bases__[0]
    monkeypatch.setattr(base, "send_keepalive_ping", lambda _: pinged.append(timer.now))
    config = Config(lambda _: None, log_config=None, lifespan="off", ws_ping_interval=7.0, ws_ping_timeout=7.0)
    protocol = TableProtocol(config, ServerState(), {}, cast(asyncio.AbstractEventLoop, timer))
    protocol.transport = cast(asyncio.Transport, SimpleNamespace(is_closing=lambda: False))
    protocol.handshake_initiated = True
    heard: list[bytes | None] = []
    protocol._hear = heard.append
    protocol.data_received(frame(b"one"))
    timer.now += 3
    protocol.data_received(frame(b"two"))
    timer.now += 4  # seven seconds since the first
    protocol.send_keepalive_ping()
    assert heard == [b"one", b"two"]
    assert (pinged, timer.due) == ([], [1010.0])  # seven seconds since the last
    timer.now = 1010.0
    protocol.send_keepalive_ping()
    assert (pinged, timer.due) == ([1010.0], [1010.0])
