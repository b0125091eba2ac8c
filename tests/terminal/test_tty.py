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
    assert "Kismet is for 1 to 8 players." in window.until("Who plays? Enter seats You and Greedy> ")
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
    window.until("Who plays? Enter seats You and Greedy> ")
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
    window.until("Greedy rolls a")
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
    window.type("quit")
    window.close()
    assert "undo takes it back" not in window.text


def test_longer_texts_come_a_windowful_at_a_time() -> None:
    window = Terminal("play", "kismet", "-p", "Ann", "-p", "Ben", "-o", "second_kismet=true")
    window.until("Enter rolls> ")
    window.type("rules")
    first = window.until("Enter shows more> ")
    assert first.count("\n") <= 24
    window.type("")
    window.until("Enter shows more> ")
    window.type("log")
    window.until("Nothing has happened yet.")
    window.until("Enter goes back> ")
    window.type("")
    window.until("Enter rolls> ")
    window.type("?")
    window.until("At any prompt:")
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
    assert window.close() == 130
    assert "Go on with: hotdice play --resume" in window.text
    assert "Traceback" not in window.text
    record = read_record(saved_in(window.text).read_bytes())
    assert record.result == "unfinished"
    assert len(record.events) == 1


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
    window.until("Enter shows more> ")
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


def test_a_small_window_is_told_so_once_and_plays_on() -> None:
    window = Terminal("play", "pig", *TWO, "--seed", "2", columns=50, lines=15)
    window.until("The window (50x15) is too small to draw this game")
    window.until("Enter rolls> ")
    window.type("")
    assert "Ann rolls a 6, 6 this turn." in window.until("Ann> ")
    window.resize(80, 24)
    window.type("")
    assert "╭───────╮" in window.until("Type a move; ? lists them.")
    window.type("quit")
    assert window.close() == 0
    assert window.text.count("too small") == 1


def test_the_last_choice_can_be_taken_back_too(saves: Path) -> None:
    window = Terminal("play", "pig", "-p", "Ann", "-p", "Ben", "-o", "target=6", "--seed", "2")
    window.until("Enter rolls> ")
    window.type("")
    window.until("Ann> ")
    window.type("hold")
    assert "Ann wins! First to 6." in window.until("Enter ends the game, undo takes it back> ")
    window.type("undo")
    window.until("Ann> ")
    window.type("hold")
    window.until("Enter ends the game, undo takes it back> ")
    window.type("")
    assert window.close() == 0
    assert read_record(saved_in(window.text).read_bytes()).result == "winner 1; scores 6 0"


def test_real_dice_are_asked_for_by_number_and_kind() -> None:
    window = Terminal("play", "rollers", "-p", "Ann", "-p", "greedy", "-o", "target_points=1", "--dice", "manual")
    window.until("Ann rolls 1 purple die; they show> ")
    window.type("*")
    window.until("Greedy rolls 1 purple die; they show> ")
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
