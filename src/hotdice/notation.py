"""What all notations share: words with their columns, abbreviations, whole numbers, and the fields of a position; and
lists, chances and small numbers as sentences have them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Final, TypeVar

from hotdice.errors import AmbiguousMove, ParseError

T = TypeVar("T")


def words(text: str, column: int = 1) -> list[tuple[str, int]]:
    """The words of a text with the columns they start at, counted from `column`."""
    parts = text.split()
    if parts == [text]:
        return [(text, column)]
    found: list[tuple[str, int]] = []
    at = 0
    for word in parts:
        at = text.index(word, at)
        found.append((word, column + at))
        at += len(word)
    return found


def pick(word: str, choices: Mapping[str, T], what: str, column: int = 1) -> T:
    """The choice that a word names, in full or by an abbreviation that fits no other; `what` is what is chosen.

    `AmbiguousMove` if it fits several, `ParseError` if none.

    >>> from hotdice.notation import pick
    >>> pick("st", {"roll": 1, "stop": 2}, "a move")
    2
    """
    key = word.lower()
    if key in choices:
        return choices[key]
    fits = [name for name in choices if name.startswith(key)]
    if len({choices[name] for name in fits}) == 1:
        return choices[fits[0]]
    if key and fits:
        raise AmbiguousMove(f"“{word}” could be {listed(_first_names(fits, choices), 'or')}; type more of it.", column)
    names = _first_names(choices, choices)
    if not word:
        raise ParseError(f"Expected {what} here, such as {names[0]}.", column)
    raise ParseError(f"“{word}” is not {what}; expected {listed(names, 'or')}.", column)


def _first_names(names: Iterable[str], choices: Mapping[str, T]) -> list[str]:
    """The proper name of each choice: the first, where a choice has several."""
    proper: dict[T, str] = {}
    for name in names:
        proper.setdefault(choices[name], name)
    return list(proper.values())


def listed(items: Iterable[str], joint: str = "and") -> str:
    """Items as a sentence lists them: `a, b and c`. There is at least one."""
    *most, last = items
    return f"{', '.join(most)} {joint} {last}" if most else last


_ROUGHLY: Final = 12
"""The largest denominator of a chance that is told roughly."""
_EXACTLY: Final = 36
"""The largest denominator of a chance that is told as it is."""


def times(chance: Fraction) -> str:
    """A chance in words: `4 times in 9`, or `about 1 time in 32` where the exact one would say nothing."""
    if chance.denominator <= _EXACTLY:
        told, about = chance, ""
    elif chance * _ROUGHLY < 1:
        told, about = Fraction(1, round(1 / chance)), "about "
    else:
        told, about = chance.limit_denominator(_ROUGHLY), "about "
    return f"{about}{told.numerator} {'time' if told.numerator == 1 else 'times'} in {told.denominator}"


def counted(count: int, one: str, more: str) -> str:
    """A small number of things: `one die`, `two dice`."""
    names = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return f"{names[count] if 0 <= count < len(names) else count} {one if count == 1 else more}"


def read_whole_number(text: str, what: str, low: int, high: int, column: int = 1, step: int = 1) -> int:
    """The whole number that a text stands for, from `low` to `high`; `what` is what it counts, as in “a score”.

    `ParseError`, at `column`, if it is none, out of bounds or no multiple of `step`.
    """
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 18:
        number = int(text)
        if low <= number <= high and number % step == 0 and str(number) == text:
            return number
    steps = f" in steps of {step}" if step > 1 else ""
    if not text:
        raise ParseError(f"Expected {what} here, a whole number from {low} to {high}{steps}.", column)
    due = f"expected a whole number from {low} to {high}{steps}" if low < high else f"it can only be {low} here"
    raise ParseError(f"“{text}” is not {what}; {due}.", column)


class Fields:
    """The fields of a position, read from left to right; each reader says what it expects.

    Every reader raises a `ParseError` with the column of what is wrong. `what` names the field in it: “a score”.
    """

    def __init__(self, text: str, names: str, column: int = 1) -> None:
        self._words = words(text, column)
        self._next = 0
        self._names = names
        self._end = column + len(text)

    @property
    def column(self) -> int:
        """Where the next field starts."""
        return self._words[self._next][1] if self._next < len(self._words) else self._end

    def word(self, what: str) -> str:
        """The next field as it stands."""
        if self._next == len(self._words):
            raise ParseError(f"The position ends before {what}; its fields are {self._names}.", self._end)
        self._next += 1
        return self._words[self._next - 1][0]

    def number(self, what: str, low: int, high: int, step: int = 1) -> int:
        """The next field as a whole number."""
        column = self.column
        return read_whole_number(self.word(what), what, low, high, column, step)

    def choice(self, what: str, choices: Mapping[str, T]) -> T:
        """The next field as one of a few words, in full."""
        column = self.column
        word = self.word(what)
        if word not in choices:
            names = listed(choices, "or")
            due = f"expected {names}" if len(choices) > 1 else f"it can only be {names} here"
            raise ParseError(f"“{word}” is not {what}; {due}.", column)
        return choices[word]

    def split(self, what: str, read: Callable[[str, int], T], mark: str = "/") -> tuple[T, ...]:
        """The next field as parts between marks, each read by `read(part, column)`."""
        column = self.column
        parts: list[T] = []
        for part in self.word(what).split(mark):
            parts.append(read(part, column))
            column += len(part) + len(mark)
        return tuple(parts)

    def end(self) -> None:
        """Refuse anything that follows the last field."""
        if self._next < len(self._words):
            word, column = self._words[self._next]
            raise ParseError(f"“{word}” follows a complete position; its fields are {self._names}.", column)


__all__ = ["Fields", "counted", "listed", "pick", "read_whole_number", "times", "words"]
