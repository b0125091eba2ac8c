"""Names as the book takes them: who is meant by one, and how one that was deleted is recognised without being kept."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Container
from typing import Final, NamedTuple

NOBODY: Final = "Somebody"
"""What pages call a player whose name was deleted."""


class Who(NamedTuple):
    """One player of the book: a person by the key of the name, or a kind of bot."""

    key: str
    bot: bool = False


def key_of(name: str) -> str:
    """What all ways to write a name have in common: case and spaces make no difference."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def digest(name: str) -> str:
    """What is kept of a name that was deleted, so that it stays away."""
    return hashlib.sha256(f"hotdice book {key_of(name)}".encode()).hexdigest()


def is_deleted(name: str, deleted: Container[str]) -> bool:
    """Whether a name is among those that were deleted, by their digests."""
    return digest(name) in deleted
