"""The figures of the book from small sets of games, worked out by hand."""

from __future__ import annotations

import csv
import io
import json

import pytest

from hotdice.book.export import ExportError, Row, exported, rows
from hotdice.book.facts import facts
from hotdice.book.figures import Book, NoSuchName
from hotdice.book.names import digest, key_of
from hotdice.book.played import GameReview, SeatReview, decode_game, encode, why_unrated
from hotdice.record import parse_record
from tests.book.games import DAY, game, sat

# From a record

RECORD = """hotdice record 1
game: pig(target=15)
date: 2026-11-16
seat 1: Ann (person)
seat 2: Robo (greedy)
dice: {dice}

1 rolls 1
2 rolls 6
2 roll
2 rolls 4
2 hold
1 rolls 5
1 roll
1 rolls 1
2 rolls 5
2 hold
result: winner 2; scores 0 15
"""


def test_what_the_book_keeps_of_a_record() -> None:
    """Ann has two turns, rolls 1, 5, 1 and scores nothing; the bot has two, of 10 and 5 points."""
    record = parse_record(RECORD.format(dice="manual"))
    found = facts(record, name="k3x9w7fm/1", ended=5)
    ann, bot = found.seats
    assert (found.id, found.game, found.options, found.ended) == ("k3x9w7fm/1", "pig", "target=15", 5)
    assert (found.rolls, found.turns, found.dice, found.origin, found.given_up) == (6, 4, "typed", "here", False)
    assert (ann.name, ann.bot, ann.score, ann.place, ann.turns, ann.best_turn) == ("Ann", "", 0, 2, 2, 0)
    assert (bot.bot, bot.score, bot.place, bot.turns, bot.best_turn) == ("greedy", 15, 1, 2, 10)
    assert (ann.faces, bot.faces) == ({1: 2, 5: 1}, {4: 1, 5: 1, 6: 1})
    assert decode_game(encode(found)) == found


def test_dice_are_apart_by_who_rolled_them() -> None:
    recorded = parse_record(RECORD.format(dice="recorded"))
    assert facts(recorded, name="a", ended=0).dice == "recorded"
    typed = parse_record(RECORD.format(dice="manual"))
    assert facts(typed, name="a", ended=0, origin="imported").dice == "recorded"  # who knows where it comes from


def test_what_goes_on_from_a_position_is_continued() -> None:
    start = "from: pig(target=15) 0/10 2 0 roll\n"
    lines = RECORD.format(dice="manual").splitlines(keepends=True)
    record = parse_record(
        "".join([*lines[:2], start, *lines[2:7], "2 rolls 6\n", "2 hold\n", "result: winner 2; scores 0 16\n"])
    )
    found = facts(record, name="a", ended=0)
    assert (found.origin, why_unrated(found)) == ("continued", "continued")
    assert found.seats[1].best_turn == 6


# Names


def test_case_and_spaces_make_no_difference_to_a_name() -> None:
    assert key_of("J. Smith") == key_of("j.smith") == key_of("J.SMITH")
    assert key_of("Zoë") == key_of("Zoe\u0308")
    assert key_of("Zoë") != key_of("Zoe")


def test_a_name_is_shown_as_it_was_written_last() -> None:
    book = Book([game(1, sat("ANN", 1), sat("Bob", 2)), game(2, sat("Ann", 2), sat("Bob", 1))])
    assert book.names == ("Ann", "Bob")
    with pytest.raises(NoSuchName, match="no games of “Eve”"):
        book.player("Eve")


# The figures


def three_games() -> Book:
    """Ann wins against Bob; shares a win with Eve against Bob; plays alone; and gives one up against Bob."""
    return Book(
        [
            game(1, sat("Ann", 1, 100, best_turn=30), sat("Bob", 2, 80, best_turn=40), options="target=100"),
            game(2, sat("Ann", 1, 120), sat("Eve", 1, 120), sat("Bob", 3, 10)),
            game(3, sat("Ann", 1, 90), of="kismet"),
            game(4, sat("Ann", 0, 3), sat("Bob", 0, 2), given_up=True),
        ]
    )


def test_a_line_of_somebody() -> None:
    (ann,) = (line for line in three_games().house().people if line.name == "Ann")
    assert (ann.games, ann.given_up, ann.against, ann.wins, ann.shared) == (3, 1, 2, 2, 1)
    assert ann.expected == pytest.approx(1 / 2 + 1 / 3)
    assert (ann.first, ann.last, ann.mark) == (DAY, 4 * DAY, 0)


def test_the_house() -> None:
    house = three_games().house()
    assert (house.games, house.given_up, house.bots) == (3, 1, ())
    assert [(line.name, line.games) for line in house.people] == [("Ann", 3), ("Bob", 2), ("Eve", 1)]
    assert [(page.game, page.games, page.rated) for page in house.shelf] == [("pig", 2, 2), ("kismet", 1, 1)]


def test_head_to_head() -> None:
    """Ann and Bob met twice, and she was ahead twice; with Eve she shared a place."""
    book = three_games()
    assert [(duel.other, duel.games, duel.ahead, duel.behind, duel.level) for duel in book.player("ann").duels] == [
        ("Bob", 2, 2, 0, 0),
        ("Eve", 1, 0, 0, 1),
    ]
    found = [(duel.name, duel.other, duel.ahead, duel.behind, duel.level) for duel in book.house().duels]
    assert found == [("Ann", "Bob", 2, 0, 0), ("Ann", "Eve", 0, 0, 1), ("Eve", "Bob", 1, 0, 0)]


def test_totals_are_apart_by_house_rules() -> None:
    book = Book([game(n, sat("Ann", 1, score), sat("Bob", 2)) for n, score in enumerate((100, 110, 120), 1)])
    (page,) = book.player("Ann").games
    (totals,) = page.totals
    assert (totals.games, totals.best, totals.worst, totals.mean) == (3, 120, 100, 110)
    assert totals.error == pytest.approx(10 / 3**0.5)  # a deviation of 10 over three games
    both = [totals.options for totals in three_games().player("Ann").games[0].totals]
    assert both == ["", "target=100"]


def test_accuracy_and_luck_over_reviewed_games() -> None:
    """80 over 10 decisions and 90 over 30 are 87.5 over 40; a game without a review counts for results only."""
    games = [game(n, sat("Ann", 1), sat("Bob", 2)) for n in (1, 2, 3)]
    other = SeatReview(None, 0, 0.0, 0.0, 0.0)
    reviews = {
        "t/1": GameReview(1, "win probability", (SeatReview(80.0, 10, 0.2, 0.3, 0.03), other)),
        "t/2": GameReview(1, "win probability", (SeatReview(90.0, 30, 0.1, -0.1, 0.04), other)),
    }
    (page,) = Book(games, reviews).player("Ann").games
    assert (page.line.games, page.reviewed, page.decisions, page.accuracy) == (3, 2, 40, 87.5)
    (luck,) = page.luck
    assert (luck.games, luck.total, luck.mean, luck.error) == pytest.approx((2, 0.2, 0.1, 0.05))
    assert [point.luck for point in page.points] == [0.3, -0.1, None]


def test_a_review_that_could_not_judge_everything_has_no_figures() -> None:
    book = Book([game(1, sat("Ann", 1), sat("Bob", 2))], {"t/1": GameReview(1, "win probability", ())})
    assert book.house().reviewed == 0


def test_copies_of_a_game_count_once() -> None:
    one = game(1, sat("Ann", 1), sat("Bob", 2))
    copy = type(one)("saves/x", one.game, one.options, 9 * DAY, one.seats, text=one.text)
    assert Book([copy, one]).house().games == 1


# Records of the house


def records(book: Book, at: int = 0) -> dict[str, tuple[float, tuple[str, ...]]]:
    return {record.kind: (record.value, record.names) for record in book.house().shelf[0].shelves[at].records}


def test_records_of_the_house() -> None:
    book = Book(
        [
            game(1, sat("Ann", 1, 100, best_turn=30, turns=6), sat("Bob", 2, 80, best_turn=40, turns=5, hot=2)),
            game(2, sat("Ann", 2, 95, turns=2), sat("Bob", 1, 100, turns=3, best_turn=40)),
        ]
    )
    assert records(book) == {
        "highest total": (100, ("Ann",)),  # of equal ones the first
        "lowest total": (80, ("Bob",)),
        "lowest winning total": (100, ("Ann",)),
        "highest losing total": (95, ("Ann",)),
        "best turn": (40, ("Bob",)),
        "most hot dice": (2, ("Bob",)),
        "longest game": (11, ("Ann", "Bob")),
        "shortest game": (5, ("Ann", "Bob")),
        "clearest win": (20, ("Ann", "Bob")),
    }


def test_records_of_luck_are_those_beyond_the_error_and_of_one_unit() -> None:
    games = [game(n, sat("Ann", 1), sat("Bob", 2)) for n in (1, 2)] + [game(3, sat("Ann", 1))]
    reviews = {
        "t/1": GameReview(1, "win probability", (SeatReview(80.0, 4, 0, 0.3, 0.2), SeatReview(99.0, 9, 0, -0.3, 0.2))),
        "t/2": GameReview(1, "win probability", (SeatReview(99.0, 5, 0, 0.2, 0.0), SeatReview(50.0, 5, 0, -0.2, 0.0))),
        "t/3": GameReview(1, "points", (SeatReview(70.0, 4, 0, 25.0, 0.0),)),
    }
    lines = Book(games, reviews).house().shelf[0].shelves[0].records
    found = [
        (record.kind, record.value, record.unit, record.names[0])
        for record in lines
        if record.luck or record.kind == "most accurate game"
    ]
    assert found == [
        ("luckiest game", 25.0, "points", "Ann"),
        ("luckiest game", 0.2, "win probability", "Ann"),
        ("unluckiest game", -0.2, "win probability", "Bob"),
        ("most accurate game", 99.0, "%", "Bob"),  # the one with more decisions
    ]


def test_what_does_not_count_for_ratings_sets_no_record() -> None:
    book = Book(
        [game(1, sat("Ann", 1, 900), sat("Bob", 2), origin="imported"), game(2, sat("Ann", 1, 5), sat("Bob", 2))]
    )
    assert records(book)["highest total"] == (5, ("Ann",))
    assert book.house().unrated == {"imported": 1}


# Rolls


def test_rolls_are_added_up_over_all_games_even_those_given_up() -> None:
    faces = dict.fromkeys(range(1, 7), 4)
    book = Book(
        [
            game(1, sat("Ann", 1, faces=faces), sat("bot:greedy", 2, faces={6: 30})),
            game(2, sat("Ann", 0, faces={**faces, 6: 10}), sat("Bob", 0), given_up=True),
            game(3, sat("Ann", 1, faces={1: 60}), sat("Bob", 2), dice="typed"),
        ]
    )
    program, typed = book.player("Ann").tests
    assert (program.dice, program.rolled, [face.count for face in program.kinds[0].faces]) == (
        "program",
        54,
        [8, 8, 8, 8, 8, 14],
    )
    assert (typed.dice, typed.rolled) == ("typed", 60)
    # Nine of each are expected: five are off by 1 and one by 5, which makes (5 * 1 + 25) / 9.
    assert program.chi_square == pytest.approx(30 / 9)
    groups = [(group.group, group.test.dice, group.test.rolled) for group in book.house().tests]
    assert groups == [
        ("everybody", "program", 84),
        ("everybody", "typed", 60),
        ("people", "program", 54),
        ("people", "typed", 60),
        ("bots", "program", 30),
    ]
    assert book.house().tests_made == 5 + 2  # those of the house, and Ann's


def test_dice_that_are_the_same_for_everybody_are_tested_for_each_player_alone() -> None:
    faces = dict.fromkeys(range(1, 7), 10)
    book = Book([game(1, sat("Ann", 1, faces=faces), sat("Bob", 2, faces=faces), dice="same")])
    assert book.house().tests == ()
    assert [(test.dice, test.rolled) for test in book.player("Ann").tests] == [("same", 60)]


# Deletion


def test_a_deleted_name_is_gone_and_the_others_keep_their_games() -> None:
    games = [each.without({digest("BOB")}) for each in three_games().games]
    book = Book(games)
    assert book.names == ("Ann", "Eve")
    ann = book.player("Ann")
    assert (ann.line.games, ann.line.wins, [duel.other for duel in ann.duels]) == (3, 2, ["Eve"])
    assert sorted(ann.games[0].points[1].others) == ["Eve", "Somebody"]
    assert b"ob" not in exported(book, "json").replace(b"Somebody", b"")
    assert not [name for page in book.house().shelf for shelf in page.shelves for record in shelf.records
                for name in record.names if name == "Bob"]  # fmt: skip


def test_a_bot_is_not_deleted_by_a_persons_name() -> None:
    one = game(1, sat("bot:greedy", 1), sat("Robo", 2))
    assert [seat.bot for seat in one.without({digest("robo"), digest("greedy")}).seats if seat.who] == ["greedy"]


# Export


def test_csv_has_every_seat_and_comes_back() -> None:
    book = three_games()
    read = list(csv.DictReader(io.StringIO(exported(book, "csv").decode(), newline="")))
    assert list(read[0]) == list(Row.__struct_fields__)
    assert [(row["game_id"], row["name"], row["place"], row["won"]) for row in read] == [
        ("t/1", "Ann", "1", "true"), ("t/1", "Bob", "2", "false"),
        ("t/2", "Ann", "1", "true"), ("t/2", "Eve", "1", "true"), ("t/2", "Bob", "3", "false"),
        ("t/3", "Ann", "1", "false"),
        ("t/4", "Ann", "", "false"), ("t/4", "Bob", "", "false"),
    ]  # fmt: skip
    ratings = [float(row["rating"]) for row in read if row["rating"]]
    assert ratings == [row.rating for row in rows(book) if row.rating is not None]


def test_json_and_parquet_have_the_same_rows() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    book = three_games()
    read = parquet.read_table(io.BytesIO(exported(book, "parquet"))).to_pylist()
    assert read == json.loads(exported(book, "json"))["rows"]
    assert len(read) == 8
    assert read[0]["ended"] == "1970-01-02T00:00:00Z"


def test_an_export_of_one_name_has_the_games_that_they_played() -> None:
    assert {row.game_id for row in rows(three_games(), "eve")} == {"t/2"}


def test_names_are_no_formulas_in_a_spreadsheet() -> None:
    book = Book([game(1, sat("=1+1", 1), sat("Bob", 2))])
    assert "'=1+1" in exported(book, "csv").decode()
    assert json.loads(exported(book, "json"))["rows"][0]["name"] == "=1+1"


def test_without_pyarrow_there_is_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ExportError, match=r"^Parquet needs pyarrow: pip install 'hotdice\[data\]'\.$"):
        exported(three_games(), "parquet")
