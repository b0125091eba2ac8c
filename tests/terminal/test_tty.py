"""The program at a terminal of its own: what is asked, drawn and kept there."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest

from hotdice.games import all_games
from hotdice.record import read_record
from tests.terminal.drive import Terminal, hotdice, saved_in

TWO = ("-p", "Ann", "-p", "Ben", "-o", "target=100")


def test_the_menu_offers_something_on_every_enter() -> None:
    window = Terminal("play")
    window.until(f"Which game? A number or a name; Enter takes {all_games()[0].name}> ")
    window.type("kis")
    assert "Kismet is for 1 to 8 players." in window.until("Who plays? Enter seats You and Otto (greedy)> ")
    window.type("")
    asked = window.until("Enter plays> ")
    assert "second_kismet=true (true or false)" in asked
    assert "From a player's second Kismet on" in asked
    window.type("")
    assert "▸ You roll one die to see who begins." in window.until("Enter rolls> ")
    window.type("quit")
    assert window.close() == 0
    assert "Go on with: hotdice play --resume" in window.text


def test_only_what_is_open_is_asked() -> None:
    window = Terminal("play", "pig", "-o", "target=20")
    window.until("Who plays? Enter seats You and Otto (greedy)> ")
    window.type("undo")
    window.until("This is the first question; there is nothing to take back.")
    window.type("Ann, Ben")
    window.until("Enter rolls> ")
    window.type("quit")
    window.close()
    assert "House rules" not in window.text


def test_a_turn_is_rolled_played_taken_back_and_passed_on() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("keep 5")
    window.until("“keep 5” has to wait: the dice are to be rolled first.")
    window.type("")
    frame = window.until("Ann> ")
    assert "rolled by Ann" in frame
    assert "hold  holds and scores 6, for 6 in all." in frame
    window.type("roll")
    window.until("Ann> ")  # the choice to roll is not asked for twice
    window.type("hold")
    window.until("Enter rolls, undo takes it back> ")
    window.type("undo")
    assert "Taken back: Ann holds" in window.until("Ann> ")
    window.type("hold")
    window.until("Enter rolls, undo takes it back> ")
    window.type("")
    window.until("Ben rolls a ")
    window.type("undo")
    window.until("The dice have been rolled since")
    window.type("quit")
    assert window.close() == 0


def test_a_bot_waits_until_a_choice_can_no_longer_be_taken_back() -> None:
    window = Terminal("play", "pig", "-p", "Ann", "-p", "greedy", "-o", "target=100", "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type("hold")
    window.until("Enter goes on, undo takes it back> ")
    window.type("undo")
    window.until("Ann> ")
    window.type("hold")
    window.until("Enter goes on, undo takes it back> ")
    window.type("")
    window.until("Otto rolls a")
    window.until("Enter rolls> ")
    window.type("quit")
    assert window.close() == 0


def test_alone_a_score_can_be_taken_back_before_the_next_roll() -> None:
    window = Terminal("play", "kismet", "-p", "Ann", "-o", "second_kismet=true", "--seed", "1")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type("score aces")
    window.until("Enter rolls, undo takes it back> ")
    window.type("undo")
    assert "Taken back: Ann takes 2 in Aces." in window.until("Ann> ")
    window.type("keep 1 1")
    window.until("Roll 2 of 3.")
    window.type("q")
    assert window.close() == 0


def test_auto_rolls_without_asking() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("auto")
    window.until("Ann> ")
    window.type("hold")
    window.until("Ben rolls a")
    window.until("Ben> ")
    window.type("quit")
    window.close()
    assert "undo takes it back" not in window.text


def test_longer_texts_come_a_windowful_at_a_time() -> None:
    window = Terminal("play", "kismet", "-p", "Ann", "-p", "Ben", "-o", "second_kismet=true")
    window.until("Enter rolls> ")
    window.type("rules")
    first = window.until("Enter shows more, q closes it> ")
    assert first.count("\n") <= 24
    window.type("")
    window.until("Enter shows more, q closes it> ")
    window.type("log")
    window.until("Nothing has happened yet.")
    window.until("Enter goes back> ")
    window.type("")
    window.until("Enter rolls> ")
    window.type("?")
    window.until("At any prompt:")
    window.type("quit")
    assert window.close() == 0


def test_q_closes_a_page_and_not_the_game() -> None:
    window = Terminal("play", "pig", *TWO)
    window.until("Enter rolls> ")
    window.type("log")
    window.until("Enter goes back> ")
    window.type("q")
    window.until("Enter rolls> ")
    window.type("q")
    assert window.close() == 0


def test_a_resized_window_is_drawn_again_with_what_was_typed() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.press(b"ho")
    window.until("ho")
    window.resize(100, 30)
    window.until("quit \n")
    assert "  holds and scores 6" in window.until("  Ann> ho")
    window.type("ld")
    window.until("Ann holds and scores 6")
    window.type("rules")
    window.until("Enter goes back> ")
    window.resize(80, 12)
    window.until("Enter shows more, q closes it> ")
    window.type("quit")
    assert window.close() == 0


def test_tab_completes_moves_names_and_commands() -> None:
    window = Terminal("play", "kor", "-p", "Ann", "-p", "Ben", "-p", "Cleo", "-o", "target=100", "--dice", "manual")
    assert "Type S for STOP, D for DEAD END and U for U-TURN" in window.until("they show> ")
    window.type("U U U 25 50 100")
    frame = window.until("Ann> ")
    assert "  target Cleo  sends Cleo on a U-TURN" in frame
    window.press(b"t\tc\t\n")
    window.until("Cleo serves a penalty")
    window.until("they show> ")
    window.press(b"unf\x15und\t\n")
    window.until("Taken back: Ann sends Cleo")
    window.type("quit")
    assert window.close() == 0


# Waits

BOTS = """\
import time
from pathlib import Path

from hotdice.terminal import values

class Slow:
    def __init__(self, seed): pass
    def choose(self, state):
        while not Path("go").exists():
            time.sleep(0.01)
        return state.legal_moves()[-1]

def evaluator_for(*args):
    time.sleep(600)

values.evaluator_for = evaluator_for
"""


@pytest.fixture
def slow(tmp_path: Path) -> tuple[str, ...]:
    """A bot that thinks until there is a file `go`, beside whom nothing can be evaluated in a lifetime."""
    (tmp_path / "my_bots.py").write_text(BOTS)
    return ("-p", "Slow=my_bots:Slow", "-p", "Ann", "-o", "target=20", "--seed", "2")


def test_a_bot_that_never_decides_can_be_left(slow: tuple[str, ...]) -> None:
    window = Terminal("play", "pig", *slow)
    window.until("Slow is thinking 0:0")
    window.press(b"\x03")
    window.until("Slow goes on thinking.")
    window.until("Enter waits for Slow, quit keeps the game and leaves> ")
    window.type("")
    window.until("Slow is thinking")
    window.press(b"\x03")
    window.until("leaves> ")
    window.press(b"\x03")
    assert window.close() == 130
    assert len(read_record(saved_in(window.text).read_bytes()).events) == 1


def test_the_end_of_the_terminal_leaves_a_thinking_bot_at_once(slow: tuple[str, ...], saves: Path) -> None:
    window = Terminal("play", "pig", *slow)
    window.until("Slow is thinking")
    window.signal(signal.SIGTERM)
    assert window.close() == 130
    assert len(list(saves.iterdir())) == 1
    window = Terminal("play", "pig", *slow)
    window.until("Slow is thinking")
    window.hang_up()
    assert len(list(saves.iterdir())) == 2


def test_what_is_typed_during_a_wait_is_dropped(tmp_path: Path, slow: tuple[str, ...]) -> None:
    window = Terminal("play", "pig", *slow)
    window.until("Slow is thinking")
    window.type_ahead("quit")
    (tmp_path / "go").touch()
    window.until("Enter rolls> ")
    window.type("")
    assert "quit" not in window.until("Ann> ").splitlines()[-1]
    window.type("quit")
    assert window.close() == 0
    assert "\nquit" not in window.text


def test_a_window_is_drawn_again_during_a_wait(slow: tuple[str, ...]) -> None:
    window = Terminal("play", "pig", *slow)
    window.until("Slow is thinking")
    window.resize(100, 30)
    window.until(" Pig ")
    window.until("quit \n")
    window.press(b"\x03")
    window.until("leaves> ")
    window.type("quit")
    assert window.close() == 0


@pytest.mark.parametrize("command", ["hint", "odds"])
def test_ctrl_c_stops_what_is_worked_out_and_nothing_else(tmp_path: Path, slow: tuple[str, ...], command: str) -> None:
    (tmp_path / "go").touch()
    window = Terminal("play", "pig", *slow)
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type(command)
    window.until("Working out what the moves are worth")
    window.press(b"\x03")
    window.until("Stopped.")
    window.until("Ann> ")
    window.type("hold")
    window.until("Ann holds")
    window.until("goes on, undo takes it back> ")
    window.type("quit")
    assert window.close() == 0


@pytest.mark.parametrize(
    "way", [b"\x03", signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=["^C", "TERM", "HUP", "INT"]
)
def test_being_stopped_keeps_the_game(way: bytes | signal.Signals) -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    if isinstance(way, bytes):
        window.press(way)
    else:
        window.signal(way)
    assert window.close() == 130, window.text[-3000:]
    assert "Go on with: hotdice play --resume" in window.text
    assert "Traceback" not in window.text
    record = read_record(saved_in(window.text).read_bytes())
    assert record.result == "unfinished"
    assert len(record.events) == 1


@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["INT", "TERM", "HUP"])
def test_being_stopped_at_a_beat_keeps_the_game(way: signal.Signals) -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2", traced=True)
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    for number in (signal.SIGSTOP, signal.SIGALRM, way, signal.SIGCONT):  # it finds both when it goes on
        window.signal(number)
    assert window.close() == 130, window.text[-3000:]
    assert "Traceback" not in window.text
    assert len(read_record(saved_in(window.text).read_bytes()).events) == 1


def test_closing_the_window_keeps_the_game(saves: Path) -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.hang_up()
    assert window.process.returncode == 130
    (kept,) = saves.iterdir()
    assert len(read_record(kept.read_bytes()).events) == 1


def test_under_nohup_a_hangup_is_ignored() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2", nohup=True)
    window.until("Enter rolls> ")
    window.signal(signal.SIGHUP)
    window.type("")
    window.until("Ann> ")
    window.type("quit")
    assert window.close() == 0


def test_a_bot_can_be_stopped_while_it_plays() -> None:
    window = Terminal("play", "kor", "-p", "greedy", "-p", "random", "-o", "target=6000")
    window.until("tosses")
    window.press(b"\x03")
    assert window.close() == 130
    assert hotdice("verify", saved_in(window.text)).code == 0


def test_stopping_in_the_menu_leaves_nothing_behind(saves: Path) -> None:
    window = Terminal("play")
    window.until("Which game?")
    window.press(b"\x03")
    assert window.close() == 130
    assert not saves.exists()
    assert "Traceback" not in window.text


def test_the_end_of_input_is_a_wish_to_leave() -> None:
    window = Terminal("play", "pig", *TWO)
    window.until("Enter rolls> ")
    window.press(b"\x04")
    assert window.close() == 0
    assert "Go on with:" in window.text


def test_without_colour_there_is_not_one_escape_code() -> None:
    window = Terminal(
        "play",
        "kismet",
        "-p",
        "Ann",
        "-p",
        "Ben",
        "-o",
        "second_kismet=true",
        "--seed",
        "3",
        environment={"NO_COLOR": "1"},
    )
    window.until("Enter rolls> ")
    window.type("")
    window.until("Enter rolls> ")
    window.type("rules")
    window.until("Enter shows more, q closes it> ")
    window.type("quit")
    assert window.close() == 0
    assert "\x1b" not in window.raw
    assert "▸Ben" in window.raw


def test_with_colour_the_window_is_cleared_and_dice_are_coloured() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type("quit")
    window.close()
    assert window.raw.count("\x1b[2J") == 2
    assert re.search(r"\x1b\[[0-9;]*38;", window.raw)


@pytest.mark.parametrize(
    ("args", "environment"),
    [((), {"TERM": "dumb"}), (("--plain",), {}), ((), {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"})],
    ids=["dumb", "plain", "latin-1"],
)
def test_plain_lines_are_whole_sentences_without_drawing(args: tuple[str, ...], environment: dict[str, str]) -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2", *args, environment=environment)
    window.until("Enter rolls> ")
    window.type("")
    said = window.until("Ann> ")
    assert "Ann rolls a 6, 6 this turn." in said
    assert "Moves: roll, hold." in said
    window.type("hold")
    window.until("Scores: Ann 6, Ben 0.")
    window.type("quit")
    assert window.close() == 0
    assert "\x1b" not in window.raw
    assert window.raw.isascii()


def test_a_small_window_is_told_so_and_plays_on() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2", columns=50, lines=15)
    window.until("The window (50x15) is too small to draw this")
    window.until("Enter rolls> ")
    window.type("")
    assert "Ann rolls a 6, 6 this turn." in window.until("Ann> ")
    window.resize(80, 24)
    window.until("╭───────╮")
    window.until("Ann> ")
    window.resize(50, 15)
    window.until("too small")
    window.until("Moves: roll, hold.")
    window.until("Ann> ")
    window.type("quit")
    assert window.close() == 0
    assert window.text.count("too small") == 2


def test_the_last_choice_can_be_taken_back_too(saves: Path) -> None:
    window = Terminal("play", "pig", "-p", "Ann", "-p", "Ben", "-o", "target=6", "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type("hold")
    assert "Ann wins! First to 6." in window.until("Play again? y plays, Enter leaves, undo takes it back> ")
    window.type("undo")
    window.until("Ann> ")
    window.type("hold")
    window.until("undo takes it back> ")
    window.type("perhaps")
    window.until("Type y to play again, or Enter to leave.")
    window.until("undo takes it back> ")
    window.type("")
    assert window.close() == 0
    assert read_record(saved_in(window.text).read_bytes()).result == "winner 1; scores 6 0"


def test_another_game_can_be_played_at_the_end(saves: Path) -> None:
    window = Terminal("play", "pig", "-p", "greedy", "-p", "Ann", "-o", "target=3", "--dice", "manual")
    window.until("Otto rolls 1 die; it shows> ")
    window.type("6")
    assert "Otto wins!" in window.until("Play again? y plays, Enter leaves")
    window.type("y")
    window.until("Otto rolls 1 die; it shows> ")
    window.press(b"\x03")
    assert window.close() == 130, window.text[-3000:]
    records = sorted((read_record(path.read_bytes()) for path in saves.iterdir()), key=lambda record: record.result)
    assert [record.result for record in records] == ["unfinished", "winner 1; scores 6 0"]
    assert records[0].seats == records[1].seats
    assert records[0].options == records[1].options


def test_real_dice_are_asked_for_by_number_and_kind() -> None:
    window = Terminal("play", "rollers", "-p", "Ann", "-p", "greedy", "-o", "target_points=1", "--dice", "manual")
    window.until("Ann rolls 1 purple die; it shows> ")
    window.type("*")
    window.until("Otto rolls 1 purple die; it shows> ")
    window.type("1")
    window.until("Ann rolls 5 purple dice and 1 black die; they show> ")
    window.type("1 1 1 1 1 6")
    window.until("is not a roll of these dice")
    window.type("1 2 3 4 5 zap")
    assert "cancelled" in window.until("Ann> ")
    window.type("undo")
    window.until("Taken back: Ann rolls 1, 2, 3, 4, 5, ZAP.")
    window.type("quit")
    assert window.close() == 0
