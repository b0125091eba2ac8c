"""The words that names may not have, on servers that have a list of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

from hotdice.errors import HotdiceError
from hotdice.server.refusals import Invalid


class WordList:
    """The words that names may not have: one on a line, with `*` for any letters; `#` begins a comment.

    Case, accents and what is neither a letter nor a digit make no difference.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        words = (_plain(line.partition("#")[0], keep="*") for line in lines)
        self._words = tuple(word for line in words for word in line.split())

    @classmethod
    def read(cls, path: Path) -> WordList:
        """The list in a file."""
        try:
            return cls(path.read_text("utf-8").splitlines())
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
            raise HotdiceError(f"The word list {path} cannot be read: {str(reason).lower()}.") from None

    def check(self, *names: str) -> None:
        """Refuse a name that has such a word, as a word of its own or with all its words written as one."""
        for name in names:
            words = _plain(name).split()
            if any(fnmatchcase(word, pattern) for word in (*words, "".join(words)) for pattern in self._words):
                raise Invalid(f"The name “{name}” is not accepted here; take another one.")


def _plain(text: str, keep: str = "") -> str:
    letters = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return re.sub(rf"[^\w{re.escape(keep)}]|_", " ", letters)
