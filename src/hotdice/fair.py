"""Fair dice: rolls that nobody can choose and that anybody can check afterwards.

Whoever runs the table draws a secret and publishes its SHA-256, the promise, before anybody else has drawn anything.
Then every player draws a string and publishes its seal, a hash; once all seals are there, the strings are revealed.
Every roll follows from the secret and the strings by HMAC-SHA-256. Once the game is over the secret is revealed too,
and the record holds all that is needed to compute every roll again. `docs/fair-dice.md` specifies the scheme.

Dice by turns are made in the same way, but die by die: a face follows from the turn, the roll within it and the place
of the die. They may be the same for all players, or each player's own, so that others can play the same game later.

Records of the first version have strings that were public from the beginning; those still can be checked.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from struct import Struct
from typing import ClassVar, Final, Protocol, runtime_checkable

from hotdice.dice import Die, Distribution, Roll, SeededDice
from hotdice.errors import DiceError, ParseError

SECRET_BYTES: Final = 32
HIDDEN: Final = "hidden"
"""Stands for the secret in a record of a game that is not over."""
WITHHELD: Final = "withheld"
"""Stands for the string of somebody who sealed one and did not reveal it."""
SIGNED: Final = "signed"
CHALLENGE: Final = "challenge-"
"""What the names of dice begin with that several people play one after the other; the challenge's name follows."""
DAILY: Final = "daily-"
"""The same for the challenge of a day, which has the day for its name: the server alone has drawn its dice."""
ALL: Final = "all"
"""Stands for whose turn it is where dice are the same for all players."""
_SEAL: Final = "hotdice seal 2"
_PROMISE: Final = "hotdice promise 2"
_BOT: Final = "hotdice bot 2"
_SEED: Final = "hotdice seed 2"
_WORD: Final = 1 << 32
_NUMBERS: Final = Struct(">8I")
"""The numbers in a hash."""
_BLOCK: Final = 64
"""The bytes that SHA-256 takes at a time; a secret is shorter."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_HASH: Final = re.compile(r"[0-9a-f]{64}")
_SHARE: Final = re.compile(r"([1-9][0-9]?):(?:withheld:([0-9a-f]{64})|([A-Za-z0-9_-]{1,64}))")
_STATEMENT: Final = re.compile(r"signed:([0-9]{1,15}):([0-9a-f]{64}):([0-9a-f]{128})")


def commitment(secret: bytes) -> str:
    """The promise: what is published of a secret before the game."""
    return hashlib.sha256(secret).hexdigest()


def seal(table: str, promise: str, seat: int, string: str) -> str:
    """What a player publishes of a string before anybody reveals one. Seats count from 0 here, and from 1 in texts."""
    return hashlib.sha256(_lines(_SEAL, table, promise, str(seat + 1), string)).hexdigest()


@dataclass(frozen=True, slots=True)
class Throw:
    """Where a roll stands in a game, and the dice in hand."""

    seat: int
    """Whose roll it is."""
    occasion: str
    """What it is part of: a turn, a penalty or a roll-off."""
    number: int
    """Which such occasion of that seat it is, or which roll-off of all seats; counted from 1."""
    roll: int
    """Which roll of it this is, counted from 1."""
    dice: tuple[tuple[Die, int], ...]
    """How many dice of each kind are rolled."""


@runtime_checkable
class DiceByTurns(Protocol):
    """A source of dice for which it matters which turn a roll belongs to."""

    @property
    def by_turn(self) -> bool:
        """Whether it does, so that rolls are thrown and not just drawn."""

    def throw(self, throw: Throw) -> Roll:
        """The roll that is due."""


class FairNumbers:
    """The numbers that decide the rolls of a game, by HMAC-SHA-256 (RFC 2104). What all its messages begin with, the
    secret and the `parts`, is hashed once: a roll adds its number, and the count of blocks, which is hardly ever more
    than 0."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, secret: bytes, parts: Sequence[str]) -> None:
        key = secret.ljust(_BLOCK, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + _lines(*parts, ""))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))

    def number(self, roll: int | str, total: int) -> int:
        """The whole number below `total` that decides a roll, or what else is named; rolls count from 1.

        Numbers of 32 bits are read off the hashes, and those are passed over that would favour low results.
        """
        if not 0 < total <= _WORD:
            raise DiceError(f"Fair dice choose among 1 to {_WORD} ways, not {total}.")
        limit = _WORD - _WORD % total
        block = 0
        while True:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{roll}\n{block}".encode("ascii"))
            outer.update(inner.digest())
            digest = outer.digest()
            number = int.from_bytes(digest[:4], "big")
            if number < limit:  # as it nearly always is
                return number % total
            for number in _NUMBERS.unpack(digest):
                if number < limit:
                    return int(number % total)
            block += 1

    def roll(self, throw: Throw, who: str) -> Roll:
        """A roll of dice by turns: each die shows what its place in this throw decides."""
        where = f"{who}\n{throw.occasion}\n{throw.number}\n{throw.roll}"
        faces: list[int] = []
        for kind, (die, count) in enumerate(throw.dice, 1):
            codes = sorted(face.code for face in die.faces)
            faces += [codes[self.number(f"{where}\n{kind}\n{place}", len(codes))] for place in range(1, count + 1)]
        return tuple(sorted(faces))


def fair_number(secret: bytes, parts: Sequence[str], roll: int, total: int) -> int:
    """The whole number below `total` that decides a roll; rolls count from 1."""
    return FairNumbers(secret, parts).number(roll, total)


def _lines(*parts: str) -> bytes:
    return "\n".join(parts).encode("ascii")


@dataclass(frozen=True, slots=True)
class Share:
    """What a seat has in the dice: its string, or the seal of one that was never revealed. Seats count from 0."""

    seat: int
    """Whose share it is."""
    string: str = ""
    """What the player contributed; nothing if it was never revealed."""
    sealed: str = ""
    """The seal of a string that was never revealed; nothing otherwise."""

    @property
    def text(self) -> str:
        """As records write it, with seats from 1: `2:string`, or `2:withheld:` and the seal."""
        return f"{self.seat + 1}:{self.string}" if self.string else f"{self.seat + 1}:{WITHHELD}:{self.sealed}"


@dataclass(frozen=True, slots=True)
class Statement:
    """A promise as a server has signed it: when, in milliseconds since 1970, and by which key."""

    at: int
    """When it was signed, in milliseconds since 1970."""
    key: str
    """The public key (Ed25519), in hexadecimal digits."""
    signature: str
    """The signature of `statement(…)`, in hexadecimal digits."""

    @property
    def text(self) -> str:
        """As records write it: `signed:`, the time, the key and the signature."""
        return f"{SIGNED}:{self.at}:{self.key}:{self.signature}"


def statement(table: str, promise: str, at: int) -> bytes:
    """What a server signs of a promise: the bytes that a `Statement` is about."""
    return _lines(_PROMISE, table, promise, str(at))


class PromisedDice:
    """Dice that follow from a secret, of which the hash was published before the game."""

    manual: Final = False
    kind: ClassVar[str]
    """The word by which records name dice of this kind."""
    scheme: ClassVar[str]
    """What every hashed message begins with, so that schemes cannot be confused."""

    def __init__(self, table: str, secret: bytes, words: Sequence[str], heard: Sequence[str]) -> None:
        """`words` follow the secret in a record; `heard` are those parts of the message that players contributed."""
        check_string(table)
        if len(secret) != SECRET_BYTES:
            raise DiceError(f"The secret of fair dice has {SECRET_BYTES} bytes, not {len(secret)}.")
        self.table = table
        self.rolls = 0
        """How many have been drawn."""
        self._secret, self._words = secret, words
        self._parts = (self.scheme, table, *heard)
        self._numbers = FairNumbers(secret, self._parts)

    @property
    def commitment(self) -> str:
        """What was published before the game."""
        return commitment(self._secret)

    @property
    def secret(self) -> bytes:
        """What all rolls follow from; not for players before it is revealed."""
        return self._secret

    @property
    def text(self) -> str:
        return " ".join((self.kind, self.table, self.commitment, self._secret.hex(), *self._words))

    @property
    def hidden_text(self) -> str:
        """How a record names them while the game goes on."""
        return " ".join((self.kind, self.table, self.commitment, HIDDEN, *self._words))

    def draw(self, outcomes: Distribution) -> Roll:
        self.rolls += 1
        return outcomes.at(self._numbers.number(self.rolls, outcomes.total))


class FairDice(PromisedDice):
    """The dice of a table: its name, its secret, and the players' shares in the order of their seats."""

    kind = "fair2"
    scheme = "hotdice dice 2"

    def __init__(
        self, table: str, secret: bytes, shares: Sequence[Share] = (), signed: Statement | None = None
    ) -> None:
        for share in shares:
            check_string(share.string or share.sealed)
        self.shares, self.signed = tuple(shares), signed
        words = [signed.text] if signed else []
        heard = [f"{share.seat + 1}:{share.string}" for share in shares if share.string]
        super().__init__(table, secret, [*words, *[share.text for share in shares]], heard)

    @property
    def strings(self) -> tuple[str, ...]:
        """What the players contributed."""
        return tuple(share.string for share in self.shares if share.string)

    def bot_seed(self, event: int) -> int:
        """What a bot draws its choices from, where it leaves something to chance; events count from 0."""
        return int.from_bytes(
            hmac.digest(self._secret, _lines(_BOT, *self._parts[1:], str(event)), "sha256")[:4], "big"
        )


class TurnDice(FairDice):
    """Fair dice by turns: in every player's turn of some number, the faces depend on the player, that number, the roll
    and the place of the die alone. Whoever plays the same game with them later meets the same dice."""

    kind = "fair2-turns"
    scheme = "hotdice turns 2"
    by_turn: Final = True

    @property
    def daily(self) -> bool:
        """Whether they are those of the challenge of a day."""
        return self.table.startswith(DAILY)

    @property
    def challenge(self) -> str:
        """The challenge that they were drawn for, if there is one."""
        for start in (CHALLENGE, DAILY):
            if self.table.startswith(start):
                return self.table.removeprefix(start)
        return ""

    def draw(self, outcomes: Distribution) -> Roll:
        raise _no_turn()

    def throw(self, throw: Throw) -> Roll:
        self.rolls += 1
        return self._numbers.roll(throw, self._who(throw))

    @staticmethod
    def _who(throw: Throw) -> str:
        return str(throw.seat + 1)


class SameDice(TurnDice):
    """Fair dice by turns that are the same for all players: everybody's turn of some number meets the same faces."""

    kind = "fair2-same"

    @staticmethod
    def _who(throw: Throw) -> str:
        return ALL


class SeededSameDice(SeededDice):
    """Dice from a seed that are the same in every player's turn of some number."""

    kind: Final = "seeded-same"
    """The word by which records name these dice."""
    by_turn: Final = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._numbers = FairNumbers(hashlib.sha256(_lines(_SEED, str(seed))).digest(), (_SEED,))

    @property
    def text(self) -> str:
        return f"{self.kind} {self.seed}"

    def draw(self, outcomes: Distribution) -> Roll:
        raise _no_turn()

    def throw(self, throw: Throw) -> Roll:
        return self._numbers.roll(throw, ALL)


def _no_turn() -> DiceError:
    return DiceError("Dice by turns are rolled at a table, which knows whose turn it is.")


class OldFairDice(PromisedDice):
    """The first version: strings that were public as soon as they were given, in the order of joining."""

    kind = "fair"
    scheme = "hotdice dice 1"

    def __init__(self, table: str, secret: bytes, strings: Sequence[str] = ()) -> None:
        for word in strings:
            check_string(word)
        self.strings = tuple(strings)
        super().__init__(table, secret, self.strings, self.strings)


class HiddenDice:
    """Fair dice whose secret is not revealed yet: what they rolled is known, what they will roll is not."""

    manual: Final = False

    def __init__(self, text: str, commitment: str) -> None:
        self.text = text
        """How a record names them."""
        self.commitment = commitment
        """What was published before the game."""

    def draw(self, outcomes: Distribution) -> Roll:
        raise DiceError("The secret of these dice is revealed when the game is over; they cannot be rolled without it.")


_KINDS: Final = {dice.kind: dice for dice in (FairDice, TurnDice, SameDice)}
FAIR_KINDS: Final = (*_KINDS, OldFairDice.kind)
"""How records begin to name fair dice."""


def check_string(text: str) -> None:
    """Refuse what cannot be a table's name or a player's string."""
    if not _NAME.fullmatch(text):
        shown = text if len(text) <= 80 else f"{text[:80]}…"
        raise DiceError(f"“{shown}” is not 1 to 64 letters, digits, - and _, as fair dice want it.")


def check_seal(text: str) -> None:
    """Refuse what cannot be the seal of a string."""
    if not _HASH.fullmatch(text):
        raise DiceError("A seal has 64 hexadecimal digits: it is the SHA-256 of what docs/fair-dice.md says.")


def parse_fair(text: str) -> PromisedDice | HiddenDice:
    """Fair dice of any kind as a record names them; `ParseError` if they are none, or not those that were promised."""
    kind, *fields = text.split(" ")
    if kind not in FAIR_KINDS or len(fields) < 3:
        raise ParseError(f"Fair dice are written as {FairDice.kind} TABLE PROMISE SECRET, then the players' shares.")
    table, published, secret, *words = fields
    if not _HASH.fullmatch(published) or not (secret == HIDDEN or _HASH.fullmatch(secret)):
        raise ParseError("The promise and the secret of fair dice have 64 hexadecimal digits each, or it is hidden.")
    drawn = bytes(SECRET_BYTES) if secret == HIDDEN else bytes.fromhex(secret)
    try:
        found = _KINDS.get(kind)
        dice = _new(found, table, drawn, words) if found else OldFairDice(table, drawn, words)
    except DiceError as error:
        raise ParseError(str(error)) from error
    if secret == HIDDEN:
        return HiddenDice(text, published)
    if dice.commitment != published:
        raise ParseError("The secret of these dice is not the one that was promised: its SHA-256 is another.")
    return dice


def promised_dice(text: str) -> TurnDice:
    """Dice by turns as a record names them whose secret is revealed; `ParseError` otherwise."""
    dice = parse_fair(text)
    if not isinstance(dice, TurnDice):
        raise ParseError("These are no dice by turns, or their secret is hidden.")
    return dice


def _new(kind: type[FairDice], table: str, secret: bytes, words: Sequence[str]) -> FairDice:
    signed: Statement | None = None
    if words and (found := _STATEMENT.fullmatch(words[0])):
        signed, words = Statement(int(found[1]), found[2], found[3]), words[1:]
    shares: list[Share] = []
    for word in words:
        found = _SHARE.fullmatch(word)
        if not found:
            raise ParseError(
                f"“{word}” is no share in the dice; one is written as SEAT:STRING or SEAT:{WITHHELD}:SEAL."
            )
        if shares and shares[-1].seat >= int(found[1]) - 1:
            raise ParseError("The shares in the dice stand in the order of their seats.")
        shares.append(Share(int(found[1]) - 1, found[3] or "", found[2] or ""))
    return kind(table, secret, shares, signed)


__all__ = [
    "DiceByTurns",
    "FairDice",
    "HiddenDice",
    "PromisedDice",
    "SameDice",
    "SeededSameDice",
    "Share",
    "Statement",
    "Throw",
    "TurnDice",
    "commitment",
    "fair_number",
    "parse_fair",
    "promised_dice",
    "seal",
    "statement",
]
