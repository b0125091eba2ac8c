"""`hotdice replay` and `hotdice verify`: a recorded game told again, and checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from hotdice.dice import DiceSource, RecordedDice, SeededDice
from hotdice.errors import HotdiceError
from hotdice.fair import FairDice, HiddenDice, OldFairDice, PromisedDice, Share, TurnDice, seal, statement
from hotdice.notation import listed
from hotdice.players import make_player, named_bot
from hotdice.record import Comment, Record, source_of
from hotdice.table import Rolled, Table
from hotdice.terminal import speak
from hotdice.terminal.saves import load, naming
from hotdice.terminal.screen import Screen
from hotdice.terminal.steps import step_through
from hotdice.terminal.streams import plain
from hotdice.view import named

ANEW: Final = "continued with new dice"
"""What the comment begins with by which a server says that a game goes on after a backup was restored."""


class VerifyError(HotdiceError):
    """Something in a record does not hold."""


def replay(path: Path, *, as_json: bool, everything: bool) -> int:
    """Step through a recorded game, or print it, event by event; the answer is the exit code."""
    record, table = _checked(path)
    screen = Screen()
    if as_json:
        print(json.dumps(_replay_json(record, table), indent=2))
    elif screen.drawn and table.played and not everything:
        return step_through(record, table, screen)
    else:
        print("\n".join(map(plain, _replay_lines(record, table))))
    return 0


def verify(
    path: Path,
    promise: str = "",
    key: str = "",
    strings: Sequence[str] = (),
    seals: Sequence[str] = (),
    *,
    bots: bool = False,
) -> None:
    """Say what holds in a record; an error says what does not, and where.

    `promise` is what was seen before the game, `key` the public key of the server, `strings` what was drawn for the
    dice, as SEAT:STRING, as far as they are known, and `seals` all those that were shown before the strings were
    revealed, as SEAT:SEAL.
    """
    record, table = _checked(path)
    held = "the game is unfinished" if table.state.result is None else f"the result holds: {record.result}"
    print(f"All {table.played} events are legal, and {held}.")
    if record.start:
        print("The game was continued from a position; what led to it is in another record, if in any.")
    dice = source_of(record.dice)
    if promise and not (isinstance(dice, PromisedDice | HiddenDice) and promise.strip().lower() == dice.commitment):
        raise VerifyError("The record holds another promise than the one that you give, or none.")
    for string in strings:
        if string not in record.dice.split():
            raise VerifyError(f"The dice of this record were drawn without “{string}”.")
    if seals:
        _check_seals(dice, seals)
    match dice:
        case FairDice():
            print("\n".join(_fair_lines(record, dice, promised=bool(promise), key=key)))
        case OldFairDice():
            print("Every roll follows from the secret and the players' strings, by the first version of fair dice:")
            print("nobody changed a roll once the game had begun. But whoever set the table up gave a string before")
            print("the secret was drawn, so a server could have chosen the secret by it. What it promised is")
            print(dice.commitment)
        case HiddenDice():
            print("The secret of the dice is revealed only when the game is over; then they can be checked.")
        case SeededDice():
            print(f"The dice ({record.dice}) were rolled again and show the same.")
        case RecordedDice():
            print("The game was continued from another record, with dice that nobody promised; they cannot be checked.")
        case _:
            print(f"The dice are {record.dice}, so whether they rolled so cannot be checked.")
    if record.same_dice:
        print(
            "The dice were the same for all: in everybody's first turn, in everybody's second turn, and so on. Who came"
        )
        print("later in a round could have seen what would come.")
    elif isinstance(dice, TurnDice):
        print("They are dice by turns: whoever plays this game with them meets the same faces in the same turns.")
        if dice.challenge:
            print(
                "That nobody knew them before they played cannot be seen in a record; docs/fair-dice.md says who could."
            )
    if bots:
        print(_bots_line(record, table, dice))
    print("Names, the date and comments are as somebody wrote them; nothing in a record can prove those.")


def _check_seals(dice: DiceSource, seals: Sequence[str]) -> None:
    """Refuse dice that have other shares than those that were sealed when the strings were revealed."""
    if not isinstance(dice, FairDice):
        raise VerifyError("The dice of this record have no seals, or their secret is hidden.")
    shares = {share.text: _seal_of(dice, share) for share in dice.shares}
    given = [text.strip().lower() for text in seals]
    for text, sealed in shares.items():
        if sealed not in given:
            raise VerifyError(f"“{text}” in the dice of this record fits no seal that you give: it was chosen later.")
    for sealed in given:
        if sealed not in shares.values():
            raise VerifyError(f"What was sealed as “{sealed}” is missing from the dice of this record.")


def _seal_of(dice: FairDice, share: Share) -> str:
    """The seal of a share in the dice, as SEAT:SEAL."""
    sealed = seal(dice.table, dice.commitment, share.seat, share.string) if share.string else share.sealed
    return f"{share.seat + 1}:{sealed}"


def _fair_lines(record: Record, dice: FairDice, *, promised: bool, key: str) -> Iterator[str]:
    names = [seat.name for seat in record.seats]
    given = [names[share.seat] for share in dice.shares if share.string]
    if isinstance(dice, TurnDice) and dice.challenge:
        yield from _challenge_lines(dice)
    elif not given:
        yield "Every roll follows from the secret, but nobody except the server had a share in it: it could have"
        yield "chosen the secret as it liked, and these dice are not fair dice."
    else:
        yield f"Every roll follows from the secret and from what {listed(given)} drew, after its hash was shown:"
        yield "as long as one of them drew at random and saw all seals first, nobody could choose these rolls."
    for share in dice.shares:
        if not share.string:
            yield f"{names[share.seat]} sealed a string and did not reveal it, so the dice were drawn without it:"
            yield "whoever saw the other strings by then could choose between the two games that this leaves."
    if record.start or any(isinstance(entry, Comment) and entry.text.startswith(ANEW) for entry in record.entries):
        yield "These dice were drawn anew for a game that went on: who ran the server knew what the old ones held."
    if promised:
        yield "The promise is the one that you saw."
    else:
        yield "Compare the promise with the one that was shown before the game, or give it as --promise:"
        yield dice.commitment
    yield from _signed_lines(dice, key.strip().lower())


def _challenge_lines(dice: TurnDice) -> Iterator[str]:
    """What is known of dice that several people played one after the other, whoever of them this record is of."""
    if not dice.strings:
        yield f"Every roll follows from the secret of the challenge {dice.challenge}, which the server drew alone:"
        yield "it could have chosen it as it liked, but promised it to all who played, and all had the same dice."
        return
    yield f"Every roll follows from the secret of the challenge {dice.challenge}, and from what the device of whoever"
    yield "played it first drew: neither that player nor the server could choose these rolls alone. All others who"
    yield "played it had the same dice, and no share in them."


def _signed_lines(dice: FairDice, key: str) -> Iterator[str]:
    signed = dice.signed
    if signed is None:
        if key:
            raise VerifyError("No server has signed the promise of this record.")
        return
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        yield "A server has signed the promise; after pip install 'hotdice[server]' the signature can be checked."
        return
    stated = statement(dice.table, dice.commitment, signed.at)
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(signed.key)).verify(bytes.fromhex(signed.signature), stated)
    except InvalidSignature:
        raise VerifyError("The signature under the promise is not that of its key.") from None
    if key and key != signed.key:
        raise VerifyError("The promise is signed with another key than the one that you give.")
    when = datetime.fromtimestamp(signed.at / 1000, UTC)
    owner = "" if key else f" {signed.key}, which its server shows at /api/key,"
    yield f"The key{owner} has signed the promise, dated {when:%Y-%m-%d %H:%M:%S} UTC."


def _bots_line(record: Record, table: Table, dice: DiceSource) -> str:
    """Whether bots chose as they had to: what they leave to chance follows from the secret, too."""
    if not isinstance(dice, FairDice):
        return "What bots chose cannot be checked with such dice."
    checked = simple = 0
    for number, event in enumerate(table.events):
        kind = record.seats[event.seat].kind
        if isinstance(event, Rolled) or not named_bot(kind):
            continue
        state = table.before(number)
        if make_player(kind, dice.bot_seed(number)).choose(state) != event.move:
            if record.game.greedy(state) != event.move:
                name = record.seats[event.seat].name
                raise VerifyError(
                    f"{name}, event {number + 1}: by the values that are here, a “{kind}” bot would choose otherwise."
                )
            simple += 1
        checked += 1
    late = f"; {simple} of them by the simple rule, as bots do while values are made" if simple else ""
    return f"All {checked} choices of bots are theirs, by this version of Hotdice{late}."


def _checked(path: Path) -> tuple[Record, Table]:
    """The record in a file and its game on a table, all of which holds."""
    with naming(path):
        record = load(path)
        return record, record.table()


def _replay_lines(record: Record, table: Table) -> Iterator[str]:
    yield f"{record.game.text(record.options)}, {record.day.isoformat()}, dice: {record.dice}"
    yield "; ".join(f"seat {n}: {seat.name} ({seat.kind})" for n, seat in enumerate(record.seats, 1))
    yield ""
    index = 0
    for entry in record.entries:
        if isinstance(entry, Comment):
            yield f"# {entry.text}"
            continue
        yield speak.tell(table, index)
        before, after = table.before(index), table.before(index + 1)
        if after.scores != before.scores:
            yield f"  {speak.scores_line(after, table.names)}"
        index += 1
    yield ""
    yield from speak.standings_lines(table.state, table.names)
    if table.state.result is None:
        yield f"The game is unfinished. {speak.with_names(table.state.prompt, table.names)}"


def _replay_json(record: Record, table: Table) -> dict[str, Any]:
    """Seats count from 1, as in the record."""
    states, result = table.states, table.state.result
    events = [
        {
            "seat": event.seat + 1,
            "text": f"rolls {record.game.roll_text(event.roll)}" if isinstance(event, Rolled) else event.move.text,
            "sentence": speak.tell(table, number),
            "position": states[number + 1].position,
            "scores": list(states[number + 1].scores),
        }
        for number, event in enumerate(table.events)
    ]
    return {
        "game": record.game.name,
        "options": {spec.name: getattr(record.options, spec.name) for spec in record.options.specs()},
        "date": record.day.isoformat(),
        "seats": [{"name": seat.name, "kind": seat.kind} for seat in record.seats],
        "dice": record.dice,
        "position": states[0].position,
        "events": events,
        "result": result
        and {
            "winners": [seat + 1 for seat in result.winners],
            "reason": speak.with_names(result.sentences, table.names),
            "standings": [
                {"seat": s.seat + 1, "place": s.place, "score": s.score, "note": named(s.note, table.names)}
                for s in result.standings
            ],
        },
    }
