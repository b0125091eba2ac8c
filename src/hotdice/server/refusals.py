"""What the server refuses: each refusal is one sentence for people and one word for programs."""

from __future__ import annotations

from typing import ClassVar

from hotdice.errors import HotdiceError


class Refusal(HotdiceError):
    """Something that was asked for and is not done. Nothing has changed by it."""

    answer: ClassVar[str] = "illegal"
    status: ClassVar[int] = 409

    def __init__(self, message: str, legal: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.legal = legal


class Illegal(Refusal):
    """Against the rules, or not possible at this time; `legal` has what is."""


class Invalid(Refusal):
    """Not understood, or out of bounds."""

    answer = "unknown"
    status = 422


class Stale(Refusal):
    """Made on a state that is no longer the present one."""

    answer = "stale"


class NotYourTurn(Refusal):
    """Somebody else is to act."""

    answer = "not_your_turn"
    status = 403


class NoSeat(Refusal):
    """No token, or one that opens no seat here."""

    answer = "no_seat"
    status = 403


class Held(Refusal):
    """What belongs to a challenge that others still want to play."""

    answer = "held"
    status = 403


class NoChallenge(Refusal):
    """There is no such challenge."""

    answer = "no_challenge"
    status = 404


class NoTable(Refusal):
    """There is no such table."""

    answer = "no_table"
    status = 404


class NoLesson(Refusal):
    """There is no guided first game."""

    answer = "no_lesson"
    status = 404


class Banned(Refusal):
    """An address that whoever runs the server keeps out."""

    answer = "banned"
    status = 403


class TooMuch(Refusal):
    """More than one address or one connection may ask for."""

    answer = "rate_limited"
    status = 429

    def __init__(self, message: str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait


class Unreadable(Refusal):
    """A table whose log does not make sense: something was changed in it, or is missing. The others are not affected;
    `reason` is for the server's log."""

    answer = "unavailable"
    status = 503

    def __init__(self, table: str, reason: str) -> None:
        super().__init__(f"Table {table} cannot be read; whoever runs the server finds the reason in its log.")
        self.table, self.reason = table, reason

    def __reduce__(self) -> tuple[type[Unreadable], tuple[str, str]]:
        """As it travels between processes: by what it was made of, not by its text."""
        return type(self), (self.table, self.reason)


class Unavailable(Refusal):
    """The store does not answer. What was asked for may be repeated with the same id."""

    answer = "unavailable"
    status = 503
