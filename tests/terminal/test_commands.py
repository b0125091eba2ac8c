"""The commands besides play, and how the command line answers mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotdice import __version__
from hotdice.games import all_games
from hotdice.notation import listed
from tests.terminal.drive import HOTDICE, Terminal, hotdice, played, saved_in

GAMES = [game.name for game in all_games()]


def recorded(path: Path, *, manual: bool = False, events: int = 0) -> Path:
    """A file with a game of Kismet in it."""
    game = played("kismet", ["Ann", "Robo:greedy"], ["second_kismet=false"], seed=9, manual=manual, events=events)
    path.write_text(game.record, "utf-8")
    return path


# Help, versions, games and rules


def test_help_names_every_command() -> None:
    for args in (("--help",), ("-h",)):
        outcome = hotdice(*args)
        assert outcome.code == 0
        for command in ("play", "games", "rules", "replay", "verify"):
            assert f"\n  {command} " in outcome.out


def test_version() -> None:
    assert hotdice("--version").out == f"hotdice {__version__}\n"


def test_help_and_piped_play_load_nothing_heavy() -> None:
    script = "import sys; from hotdice.cli import main; main({}); print(*sys.modules)"
    bots = ["play", "pig", "-p", "greedy", "-p", "random"]
    for args, heavy in (
        (["--help"], ("rich", "numba", "numpy", "hotdice.games.kor")),
        (["games"], ("rich", "numba", "numpy")),
        (bots, ("rich", "numba", "numpy")),
    ):
        run = subprocess.run(
            [sys.executable, "-c", script.format(args)],
            capture_output=True,
            text=True,
            check=True,
            stdin=subprocess.DEVNULL,
        )
        modules = run.stdout.splitlines()[-1].split()
        assert not set(heavy) & set(modules)


def test_games_are_listed_for_people_and_programs() -> None:
    outcome = hotdice("games")
    cards = json.loads(hotdice("games", "--json").out)
    assert [card["name"] for card in cards] == GAMES
    for game, card in zip(all_games(), cards, strict=True):
        assert game.pitch in outcome.out
        assert card["max_players"] == game.max_players
        assert [option["name"] for option in card["options"]] == [spec.name for spec in game.options.specs()]


@pytest.mark.parametrize("name", GAMES)
def test_rules_end_with_every_option(name: str) -> None:
    outcome = hotdice("rules", name.upper())
    assert outcome.code == 0
    assert outcome.out.isascii()
    assert "**" not in outcome.out
    game = next(game for game in all_games() if game.name == name)
    for spec in game.options.specs():
        assert f"{spec.name}; {spec.accepts}; {str(spec.default).lower()}; {spec.meaning}" in outcome.out


# Mistakes


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("plya",), "Did you mean 'play'"),
        (("dance",), "There is no command “dance”; expected play, games, rules,"),
        (("play", "--pliyer", "Ann"), "--player"),
        (("--speed",), "There is no option --speed; --help lists them."),
        (("play", "kor", "kismet"), "Nothing is expected at “kismet”; --help says what is."),
        (("play", "--player"), "--player needs a value; --help says which."),
        (("admin",), "Name what to do: tables, close, delete, unseat, ban, unban or bans."),
        (("rules",), f"Name a game: {listed(GAMES, 'or')}."),
        (("odds",), "Name a game: "),
        (("solve",), "Name a game: "),
        (("odds", "kor"), "The position ends before the scores; its fields are scores"),
        (("odds", "kor", "kismet -"), "This is a position of Kismet, not of KOR, Keep On Rollin'."),
        (("odds", "kismet", "-,-"), "this has 2. The fields of a position of Kismet: sheets, whose turn"),
        (("--port", "x"), "--port takes a whole number from 0 to 65535, not “x”."),
        (("serve", "--port", "65536"), "--port takes a whole number from 0 to 65535, not “65536”."),
        (("rules", "chess"), "There is no game “chess”"),
        (("verify",), "Name the file of a saved game; they are kept in "),
        (("replay",), "Name the file of a saved game; they are kept in "),
        (("verify", "nowhere"), "There is no file “nowhere”."),
        (("replay", "."), "“.” is a folder, not a record."),
        (("verify", "x" * 300), "File name too long."),
        (("verify", "/dev/null"), "line 1, column 1"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(args: tuple[str, ...], said: str) -> None:
    assert said in hotdice(*args).refused()


def test_a_binary_file_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    assert f"“{path}”, line 1, column 1: This is not UTF-8 text" in hotdice("verify", path).refused()


def test_an_endless_file_is_not_read_to_its_end() -> None:
    assert "larger than" in hotdice("verify", "/dev/zero").refused()


# Replay and verify


def test_replay_tells_every_event_with_the_scores(tmp_path: Path) -> None:
    outcome = hotdice("replay", recorded(tmp_path / "game"))
    lines = outcome.out.splitlines()
    assert lines[0].startswith("kismet(second_kismet=false), ")
    assert lines[0].endswith(", dice: seeded 9")
    assert lines[1] == "seat 1: Ann (person); seat 2: Robo (greedy)"
    assert sum(line.startswith("  Scores: Ann ") for line in lines) > 20
    assert any(line.endswith(" wins! The highest total.") for line in lines)
    assert outcome.out.isascii()


def test_replay_at_a_terminal_goes_turn_by_turn(tmp_path: Path) -> None:
    path = recorded(tmp_path / "game")
    path.write_text(path.read_text("utf-8").replace("\n\n", "\n\n# A fine evening.\n"), "utf-8")
    window = Terminal("replay", path)
    first = window.until("Turn 1 of ")
    assert "A fine evening." in first
    assert "to see who begins." in first
    assert "Basic and Bonus" in first
    window.until("Enter goes on> ")
    window.type("")
    window.until("Turn 2 of ")
    window.type("b")
    window.until("Turn 1 of ")
    window.type("12")
    frame = window.until("Turn 12 of ")
    assert "A fine evening." not in frame
    assert "Moves:" not in frame
    window.type("log")
    window.until("Enter shows more, q closes it> ")
    window.type("q")
    window.until("Turn 12 of ")
    window.type("999")
    assert " wins! The highest total." in window.until("q or Enter ends> ")
    window.type("")
    assert window.close() == 0


def test_replay_at_a_terminal_can_be_stopped_and_read_as_a_whole(tmp_path: Path) -> None:
    path = recorded(tmp_path / "game")
    window = Terminal("replay", path)
    window.until("Enter goes on> ")
    window.press(b"\x03")
    assert window.close() == 130
    assert "Traceback" not in window.text
    whole = Terminal("replay", "--all", path)
    assert whole.close() == 0
    assert whole.text == hotdice("replay", path).out


def test_replay_for_programs(tmp_path: Path) -> None:
    game = played("kismet", ["Ann", "Robo:greedy"], ["second_kismet=false"], seed=9)
    told = json.loads(hotdice("replay", "--json", recorded(tmp_path / "game")).out)
    assert told["game"] == "kismet"
    assert told["options"] == {"kismet_is_full_house": True, "second_kismet": False}
    assert told["seats"] == [{"name": "Ann", "kind": "person"}, {"name": "Robo", "kind": "greedy"}]
    assert told["dice"] == "seeded 9"
    assert len(told["events"]) == len(game.table.events)
    for number, event in enumerate(told["events"]):
        after = game.table.states[number + 1]
        assert event["sentence"] == game.table.tell(number)
        assert event["position"] == after.position
        assert event["scores"] == list(after.scores)
    assert {event["seat"] for event in told["events"]} == {1, 2}
    assert [standing["score"] for standing in told["result"]["standings"]] == sorted(after.scores, reverse=True)


def test_replay_of_an_unfinished_game_says_so(tmp_path: Path) -> None:
    path = recorded(tmp_path / "game", events=40)
    assert "The game is unfinished." in hotdice("replay", path).out
    assert json.loads(hotdice("replay", path, "--json").out)["result"] is None


def test_replay_keeps_comments(tmp_path: Path) -> None:
    path = recorded(tmp_path / "game")
    path.write_text(path.read_text("utf-8").replace("\n\n", "\n\n# A fine evening.\n"), "utf-8")
    assert "\n# A fine evening.\n" in hotdice("replay", path).out


def test_verify_says_what_holds(tmp_path: Path) -> None:
    told = hotdice("verify", recorded(tmp_path / "seeded"))
    assert told.code == 0
    assert "events are legal, and the result holds: winner" in told.out
    assert "The dice (seeded 9) were rolled again and show the same." in told.out
    assert "Names, the date and comments are as somebody wrote them" in told.out
    told = hotdice("verify", recorded(tmp_path / "manual", manual=True))
    assert told.code == 0
    assert "cannot be checked" in told.out
    assert "the game is unfinished" in hotdice("verify", recorded(tmp_path / "half", events=40)).out


def test_verify_finds_every_edit(tmp_path: Path) -> None:
    path = recorded(tmp_path / "game")
    lines = path.read_text("utf-8").splitlines(keepends=True)
    first_roll = next(number for number, line in enumerate(lines) if " rolls " in line)
    edits = {
        "a roll": [*lines[:first_roll], "1 rolls 6\n", *lines[first_roll + 1 :]],
        "the result": [*lines[:-1], "result: winner 1; scores 1 2\n"],
        "a missing line": lines[:first_roll] + lines[first_roll + 1 :],
        "a missing end": lines[:-1],
        "half a line": [*lines[:20], lines[20][:3]],
        "a name": [line.replace("Ann", "A\x07nn") for line in lines],
        "the game": [line.replace("kismet(", "kissmet(") for line in lines],
        "a second end": [*lines, lines[-1]],
    }
    if lines[first_roll] == "1 rolls 6\n":
        edits["a roll"][first_roll] = "1 rolls 5\n"
    for what, edited in edits.items():
        path.write_text("".join(edited), "utf-8")
        for command in ("verify", "replay"):
            said = hotdice(command, path).refused()
            assert f"“{path}”, line " in said, what
            assert ", column " in said, what


# Pipes and streams that close


def run(*args: str | Path, line: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell line, in which it is written as $HOTDICE."""
    words = " ".join(f"'{word}'" for word in (*HOTDICE, *map(str, args)))
    return subprocess.run(["bash", "-c", line.replace("$HOTDICE", words)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("args", [("games",), ("rules", "kor"), ("play", "kor", "-p", "greedy", "-p", "random")])
def test_a_closed_pipe_ends_quietly(args: tuple[str, ...]) -> None:
    ended = run(*args, line="$HOTDICE | true; exit ${PIPESTATUS[0]}")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_game_whose_pipe_closes_is_kept(saves: Path) -> None:
    run("play", "kor", "-p", "greedy", "-p", "random", line="$HOTDICE | true")
    assert hotdice("verify", *saves.iterdir()).code == 0


def test_a_full_disk_is_one_line() -> None:
    ended = run("games", line="$HOTDICE >/dev/full")
    assert (ended.returncode, ended.stderr) == (2, "No space left on device.\n")


def test_streams_that_are_closed_from_the_start() -> None:
    assert run("games", line="$HOTDICE >&-").returncode == 0
    assert "Saved as" in run("play", "pig", line="$HOTDICE <&-").stdout


def test_files_may_not_grow_beyond_a_limit(tmp_path: Path) -> None:
    """The closest to a full disk that can be had everywhere: the system refuses to write any more."""
    path = saved_in(hotdice("play", "kismet", "-p", "Ann", "--seed", "1", typed=["save mine.hotdice", "quit"]).out)
    before = path.read_bytes()
    line = "unset COVERAGE_PROCESS_CONFIG; ulimit -f 0; echo 'score aces' | $HOTDICE"
    ended = run("play", "--resume", path, line=line)
    assert ended.returncode == 2
    assert "could not be saved" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert path.read_bytes() == before


def test_signals_lose_nothing_of_what_is_written_without_a_buffer() -> None:
    """Python with `-u` drops the rest of a write that a signal interrupts, as the heartbeat does during play."""
    writes = (
        "import signal, sys; from hotdice.terminal.streams import prepare_streams\n"
        "prepare_streams()\n"
        "signal.signal(signal.SIGALRM, lambda number, at: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)\n"
        "sys.stdout.write('x' * 1_000_000 + '\\n')\n"
    )
    with subprocess.Popen([sys.executable, "-u", "-c", writes], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        begun = process.stdout.read(1)
        time.sleep(0.2)  # the pipe is full, so the program is writing when the signals come
        assert len(begun + process.stdout.read()) == 1_000_001
