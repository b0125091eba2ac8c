"""The browser app as the server hands it out, what Vite built into `static`; the documentation, what Zensical built
into `docs`; and where others find the server.

The app has a few addresses of its own, which all are the same page; it looks itself at which one it is. Nothing
here reads a file after the start, so no address can lead out of the folder, and a page always finds the scripts it was
built with.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse

from hotdice.server.api.answers import EVERYWHERE
from hotdice.server.api.models import Model

FOLDER: Final = Path(__file__).parent / "static"
DOCS: Final = Path(__file__).parent / "docs"
INDEX: Final = "/index.html"
PLACES: Final = re.compile(
    r"/|/daily/?|/challenge/?|/(?:new|c|rules|learn)/[^/]+/?|/(?:practice|book)(?:/[^/]+)?/?"
    r"|/t/[^/]+(?:/[1-9]\d{0,5}(?:/practice|/review(?:/\d{1,7})?)?)?/?"
)
"""Where the app has something to show."""
FOREVER: Final = "public, max-age=31536000, immutable"
NOT_BUILT: Final = (
    "Hotdice's pages are not built here: run `make setup`. The lobby is at /api, described by /api/openapi.json.\n"
)
NO_DOCS: Final = "The documentation is not built here: run `make docs`, or read the pages in docs/.\n"
SCRIPTS: Final = re.compile(rb"<script>(.*?)</script>", re.DOTALL)
HASHED: Final = re.compile(r"\.[0-9a-f]{8}\.min\.(?:css|js)$")
"""What gets another name when it changes, in the documentation."""
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".gif": "image/gif",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "text/xml; charset=utf-8",
}
_PACKED: Final = (".gif", ".ico", ".pdf", ".png", ".webp", ".woff2")
"""What gets no smaller."""

router = APIRouter(prefix="/api", responses=EVERYWHERE)


class Reach(Model):
    """Where others find this server: the start of an address, or nothing if only this machine can reach it."""

    address: str


@router.get("/reach")
async def reach(request: Request) -> Reach:
    """The address to give to others."""
    return Reach(address=request.app.state.address)


class Pages:
    """The files of the app by their addresses."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files = _files_of(folder)

    def answer(self, scope: Any) -> Response | None:
        """The answer to a request, if it is one for a page."""
        path, headers = scope["path"], dict(scope["headers"])
        if scope["method"] not in ("GET", "HEAD") or path.startswith(("/api/", "/ws/", "/docs/", "/metrics")):
            return None
        known = bool(PLACES.fullmatch(path))
        if INDEX not in self._files:
            return PlainTextResponse(NOT_BUILT) if known else None
        if not known and (file := self._files.get(path)):
            return file.answer(scope["method"], headers, FOREVER if path.startswith("/assets/") else "no-cache")
        if known or b"text/html" in headers.get(b"accept", b""):
            return self._files[INDEX].answer(scope["method"], headers, "no-cache", 200 if known else 404)
        return None


class Documentation:
    """The files of the documentation by their addresses."""

    def __init__(self, folder: Path = DOCS) -> None:
        self._files = {f"/docs{name}": file for name, file in _files_of(folder).items()}
        self._policies = {
            name: {"Content-Security-Policy": _policy(file.body)}
            for name, file in self._files.items()
            if name.endswith(".html")
        }

    def answer(self, scope: Any) -> Response | None:
        """The answer to a request, if it is one for the documentation."""
        path, method = scope["path"], scope["method"]
        if method not in ("GET", "HEAD") or not (path == "/docs" or path.startswith("/docs/")):
            return None
        if f"/docs{INDEX}" not in self._files:
            return PlainTextResponse(NO_DOCS, 404)
        if path == "/docs":
            return RedirectResponse("/docs/")
        name = f"/docs{INDEX}" if path == "/docs/" else path
        status = 200 if name in self._files else 404
        name = name if status == 200 else "/docs/404.html"
        cache = FOREVER if HASHED.search(name) else "no-cache"
        more = self._policies.get(name, {})
        return self._files[name].answer(method, dict(scope["headers"]), cache, status, more)


def _files_of(folder: Path) -> dict[str, _File]:
    """All files below a folder by their addresses in it, but hidden ones."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    return {f"/{path.relative_to(folder).as_posix()}": _File(path) for path in files}


def _policy(page: bytes) -> str:
    """What a page of the documentation may do: run its own short scripts, as they are, and those of its folder."""
    hashes = [base64.b64encode(hashlib.sha256(script).digest()).decode() for script in SCRIPTS.findall(page)]
    scripts = " ".join(["'self'", *(f"'sha256-{digest}'" for digest in dict.fromkeys(hashes))])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
    )


class _File:
    """One file, as it is and compressed."""

    def __init__(self, path: Path) -> None:
        self.body = path.read_bytes()
        self.type = TYPES.get(path.suffix, "application/octet-stream")
        self.tag = f'W/"{hashlib.sha256(self.body).hexdigest()[:20]}"'
        self._packed = path.suffix in _PACKED

    @cached_property
    def small(self) -> bytes:
        """Compressed, if that helps."""
        small = self.body if self._packed else gzip.compress(self.body, 9, mtime=0)
        return min(self.body, small, key=len)

    def answer(
        self, method: str, asked: dict[bytes, bytes], cache: str, status: int = 200, more: Mapping[str, str] = {}
    ) -> Response:
        headers = {"Cache-Control": cache, "ETag": self.tag, "Vary": "Accept-Encoding", **more}
        if status == 200 and self._is_known(asked):
            return Response(status_code=304, headers=headers)
        body = self.body
        if takes_gzip(asked.get(b"accept-encoding", b"").decode("latin-1")) and self.small is not body:
            body = self.small
            headers["Content-Encoding"] = "gzip"
        headers |= {"Content-Length": str(len(body)), "Content-Type": self.type}
        return Response(b"" if method == "HEAD" else body, status, headers)

    def _is_known(self, asked: dict[bytes, bytes]) -> bool:
        """Whether the client has the file as it is."""
        tags = [tag.strip() for tag in asked.get(b"if-none-match", b"").decode("latin-1").split(",")]
        return "*" in tags or any(tag.removeprefix("W/") == self.tag.removeprefix("W/") for tag in tags)


def takes_gzip(accepted: str) -> bool:
    """Whether a client that sends this as `Accept-Encoding` can read what is compressed."""
    for coding in accepted.split(","):
        name, _, weight = coding.replace(" ", "").lower().partition(";q=")
        if name in ("gzip", "x-gzip"):
            return not re.fullmatch(r"0(\.0*)?", weight)
    return False
