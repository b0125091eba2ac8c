"""The record format: written, read, replayed, and refused at the first line that does not hold."""

from __future__ import annotations

import re
from datetime import date
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotdice import Game, ManualDice, RecordedDice, RecordError, SeededDice, State, all_games, load_game
from hotdice.games import parse_position
from hotdice.players import make_player
from hotdice.record import Comment, Record, RecordedSeat, parse_record, read_record, record_of
from hotdice.table import Event, Rolled, Seat, Table, apply_event

DAY = date(2026, 11, 15)

SAMPLE = """\
hotdice record 1
game: pig(target=15)
date: 2026-11-15
seat 1: Ann (person)
seat 2: Grandma Jo (84) (greedy)
dice: manual

1 rolls 6
1 roll
1 rolls 4
# Brave!
1 hold
2 rolls 1
1 rolls 5
1 hold
result: winner 1; scores 15 0
"""


def swap(old: str, new: str, text: str = SAMPLE) -> str:
    assert old in text
    return text.replace(old, new, 1)


@cache
def bots(game: Game, seed: int = 5) -> Table:
    seats = [Seat(f"Bot {number}", make_player("greedy", seed)) for number in range(1, game.min_players + 1)]
    table = Table(game.start(), seats, SeededDice(seed))
    table.run()
    return table


def test_a_record_is_read_replayed_and_written_again() -> None:
    record = read_record(SAMPLE)
    assert record.game.name == "pig"
    assert record.options.text == "target=15"
    assert record.day == DAY
    assert [(seat.name, seat.kind) for seat in record.seats] == [
        ("Ann", "person"),
        ("Grandma Jo (84)", "greedy"),
    ]
    assert Comment("Brave!") in record.entries
    assert len(record.events) == len(record.entries) - 1
    assert record.text == SAMPLE
    assert [state.scores for state in record.replay()][-1] == (15, 0)
    assert len(list(record.replay())) == len(record.events) + 1


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_played_game_round_trips_and_its_dice_can_be_drawn_again(game: Game) -> None:
    table = bots(game)
    record = record_of(table, DAY)
    again = read_record(record.text.encode("utf-8"))
    assert again == record
    assert tuple(again.replay()) == table.states
    assert again.check_dice()


def test_an_unfinished_game_goes_on_with_the_same_dice() -> None:
    whole = bots(load_game("bj"))
    seats = whole.seats
    part = Table(load_game("bj").start(), seats, SeededDice(5))
    for _ in range(30):
        part.step()
    record = read_record(record_of(part, DAY).text)
    assert record.result == "unfinished"
    resumed = record.table(seats)
    assert resumed.events == part.events
    resumed.run()
    assert resumed.events == whole.events


def test_games_with_real_or_recorded_dice_go_on_too() -> None:
    record = read_record(SAMPLE)
    table = record.table([Seat("Ann"), Seat("Jo")])
    assert table.events == record.events
    assert not record.check_dice()
    recorded = parse_record(swap("dice: manual", "dice: recorded"))
    assert recorded.table([Seat("Ann"), Seat("Jo")]).events == record.events
    assert not recorded.check_dice()


def test_a_record_says_where_its_dice_came_from() -> None:
    game = load_game("pig")
    seats = [Seat("Ann"), Seat("Ben")]
    texts = [record_of(Table(game.start(), seats, dice), DAY).dice for dice in (SeededDice(7), ManualDice())]
    assert [*texts, RecordedDice(()).text] == ["seeded 7", "manual", "recorded"]


def test_a_false_roll_of_seeded_dice_is_found() -> None:
    record = record_of(bots(load_game("bj")), DAY)
    lines = record.text.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("1 rolls"))
    lines[at] = "1 rolls 1 2 2 3 4 6" if lines[at] != "1 rolls 1 2 2 3 4 6" else "1 rolls 2 2 3 4 5 6"
    unfinished = parse_record("\n".join([*lines[: at + 1], "result: unfinished", ""]))
    with pytest.raises(RecordError, match=r"The dice \(seeded 5\) roll .* here") as error:
        unfinished.check_dice()
    assert (error.value.line, error.value.column) == (at + 1, len("1 rolls ") + 1)


def test_a_false_roll_is_named_before_the_result_that_it_spoils() -> None:
    lines = record_of(bots(load_game("bj")), DAY).text.split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("1 rolls"))
    lines[at] = "1 rolls 1 1 2 3 4 6" if lines[at] != "1 rolls 1 1 2 3 4 6" else "1 rolls 1 2 3 4 6 6"
    with pytest.raises(RecordError, match="The dice") as error:
        parse_record("\n".join(lines)).check_dice()
    assert error.value.line == at + 1


BAD = {
    "empty": ("", 1, 1, "first line"),
    "another first line": (swap("hotdice record 1", "chess"), 1, 1, "first line of a record is “hotdice record 1”"),
    "a later version": (swap("hotdice record 1", "hotdice record 2"), 1, 1, "“hotdice record 1”"),
    "only the first line": ("hotdice record 1\n", 2, 1, "game: "),
    "nothing but the first line": ("hotdice record 1", 1, 17, "cut short"),
    "unknown game": (swap("pig(target=15)", "chess"), 2, 7, "There is no game “chess”"),
    "unknown option": (swap("target=15", "goal=15"), 2, 7, "no option goal"),
    "bad option": (swap("target=15", "target=-1"), 2, 7, "target takes a whole number"),
    "options not canonical": (swap("pig(target=15)", "pig(target=100)"), 2, 7, "canonical form of this game is “pig”"),
    "no date": (swap("date: 2026-11-15\n", ""), 3, 1, "should be “date: …”"),
    "not a date": (swap("2026-11-15", "2026-13-15"), 3, 7, "year-month-day"),
    "another date format": (swap("2026-11-15", "20261115"), 3, 7, "year-month-day"),
    "too few seats": (swap("seat 2: Grandma Jo (84) (greedy)\n", ""), 5, 1, "takes 2 to 8 seats, and there are 1"),
    "seats out of order": (swap("seat 2", "seat 3"), 5, 1, "should be “seat 2: …”"),
    "no kind of player": (swap("Ann (person)", "Ann"), 4, 1, r"name \(person\)"),
    "an odd name": (swap("Ann (person)", "Ann   B (person)"), 4, 9, "cannot be a name"),
    "no dice": (swap("dice: manual\n", ""), 6, 1, "should be “dice: …”"),
    "unknown dice": (swap("dice: manual", "dice: loaded"), 6, 7, "no dice source"),
    "a seed that is no number": (swap("dice: manual", "dice: seeded x"), 6, 7, "no dice source"),
    "no empty line": (swap("manual\n\n", "manual\n"), 7, 1, "empty line"),
    "a header with a space too many": (swap("dice: manual", "dice: manual "), 6, 1, "should be “dice: …”"),
    "no seat": (swap("1 rolls 6", "rolls 6"), 8, 1, "starts with its seat, 1 to 2"),
    "a seat that is not there": (swap("1 rolls 6", "3 rolls 6"), 8, 1, "starts with its seat, 1 to 2"),
    "an empty event": (swap("1 rolls 6\n", "\n1 rolls 6\n"), 8, 1, "starts with its seat"),
    "a face that is not there": (swap("1 rolls 6", "1 rolls 7"), 8, 9, "their faces are"),
    "a move that is none": (swap("1 roll\n", "1 jump\n"), 9, 3, "is not a move of Pig"),
    "an abbreviated move": (swap("1 roll\n", "1 r\n"), 9, 3, "canonical form of this is “roll”"),
    "two spaces": (swap("1 rolls 6", "1  rolls 6"), 8, 4, "“rolls” is not a move of Pig"),
    "a tab": (swap("1 rolls 6", "1\trolls 6"), 8, 2, "control character"),
    "a carriage return": (swap("1 rolls 6\n", "1 rolls 6\r\n"), 8, 10, "carriage return"),
    "a comment without its space": (swap("# Brave!", "#Brave!"), 11, 1, "one space"),
    "cut in the middle": (SAMPLE[: SAMPLE.index("1 hold")], 12, 1, "cut short"),
    "cut in the middle of a line": (SAMPLE[: SAMPLE.index("1 hold") + 1], 12, 1, "starts with its seat"),
    "no result": (swap("result: winner 1; scores 15 0\n", ""), 16, 1, "cut short"),
    "no last line feed": (SAMPLE[:-1], 16, 30, "cut short"),
    "something after the result": (SAMPLE + "1 rolls 6\n", 17, 1, "Nothing may follow"),
    "an empty line after the result": (SAMPLE + "\n", 17, 1, "Nothing may follow"),
}


@pytest.mark.parametrize(("text", "line", "column", "message"), BAD.values(), ids=BAD)
def test_a_text_that_is_no_record_is_refused_with_line_and_column(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(RecordError, match=message) as error:
        parse_record(text)
    assert (error.value.line, error.value.column) == (line, column)
    assert str(error.value).startswith(f"line {line}, column {column}: ")


FALSE = {
    "an impossible roll": (swap("1 rolls 6", "1 rolls 6 6"), 8, 3, "“6 6” is not a roll of the dice in hand"),
    "a roll by another seat": (swap("1 rolls 6", "2 rolls 6"), 8, 3, "for seat 1, not for seat 2"),
    "a move by another seat": (swap("1 roll\n", "2 roll\n"), 9, 3, "for seat 1, not for seat 2"),
    "a move before the roll": (swap("1 rolls 6\n", ""), 8, 3, "dice are to be rolled first"),
    "a roll before the move": (swap("1 roll\n", ""), 9, 3, "a move is due"),
    "a move after the end": (swap("result:", "1 hold\nresult:"), 16, 3, "The game is over"),
    "a roll after the end": (swap("result:", "1 rolls 2\nresult:"), 16, 3, "The game is over"),
    "another winner": (swap("winner 1", "winner 2"), 16, 9, "should be “winner 1; scores 15 0”"),
    "other scores": (swap("15 0", "25 0"), 16, 9, "should be “winner 1; scores 15 0”"),
    "said to be unfinished": (swap("winner 1; scores 15 0", "unfinished"), 16, 9, "should be “winner 1"),
    "said to be finished": (swap("1 rolls 5\n1 hold\n", ""), 14, 9, "should be “unfinished”"),
    "an edited roll that changes the end": (swap("1 rolls 5", "1 rolls 4"), 16, 9, "should be “unfinished”"),
}


@pytest.mark.parametrize(("text", "line", "column", "message"), FALSE.values(), ids=FALSE)
def test_a_record_that_does_not_hold_is_refused_at_its_first_wrong_line(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(RecordError, match=message) as error:
        read_record(text)
    assert (error.value.line, error.value.column) == (line, column)


def test_an_illegal_move_is_named_with_the_reason() -> None:
    text = record_of(bots(load_game("kismet")), DAY).text
    lines = text.split("\n")
    last = next(number for number in range(len(lines) - 1, 0, -1) if " score " in lines[number])
    first = next(line for line in lines if " score " in line)
    lines[last] = first
    with pytest.raises(RecordError, match="is filled already") as error:
        read_record("\n".join(lines))
    assert error.value.line == last + 1


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", 1, 1),
        (SAMPLE.encode("utf-8").replace(b"Brave", b"Br\xe4ve"), 11, 5),
        (SAMPLE.encode("utf-16"), 1, 1),
        (SAMPLE.encode("utf-8")[:-2] + b"\xff\n", 16, 29),
    ],
)
def test_bytes_that_are_no_text_are_refused(data: bytes, line: int, column: int) -> None:
    with pytest.raises(RecordError, match="not UTF-8") as error:
        read_record(data)
    assert (error.value.line, error.value.column) == (line, column)


def test_a_byte_order_mark_or_a_zero_byte_is_refused() -> None:
    with pytest.raises(RecordError, match="line 1, column 1"):
        read_record(b"\xef\xbb\xbf" + SAMPLE.encode())
    with pytest.raises(RecordError, match=r"line 1, column 1: .*control character"):
        read_record(b"\x00" * 100)


def test_a_file_far_too_large_is_refused() -> None:
    with pytest.raises(RecordError, match="larger than 16 MB"):
        read_record(b"#" * 16_000_001)


SAMPLES = {game.name: record_of(bots(game), DAY).text for game in all_games()}


@settings(max_examples=300)
@given(st.data())
def test_any_edit_is_either_a_true_record_or_refused_by_line(data: st.DataObject) -> None:
    """Drop, double, swap or change anything: what is still accepted says what it said, and reads back."""
    text = data.draw(st.sampled_from([SAMPLE, *SAMPLES.values()]))
    lines = text.split("\n")[:60]
    at = data.draw(st.integers(0, len(lines) - 1))
    match data.draw(st.sampled_from(["drop", "double", "swap", "change", "insert"])):
        case "drop":
            del lines[at]
        case "double":
            lines.insert(at, lines[at])
        case "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        case "change":
            column = data.draw(st.integers(0, len(lines[at])))
            sign = data.draw(st.characters())
            lines[at] = lines[at][:column] + sign + lines[at][column + 1 :]
        case "insert":
            lines.insert(at, data.draw(st.text(max_size=30)))
    edited = "\n".join(lines)
    try:
        record = read_record(edited)
    except RecordError as error:
        assert 1 <= error.line <= edited.count("\n") + 1
        assert error.column >= 1
    else:
        assert record.text == edited


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_politely(data: bytes) -> None:
    with pytest.raises(RecordError):
        read_record(data)


def test_a_record_that_never_was_a_text_counts_its_events_instead_of_lines() -> None:
    record = read_record(SAMPLE)
    forged = Record(record.game, record.options, DAY, record.seats, "manual", (Rolled(0, (1, 1)),), "unfinished")
    with pytest.raises(RecordError, match="line 1, column 3"):
        list(forged.replay())


def test_checking_a_record_applies_every_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[Event] = []

    def counted(state: State, event: Event) -> State:
        applied.append(event)
        return apply_event(state, event)

    record = parse_record(SAMPLES["bj"])
    monkeypatch.setattr("hotdice.table.apply_event", counted)
    assert record.check_dice()
    assert tuple(applied) == record.events


def test_two_players_of_one_name_are_refused_where_the_second_stands() -> None:
    with pytest.raises(RecordError, match="line 5, column 9: Two players are called Ann"):
        parse_record(swap("Grandma Jo (84)", "Ann"))


@pytest.mark.parametrize("kind", ["my_bots:Careful", "a.b_c.d:Bot2", "best-of-3"])
def test_any_kind_of_bot_is_kept(kind: str) -> None:
    text = swap("(greedy)", f"({kind})")
    record = read_record(text)
    assert record.seats[1] == RecordedSeat("Grandma Jo (84)", kind)
    assert record.text == text


@pytest.mark.parametrize("kind", ["", "a b", "(a)", "a;b", "a/b"])
def test_what_cannot_name_a_bot_is_refused(kind: str) -> None:
    with pytest.raises(RecordError, match="line 5, column 1"):
        parse_record(swap("(greedy)", f"({kind})"))


def test_a_game_may_begin_at_a_position() -> None:
    start = parse_position("pig(target=15) 3/9/4 2 0 roll")
    table = Table(start, [Seat("Ann"), Seat("Ben"), Seat("Cleo")], ManualDice())
    table.roll((6,))
    table.play(table.state.parse_move("hold"))
    text = record_of(table, date(2026, 11, 16)).text
    assert text.splitlines()[2] == "from: pig(target=15) 3/9/4 2 0 roll"
    record = read_record(text)
    assert record.start == start
    assert record.text == text
    assert record.result == "winner 2; scores 3 15 4"
    assert record.table().states == table.states


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ("from: pig 3/9/4 2 0 roll", 7, "a position of pig(target=15)"),
        ("from: pig(target=15) 3/9/4 2 0 rol", 32, "is not a phase"),
        ("from: pig(target=15) 3/9/4 4 0 roll", 28, "a seat"),
        ("from: pig(target=15) 3/9 2 0 roll", 1, "2 players"),
        ("from: pig(target=15) 0/0/0 1 0 roll", 7, "leave this line out"),
        ("from: chess", 7, "chess"),
        ("from:  pig(target=15) 3/9/4 2 0 roll", 7, "canonical"),
    ],
)
def test_a_position_that_the_game_cannot_begin_at_is_refused(line: str, column: int, why: str) -> None:
    text = f"""hotdice record 1
game: pig(target=15)
{line}
date: 2026-11-16
seat 1: Ann (person)
seat 2: Ben (person)
seat 3: Cleo (person)
dice: manual

result: unfinished
"""
    with pytest.raises(RecordError, match=re.escape(why)) as refused:
        read_record(text)
    assert refused.value.column == column
