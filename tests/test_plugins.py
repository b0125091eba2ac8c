"""Games and bots of installed packages: they are found, and a broken one is named in one line and left out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotdice.games import all_games
from hotdice.players import LEVELS
from tests.installed import hotdice, package
from tests.server.running import Running, bot, person

TWIN = """
from dataclasses import replace
from hotdice.game import frozen
from hotdice.games.pig import PIG, PigState

@frozen
class TwinState(PigState):
    pass

TWIN = replace(PIG, name="twin", title="Twin", state=TwinState)
"""
BROKEN = {
    "no module": (None, "broken = nowhere:GAME", "ModuleNotFoundError: No module named 'nowhere'"),
    "no such name": ("", "broken = brought:GAME", "AttributeError: module 'brought' has no attribute 'GAME'"),
    "missing library": ("import nolib", "broken = brought:GAME", "ModuleNotFoundError: No module named 'nolib'"),
    "error": ("raise KeyError('a\\nb')", "broken = brought:GAME", r"KeyError: 'a\nb'"),
    "several lines": ("raise ValueError('a\\n\\n  b')", "broken = brought:GAME", "ValueError: a b"),
    "no reason": ("raise RuntimeError", "broken = brought:GAME", "RuntimeError"),
    "leaves": ("import sys; sys.exit('Bye.')", "broken = brought:GAME", "SystemExit: Bye"),
    "syntax": ("def", "broken = brought:GAME", "SyntaxError: invalid syntax (brought.py, line 1)"),
    "wrong type": ("GAME = 5", "broken = brought:GAME", "it is of type int, not Game"),
    "wrong name": (TWIN, "broken = brought:TWIN", "the game calls itself twin"),
    "name of ours": (TWIN, "pig = brought:TWIN", "the name is taken"),
    "no name": (TWIN, "My-Game = brought:TWIN", "a name is a small letter, then small letters, digits, - and _"),
    "our state": (
        "from dataclasses import replace\nfrom hotdice.games.pig import PIG\nGAME = replace(PIG, name='broken')",
        "broken = brought:GAME",
        "ValueError: PigState is the state of pig: make a class for broken",
    ),
    "registers ours": (
        f"{TWIN}\nfrom hotdice import register\nregister(replace(TWIN, name='kor'))",
        "broken = brought:TWIN",
        "ValueError: a game named kor is registered already",
    ),
}
OURS = [game.name for game in all_games()]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(folder)}


def names(listed: str) -> list[str]:
    """The games that `hotdice games --json` lists."""
    return [game["name"] for game in json.loads(listed)]


def test_an_installed_game_is_there(tmp_path: Path) -> None:
    package(tmp_path, "twins", TWIN, {"hotdice.games": ["twin = twins:TWIN"]})
    run = hotdice("games", "--json", env=environment(tmp_path))
    assert (run.returncode, run.stderr) == (0, "")
    assert names(run.stdout) == sorted([*OURS, "twin"])


def test_it_may_also_register_itself(tmp_path: Path) -> None:
    module = f"from hotdice import register\n{TWIN}\nregister(TWIN)\n"
    package(tmp_path, "twins", module, {"hotdice.games": ["twin = twins:TWIN"]})
    check = "from hotdice import load_game, all_games; print(load_game('twin') in all_games())"
    assert python(check, tmp_path) == "True"


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_game_is_named_in_one_line_and_left_out(fault: str, tmp_path: Path) -> None:
    module, entry, reason = BROKEN[fault]
    package(tmp_path, "brought", module or "", {"hotdice.games": [entry]})
    package(tmp_path, "twins", TWIN, {"hotdice.games": ["twin = twins:TWIN"]})
    run = hotdice("games", "--json", env=environment(tmp_path))
    name, _, value = entry.partition(" = ")
    assert run.stderr == f"The game {name} ({value}) is left out: {reason}.\n"
    assert run.returncode == 0
    assert names(run.stdout) == sorted([*OURS, "twin"])


def test_of_two_games_with_one_name_one_is_left_out(tmp_path: Path) -> None:
    package(tmp_path, "twins", TWIN, {"hotdice.games": ["twin = twins:TWIN"]})
    package(tmp_path, "copies", TWIN, {"hotdice.games": ["twin = copies:TWIN"]})
    run = hotdice("games", "--json", env=environment(tmp_path))
    assert run.stderr == "The game twin (twins:TWIN) is left out: the name is taken.\n"
    assert names(run.stdout) == sorted([*OURS, "twin"])


def test_what_a_broken_package_registered_before_it_failed_is_not_there(tmp_path: Path) -> None:
    module = f"from hotdice import register\n{TWIN}\nregister(TWIN)\nraise RuntimeError('too late')\n"
    package(tmp_path, "twins", module, {"hotdice.games": ["twin = twins:TWIN"]})
    run = hotdice("play", "twin", "-p", "greedy", "-p", "random", env=environment(tmp_path))
    first, second = run.stderr.splitlines()
    assert first == "The game twin (twins:TWIN) is left out: RuntimeError: too late."
    assert second.startswith("There is no game “twin”; there are bj, ")
    assert run.returncode == 2


def test_unreadable_metadata_is_named_and_our_games_stay(tmp_path: Path) -> None:
    package(tmp_path, "twins", TWIN, {"hotdice.games": ["this is no entry"]})
    run = hotdice("games", "--json", env=environment(tmp_path))
    assert run.returncode == 0
    assert names(run.stdout) == OURS
    assert len(run.stderr.splitlines()) <= 1


BOTS = """
class First:
    '''Made with a seed; it has to be able to choose, nothing else.'''
    def __init__(self, seed):
        self.seed = seed
    def choose(self, state):
        return state.legal_moves()[0]

class Fails(First):
    def choose(self, state):
        raise ZeroDivisionError('division by zero')

class Cheats(First):
    def choose(self, state):
        return state.parse_move('hold') if state.total > 90 else 'hold'

class NoSeed:
    def choose(self, state):
        return state.legal_moves()[0]

class Mute:
    def __init__(self, seed):
        pass

thing = 5
"""


@pytest.fixture
def bots(tmp_path: Path) -> Path:
    """A folder in which a package with bots is installed."""
    entries = ["first = mybots:First", "fails = mybots:Fails", "cheats = mybots:Cheats", "mute = mybots:Mute"]
    package(tmp_path, "mybots", BOTS, {"hotdice.bots": entries})
    return tmp_path


def python(code: str, folder: Path) -> str:
    """What Python code prints, or the last line of its error."""
    command = [sys.executable, "-c", f"from hotdice.players import bot_names, named_bot, make_player\n{code}"]
    run = subprocess.run(command, env=environment(folder), capture_output=True, text=True, check=False)
    return (run.stdout + run.stderr).rstrip("\n").rpartition("\n")[2]


def test_installed_bots_have_their_names_after_ours(bots: Path) -> None:
    assert python("print(*bot_names())", bots) == f"random greedy {' '.join(LEVELS)} cheats fails first mute"
    assert (
        python("print(named_bot('first'), named_bot('second'), named_bot('mybots:First'))", bots) == "True False False"
    )


def test_a_bot_is_made_with_a_seed_and_called_as_it_was_asked_for(bots: Path) -> None:
    check = "for kind in ('first', 'mybots:First'): bot = make_player(kind, 7); print(bot.kind, end=' ')"
    assert python(check, bots) == "first mybots:First "


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("bot = mybots:thing", "The bot bot (mybots:thing) is left out: it cannot be called with a seed."),
        ("bot = mybots:Nothing", "is left out: AttributeError: module 'mybots' has no attribute 'Nothing'."),
        ("greedy = mybots:First", "The bot greedy (mybots:First) is left out: the name is taken."),
        ("person = mybots:First", "The bot person (mybots:First) is left out: the name is taken."),
        ("optimal = mybots:First", "The bot optimal (mybots:First) is left out: the name is taken."),
        ("Bot = mybots:First", "is left out: a name is a small letter, then small letters, digits, - and _."),
    ],
)
def test_a_broken_bot_is_named_in_one_line_and_left_out(entry: str, reason: str, tmp_path: Path) -> None:
    package(tmp_path, "mybots", BOTS, {"hotdice.bots": [entry, "fine = mybots:First"]})
    check = "import sys; print(bot_names()[6:], bot_names()[6:], file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", f"from hotdice.players import bot_names; {check}"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    line, found = run.stderr.splitlines()
    assert line.endswith(reason)
    assert found == "('fine',) ('fine',)"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("nobody", "There is no bot “nobody”; there are random, greedy, beginner, casual, expert, optimal, "),
        ("nowhere:Bot", "The bot “nowhere:Bot” cannot be loaded: ModuleNotFoundError: No module named 'nowhere'."),
        ("mybots:Bot", "The bot “mybots:Bot” cannot be loaded: mybots has no class Bot."),
        ("mybots:thing", "The bot “mybots:thing” cannot be loaded: mybots has no class thing."),
        ("os:abort", "The bot “os:abort” cannot be loaded: os has no class abort."),
        ("mybots:Mute", "The bot “mybots:Mute” cannot play: it has no “choose(state)”, which gives a legal move."),
        ("mute", "The bot “mute” cannot play: it has no “choose(state)”, which gives a legal move."),
        ("mybots:NoSeed", "The bot “mybots:NoSeed” cannot be made: TypeError: NoSeed() takes no arguments."),
        (
            "mybots.py:First",
            "The bot “mybots.py:First” cannot be loaded: ModuleNotFoundError: No module named 'mybots.py'",
        ),
        (":First", "There is no bot “:First”"),
    ],
)
def test_a_bot_that_cannot_be_had_gets_one_sentence(kind: str, reason: str, bots: Path) -> None:
    assert f"SeatError: {reason}" in python(f"make_player({kind!r}, 1)", bots)


def test_a_class_is_also_found_in_the_current_folder(tmp_path: Path) -> None:
    (tmp_path / "herebots.py").write_text(BOTS, "utf-8")
    code = (
        "import sys; sys.path.remove('')\n"
        "from hotdice.players import make_player; print(make_player('herebots:First', 1).kind)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout == "herebots:First\n"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("fails", "The bot “fails” failed at “pig 0/0 1 {} decide”: ZeroDivisionError: division by zero."),
        ("cheats", "The bot “cheats” chose 'hold', which is not a legal move at “pig 0/0 1 {} decide”."),
    ],
)
def test_a_bot_that_goes_wrong_in_a_game_ends_it_with_one_sentence(kind: str, reason: str, bots: Path) -> None:
    folder = bots / "home"
    folder.mkdir()
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    command = ("play", "pig", "-p", kind, "-p", "greedy", "--seed", "2")
    run = hotdice(*command, env=environment(bots) | home, cwd=folder)
    assert run.returncode == 2
    (line,) = run.stderr.splitlines()
    before, after = reason.split("{}")
    assert line.startswith(before)
    assert line.endswith(after)


def test_a_server_says_once_what_is_left_out_and_plays_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bots think in processes of their own, which find the same packages."""
    package(tmp_path, "twins", TWIN, {"hotdice.games": ["twin = twins:TWIN", "broken = twins:BROKEN"]})
    package(tmp_path, "mybots", BOTS, {"hotdice.bots": ["first = mybots:First", "faulty = mybots:thing"]})
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with Running(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        for _ in range(2):
            assert server.get("/games").status_code == 200
        options = {"options": {"target": 15}}
        for level in ("optimal", "first"):
            name, tokens = server.table("twin", [person("Ann"), bot(level)], **options)
            server.post(f"/tables/{name}/start", token=tokens[0])
            with server.client(name, tokens[0]) as client:
                while client.state["status"] == "playing":
                    if client.state["actor"] in client.seats:
                        client.play(choose=-1)
                    else:
                        client.receive()
        output = server.stop()
    assert output.count("The game broken (twins:BROKEN) is left out: ") == 1
    assert output.count("The bot faulty (mybots:thing) is left out: ") == 1
    assert "Traceback" not in output
