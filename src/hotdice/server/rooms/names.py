"""Names of tables: short enough to be read out, long enough not to be guessed."""

from __future__ import annotations

import secrets
from typing import Final

from hotdice.server.refusals import NoTable

LETTERS: Final = "23456789abcdefghjkmnpqrstuvwxyz"
NAME_LENGTH: Final = 8
CODE_LENGTH: Final = 6
"""Of a one-time code: together with the limits on guessing, one in millions is found."""


def new_name() -> str:
    """A name for a new table."""
    return "".join(secrets.choice(LETTERS) for _ in range(NAME_LENGTH))


def new_code() -> str:
    """A one-time code for a seat."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def clean_code(text: str) -> str:
    """A one-time code as somebody may have typed it."""
    return text.replace("-", "").replace(" ", "").lower()


def clean_name(text: str) -> str:
    """A table's name as somebody may have typed it."""
    name = text.replace("-", "").replace(" ", "").lower()
    if len(name) != NAME_LENGTH or any(letter not in LETTERS for letter in name):
        raise NoTable(
            f"There is no table “{text[:20]}”; its name has {NAME_LENGTH} letters and digits, as in k3x9-w7fm."
        )
    return name


def code_of(name: str) -> str:
    """A table's name as people read it: in two groups."""
    return f"{name[:4]}-{name[4:]}"
