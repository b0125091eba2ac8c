"""Frames: whatever a game has to show fits the window, and says everything without colour."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hotdice.dice import ManualDice, SeededDice
from hotdice.game import OVER, Accent, Game
from hotdice.games import all_games, load_game, parse_position
from hotdice.players import make_player
from hotdice.table import Seat, Table
from hotdice.terminal import draw
from hotdice.view import Bar

NOTE = "“fly” is not a move of this game, and this note is long enough to need both of the lines that a note may have."
SHORT = ["Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal"]
LONG = [f"{letter}nneliese von und zu Mai" for letter in "ABCDEFGH"]
WIDE = ["日本の人" * 5 + str(number) for number in range(8)]
ALIKE = [f"Greedy {number}" for number in range(1, 9)]


def texts(lines: list[Text], width: int) -> list[str]:
    """What a window without colours shows of the lines."""
    console = Console(width=width, height=24, color_system=None, highlight=False, force_terminal=True)
    with console.capture() as shown:
        for line in lines:
            console.print(line, no_wrap=True, overflow="ellipsis")
    return shown.get().splitlines()


def tables(game: Game, players: int, names: list[str], seed: int = 1, every: int = 1) -> Iterator[Table]:
    """A game played to its end by about that many bots, seen after every few events and at its end."""
    players = min(max(players, game.min_players), game.max_players)
    seats = [Seat(name, make_player("greedy", 0)) for name in names[:players]]
    table = Table(game.start(players), seats, SeededDice(seed))
    yield table
    while table.state.seat != OVER:
        table.step()
        if len(table.events) % every == 0 or table.state.seat == OVER:
            yield table


def shown(position: str, *, width: int = 80, height: int = 24, names: list[str] = SHORT) -> str:
    """A frame of a position as text."""
    state = parse_position(position)
    table = Table(state, [Seat(name) for name in names[: state.players]], ManualDice())
    lines = draw.frame(table, "", width, height)
    assert lines is not None
    return "\n".join(texts(lines, width))


# Fitting


@pytest.mark.parametrize("names", [SHORT, LONG, WIDE, ALIKE], ids=["short", "long", "wide", "alike"])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_busiest_game_fits_80_by_24_all_the_way(game: Game, names: list[str]) -> None:
    for table in tables(game, game.max_players, names, every=31):
        for note in ("", NOTE):
            lines = draw.frame(table, note, 80, 24)
            assert lines is not None, table.state.position
            assert len(lines) + 1 <= 24
            assert max(line.cell_len for line in lines) <= 80
            assert not any("…" in line for line in texts(lines, 80)[:1]), "the title is whole"


@pytest.mark.parametrize("size", [(60, 20), (70, 22), (84, 30), (100, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_two_players_fit_any_window_from_60_by_20(game: Game, size: tuple[int, int]) -> None:
    width, height = size
    for table in tables(game, 2, LONG, every=17):
        lines = draw.frame(table, NOTE, width, height)
        assert lines is not None, table.state.position
        assert len(lines) + 1 <= height
        assert max(line.cell_len for line in lines) <= width


def test_a_window_that_is_too_small_gets_no_frame() -> None:
    table = next(tables(load_game("kismet"), 8, SHORT))
    assert draw.frame(table, "", 59, 24) is None
    assert draw.frame(table, "", 80, 19) is None
    assert draw.frame(table, "", 60, 20) is None, "eight sheets do not fit where two would"


@pytest.mark.parametrize("size", [(80, 24), (80, 30), (90, 36), (120, 40), (160, 50)])
def test_dice_and_sheets_stay_where_they_are(size: tuple[int, int]) -> None:
    for game in all_games():
        places = set()
        for table in tables(game, 3, SHORT, every=11):
            if table.state.seat != OVER and len(table.events) > 4:
                for note in ("", "Saved."):
                    frame = texts(draw.frame(table, note, *size) or [], size[0])
                    head = table.state.grids()[0].head[0]
                    places.add(next(n for n, line in enumerate(frame) if line.startswith(head)))
        assert len(places) == 1, game.name


def test_there_is_always_some_history_beside_a_sheet_for_two() -> None:
    for game in all_games():
        for table in tables(game, 2, SHORT, every=11):
            if table.state.seat != OVER and table.events:
                frame = texts(draw.frame(table, "", 80, 24) or [], 80)
                assert any(line.startswith(table.tell(len(table.events) - 1)[:40]) for line in frame)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_bar_names_what_helps_even_in_a_narrow_window(game: Game) -> None:
    table = next(tables(game, 2, SHORT))
    for width in (60, 80, 120):
        title = texts(draw.frame(table, "", width, 24) or [], width)[0]
        assert re.search(r"\? help  hint  odds  sheet  (.*  )?quit", title), title


@pytest.mark.parametrize(("size", "names"), [((60, 24), SHORT), ((80, 24), LONG), ((120, 40), LONG)])
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_last_sentence_is_there_to_its_end(game: Game, size: tuple[int, int], names: list[str]) -> None:
    for table in tables(game, 2, names, every=13):
        if table.events and table.state.seat != OVER:
            frame = texts(draw.frame(table, "", *size) or [], size[0])
            assert table.tell(table.played - 1) in " ".join(" ".join(frame).split()), "\n".join(frame)


def test_where_moves_have_no_room_whole_ones_are_left_out() -> None:
    state = parse_position("kismet " + ",".join("-" * 15) + " 1 1 23466")
    table = Table(state, [Seat("Ann")], ManualDice())
    frame = texts(draw.frame(table, NOTE, 60, 20) or [], 60)
    assert "Moves: score yarborough (21) …; ? lists them." in frame


def test_all_lines_of_a_sheet_are_shown() -> None:
    frame = shown("kismet 3,6,9,12,15,18,-,-,30" + ",-" * 6 + " 1 0 -")
    for line in ("Basic Total 63", "Bonus 35", "Basic and Bonus 98", "Kismet Total 30", "Grand Total 128"):
        assert re.search(line.replace(" ", " +"), frame), line


# Dice


def test_dice_are_drawn_side_by_side_with_their_places_below() -> None:
    frame = shown("rollers 00000/00000 55/55 0/0 1 1 2 1,b2 2,3,4,*")
    top, *_, bottom, labels = frame.splitlines()[2:8]
    assert top.count("┏━━━━━━━┓") == 2
    assert top.count("╭───────╮") == 4
    assert bottom.count("┗━━━━━━━┛") == 2
    assert labels.split() == ["kept", "rolled", "by", "Ann"]
    assert labels.index("kept") < labels.index("rolled") > top.index("╭") - 1
    assert "★" in frame
    assert "■b" in frame


def test_dice_that_stay_are_drawn_beside_the_new_roll() -> None:
    table = Table(load_game("bj").start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    table.roll(table.state.parse_roll("1 2 2 3 4 6"))
    table.play(table.state.parse_move("roll"))
    table.roll(table.state.parse_roll("5 5 2 3 4"))
    for width, labels in ((80, "frozen frozen now rolled by Ann"), (60, "frozen frozen now rolled by Ann")):
        frame = texts(draw.frame(table, "", width, 24) or [], width)
        assert frame[2].count("┏━━━━━━━┓") == 3
        assert frame[2].count("╭───────╮") == 3
        assert frame[7].split() == labels.split()


def test_cancelled_dice_look_different_and_say_so() -> None:
    frame = shown("rollers 00000/00000 55/55 0/0 1 1 2 1,1 2,3,4,zap")
    assert frame.count("┌╌╌╌╌╌╌╌┐") == 4
    assert "cancelled" in frame
    assert "ZAP!" in frame


def test_colours_are_told_by_shape_and_letter_too() -> None:
    frame = shown("kismet " + ",".join("-" * 15) + " 1 1 12346")
    for sign in ("●", "◆", "▲", "B│", "◆R│", "▲G│"):
        assert sign in frame


def test_road_signs_can_be_read() -> None:
    table = Table(load_game("kor").start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    table.roll(table.state.parse_roll("S D U 25 50 100"))
    frame = "\n".join(texts(draw.frame(table, "", 80, 24) or [], 80))
    for sign in ("S T O P", "D E A D", "E N D", "UTURN", " 2 5 ", " 5 0 ", " 1 0 0 ", "rolled by Ann"):
        assert sign in frame


# Sheets


def test_whoever_acts_is_marked_in_rows_and_columns() -> None:
    assert "\n▸ 2 Ben " in shown("kor 0/0/0 2 2 toss 6 0 -")
    assert "▸Ben" in shown("kismet " + "/".join([",".join("-" * 15)] * 3) + " 2 1 12346")


def test_nobody_is_marked_once_the_game_is_over() -> None:
    assert "▸" not in shown("kor 6000/0 1 1 over 6 0 -")


def test_bars_share_their_zero_and_grow_both_ways() -> None:
    ann, ben, cleo = (
        line for line in shown("kor 3000/-3000/0 1 1 toss 6 0 -").splitlines() if line[2:4] in ("1 ", "2 ", "3 ")
    )
    assert ann.index("│") == ben.index("│") == cleo.index("│")
    assert ann.index("━") == ann.index("│") + 1
    assert ben.rindex("━") == ben.index("│") - 1
    assert "━" not in cleo


@pytest.mark.parametrize("value", [-10_000, -1, 0, 1, 50, 100, 10_000])
def test_a_bar_is_as_wide_as_its_column_whatever_it_shows(value: int) -> None:
    for width in (10, 23, 42):
        for others in ([], [Bar(-70, 100)], [Bar(70, 100)]):
            bar = Bar(value, 100)
            assert draw._bar(bar, [bar, *others], width, "red").cell_len == width


@pytest.mark.parametrize(
    ("label", "width", "short"),
    [
        ("Full House Same Color", 21, "Full House Same Color"),
        ("Full House Same Color", 17, "Full House Same C"),
        ("Full House Same Color", 13, "Full House SC"),
        ("Full House Same Color", 11, "Full HSC"),
        ("Two Pair Same Color", 11, "Two Pair SC"),
        ("Three of a Kind", 11, "Three Kind"),
        ("Yarborough", 8, "Yarboro…"),
    ],
)
def test_labels_are_shortened_so_that_they_can_be_told_apart(label: str, width: int, short: str) -> None:
    assert draw.abbreviated(label, width) == short
    assert cell_len(short) <= width


def test_names_that_would_look_alike_keep_their_numbers() -> None:
    frame = shown("kismet " + "/".join([",".join("-" * 15)] * 8) + " 2 1 12346", names=ALIKE)
    for number in range(1, 9):
        assert re.search(rf"\bG{number}\b", frame)


# What can be done


def test_few_moves_are_explained_one_by_one() -> None:
    frame = shown("pig 0/0 1 5 decide")
    assert "  roll  rolls again.\n" in frame
    assert "  hold  holds and scores 5, for 5 in all." in frame


def test_the_end_shows_places_and_the_reason() -> None:
    frame = shown("bj 6000/5000 2 over 6 0 0 1")
    assert "Ann wins! Highest score after the last round." in frame
    assert "  1  Ann  6,000  owes $6,000,000" in frame
    assert "  2  Ben  5,000  is owed $6,000,000" in frame


@pytest.mark.parametrize("colour", ["#000000", "#6a35b8", "#f2a900", "#ffffff"])
def test_an_accent_shows_on_black(colour: str) -> None:
    """The contrast of WCAG with black, (L + 0.05) / 0.05, is 5 or nearly that; what is bright enough stays as it is."""
    shown = draw.accent(replace(load_game("pig"), accent=Accent("#000000", colour)))
    linear = [
        (part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4)
        for part in bytes.fromhex(shown[1:])
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    assert (luminance + 0.05) / 0.05 > 4.8
    assert shown == colour or colour in ("#000000", "#6a35b8")


def test_the_house_rules_in_force_are_in_the_title() -> None:
    assert "bank_roll=true, target=500" in shown("kor(bank_roll=true,target=500) 0/0 1 1 toss 6 0 -", width=100)
