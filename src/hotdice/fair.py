"""Fair dice: rolls that nobody can choose and that anybody can check afterwards.

Whoever runs the table draws a secret and publishes its SHA-256 before anybody joins; each player adds a string of their
own; every roll follows from all of these by HMAC-SHA-256. Once the game is over the secret is revealed, and the record
holds all that is needed to compute every roll again. `docs/fair-dice.md` specifies the scheme.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from typing import Final

from hotdice.dice import Distribution, Roll
from hotdice.errors import DiceError, ParseError

SCHEME: Final = "hotdice dice 1"
SECRET_BYTES: Final = 32
HIDDEN: Final = "hidden"
"""Stands for the secret in a record of a game that is not over."""
_WORD: Final = 1 << 32
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")


def commitment(secret: bytes) -> str:
    """What is published of a secret before the game."""
    return hashlib.sha256(secret).hexdigest()


def fair_number(secret: bytes, table: str, strings: Sequence[str], roll: int, total: int) -> int:
    """The whole number below `total` that decides a roll; rolls count from 1.

    Numbers of 32 bits are read off the hashes, and those are passed over that would favour low results.
    """
    return _number(secret, _beginning(table, strings), roll, total)


def _beginning(table: str, strings: Sequence[str]) -> str:
    """What the messages of all rolls have in common."""
    return "\n".join((SCHEME, table, *strings))


def _number(secret: bytes, beginning: str, roll: int, total: int) -> int:
    if not 0 < total <= _WORD:
        raise DiceError(f"Fair dice choose among 1 to {_WORD} ways, not {total}.")
    limit = _WORD - _WORD % total
    block = 0
    while True:
        digest = hmac.digest(secret, f"{beginning}\n{roll}\n{block}".encode("ascii"), "sha256")
        for at in range(0, len(digest), 4):
            number = int.from_bytes(digest[at : at + 4], "big")
            if number < limit:
                return number % total
        block += 1


class FairDice:
    """The dice of a table: its name, its secret, and the strings of those who joined, in the order of their joining."""

    manual: Final = False

    def __init__(self, table: str, secret: bytes, strings: Sequence[str] = ()) -> None:
        for word in (table, *strings):
            check_string(word)
        if len(secret) != SECRET_BYTES:
            raise DiceError(f"The secret of fair dice has {SECRET_BYTES} bytes, not {len(secret)}.")
        self.table, self.strings = table, tuple(strings)
        self.rolls = 0
        """How many have been drawn."""
        self._secret = secret
        self._beginning = _beginning(table, self.strings)

    @property
    def commitment(self) -> str:
        """What was published before the game."""
        return commitment(self._secret)

    @property
    def text(self) -> str:
        return " ".join(("fair", self.table, self.commitment, self._secret.hex(), *self.strings))

    @property
    def hidden_text(self) -> str:
        """How a record names them while the game goes on."""
        return " ".join(("fair", self.table, self.commitment, HIDDEN, *self.strings))

    def draw(self, outcomes: Distribution) -> Roll:
        self.rolls += 1
        return outcomes.at(_number(self._secret, self._beginning, self.rolls, outcomes.total))


class HiddenDice:
    """Fair dice whose secret is not revealed yet: what they rolled is known, what they will roll is not."""

    manual: Final = False

    def __init__(self, text: str) -> None:
        self.text = text

    def draw(self, outcomes: Distribution) -> Roll:
        raise DiceError("The secret of these dice is revealed when the game is over; they cannot be rolled without it.")


def check_string(text: str) -> None:
    """Refuse what cannot be a table's name or a player's string."""
    if not _NAME.fullmatch(text):
        shown = text if len(text) <= 80 else f"{text[:80]}…"
        raise DiceError(f"“{shown}” is not 1 to 64 letters, digits, - and _, as fair dice want it.")


def parse_fair(text: str) -> FairDice | HiddenDice:
    """Fair dice as a record names them."""
    kind, *fields = text.split(" ")
    if kind != "fair" or len(fields) < 3:
        raise ParseError("Fair dice are written as fair TABLE COMMITMENT SECRET, then the players' strings.")
    table, published, secret, *strings = fields
    try:
        for word in (table, *strings):
            check_string(word)
    except DiceError as error:
        raise ParseError(str(error)) from error
    if not _HASH.fullmatch(published) or not (secret == HIDDEN or _HASH.fullmatch(secret)):
        raise ParseError("The commitment and the secret of fair dice have 64 hexadecimal digits each, or it is hidden.")
    if secret == HIDDEN:
        return HiddenDice(text)
    dice = FairDice(table, bytes.fromhex(secret), strings)
    if dice.commitment != published:
        raise ParseError("The secret of these dice is not the one that was promised: its SHA-256 is another.")
    return dice
