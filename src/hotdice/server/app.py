"""The server as one ASGI application: guards first, then the app's pages, the lobby or a WebSocket."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import socket
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from hotdice import __version__
from hotdice.errors import HotdiceError, UnknownGame
from hotdice.server import access, pages
from hotdice.server.api import book, challenges, operating, practice, reviews, routes
from hotdice.server.api.lists import Lists
from hotdice.server.book import BookKeeper
from hotdice.server.book_reviews import by_thinkers
from hotdice.server.broker import Alone, Broker, RedisBroker
from hotdice.server.challenges.keeper import Challenges
from hotdice.server.limits import Gate, Limits, address_of
from hotdice.server.metrics import Metrics, gauge, labelled
from hotdice.server.moderation import Moderation
from hotdice.server.practising import Practice
from hotdice.server.queues import asking
from hotdice.server.ready import Readiness
from hotdice.server.refusals import Banned, Refusal, TooMuch, Unavailable
from hotdice.server.rooms.registry import KEEP_ADDRESSES, Rooms
from hotdice.server.rooms.replays import Replays
from hotdice.server.score_pads import ScorePads
from hotdice.server.signing import Signer
from hotdice.server.socket import Receive, Scope, Send, Sockets
from hotdice.server.store import PATIENCE_SECONDS, Store, within
from hotdice.server.thinkers import Thinkers
from hotdice.server.words import WordList

if TYPE_CHECKING:
    from hotdice.server.trust import TrustPage

HEADERS: Final = tuple(
    (name.encode(), value.encode())
    for name, value in {
        "content-security-policy": "default-src 'self'; img-src 'self' blob:; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'; object-src 'none'",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=()",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "cache-control": "no-store",
    }.items()
)
SECURE: Final = (b"cross-origin-opener-policy", b"same-origin")
"""Over https only: elsewhere browsers ignore it, and say so on the console."""
WRONG: Final = "Something went wrong on the server; it has been logged. Try again."
ROUTERS: Final = (
    routes.router, challenges.router, book.router, reviews.router, practice.router, pages.router, operating.router,
)  # fmt: skip
COUNT_SECONDS: Final = 5.0
"""Seconds that figures wait for the database to count its tables."""
logger: Final = logging.getLogger("hotdice")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a server is run."""

    database: str
    redis: str = ""
    database_timeout: float = PATIENCE_SECONDS
    """Seconds after which somebody who waits for a database that is away is told so."""
    origins: tuple[str, ...] = ()
    """Addresses of pages that may talk to it, besides its own."""
    limits: Limits = field(default_factory=Limits)
    believe_clock: bool = False
    """Whether the clock is right, whatever it said when a server last ran."""
    address: str = ""
    """Where others in the network reach it, if they can."""
    docs: Path = pages.DOCS
    """The built documentation."""
    pages: Path = pages.FOLDER
    """The built browser app."""
    key: Path | None = None
    """The file of the key that signs its promises, if it signs them."""
    trust: TrustPage | None = None
    """The page about its certificate, if it made one."""
    metrics: tuple[str, ...] = ()
    """Addresses and networks that may read its figures, besides this machine."""
    access_log: str = access.OFF
    names: str = ""
    """A file with the words that names may not have."""
    keep_addresses: int = KEEP_ADDRESSES
    """Days for which it is kept from which address a table was set up that is over."""
    book: bool = False
    """Whether it keeps a book of what everybody played."""
    household: bool = False
    """Whether all who can reach it are one household: they see where games of the book are, and may delete names."""
    saves: Path | None = None
    """Where the terminal of this household saves its games, for the book."""


class Server:
    """The whole server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.metrics = Metrics()
        self.store = Store(settings.database, settings.database_timeout, self.metrics)
        broker: Broker = RedisBroker(settings.redis) if settings.redis else Alone()
        thinkers, replays = Thinkers(settings.limits), Replays(settings.limits)
        self.rooms = Rooms(
            self.store, broker, thinkers, replays, believe_clock=settings.believe_clock,
            keep_addresses=settings.keep_addresses,
        )  # fmt: skip
        self.gate = Gate(settings.limits)
        self.challenges = Challenges(self.rooms)
        self.sockets = Sockets(self.rooms, self.gate, self.challenges)
        self.moderation = Moderation(self.rooms, self.gate, self.sockets)
        self.book = (
            BookKeeper(self.store, replays.in_process, saves=settings.saves, show_private=settings.household)
            if settings.book
            else None
        )
        self.words = WordList.read(Path(settings.names)) if settings.names else WordList()
        self.readiness = Readiness(self.store, broker)
        self.pages = pages.Pages(settings.pages)
        self.documentation = pages.Documentation(settings.docs)
        self._trust = settings.trust
        self.api = _api(self)
        for origin in settings.origins:
            if not re.fullmatch(r"https?://[^/\s]+", origin):
                raise HotdiceError(
                    f"“{origin}” is not an origin; write it as https://dice.example, with nothing after it."
                )
        self._hosts = {urlsplit(origin).hostname for origin in settings.origins} | _own_names()

    async def open(self) -> None:
        await self.store.open()
        try:
            if self.settings.key:
                self.rooms.signer = Signer.kept_in(self.settings.key)
            await self.rooms.open()
            await self.moderation.open()
        except HotdiceError:
            await self.store.close()
            raise
        if self.book:
            self.book.begin(by_thinkers(self.rooms.thinkers))

    async def close(self) -> None:
        if self.book:
            await self.book.close()
        await self.rooms.close()
        await self.store.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        status = size = 0
        asking.set(address_of(scope.get("client")))

        async def noted(message: Any) -> None:
            """Send a message, and note what is said of it in figures and in the log."""
            nonlocal status, size
            kind = message["type"]
            if kind == "http.response.start":
                status = message["status"]
            elif kind == "http.response.body":
                size += len(message.get("body", b""))
            elif kind in ("websocket.accept", "websocket.close") and not status:
                status = 101 if kind == "websocket.accept" else 403
            await send(message)

        try:
            if scope["type"] == "websocket":
                await self._websocket(scope, receive, noted)
            else:
                await self._http(scope, receive, noted)
        finally:
            seconds = time.perf_counter() - began
            if scope["type"] == "http" and status:
                self.metrics.requests.observe(seconds)
                self.metrics.statuses[status] += 1
            if self.settings.access_log == access.JSON:
                method = scope.get("method", access.WEBSOCKET)
                access.write(address_of(scope.get("client")), method, scope["path"], status, size, seconds)

    async def figures(self) -> str:
        """What `/metrics` says."""
        rooms = tuple(self.rooms)
        queues = {"writer": self.store.waiting, "tables": sum(room.waiting for room in rooms)}
        queues |= {**self.rooms.thinkers.waiting, "replays": self.rooms.replays.waiting}
        lines = gauge("hotdice_rooms", "Tables in memory.", len(rooms))
        lines += labelled("hotdice_queue_length", "gauge", "What waits for its turn.", "queue", queues)
        with suppress(TimeoutError, Unavailable):  # while the database is away, the other figures matter most
            count = await within(COUNT_SECONDS, self.store.count())
            lines += labelled("hotdice_tables", "gauge", "Tables in the database.", "status", count)
        return self.metrics.text(lines)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        room, _, name = scope["path"].rpartition("/")
        if room != "/ws" or not name or not self._host_is_ours(headers) or not self._origin_is_ours(headers):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self.sockets(name, scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = False

        async def guarded(message: Any) -> None:
            nonlocal sent
            if message["type"] == "http.response.start":
                sent = True
                headers = list(message.get("headers", ()))
                said = {name.lower() for name, _ in headers}
                ours = (*HEADERS, SECURE) if scope["scheme"] == "https" else HEADERS
                message["headers"] = headers + [header for header in ours if header[0] not in said]
            await send(message)

        try:
            self._check(scope)
            answering = (
                (self._trust and self._trust.answer(scope))
                or self.documentation.answer(scope)
                or self.pages.answer(scope)
                or self.api
            )
            await answering(scope, await self._read_body(scope, receive), guarded)
        except _Gone:
            return
        except _Stop as stop:
            await _problem(self.metrics, stop.status, stop.error, str(stop))(scope, receive, guarded)
        except (Banned, TooMuch) as error:
            wait = error.wait if isinstance(error, TooMuch) else 0.0
            answer = _problem(self.metrics, error.status, error.answer, str(error), wait)
            await answer(scope, receive, guarded)
        except Exception:
            address = address_of(scope.get("client"))
            logger.exception("A request failed: %s %s from %s", scope["method"], scope["path"], address)
            if not sent:
                await _problem(self.metrics, 500, "internal", WRONG)(scope, receive, guarded)

    def _check(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        if not self._host_is_ours(headers):
            raise _Stop(421, "unknown_host", "This server does not answer to that host name; use its address.")
        if scope["method"] not in ("GET", "HEAD") and not self._origin_is_ours(headers):
            raise _Stop(403, "foreign_origin", "Pages of other sites may not do that here.")
        address = address_of(scope.get("client"))
        self.gate.admit(address)
        self.gate.request(address)

    async def _read_body(self, scope: Scope, receive: Receive) -> Receive:
        """Read a request's body, as much as is allowed, before anything is done with it."""
        most = self.settings.limits.record if scope["path"] == "/api/records" else self.settings.limits.body
        body = bytearray()
        try:
            async with asyncio.timeout(self.settings.limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise _Gone
                    body += message.get("body", b"")
                    if len(body) > most:
                        raise _Stop(413, "too_large", f"That is too large; the limit is {most:,} bytes.")
                    if not message.get("more_body"):
                        break
        except TimeoutError:
            raise _Stop(408, "too_slow", "The request took too long to arrive.") from None
        read = False

        async def replay() -> Any:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        return replay

    def _host_is_ours(self, headers: dict[bytes, bytes]) -> bool:
        """Names that are not ours may be another site's, made to point here; plain addresses cannot be."""
        host = headers.get(b"host", b"").decode("latin-1")
        try:
            name = urlsplit(f"//{host}").hostname if _plausible(host) else None
            if name is None:
                return False
            if name in self._hosts or name.endswith(".local"):
                return True
            ipaddress.ip_address(name)
        except ValueError:  # neither a name nor an address
            return False
        return True

    def _origin_is_ours(self, headers: dict[bytes, bytes]) -> bool:
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not origin:
            return True  # not a page
        if origin in self.settings.origins:
            return True
        return origin.partition("://")[2] == headers.get(b"host", b"").decode("latin-1")


class _Gone(Exception):
    """The client is gone before its request has arrived."""


class _Stop(Exception):
    """A request that goes no further."""

    def __init__(self, status: int, error: str, message: str) -> None:
        super().__init__(message)
        self.status, self.error = status, error


def _problem(metrics: Metrics, status: int, error: str, message: str, wait: float = 0.0) -> JSONResponse:
    metrics.refusals[error] += 1
    headers = {"Retry-After": str(max(1, round(wait)))} if wait else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    message = message.encode("utf-8", "replace").decode()  # what was sent may be quoted, half a character too
    return JSONResponse({"error": error, "message": message}, status, headers)


def _api(server: Server) -> FastAPI:
    api = FastAPI(
        title="Hotdice",
        version=__version__,
        summary="Tables for dice games. Play goes over the WebSocket at /ws/{name}; /api/schema.json has its messages.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=lambda route: route.name,
    )
    api.state.rooms = server.rooms
    api.state.gate = server.gate
    api.state.words = server.words
    api.state.lists = Lists(server.rooms)
    api.state.pads = ScorePads(server.rooms.replays.in_thread)
    api.state.practice = Practice(server.rooms, server.challenges)
    api.state.challenges = server.challenges
    api.state.book = server.book
    api.state.household = server.settings.household
    api.state.metrics = server.metrics
    api.state.readiness = server.readiness
    api.state.figures = server.figures
    api.state.readers = operating.readers(server.settings.metrics)
    api.state.address = next(iter(server.settings.origins), server.settings.address)
    for router in ROUTERS:
        api.include_router(router)
    api.add_exception_handler(HotdiceError, _refused)
    api.add_exception_handler(RequestValidationError, _invalid)
    api.add_exception_handler(HTTPException, _other)
    api.add_exception_handler(Exception, _failed)
    return api


async def _failed(request: Request, _: Exception) -> JSONResponse:
    """What nobody expected; it is raised again afterwards, for the log."""
    return _problem(request.app.state.metrics, 500, "internal", WRONG)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    metrics: Metrics = request.app.state.metrics
    if isinstance(error, Refusal):
        return _problem(metrics, error.status, error.answer, str(error), getattr(error, "wait", 0.0))
    if isinstance(error, UnknownGame):
        return _problem(metrics, 404, "no_game", str(error))
    return _problem(metrics, 422, "unknown", str(error))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    found = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = ".".join(str(part) for part in found.get("loc", ())[1:])
    said = str(found.get("msg", "it is not what was expected")).rstrip(".")
    where = f"“{place[:60]}”" if place else "the request"
    said = said if said[:2].isupper() else f"{said[:1].lower()}{said[1:]}"  # JSON stays JSON
    return _problem(request.app.state.metrics, 422, "unknown", f"There is something wrong with {where}: {said}.")


async def _other(request: Request, error: Exception) -> JSONResponse:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = str(error.detail) if isinstance(error, HTTPException) else ""
    said = {404: "There is nothing here.", 405: "That cannot be done here."}.get(status, f"{detail.rstrip('.')}.")
    answer = _problem(request.app.state.metrics, status, "unknown", said)
    if isinstance(error, HTTPException) and error.headers:
        answer.headers.update(error.headers)
    if status == 405 and (methods := _methods(request)):
        answer.headers["Allow"] = ", ".join(sorted(methods))
    return answer


def _methods(request: Request) -> set[str]:
    """What can be done at an address of the lobby, by whichever of its routes."""
    routes = (route for router in ROUTERS for route in router.routes)
    found = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in found if isinstance(route, Route) for method in route.methods or ()}


def _own_names() -> set[str | None]:
    return {"localhost", socket.gethostname().lower()}


def _plausible(host: str) -> bool:
    return bool(host) and not set(host) & set("/?#@\\ ")
