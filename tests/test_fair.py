"""Fair dice: the published scheme, its test vectors, and records that are checked by it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from hotdice.dice import ORDINARY, tosses
from hotdice.errors import DiceError, ParseError, RecordError
from hotdice.fair import FairDice, HiddenDice, commitment, fair_number, parse_fair
from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.players import make_player
from hotdice.record import parse_record, read_record, record_of
from hotdice.table import Seat, Table
from tests.terminal.drive import hotdice

SECRET = bytes(range(32))
STRINGS = ("ann-1", "b0b")
DAY = date(2026, 11, 15)


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    """As `sha256sum` prints it for the bytes 0 to 31."""
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


@pytest.mark.parametrize(
    ("roll", "total", "expected"),
    [
        (1, 46656, 0x0763F53D % 46656),
        (1, 3_000_000_001, 0x0763F53D),
        (2, 3_000_000_001, 0x3E4D1114),
        (3, 3_000_000_001, 0x483A278B),  # 0xED056B3D and 0xDE673A45 are too high
        (4, 3_000_000_001, 0x3D94AAFF),  # so are 0xF003A9D0 and 0xD1325AFD
        (7, 7776, 0x288F312E % 7776),
    ],
)
def test_numbers_follow_from_the_digests_of_another_program(roll: int, total: int, expected: int) -> None:
    """The digests are those that OpenSSL prints for the messages of the scheme."""
    assert fair_number(SECRET, "k3x9", STRINGS, roll, total) == expected


def test_every_part_of_the_message_counts() -> None:
    base = fair_number(SECRET, "k3x9", STRINGS, 1, 2**32)
    assert fair_number(SECRET[::-1], "k3x9", STRINGS, 1, 2**32) != base
    assert fair_number(SECRET, "k3x8", STRINGS, 1, 2**32) != base
    assert fair_number(SECRET, "k3x9", STRINGS[::-1], 1, 2**32) != base
    assert fair_number(SECRET, "k3x9", STRINGS, 2, 2**32) != base


def test_all_faces_are_alike() -> None:
    dice = FairDice("k3x9", SECRET, STRINGS)
    counts = Counter(dice.draw(tosses((ORDINARY, 1))) for _ in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi square, 1 in 1000
    assert dice.rolls == 6000


def test_more_ways_than_a_number_has_are_refused() -> None:
    for total in (0, 2**32 + 1):
        with pytest.raises(DiceError, match="Fair dice choose among"):
            fair_number(SECRET, "k3x9", STRINGS, 1, total)


def played(game: Game) -> Table:
    seats = [Seat(f"Bot {n}", make_player("greedy", n)) for n in range(max(2, game.min_players))]
    table = Table(game.start(len(seats)), seats, FairDice("k3x9", SECRET, STRINGS))
    table.run()
    return table


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_finished_game_is_checked_from_its_record_alone(game: Game) -> None:
    table = played(game)
    record = read_record(record_of(table, DAY).text)
    assert record.check_dice()
    assert record.dice == table.dice.text


def false_roll() -> tuple[str, int]:
    """A record of Pig with one false roll, and its line; the game is put aside right after."""
    lines = record_of(played(load_game("pig")), DAY).text.split("\n")
    at = max(number for number, line in enumerate(lines[:14]) if " rolls " in line)
    seat, _, face = lines[at].split(" ")
    lines[at] = f"{seat} rolls {'2' if face != '2' else '3'}"
    return "\n".join([*lines[: at + 1], "result: unfinished", ""]), at + 1


def test_a_false_roll_is_named() -> None:
    text, line = false_roll()
    with pytest.raises(RecordError, match=r"The dice \(fair k3x9\) roll . here, not") as error:
        parse_record(text).check_dice()
    assert error.value.line == line


def test_a_secret_that_was_not_promised_is_refused() -> None:
    good = record_of(played(load_game("pig")), DAY).text
    with pytest.raises(RecordError, match="not the one that was promised") as error:
        parse_record(good.replace(SECRET.hex(), SECRET[::-1].hex()))
    assert error.value.line == 6


def test_while_the_game_goes_on_the_secret_is_hidden() -> None:
    dice = FairDice("k3x9", SECRET, STRINGS)
    record = record_of(played(load_game("pig")), DAY).text.replace(dice.text, dice.hidden_text)
    assert SECRET.hex() not in record
    assert not read_record(record).check_dice()
    hidden = parse_fair(dice.hidden_text)
    assert isinstance(hidden, HiddenDice)
    with pytest.raises(DiceError, match="revealed when the game is over"):
        hidden.draw(tosses((ORDINARY, 1)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fair", "are written as"),
        ("fair k3x9 00 00", "64 hexadecimal digits"),
        (f"fair k3x9 {'0' * 64} {'G' * 64}", "64 hexadecimal digits"),
        (f"fair k.9 {'0' * 64} hidden", "letters, digits"),
        (f"fair k3x9 {'0' * 64} hidden a  b", "letters, digits"),
        (f"fair k3x9 {'0' * 64} hidden {'a' * 65}", "letters, digits"),
        (f"fair k3x9 {'0' * 64} hidden äöü", "letters, digits"),
    ],
)
def test_odd_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse_fair(text)


def test_a_secret_has_its_length() -> None:
    with pytest.raises(DiceError, match="32 bytes"):
        FairDice("k3x9", b"short")


def test_verify_says_what_was_promised(tmp_path: Path) -> None:
    file = tmp_path / "game.hotdice"
    text = record_of(played(load_game("pig")), DAY).text
    file.write_text(text, "utf-8")
    outcome = hotdice("verify", file)
    assert outcome.code == 0
    assert commitment(SECRET) in outcome.out
    dice = FairDice("k3x9", SECRET, STRINGS)
    file.write_text(text.replace(dice.text, dice.hidden_text), "utf-8")
    assert "revealed only when the game is over" in hotdice("verify", file).out
    false, line = false_roll()
    file.write_text(false, "utf-8")
    outcome = hotdice("verify", file)
    assert outcome.code == 2
    assert f"{line}" in outcome.err
