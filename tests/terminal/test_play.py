"""Whole games through a pipe, and every kind of bad input on the way."""

from __future__ import annotations

import errno
import os
import re
import subprocess
from pathlib import Path

import pytest

from hotdice.game import OVER
from hotdice.games import all_games
from hotdice.notation import listed
from hotdice.players import LEVELS, bot_names
from hotdice.record import read_record
from tests.terminal.drive import HOTDICE, Outcome, hotdice, played, saved_in, seated, short

GAMES = [game.name for game in all_games()]


# Whole games


@pytest.mark.parametrize("name", GAMES)
def test_a_game_typed_into_a_pipe_is_the_game_that_the_engine_plays(name: str) -> None:
    game = played(name, seated(name, "Ann", "Ben", "greedy"), short(name))
    outcome = hotdice(*game.args, typed=game.lines)
    assert outcome.code == 0
    assert outcome.err == ""
    game.check_saved(saved_in(outcome.out))
    assert game.table.state.seat == OVER


@pytest.mark.parametrize("name", GAMES)
def test_a_game_with_real_dice_is_typed_roll_by_roll(name: str) -> None:
    game = played(name, seated(name, "Ann", "Robo=greedy"), short(name), seed=3, manual=True)
    outcome = hotdice(*game.args, typed=game.lines)
    assert outcome.code == 0
    game.check_saved(saved_in(outcome.out))
    assert "dice: manual" in game.record


def test_the_most_players_can_sit_down() -> None:
    for each in all_games():
        game = played(each.name, [*["greedy"] * (each.max_players - 1), "Ann"], short(each.name), events=60)
        outcome = hotdice(*game.args, typed=game.lines)
        assert outcome.code == 0
        record = read_record(saved_in(outcome.out).read_bytes())
        assert tuple(seat.name for seat in record.seats) == game.table.names
        assert len(record.seats) == each.max_players


def test_kismet_can_be_played_alone() -> None:
    game = played("kismet", ["Ann"])
    outcome = hotdice(*game.args, typed=game.lines)
    assert f"Ann ends with {game.table.state.scores[0]}. The sheet is full." in outcome.out


def test_bots_need_nobody() -> None:
    outcome = hotdice("play", "pig", "-p", "greedy", "-p", "random", "--seed", "2")
    assert outcome.code == 0
    assert re.search(r"^(Otto|Pixel) wins! First to 100\.$", outcome.out, re.MULTILINE)


def test_the_same_seed_is_the_same_game_and_no_seed_is_another() -> None:
    bots = ("play", "kor", "-p", "random", "-p", "greedy", "-o", "target=500")
    one, two, other = (
        saved_in(hotdice(*bots, *seed).out).read_text("utf-8") for seed in (("--seed", "7"), ("--seed", "7"), ())
    )
    assert one == two != other


def test_the_end_tells_places_reason_and_settlement() -> None:
    game = played("bj", ["Ann", "Ben"], ["target=500"])
    out = hotdice(*game.args, typed=game.lines).out
    winner = game.table.names[game.table.state.result.winners[0]]  # type: ignore[union-attr]
    assert f"{winner} wins! Highest score after the last round." in out
    assert f"{winner} owes each other player $50,000 a month" in out
    assert re.search(rf"^1\. {winner}, \d+, owes \$6,000,000$", out, re.MULTILINE)
    assert re.search(r"^2\. \w+, \d+, is owed \$6,000,000$", out, re.MULTILINE)
    assert "hotdice replay" in out


def test_moves_can_be_shortened_and_enter_plays_the_only_one() -> None:
    game = played("kor", ["Ann", "Ben"], ["target=2000"], seed=8)
    assert any(line == "target 2" for line in game.lines), "this seed should hold a U-TURN"
    typed = ["" if line.startswith("target") else line for line in game.lines]
    outcome = hotdice(*game.args, typed=typed)
    game.check_saved(saved_in(outcome.out))
    assert "The only move is target Ben; Enter plays it." in outcome.out

    outcome = hotdice("play", "kismet", "-p", "Ann", "--seed", "1", typed=["sc ya", "SCORE 2S", "quit"])
    assert "Ann takes 14 in Yarborough." in outcome.out
    assert re.search(r"Ann (takes \d+|writes a zero) in Deuces\.", outcome.out)


# Setting up


def test_without_a_terminal_a_named_game_asks_nothing() -> None:
    outcome = hotdice("play", "kismet", "--seed", "3")
    assert "Who plays" not in outcome.out
    assert "You roll 2 to see who begins." in outcome.out
    assert "Otto rolls 4 to see who begins. Otto begins." in outcome.out


def test_the_menu_reads_its_answers_from_the_pipe() -> None:
    outcome = hotdice("play", "--seed", "2", typed=["pig", "Ann, Ben", "target=10", "", "hold", "quit"])
    for text in ("Which game?", "Who plays?", "The score that wins.", "House rules now: target=10.", "Ann holds"):
        assert text in outcome.out
    record = read_record(saved_in(outcome.out).read_bytes())
    assert record.game.text(record.options) == "pig(target=10)"
    assert [seat.name for seat in record.seats] == ["Ann", "Ben"]


def test_the_menu_takes_numbers_and_enter() -> None:
    number = GAMES.index("rollers") + 1
    outcome = hotdice("play", typed=[str(number), "", "", "quit"])
    record = read_record(saved_in(outcome.out).read_bytes())
    assert (record.game.name, record.options.text) == ("rollers", "")
    assert [(seat.name, seat.kind) for seat in record.seats] == [("You", "person"), ("Otto", "greedy")]


def test_a_wrong_answer_is_asked_again() -> None:
    typed = ["chess", "k", "kor", "Ann", "Ann, Ann", "Ann, Ben=clever", "Ann, Ben", "speed=1", "target=7", "bank_roll"]
    outcome = hotdice("play", typed=[*typed, "", "quit"])
    for text in (
        '"chess" is not a game; expected',
        '"k" could be kismet',
        "takes 2 to 8 players, not 1.",
        "Two players are called Ann",
        'There is no bot "clever"; after the = comes random, greedy, beginner, casual, expert, optimal',
        "There is no option speed;",
        "The option target takes a whole number from 25 to 100000 in steps of 25, not 7.",
        "The option bank_roll needs a value, as in bank_roll=...; it takes false or true.",
    ):
        assert text in outcome.out, text
    assert outcome.code == 0
    assert outcome.err == ""


def test_commands_work_at_the_questions_too() -> None:
    typed = ["undo", "save", "log", "rules", "sheet", "auto", "auto", "help", "pig", "rules", "undo", "kor", "quit"]
    outcome = hotdice("play", typed=typed)
    for text in (
        "This is the first question",
        "There is no game to save yet.",
        "Nothing has happened yet.",
        "Choose a game first",
        "There is no score sheet yet.",
        "You are asked before each roll now.",
        "The dice are rolled without asking now.",
        "Answer the question",
        "Two to eight players, one die.",
        "KOR, Keep On Rollin' is for 2 to 8 players.",
        "No game was begun.",
    ):
        assert text in outcome.out, text
    assert outcome.code == 0


def test_house_rules_can_be_changed_again() -> None:
    outcome = hotdice("play", "--seed", "2", typed=["pig", "", "target=10", "target=20", "", "quit"])
    assert read_record(saved_in(outcome.out).read_bytes()).options.text == "target=20"


def test_bots_without_a_name_get_different_ones() -> None:
    outcome = hotdice("play", "pig", "-p", "greedy", "-p", "Greedy", "-p", "greedy", "-p", "random", typed=["quit"])
    record = read_record(saved_in(outcome.out).read_bytes())
    assert [seat.name for seat in record.seats] == ["Otto", "Greedy", "Pixel", "Momo"]


def seats_after(*players: str) -> list[tuple[str, str]]:
    """Names and kinds of a game's seats, as its record has them."""
    args = [part for player in players for part in ("-p", player)]
    record = read_record(saved_in(hotdice("play", "pig", *args, typed=["quit"]).out).read_bytes())
    return [(seat.name, seat.kind) for seat in record.seats]


def test_a_seat_is_a_person_a_bot_or_a_bot_with_a_name() -> None:
    assert seats_after("Ann", "random", "Robo=greedy", "R2 = optimal", "Old:greedy", "a:b:random") == [
        ("Ann", "person"),
        ("Pixel", "random"),
        ("Robo", "greedy"),
        ("R2", "optimal"),
        ("Old", "greedy"),
        ("a:b", "random"),
    ]


def test_bots_that_know_values_are_offered_only_where_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "A bot is random, greedy, beginner, casual, expert" in hotdice("play", typed=["pig", "quit"]).out
    monkeypatch.setattr("hotdice.terminal.setup.has_values", lambda game: False)
    others = listed((kind for kind in bot_names() if kind not in LEVELS), "or")
    assert f"A bot is {others}; Robo=greedy gives it a name." in hotdice("play", typed=["pig", "quit"]).out


# Bots of one's own

BOTS = """\
from hotdice.players import GreedyPlayer

class Careful(GreedyPlayer):
    kind = "careful"

class Broken(GreedyPlayer):
    def choose(self, state):
        raise RuntimeError("out of ideas")

class Cheat(GreedyPlayer):
    def choose(self, state):
        return None
"""


def run(*args: str | Path, typed: str = "") -> Outcome:
    """Run a command as a process of its own in this folder, which Python does not look into by itself (-P)."""
    program, *rest = HOTDICE
    ended = subprocess.run(
        [program, "-P", *rest, *map(str, args)],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout, ended.stderr)


def test_a_bot_of_ones_own_plays_is_recorded_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "my_bots.py").write_text(BOTS)
    seats = ("-p", "my_bots:Careful", "-p", "Robo=my_bots:Careful", "-p", "Careful")
    path = saved_in(run("play", "pig", *seats, "--seed", "2", typed="hold\n").out)
    record = read_record(path.read_bytes())
    assert [(seat.name, seat.kind) for seat in record.seats] == [
        ("Otto", "my_bots:Careful"),
        ("Robo", "my_bots:Careful"),
        ("Careful", "person"),
    ]
    resumed = run("play", "--resume", path, typed="hold\n")
    assert resumed.code == 0
    assert "The game goes on where it was left." in resumed.out
    assert len(read_record(path.read_bytes()).events) > len(record.events)

    (tmp_path / "my_bots.py").unlink()
    said = run("play", "--resume", path).refused()
    assert f"“{path}” cannot go on: The bot “my_bots:Careful” cannot be loaded: " in said
    assert "No module named 'my_bots'" in said
    assert run("verify", path).code == 0


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("Broken", "The bot “my_bots:Broken” failed at “pig 0/0 1 "),
        ("Cheat", "The bot “my_bots:Cheat” chose None, which is not a legal move at “pig 0/0 1 "),
    ],
)
def test_a_bot_that_fails_is_one_line_and_the_game_is_saved(tmp_path: Path, bot: str, said: str) -> None:
    (tmp_path / "my_bots.py").write_text(BOTS)
    outcome = run("play", "pig", "-p", f"Robo=my_bots:{bot}", "-p", "Ann", "--seed", "2")
    assert said in outcome.refused()
    assert len(read_record(saved_in(outcome.out).read_bytes()).events) == 1


def test_what_an_installed_package_breaks_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "site" / "shaky-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shaky\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[hotdice.games]\nshaky = nowhere_at_all:GAME\n[hotdice.bots]\ndizzy = json:nothing\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    listing = run("games")
    assert listing.code == 0
    assert "shaky" not in listing.out
    assert re.fullmatch(r"The game shaky \(nowhere_at_all:GAME\) is left out: .*\.\n", listing.err)
    menu = run("play", typed="pig\nAnn, Ben\n\nquit\n")
    assert menu.code == 0
    assert sorted(line.partition(" is left out: ")[0] for line in menu.err.splitlines()) == [
        "The bot dizzy (json:nothing)",
        "The game shaky (nowhere_at_all:GAME)",
    ]


# Bad input at the command line


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("play", "chess"), f"There is no game “chess”; there are {listed(GAMES)}."),
        (("play", "kor", "-o", "speed=1"), "There is no option speed;"),
        (("play", "kor", "-o", "target=many"), "takes a whole number from 25 to 100000 in steps of 25, not many."),
        (("play", "kor", "-o", "target"), "The option target needs a value, as in target=…; it takes a whole number"),
        (("play", "kor", "-o", "speed"), "“speed” is not an option; write it as name=value."),
        (("play", "kor", "-o", "target=50", "-o", "target=75"), "is given twice"),
        (("play", "kor", "-p", "Ann"), "takes 2 to 8 players, not 1."),
        (("play", "rollers", *["-p", "greedy"] * 6), "Rollers takes 2 to 5 players, not 6."),
        (("play", "kor", "-p", "Ann", "-p", "Ann"), "Two players are called Ann"),
        (
            ("play", "kor", "-p", "Ann", "-p", "Ben=clever"),
            "There is no bot “clever”; after the = comes random, greedy",
        ),
        (("play", "kor", "-p", "Ann", "-p", "a=b=greedy"), "so a person's name has no = in it."),
        (("play", "kor", "-p", "Ann", "-p", "Ben:clever"), "No module named 'Ben'"),
        (("play", "kor", "-p", "Ann", "-p", "Ben=nowhere:Bot"), "No module named 'nowhere'"),
        (("play", "kor", "-p", "Ann", "-p", "Ben=json:Bot"), "json has no class Bot."),
        (("play", "kor", "-p", "Ann", "-p", "Ben=json:JSONDecoder"), "it has no “choose(state)”"),
        (("play", "kor", "-p", "Ann", "-p", "Ben B:clever"), "There is no bot “Ben B:clever”; there are random"),
        (("play", "kor", "-p", "Ann", "-p", ":greedy"), "has no name; write Robo=greedy"),
        (("play", "kor", "-p", "Ann", "-p", "=greedy"), "has no name; write Robo=greedy"),
        (("play", "kor", "-p", "Ann", "-p", ""), "cannot be a name"),
        (("play", "kor", "-p", "Ann", "-p", "x" * 25), "cannot be a name"),
        (("play", "kor", "-p", "Ann", "-p", "a\tb\x1b[2J"), "cannot be a name"),
        (("play", "kor", "--seed", "-1"), "--seed takes a whole number from 0 to 9999999999999999999, not “-1”."),
        (("play", "kor", "--seed", "ten"), "--seed takes a whole number from 0 to 9999999999999999999, not “ten”."),
        (("play", "kor", "--seed", "1" * 20), "--seed takes a whole number"),
        (("play", "kor", "--dice", "loaded"), "--dice takes seeded or manual, not “loaded”."),
        (("play", "kor", "--resume", "x"), "--resume takes the game"),
        (("play", "--resume", "nowhere"), "There is no file “nowhere”."),
        (("play", "--resume", "."), "“.” is a folder, not a record."),
    ],
)
def test_a_bad_wish_is_one_line_and_exit_code_2(args: tuple[str, ...], said: str) -> None:
    assert said in hotdice(*args).refused()


@pytest.mark.parametrize(
    "name", ["Ann {0}", "[bold]Ann[/bold]", "Zoë", "日本の人", "{", "a" * 24, "%s", "-Ann-", "person"]
)
def test_odd_names_are_names_all_the_same(name: str) -> None:
    outcome = hotdice("play", "pig", f"--player={name}", "-p", "Ben", "--seed", "2", typed=["hold", "sheet", "quit"])
    assert outcome.code == 0
    assert f"{name} holds and scores" in outcome.out
    assert read_record(saved_in(outcome.out).read_bytes()).seats[0].name == name


# Bad input at a prompt


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("keep 6 6 6 6 6", 'so "keep 6 6 6 6 6" is not possible.'),
        ("keep 7", '"7" is not a roll of these dice'),
        ("score everything", '"everything" is not a box'),
        ("score f", '"f" could be'),
        ("fly away", '"fly" is not a move of Kismet; expected keep or score.'),
        ("\x1b[2J\x00\x07", "is not a move of Kismet"),
        ("😀 ", "is not a move of Kismet"),
        ("x" * 5000, "is not a move of Kismet"),
        ("", "Type a move; ? lists them."),
        ("undo", "The dice have been rolled since"),
        ("? fly", 'No legal move starts with "fly".'),
    ],
)
def test_nonsense_is_answered_and_changes_nothing(typed: str, said: str) -> None:
    outcome = hotdice("play", "kismet", "-p", "Ann", "--seed", "1", typed=[typed, "quit"])
    untouched = hotdice("play", "kismet", "-p", "Ann", "--seed", "1", typed=["quit"])
    assert said in outcome.out
    assert "\x1b" not in outcome.out
    assert max(map(len, outcome.out.splitlines())) < 700
    assert saved_in(outcome.out).read_text("utf-8") == saved_in(untouched.out).read_text("utf-8")


def test_bytes_that_are_no_text_are_nonsense_too() -> None:
    outcome = hotdice("play", "kismet", "-p", "Ann", typed=b"\xff\xfe keep\nquit\n")
    assert "is not a move of Kismet" in outcome.out
    assert outcome.code == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1 2 3", "it takes 5 of them"),
        ("1 2 3 4 5 6", "it takes 5 of them"),
        ("1 2 3 4 7", '"7" is not a roll of these dice; their faces are 1, 2, 3, 4, 5, 6.'),
        ("five sixes", "is not a roll of these dice"),
        ("", "Nothing was typed"),
        ("keep 1", "is not a roll of these dice"),
    ],
)
def test_dice_that_cannot_be_are_refused(typed: str, said: str) -> None:
    outcome = hotdice("play", "kismet", "-p", "Ann", "--dice", "manual", typed=[typed, "1 1 2 3 5", "quit"])
    assert said in outcome.out
    assert "Ann rolls 1 1 2 3 5." in outcome.out


def test_a_roll_that_the_black_die_cannot_show_is_refused() -> None:
    typed = ["1", "2", "1 2 3 4 5 *", "1 2 3 4 5 b*", "zap 1 2 3 4 5", "quit"]
    outcome = hotdice("play", "rollers", "-p", "Ann", "-p", "Ben", "--dice", "manual", typed=typed)
    assert '"1 2 3 4 5 *" is not a roll of the dice in hand' in outcome.out
    assert '"b*" is not a roll of these dice' in outcome.out
    assert "The ZAP cancels this roll." in outcome.out
    assert "Cancelled: 1 2 3 4 5 zap." in outcome.out


# Commands


def test_help_lists_legal_moves_with_their_meaning() -> None:
    outcome = hotdice("play", "kismet", "-p", "Ann", "--seed", "1", typed=["?", "?score", "? keep 1", "help", "quit"])
    first, scores, *_ = re.split(r"Moves that start with .*:\n", outcome.out)
    assert re.search(r"keep none +rolls all five again\.", first)
    assert re.search(r"and \d+ more +\"\? keep\" lists them\.", first)
    assert re.search(r"undo +takes back your last choice", first)
    assert re.search(r"score yarborough +takes \d+ in Yarborough\.", scores)
    assert "keep none" not in scores
    assert outcome.out.count("Ann can play:") == 2


def test_undo_takes_back_a_choice_before_the_dice_roll() -> None:
    outcome = hotdice(
        "play", "rollers", "-p", "Ann", "-p", "Ben", "--seed", "4", typed=["stop", "undo", "stop", "quit"]
    )
    assert re.search(r"Taken back: (Ann|Ben) stops with", outcome.out)
    record = read_record(saved_in(outcome.out).read_bytes())
    assert [event for event in record.text.splitlines() if event.endswith(" stop")] == [record.text.splitlines()[-2]]


def test_undo_takes_back_a_mistyped_roll_and_bots_choices_on_the_way() -> None:
    typed = ["6", "1", "1 1 2 2 3", "undo", "1 1 1 1 2", "keep 1 1 1 1", "1", "score kismet", "6 6 6 6 6"]
    seats = ("-p", "Ann", "-p", "greedy", "--dice", "manual")
    played_on = hotdice("play", "kismet", *seats, typed=[*typed, "log", "quit"])
    assert "Taken back: Ann rolls 1 1 2 2 3." in played_on.out
    assert "Otto takes 80 in Kismet." in played_on.out

    back = hotdice("play", "kismet", *seats, typed=[*typed, "undo", "undo", "undo", "quit"])
    taken = re.findall(r"^Taken back: (.*)$", back.out, re.MULTILINE)
    assert taken == [
        "Ann rolls 1 1 2 2 3.",
        "Otto rolls 6 6 6 6 6. A Kismet!",
        "Ann takes 55 in Kismet.",
        "Ann rolls 1. A Kismet!",
    ]
    assert saved_in(back.out).read_text("utf-8").endswith("1 keep 1 1 1 1\nresult: unfinished\n")


def test_undo_that_a_roll_forbids_leaves_the_bots_choices_alone() -> None:
    game = played("rollers", ["Ann", "greedy"], seed=2, events=200)
    outcome = hotdice(*game.args, typed=[*game.lines[:6], "undo", "quit"])
    plain = hotdice(*game.args, typed=[*game.lines[:6], "quit"])
    if "Taken back" not in outcome.out:
        assert saved_in(outcome.out).read_text("utf-8") == saved_in(plain.out).read_text("utf-8")


def test_undo_at_the_very_start_has_nothing_to_take_back() -> None:
    outcome = hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--dice", "manual", typed=["undo", "quit"])
    assert "Nothing has happened yet, so there is nothing to take back." in outcome.out


def test_auto_asks_before_rolls_again() -> None:
    outcome = hotdice(
        "play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["auto", "hold", "undo", "hold", "", "quit"]
    )
    assert "You are asked before each roll now." in outcome.out
    assert "Taken back: Ann holds" in outcome.out


def test_log_rules_and_sheet_can_be_read_at_any_time() -> None:
    outcome = hotdice("play", "kismet", "-p", "Ann", "-p", "Ben", typed=["rules", "log", "sheet", "quit"])
    assert "Kismet\n======" in outcome.out
    assert "Ann, Basic: Aces empty, Deuces empty" in outcome.out
    assert outcome.out.count("to see who begins.") >= 4


def test_a_command_wins_over_a_move_only_by_its_exact_word() -> None:
    outcome = hotdice("play", "rollers", "-p", "Ann", "-p", "Ben", "--seed", "4", typed=["s", "quit"])
    assert re.search(r"(Ann|Ben) stops with", outcome.out)


# Saving and going on


def test_the_menu_offers_games_that_were_left(saves: Path) -> None:
    left = hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["hold", "quit"])
    done = hotdice("play", "pig", "-p", "greedy", "-p", "random", "-o", "target=10")
    (saves / "broken.hotdice").write_text("nonsense\nresult: unfinished\n")
    menu = hotdice("play", typed=[str(len(GAMES) + 1), "log", "quit"])
    assert re.search(
        rf"^{len(GAMES) + 1}\. Pig: Ann 6, Ben 0; left (to|yester)day at \d\d:\d\d$", menu.out, re.MULTILINE
    )
    assert "Who plays?" not in menu.out
    assert "The game goes on where it was left." in menu.out
    assert saved_in(menu.out) == saved_in(left.out) != saved_in(done.out)
    assert f"\n{len(GAMES) + 2}. " not in menu.out
    assert "go on with" not in hotdice("play", "-p", "Ann", "-p", "Ben", typed=["quit"]).out


def test_a_bare_resume_takes_the_game_that_was_left_last() -> None:
    assert "There is no unfinished game in " in hotdice("play", "--resume").refused()
    for name in ("Ann", "Cleo"):
        left = hotdice("play", "pig", "-p", name, "-p", "Ben", "--seed", "2", typed=["save", "hold", "quit"])
    os.utime(saved_in(left.out), (4e9, 4e9))
    hotdice("play", "pig", "-p", "greedy", "-p", "random", "-o", "target=10")
    for args in (("--resume",), ("--resume", "--plain")):
        outcome = hotdice("play", *args, typed=["quit"])
        assert saved_in(outcome.out) == saved_in(left.out)
        assert "Cleo holds" in outcome.out


@pytest.mark.parametrize("name", GAMES)
def test_a_game_put_aside_goes_on_as_if_it_never_was(name: str) -> None:
    game = played(name, seated(name, "Ann", "greedy"), short(name), seed=19)
    half = len(game.lines) // 2
    first = hotdice(*game.args, typed=game.lines[:half])
    path = saved_in(first.out)
    assert f"hotdice play --resume {path}" in first.out
    second = hotdice("play", "--resume", path, typed=game.lines[half:])
    assert "The game goes on where it was left." in second.out
    assert saved_in(second.out) == path
    game.check_saved(path)


def test_save_names_a_file_and_keeps_to_it(tmp_path: Path) -> None:
    outcome = hotdice(
        "play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["save mine.hotdice", "hold", "save", "quit"]
    )
    assert outcome.out.count(f"Saved as {tmp_path / 'mine.hotdice'}") == 3
    assert read_record((tmp_path / "mine.hotdice").read_bytes()).events[1].seat == 0
    assert not (tmp_path / "data").exists()


def test_save_does_not_overwrite_something_else(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("precious")
    outcome = hotdice(
        "play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["save other", "save .", "hold", "quit"]
    )
    assert outcome.out.count("exists already, so nothing was saved; choose another name.") == 2
    assert (tmp_path / "other").read_text() == "precious"


def test_two_games_of_one_moment_have_two_files(saves: Path) -> None:
    for _ in range(3):
        hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["quit"])
    assert len(list(saves.iterdir())) == 3


def test_comments_of_a_record_survive_going_on(tmp_path: Path) -> None:
    path = saved_in(hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["roll", "quit"]).out)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:-2], "# A brave roll.\n", *lines[-2:]]), "utf-8")
    hotdice("play", "--resume", path, typed=["roll", "quit"])
    assert "# A brave roll.\n" in path.read_text("utf-8")


def test_a_finished_game_can_be_looked_at_again_and_stays_as_it_is() -> None:
    game = played("pig", ["Ann", "greedy"], ["target=10"])
    path = saved_in(hotdice(*game.args, typed=game.lines).out)
    before = path.stat().st_mtime_ns
    outcome = hotdice("play", "--resume", path)
    assert outcome.code == 0
    assert "wins!" in outcome.out
    assert path.stat().st_mtime_ns == before


def test_a_save_that_fails_is_one_line_and_the_game_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    typed = ["save file/game", "save nowhere/game", "hold", "quit"]
    outcome = hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=typed)
    assert "file/game': Not a directory." in outcome.out.replace('"', "'")
    assert "nowhere/game': No such file or directory." in outcome.out.replace('"', "'")
    assert "Ann holds" in outcome.out
    assert outcome.code == 0


def test_leaving_tries_a_second_place(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    outcome = hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["save", "quit"])
    assert outcome.out.count("The game could not be saved as") == 2
    assert saved_in(outcome.out).parent == tmp_path / "passing"
    assert outcome.code == 0


def test_a_game_that_can_be_kept_nowhere_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("in the way")
    (tmp_path / "passing").rmdir()
    outcome = hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=["quit"])
    assert outcome.code == 2
    assert "could not be saved" in outcome.err


def test_a_full_disk_leaves_the_earlier_save_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.hotdice"
    hotdice("play", "pig", "-p", "Ann", "-p", "Ben", "--seed", "2", typed=[f"save {path}", "quit"])
    before = path.read_bytes()

    def no_room(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_room)
    outcome = hotdice("play", "--resume", path, typed=["hold", "save", "quit"])
    assert "could not be saved" in outcome.out
    assert "No space left on device." in outcome.out
    assert outcome.code == 2
    assert "No space left on device." in outcome.err
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["mine.hotdice"]


# Records that do not hold


def test_a_resumed_record_must_hold(tmp_path: Path) -> None:
    path = saved_in(hotdice("play", "pig", "-p", "Ann", "-p", "Robo:greedy", "--seed", "2", typed=["roll", "quit"]).out)
    text = path.read_text("utf-8")
    for old, new, said in (
        ("1 roll\n", "1 ro", "line 9, column"),
        ("ult: unfinished\n", "", "line 11, column 1"),
        ("(greedy)", "(clever)", f"“{path}” cannot go on: There is no bot “clever”; there are random"),
        ("1 roll\n", "1 hold\n", "line 10, column 3: This roll is for seat 2"),
        ("seeded 2", "seeded 3", "The dice (seeded 3) roll"),
        ("pig", "chess", "There is no game “chess”"),
        ("hotdice record 1", "hotdice record 2", "line 1, column 1"),
    ):
        path.write_text(text.replace(old, new), "utf-8")
        assert said in hotdice("play", "--resume", path).refused()


# Encodings


@pytest.mark.parametrize("name", GAMES)
def test_plain_lines_are_ascii_for_ascii_names(name: str) -> None:
    game = played(name, seated(name, "Ann", "greedy"), short(name), seed=2)
    commands = ["?", "sheet", "log", "rules", "undo", "nonsense"]
    outcome = hotdice(*game.args, "--plain", typed=[*game.lines[:2], *commands, *game.lines[2:]])
    assert outcome.out.isascii(), [line for line in outcome.out.splitlines() if not line.isascii()]


def test_an_old_encoding_replaces_what_it_does_not_know() -> None:
    outcome = hotdice(
        "play", "pig", "-p", "日本", "-p", "Zoë", "--seed", "2", typed=["hold", "quit"], encoding="latin-1"
    )
    assert "?? holds and scores" in outcome.out
    assert "Zoë" in outcome.out
    assert 'There is no game "chess"' in hotdice("play", "chess", encoding="ascii").refused()
