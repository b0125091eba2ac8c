"""What can go wrong, in a player's words.

Every error that input can cause is a `HotdiceError`, which is a `ValueError`. Its text is one sentence that
says what is wrong and what would be right, fit to be shown to a player as it is.
"""

from __future__ import annotations


class HotdiceError(ValueError):
    """Bad input, whoever sent it."""


class ParseError(HotdiceError):
    """A text that is not in the notation it should be in; `column` is where, counted from 1."""

    def __init__(self, message: str, column: int = 1) -> None:
        super().__init__(message)
        self.column = column


class AmbiguousMove(ParseError):
    """An abbreviation that fits more than one move."""


class IllegalMove(HotdiceError):
    """A move that the rules do not allow now."""


class OutOfTurn(IllegalMove):
    """A move by somebody whose decision it is not."""


class ImpossibleRoll(HotdiceError):
    """A roll that the dice in hand cannot show, or a roll when none is due."""


class OptionError(HotdiceError):
    """An unknown house rule, or a value that it does not take."""


class UnknownGame(HotdiceError):
    """A game that is not registered."""


class SeatError(HotdiceError):
    """Too few or too many players, an unknown player, or a name that cannot be used."""


class BotError(HotdiceError):
    """A bot that fails, or chooses something that is not a legal move."""


class UndoError(HotdiceError):
    """Something that cannot be taken back."""


class DiceError(HotdiceError):
    """A dice source that cannot give the roll asked of it."""


class RecordError(HotdiceError):
    """A record that cannot be read or does not hold; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column

    def __reduce__(self) -> tuple[type[RecordError], tuple[str, int, int]]:
        """As it travels between processes: by what it was made of, not by its text."""
        return type(self), (self.message, self.line, self.column)
