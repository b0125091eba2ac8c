"""House rules: a game's options as a frozen dataclass that checks itself.

Each field is made by `option`, which says what the rule means and what it accepts. The same words serve the
command line, the rules page and the error messages. The canonical text of a set of options names only what
differs from the printed rules, in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import product
from typing import Any, Self, TypeVar

from hotdice.errors import OptionError
from hotdice.notation import listed

Value = bool | int | str
"""What an option can be set to; a text is read as the type of the option."""
V = TypeVar("V", bool, int, str)


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule: its name, default, meaning, and what it accepts."""

    name: str
    """What it is called: the name of the field."""
    default: Value
    """The value by the printed rules."""
    meaning: str
    """What the rule says, as a sentence."""
    choices: tuple[Value, ...]
    """The accepted values, the default first; for numbers, those worth trying in a test."""
    low: int = 0
    """The least that a number can be."""
    high: int = 0
    """The most that a number can be."""
    step: int = 1
    """Numbers are multiples of this."""

    @property
    def accepts(self) -> str:
        """What the option takes, in words."""
        if isinstance(self.default, int) and not isinstance(self.default, bool):
            steps = f" in steps of {self.step}" if self.step > 1 else ""
            return f"a whole number from {self.low} to {self.high}{steps}"
        return listed((value_text(value) for value in self.choices), "or")

    def check(self, value: object) -> None:
        """Refuse a value of the wrong type or out of range, by an `OptionError`."""
        if type(value) is type(self.default):
            if type(value) is int:
                if self.low <= value <= self.high and value % self.step == 0:
                    return
            elif value in self.choices:
                return
        shown = value_text(value) if isinstance(value, bool | int | str) else repr(value)
        raise OptionError(f"The option {self.name} takes {self.accepts}, not {shown}.")

    def parse(self, text: str) -> Value:
        """The value that a text stands for; `OptionError` if the option does not take it."""
        text = text.strip()
        if isinstance(self.default, bool):
            value: Value = {"true": True, "false": False}.get(text, text)
        elif isinstance(self.default, int):
            is_number = text.isascii() and text.isdigit() and len(text) <= 18
            value = int(text) if is_number else text
        else:
            value = text
        self.check(value)
        return value


def value_text(value: Value) -> str:
    """A value as it is typed: `true`, `3000`, `locked`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option(default: V, meaning: str, *others: V, low: int = 0, high: int = 0, step: int = 1, short: int = 0) -> V:
    """A dataclass field for one house rule: its default, what it means, and what else it takes.

    A truth value takes both; a text takes `others` besides; a number is a multiple of `step` from `low` to `high`, and
    `short` is one that makes quick games for tests.

    >>> from dataclasses import dataclass
    >>> from hotdice.options import Options, option
    >>> @dataclass(frozen=True, slots=True)
    ... class MyOptions(Options):
    ...     target: int = option(100, "The score that wins.", low=10, high=1000, step=10, short=20)
    ...     ties: str = option("shared", "What equal scores do.", "rolled off")
    >>> MyOptions.parse("target=50").text
    'target=50'
    """
    choices: tuple[Value, ...] = (default, *others)
    if isinstance(default, bool):
        choices = (default, not default)
    elif short:
        choices = (default, short)
    spec = {"meaning": meaning, "choices": choices, "low": low, "high": high, "step": step}
    made: V = field(default=default, metadata=spec)
    return made


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules of one game; a game without any uses this class as it is."""

    def __post_init__(self) -> None:
        for spec in self.specs():
            spec.check(getattr(self, spec.name))

    @classmethod
    def specs(cls) -> tuple[Option, ...]:
        """The options in the order in which the game lists them."""
        return tuple(Option(f.name, f.metadata["choices"][0], **f.metadata) for f in fields(cls))

    @classmethod
    def make(cls, values: Iterable[tuple[str, Value]]) -> Self:
        """Options from names and values; a text value is read as the option's type."""
        specs = {spec.name: spec for spec in cls.specs()}
        known = f"expected {listed(specs, 'or')}" if specs else "this game has no options"
        chosen: dict[str, Any] = {}
        for name, given in values:
            if name not in specs:
                raise OptionError(f"There is no option {name or 'without a name'}; {known}.")
            value = specs[name].parse(given) if isinstance(given, str) else given
            if name in chosen and chosen[name] != value:
                raise OptionError(
                    f"The option {name} is given twice, as {value_text(chosen[name])} and {value_text(value)}; "
                    f"it takes one value, {specs[name].accepts}."
                )
            chosen[name] = value
        return cls(**chosen)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Options from `name=value,name=value`."""
        values: list[tuple[str, Value]] = []
        for part in text.split(",") if text.strip() else ():
            name, equals, value = part.partition("=")
            if not equals:
                raise cls._without_value(part.strip())
            values.append((name.strip(), value))
        return cls.make(values)

    @classmethod
    def _without_value(cls, text: str) -> OptionError:
        """The error for an option without a =, or for something that is no option at all."""
        for spec in cls.specs():
            if spec.name == text:
                return OptionError(f"The option {text} needs a value, as in {text}=…; it takes {spec.accepts}.")
        return OptionError(f"“{text}” is not an option; write it as name=value.")

    @classmethod
    def combinations(cls) -> tuple[Self, ...]:
        """Every combination of choices, the printed rules first."""
        specs = cls.specs()
        names = [spec.name for spec in specs]
        return tuple(cls(**dict(zip(names, values, strict=True))) for values in product(*(s.choices for s in specs)))

    @property
    def text(self) -> str:
        """The canonical text: what differs from the printed rules, or nothing."""
        return _text(self)


@cache
def _text(options: Options) -> str:
    """The canonical text, made once: every view of a state asks for it."""
    changed = [
        f"{spec.name}={value_text(getattr(options, spec.name))}"
        for spec in options.specs()
        if getattr(options, spec.name) != spec.default
    ]
    return ",".join(sorted(changed))


__all__ = ["Option", "Options", "Value", "option", "value_text"]
