"""What the server draws at random or keeps as a hash: tokens of seats, secrets of dice, and keys of tables."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from typing import Final

from hotdice.fair import SECRET_BYTES

TOKEN_BYTES: Final = 24


def new_token() -> str:
    """What opens a seat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_secret() -> bytes:
    """What the dice of one game are made with."""
    return secrets.token_bytes(SECRET_BYTES)


def new_key() -> str:
    """What the tokens of a table are made with, where joining may be repeated."""
    return secrets.token_hex(TOKEN_BYTES)


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8")).hexdigest()


def token_for(key: str, request: str) -> str:
    """The token for a request to join: the same if the request is repeated, and only at the table of that key."""
    digest = hmac.digest(bytes.fromhex(key), request.encode("utf-8"), "sha256")
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode("ascii")
