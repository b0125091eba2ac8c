"""Fair dice: the published scheme, its test vectors, and records that are checked by it."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest

from hotdice.dice import ORDINARY, tosses
from hotdice.errors import DiceError, ParseError, RecordError
from hotdice.fair import (
    FairDice,
    HiddenDice,
    OldFairDice,
    Share,
    Statement,
    commitment,
    fair_number,
    parse_fair,
    seal,
    statement,
)
from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.players import make_player
from hotdice.record import parse_record, read_record, record_of
from hotdice.table import Seat, Table
from tests.terminal.drive import hotdice

SECRET = bytes(range(32))
SHARES = (Share(0, "ann-1"), Share(1, "b0b"))
PARTS = ("hotdice dice 2", "k3x9", "1:ann-1", "2:b0b")
OLD_PARTS = ("hotdice dice 1", "k3x9", "ann-1", "b0b")
KEY = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
SIGNATURE = (
    "e4bc7a7d752a4e2f11a431a7849942b8b5b10882bc5a0d1dcac4db19aeab6606"
    "95437a369cc41f6d0ebe7ed4624e0ea544f55d8571db0d934076ff954745570d"
)
"""Of the promise of `SECRET`, dated 1794700000000, with these same bytes for an Ed25519 key: as OpenSSL signs it."""
SIGNED = Statement(1794700000000, KEY, SIGNATURE)
DAY = date(2026, 11, 15)


def test_the_commitment_is_the_hash_of_the_secret() -> None:
    """As `sha256sum` prints it for the bytes 0 to 31."""
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_seal_is_the_hash_of_promise_seat_and_string() -> None:
    """As OpenSSL computes it."""
    promise = commitment(SECRET)
    assert seal("k3x9", promise, 0, "ann-1") == "31f50fe4494c27b3e350891e616cf0a74d44503ed6e9e1ec242d0b40b211f464"
    assert seal("k3x9", promise, 1, "b0b") == "60ab081a16b265a5761c53bc4eb28a357762bd4427e224dda06d12cbd568996b"


@pytest.mark.parametrize(
    ("parts", "roll", "total", "expected"),
    [
        (PARTS, 1, 46656, 0x4C151550 % 46656),
        (PARTS, 1, 3_000_000_001, 0x4C151550),
        (PARTS, 5, 3_000_000_001, 0x3FB469CF),  # 0xED466594, 0xEA14112E and 0xBF517A92 are too high
        (PARTS, 7, 7776, 0x4D78E27A % 7776),
        (OLD_PARTS, 1, 46656, 0x0763F53D % 46656),
        (OLD_PARTS, 2, 3_000_000_001, 0x3E4D1114),
        (OLD_PARTS, 3, 3_000_000_001, 0x483A278B),  # 0xED056B3D and 0xDE673A45 are too high
        (OLD_PARTS, 7, 7776, 0x288F312E % 7776),
    ],
)
def test_numbers_follow_from_the_digests_of_another_program(
    parts: tuple[str, ...], roll: int, total: int, expected: int
) -> None:
    """The digests are those that OpenSSL prints for the messages of the scheme."""
    assert fair_number(SECRET, parts, roll, total) == expected


def test_every_part_of_the_message_counts() -> None:
    base = fair_number(SECRET, PARTS, 1, 2**32)
    assert fair_number(SECRET[::-1], PARTS, 1, 2**32) != base
    assert fair_number(SECRET, PARTS[::-1], 1, 2**32) != base
    assert fair_number(SECRET, PARTS[:-1], 1, 2**32) != base
    assert fair_number(SECRET, PARTS, 2, 2**32) != base


def test_what_bots_draw_from_follows_from_the_secret() -> None:
    """As OpenSSL has it; nobody knows it who does not know the secret."""
    assert FairDice("k3x9", SECRET, SHARES).bot_seed(5) == 0xC903D174


def test_a_string_that_was_withheld_has_no_part_in_the_dice() -> None:
    sealed = seal("k3x9", commitment(SECRET), 1, "b0b")
    dice = FairDice("k3x9", SECRET, (Share(0, "ann-1"), Share(1, sealed=sealed)))
    assert dice.text.endswith(f" 1:ann-1 2:withheld:{sealed}")
    again = parse_fair(dice.text)
    assert isinstance(again, FairDice)
    assert again.shares == dice.shares
    alone = FairDice("k3x9", SECRET, (Share(0, "ann-1"),))
    toss = tosses((ORDINARY, 5))
    assert [again.draw(toss) for _ in range(20)] == [alone.draw(toss) for _ in range(20)]


def test_the_text_holds_who_signed_the_promise() -> None:
    dice = FairDice("k3x9", SECRET, SHARES, SIGNED)
    again = parse_fair(dice.text)
    assert isinstance(again, FairDice)
    assert (again.signed, again.shares, again.text) == (SIGNED, SHARES, dice.text)


def test_all_faces_are_alike() -> None:
    dice = FairDice("k3x9", SECRET, SHARES)
    counts = Counter(dice.draw(tosses((ORDINARY, 1))) for _ in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5  # chi square, 1 in 1000
    assert dice.rolls == 6000


def test_more_ways_than_a_number_has_are_refused() -> None:
    for total in (0, 2**32 + 1):
        with pytest.raises(DiceError, match="Fair dice choose among"):
            fair_number(SECRET, PARTS, 1, total)


def played(game: Game, dice: FairDice | OldFairDice | None = None) -> Table:
    seats = [Seat(f"Bot {n}", make_player("greedy", n)) for n in range(max(2, game.min_players))]
    table = Table(game.start(len(seats)), seats, dice or FairDice("k3x9", SECRET, SHARES, SIGNED))
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
    with pytest.raises(RecordError, match=r"The dice \(fair2 k3x9\) roll . here, not") as error:
        parse_record(text).check_dice()
    assert error.value.line == line


def test_a_secret_that_was_not_promised_is_refused() -> None:
    good = record_of(played(load_game("pig")), DAY).text
    with pytest.raises(RecordError, match="not the one that was promised") as error:
        parse_record(good.replace(SECRET.hex(), SECRET[::-1].hex()))
    assert error.value.line == 6


def test_while_the_game_goes_on_the_secret_is_hidden() -> None:
    dice = FairDice("k3x9", SECRET, SHARES, SIGNED)
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
        ("fair2", "are written as"),
        (f"fair2 k3x9 {'0' * 64} hidden ann", "is no share in the dice"),
        (f"fair2 k3x9 {'0' * 64} hidden 0:ann", "is no share in the dice"),
        (f"fair2 k3x9 {'0' * 64} hidden 2:withheld:ab", "is no share in the dice"),
        (f"fair2 k3x9 {'0' * 64} hidden 2:ann 1:bob", "in the order of their seats"),
        (f"fair2 k3x9 {'0' * 64} hidden 1:ann 1:bob", "in the order of their seats"),
        (f"fair2 k3x9 {'0' * 64} hidden signed:1:ab:cd 1:ann", "is no share in the dice"),
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


def verified(tmp_path: Path, text: str, *options: str) -> tuple[int, str, str]:
    file = tmp_path / "game.hotdice"
    file.write_text(text, "utf-8")
    outcome = hotdice("verify", file, *options)
    return outcome.code, outcome.out, outcome.err


def test_verify_says_what_is_proven(tmp_path: Path) -> None:
    text = record_of(played(load_game("pig")), DAY).text
    code, out, _ = verified(tmp_path, text)
    assert code == 0
    assert "from what Bot 0 and Bot 1 drew" in out
    assert commitment(SECRET) in out
    assert f"{KEY}, which its server shows at /api/key, has signed the promise, dated 2026-11-14" in out
    dice = FairDice("k3x9", SECRET, SHARES, SIGNED)
    _, out, _ = verified(tmp_path, text.replace(dice.text, dice.hidden_text))
    assert "revealed only when the game is over" in out
    false, line = false_roll()
    code, _, err = verified(tmp_path, false)
    assert code == 2
    assert f"{line}" in err


def test_verify_holds_a_record_against_what_was_seen(tmp_path: Path) -> None:
    text = record_of(played(load_game("pig")), DAY).text
    code, out, _ = verified(tmp_path, text, "--promise", commitment(SECRET), "--key", KEY, "--bots")
    assert (code, "The promise is the one that you saw." in out, "choices of bots are theirs" in out) == (0, True, True)
    code, _, err = verified(tmp_path, text, "--promise", "0" * 64)
    assert (code, "another promise than the one that you give" in err) == (2, True)
    assert verified(tmp_path, text, "--string", "1:ann-1", "--string", "2:b0b")[0] == 0
    code, _, err = verified(tmp_path, text, "--string", "2:bob")
    assert (code, "drawn without “2:bob”" in err) == (2, True)
    ann, ben = (f"{share.seat + 1}:{seal('k3x9', commitment(SECRET), share.seat, share.string)}" for share in SHARES)
    assert verified(tmp_path, text, "--seal", ann, "--seal", ben)[0] == 0
    code, _, err = verified(tmp_path, text, "--seal", ann)
    assert (code, "“2:b0b” in the dice of this record fits no seal" in err) == (2, True)
    code, _, err = verified(tmp_path, text, "--seal", ann, "--seal", ben, "--seal", f"3:{'0' * 64}")
    assert (code, f"sealed as “3:{'0' * 64}” is missing" in err) == (2, True)
    code, _, err = verified(tmp_path, text, "--key", "0" * 64)
    assert (code, "another key than the one that you give" in err) == (2, True)
    code, _, err = verified(tmp_path, text.replace(SIGNATURE, SIGNATURE[:-2] + "00"))
    assert (code, "not that of its key" in err) == (2, True)
    code, _, err = verified(tmp_path, text.replace("signed:1794700000000", "signed:1794700000001"))
    assert (code, "not that of its key" in err) == (2, True)
    code, _, err = verified(tmp_path, text.replace(f"{SIGNED.text} ", ""), "--key", KEY)
    assert (code, "No server has signed" in err) == (2, True)


def test_a_promise_is_not_taken_for_another_word_of_the_record(tmp_path: Path) -> None:
    seen = "0123456789abcdef" * 4
    dice = FairDice(seen, SECRET, (Share(0, seen),))
    code, _, err = verified(tmp_path, record_of(played(load_game("pig"), dice), DAY).text, "--promise", seen)
    assert (code, "another promise than the one that you give" in err) == (2, True)


def test_verify_says_that_dice_were_drawn_anew(tmp_path: Path) -> None:
    later = load_game("pig").start(2).roll((5,))
    seats = [Seat(name, make_player("greedy", 1)) for name in ("Ann", "Ben")]
    table = Table(later, seats, FairDice("k3x9-2", SECRET, SHARES))
    table.run()
    code, out, _ = verified(tmp_path, record_of(table, DAY).text)
    assert (code, "These dice were drawn anew for a game that went on" in out) == (0, True)
    text = record_of(played(load_game("pig")), DAY).text
    restored = text.replace(
        "\n\n", "\n\n# continued with new dice, as the server's tables were restored from a backup\n"
    )
    for record, anew in ((text, False), (restored, True)):
        assert ("These dice were drawn anew" in verified(tmp_path, record)[1]) == anew


def test_the_signature_is_that_of_another_program() -> None:
    from hotdice.server.signing import Signer

    signer = Signer(SECRET)
    assert (signer.key, signer.sign(statement("k3x9", commitment(SECRET), SIGNED.at))) == (KEY, SIGNATURE)


@pytest.mark.parametrize(
    ("dice", "told"),
    [
        (FairDice("k3x9", SECRET), "these dice are not fair dice"),
        (
            FairDice("k3x9", SECRET, (Share(0, "ann-1"), Share(1, sealed="0" * 64))),
            "Bot 1 sealed a string and did not reveal it",
        ),
        (OldFairDice("k3x9", SECRET, ("ann-1", "b0b")), "a server could have chosen the secret by it"),
    ],
)
def test_verify_says_what_is_not_proven(tmp_path: Path, dice: FairDice | OldFairDice, told: str) -> None:
    code, out, _ = verified(tmp_path, record_of(played(load_game("pig"), dice), DAY).text)
    assert (code, told in out) == (0, True), out
