"""Games and bots that are not ours: from installed packages, or registered by whoever starts the server.

They are offered like our own. What goes wrong in one is named in one line, and no table hangs by it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from hotdice.game import Move
from hotdice.games import load_game
from hotdice.games.pig import HOLD, PigState
from hotdice.server import thinkers as thinkers_module
from hotdice.server.thinkers import Thinkers
from tests.installed import package
from tests.server.running import OPEN, Json, Running, bot, person

MODULE = """
import os

from hotdice.games.pig import PIG, PigState


class WarthogState(PigState):
    __slots__ = ()


def card(name, state, **more):
    fields = {field: getattr(PIG, field) for field in type(PIG).__dataclass_fields__}
    return type(PIG)(**{**fields, "name": name, "title": name.title(), "state": state, "solver": None, **more})


WARTHOG = card("warthog", WarthogState)


class Crashing:
    def __init__(self, seed): pass
    def choose(self, state): raise RuntimeError("out of ideas")


class Cheating:
    def __init__(self, seed): pass
    def choose(self, state): return None


class Leaving:
    def __init__(self, seed): pass
    def choose(self, state): os._exit(3)


class Holding:
    def __init__(self, seed): pass
    def choose(self, state): return state.legal_moves()[-1]
"""
BOAR = """
from hotdice.games import register
from hotdice.games.pig import PigState
from strangers import card


class BoarState(PigState):
    __slots__ = ()


def broken_rule(state):
    raise ZeroDivisionError("no rule")


register(card("boar", BoarState, greedy=broken_rule))
"""
ENTRIES = {
    "hotdice.games": ["warthog = strangers:WARTHOG"],
    "hotdice.bots": [f"{name.lower()} = strangers:{name}" for name in ("Crashing", "Cheating", "Leaving", "Holding")],
}
QUICK = {"target": 15}


class Started(Running):
    """A server that is started by a program of somebody's own, which registers a game."""

    program = ("-c", "import sys, boar; from hotdice.cli import main; sys.exit(main())")


@pytest.fixture(scope="module")
def strangers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server where a package of somebody else's is installed, and a game is registered that no package names."""
    folder = tmp_path_factory.mktemp("strangers")
    package(folder, "strangers", MODULE, ENTRIES)
    (folder / "boar.py").write_text(BOAR, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        with Started(str(folder / "tables.sqlite"), "--unlimited") as running:
            yield running


def watched(server: Running, game: str, *seats: Json) -> tuple[str, list[Json]]:
    """A game of bots, watched to its end: the table's name and its entries."""
    name, _ = server.table(game, list(seats), options=QUICK)
    with server.client(name) as watching:
        while watching.state["status"] == "playing":
            watching.receive()
        assert watching.state["status"] == "over"
        return name, watching.events


def lines(server: Running, word: str) -> list[str]:
    """What the server has logged about something."""
    return [line for line in server.output().splitlines() if word in line]


def test_they_are_offered_like_our_own(strangers: Running) -> None:
    found = strangers.get("/games").json()
    games = {game["name"]: game for game in found["games"]}
    assert {"warthog", "boar"} <= games.keys()
    assert {"crashing", "cheating", "leaving", "holding"} <= set(found["bots"])
    assert "holding" in games["warthog"]["bots"]
    assert strangers.get("/games/warthog/rules").status_code == 200


@pytest.mark.parametrize("game", ["warthog", "boar"])
@pytest.mark.parametrize("level", ["casual", "optimal", "greedy", "holding"])
def test_bots_play_a_game_from_elsewhere_to_its_end(strangers: Running, game: str, level: str) -> None:
    name, events = watched(strangers, game, bot(level), bot("random"))
    assert any(event["entry"]["kind"] == "moved" for event in events)
    assert f"game: {game}(target=15)" in strangers.get(f"/tables/{name}/record").text
    assert "Traceback" not in strangers.output()


@pytest.mark.parametrize("game", ["warthog", "boar"])
def test_a_bot_from_elsewhere_decides_for_itself(strangers: Running, game: str) -> None:
    _, events = watched(strangers, game, bot("holding"), bot("holding"))
    moves = [event["entry"] for event in events if event["entry"]["kind"] == "moved"]
    assert {move["move"] for move in moves} == {"hold"}
    assert {move["by"] for move in moves} == {"holding"}


@pytest.mark.parametrize("kind", ["crashing", "cheating", "leaving"])
def test_where_a_bot_fails_the_greedy_rule_plays_on_and_the_log_names_it_once(strangers: Running, kind: str) -> None:
    for _ in range(2):
        _, events = watched(strangers, "pig", bot(kind), bot(kind))
        assert {event["entry"]["by"] for event in events if event["entry"]["kind"] == "moved"} == {"greedy"}
    (line,) = lines(strangers, f"“{kind}” failed")
    assert "pig" in line
    assert "Traceback" not in strangers.output()


def test_where_the_greedy_rule_fails_any_legal_move_is_made(strangers: Running) -> None:
    _, events = watched(strangers, "boar", bot("greedy"), bot("greedy"))
    assert {event["entry"]["by"] for event in events if event["entry"]["kind"] == "moved"} == {"random"}
    assert len(lines(strangers, "“greedy” failed at boar")) == 1


def test_a_person_plays_a_game_from_elsewhere(strangers: Running) -> None:
    name, tokens = strangers.table("boar", [person("Ann"), bot("casual")], options=QUICK, start=True)
    with strangers.client(name, *tokens) as client:
        client.to_the_end()
        assert client.state["view"]["result"]


def test_tables_of_a_game_that_is_gone_do_not_spoil_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package(tmp_path, "strangers", MODULE, ENTRIES)
    database = str(tmp_path / "tables.sqlite")
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        with Running(database, "--unlimited") as before:
            gone, _ = before.table("warthog", [person("Ann"), OPEN], public=True)
            kept, _ = before.table("pig", [person("Ann"), OPEN], public=True)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with Running(database, "--unlimited") as after:
        assert [table["name"] for table in after.get("/tables").json()["tables"]] == [kept]
        answer = after.get(f"/tables/{gone}")
        assert answer.status_code == 404
        assert "There is no game “warthog”" in answer.json()["message"]
        (line,) = lines(after, f"Table {gone} cannot be read and is left out")
        assert "There is no game “warthog”" in line


def test_a_bot_that_thinks_for_too_long_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(thinkers_module, "THINK_SECONDS", 0.01)  # which no process starts in
    state = load_game("pig").start().roll((5,))

    async def choose() -> tuple[str, str]:
        thinkers = Thinkers()
        monkeypatch.setattr(thinkers, "_prepared", prepared)
        try:
            return await thinkers.choose("optimal", state, 1)
        finally:
            thinkers.close()

    async def prepared(_: PigState) -> bool:
        return True

    with caplog.at_level(logging.WARNING, "hotdice"):
        assert asyncio.run(choose()) == ("roll", "greedy")
    (line,) = caplog.messages
    assert line.startswith("The bot “optimal” failed at pig")


def test_no_class_is_loaded_because_a_log_names_it(caplog: pytest.LogCaptureFixture) -> None:
    state = load_game("pig").start().roll((5,))
    with caplog.at_level(logging.WARNING, "hotdice"):
        assert asyncio.run(Thinkers().choose("tests.server.test_elsewhere:Trap", state, 1)) == ("roll", "greedy")
    assert "There is no bot" in caplog.text


class Trap:
    """A bot that nobody may load over the network."""

    def __init__(self, seed: int) -> None:
        raise AssertionError("it was loaded")

    def choose(self, state: PigState) -> Move:
        return HOLD
