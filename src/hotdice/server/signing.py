"""The key that the server signs its promises with, so that they hold against it: Ed25519, made on first use."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hotdice.errors import HotdiceError

KEY_BYTES: Final = 32


class KeyProblem(HotdiceError):
    """A key that can be neither read nor made."""


class Signer:
    """Signs with one key. `key` is its public part, in hexadecimal digits."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = self._key.public_key().public_bytes_raw().hex()

    @classmethod
    def kept_in(cls, file: Path) -> Self:
        """The signer whose key is in a file that only this user can read; it is made if there is none."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(made, "w", encoding="ascii") as new:
                    new.write(f"{os.urandom(KEY_BYTES).hex()}\n")
            return cls(bytes.fromhex(file.read_text("ascii")))
        except OSError as error:
            raise KeyProblem(f"The key for promises cannot be kept in {file} ({error.strerror}).") from None
        except ValueError:
            raise KeyProblem(f"{file} holds no key; delete it, and a new one is made.") from None

    def sign(self, data: bytes) -> str:
        """The signature, in hexadecimal digits."""
        return self._key.sign(data).hex()
