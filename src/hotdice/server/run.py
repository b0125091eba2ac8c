"""`hotdice` and `hotdice serve`: start the server, say who can reach it, and open the browser there."""

from __future__ import annotations

import errno
import gc
import ipaddress
import json
import logging
import os
import socket
import ssl
import sys
import threading
import urllib.request
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn

from hotdice.errors import HotdiceError
from hotdice.server.admin import AdminSocket, socket_path
from hotdice.server.app import Server, Settings
from hotdice.server.doors import SPARE, Doors, raise_descriptors
from hotdice.server.proxies import Proxied, proxies
from hotdice.server.store import url_of
from hotdice.server.uvicorn_adapter import HeadProtocol, guarded
from hotdice.server.wire import MESSAGE_BYTES

if TYPE_CHECKING:
    from hotdice.server.certificate import HouseCertificate
    from hotdice.server.trust import TrustPage

PING_SECONDS: Final = 7.0
"""Seconds between two questions whether a client is still there, and for its answer: others hear that it is gone
within twice that."""
COLLECT: Final = (20_000, 20, 50)
"""How rarely cyclic garbage is looked for."""


class ServeError(HotdiceError):
    """A server that cannot start."""


class PortTaken(ServeError):
    """Something listens there already."""


def data_file() -> Path:
    """Where the tables of this user are kept."""
    from platformdirs import user_data_path

    return user_data_path("hotdice") / "tables.sqlite"


def serve(settings: Settings, host: str, port: int, proxy: str = "", *, https: bool = False) -> None:
    """Run until somebody stops it."""
    _run(settings, host, _listen(host, port), proxy=proxy, https=https)


def welcome(settings: Settings, host: str, port: int, *, browser: bool, https: bool = False) -> None:
    """Run for those at home, with the browser open; if that is done already, open the browser only."""
    try:
        listening = _listen(host, port)
    except PortTaken:
        if _is_hotdice(there := _url(_here(host), port, https=https)):
            print(f"Hotdice is already at {there}.", flush=True)
            if browser:
                _open(there)
            return
        print(f"Another program has port {port}.", flush=True)
        listening = _listen(host, 0)
    with suppress(KeyboardInterrupt):
        _run(settings, host, listening, browser=browser, ending="Ctrl-C ends it.", https=https)


def _run(
    settings: Settings,
    host: str,
    listening: socket.socket,
    *,
    proxy: str = "",
    browser: bool = False,
    ending: str = "",
    https: bool = False,
) -> None:
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # our store says when a database is away
    port = listening.getsockname()[1]
    address = _reach(host, port, https=https)
    here = _url(_here(host), port, https=https)
    believed = proxies(proxy)
    head, table = guarded(Doors(settings.limits, believed, raise_descriptors() - SPARE))
    trust = _trust(host, port, address or here, head) if https else None
    greeting = [*_where(host, port, https=https), *(trust.told if trust else ()), *filter(None, [ending])]
    key = settings.key or _key_file(settings.database)
    server = Server(replace(settings, address=address, key=key, trust=trust.page if trust else None))
    config = uvicorn.Config(
        Proxied(server, believed),
        access_log=False,
        http=head,
        lifespan="off",
        log_config=None,
        proxy_headers=False,  # `Proxied` sees to them
        server_header=False,
        ssl_certfile=trust.certificate.chain if trust else None,
        ssl_keyfile=trust.certificate.key if trust else None,
        timeout_graceful_shutdown=5,
        ws=table,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
    )
    admin = AdminSocket(server.moderation, socket_path(server.store.folder or data_file().parent, port))
    running = _Announced(config, "\n".join(greeting), server, here if browser else "", admin, trust)
    running.run(sockets=[listening])
    if running.failed:
        raise running.failed


class _Announced(uvicorn.Server):
    """Says where the server is once it answers, and shows it; or says why it does not start."""

    def __init__(
        self,
        config: uvicorn.Config,
        greeting: str,
        server: Server,
        page: str,
        admin: AdminSocket | None = None,
        trust: _Trust | None = None,
    ) -> None:
        super().__init__(config)
        self._admin, self._trust = admin, trust
        self._greeting, self._server, self._page = greeting, server, page
        self.failed: HotdiceError | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await self._server.open()
        except HotdiceError as error:
            self.failed, self.should_exit = error, True
            return
        await super().startup(sockets)
        if self._admin:
            await self._admin.open()
        if self._trust:
            await self._trust.open()
        # What is here now stays; and what tables make are trees, which go without the collector's help.
        gc.freeze()
        gc.set_threshold(*COLLECT)
        if self.started:
            print(self._greeting, flush=True)
            if self._page:
                threading.Thread(target=_open, args=(self._page,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._trust:
            await self._trust.close()
        if self._admin:
            await self._admin.close()
        await super().shutdown(sockets)
        await self._server.close()


class _Trust:
    """The certificate of this house, and the page about it, which has to be found without https as well."""

    def __init__(
        self,
        certificate: HouseCertificate,
        page: TrustPage,
        listening: socket.socket,
        address: str,
        http: type[HeadProtocol],
    ) -> None:
        self.certificate, self.page = certificate, page
        self._listening = listening
        self.told = (
            f"Browsers warn about its certificate, as nobody else vouches for it: {address} says what to do.",
            f"The certificate's SHA-256 is {certificate.fingerprint}",
        )
        config = uvicorn.Config(
            page, access_log=False, http=http, lifespan="off", log_config=None, server_header=False,
            timeout_graceful_shutdown=1, ws="none",
        )  # fmt: skip
        config.load()
        self._server = uvicorn.Server(config)
        self._server.lifespan = config.lifespan_class(config)

    async def open(self) -> None:
        await self._server.startup([self._listening])

    async def close(self) -> None:
        await self._server.shutdown([self._listening])


def _trust(host: str, port: int, address: str, http: type[HeadProtocol]) -> _Trust:
    """What https needs: the certificate, and a port beside it for the page about it."""
    try:
        from hotdice.server.certificate import house_certificate
        from hotdice.server.trust import TrustPage
    except ImportError as error:
        raise ServeError(f"--https needs {error.name}: pip install 'hotdice[server]'.") from None
    name = socket.gethostname().lower()
    names = ["localhost", "127.0.0.1", "::1", name, f"{name.partition('.')[0]}.local", _address(), host]
    certificate = house_certificate(data_file().parent / "https", [name for name in names if name])
    try:
        listening = _listen(host, port + 1)
    except ServeError:
        listening = _listen(host, 0)
    beside = listening.getsockname()[1]
    return _Trust(
        certificate, TrustPage(certificate, address), listening, _reach(host, beside) or _url(_here(host), beside), http
    )


def _key_file(database: str) -> Path:
    """Where the key for promises is kept: beside the tables, or with this user's data if those are elsewhere."""
    url = url_of(database)
    beside = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return (Path(str(url.database)) if beside else data_file()).with_name("signing.key")


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except socket.gaierror:
        raise ServeError(f"There is no host “{host}”; write an address of this machine, or 0.0.0.0 for all.") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        refusal = PortTaken if error.errno == errno.EADDRINUSE else ServeError
        raise refusal(f"Port {port} of {host} cannot be used ({reason}); choose another with --port.") from None
    return listening


def _where(host: str, port: int, *, https: bool) -> list[str]:
    """Where the server is, and for whom."""
    address = _reach(host, port, https=https)
    if _is(host, "is_unspecified"):
        everybody = "Everybody who can reach this machine over a network can reach it"
        return [
            f"Hotdice is at {_url(_here(host), port, https=https)}" + (f" and {address}" if address else ""),
            f"{everybody}." if https else f"{everybody}, with no encryption of its own.",
        ]
    if address:
        return [f"Hotdice is at {address}", "Everybody who can reach that address can reach it."]
    return [
        f"Hotdice is at {_url(host, port, https=https)}",
        "Only this machine can reach it. For others in the house, add --host 0.0.0.0",
    ]


def _reach(host: str, port: int, *, https: bool = False) -> str:
    """The address for others in the network, if they can reach the server."""
    if host == "localhost" or _is(host, "is_loopback"):
        return ""
    if _is(host, "is_unspecified"):
        host = _address()
    return _url(host, port, https=https) if host else ""


def _here(host: str) -> str:
    """The host's name on this machine."""
    return "localhost" if _is(host, "is_unspecified") else host


def _url(host: str, port: int, *, https: bool = False) -> str:
    scheme = "https" if https else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _is(host: str, what: str) -> bool:
    try:
        return bool(getattr(ipaddress.ip_address(host), what))
    except ValueError:
        return False


def _address() -> str:
    """The address of this machine in its network, if it has one. Nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def _is_hotdice(address: str) -> bool:
    anybody = ssl.create_default_context()
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE  # it is only asked what it is
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=anybody))
    try:
        with direct.open(f"{address}/api/health", timeout=3) as answer:
            said = json.load(answer)
    except (OSError, ValueError):
        return False
    return isinstance(said, dict) and said.keys() == {"status", "version"}


def _open(address: str) -> None:
    """Show a page in the user's browser, where there is one with windows: one in the terminal would be in the way."""
    windows = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    with suppress(webbrowser.Error, OSError):
        if windows:
            webbrowser.open(address)
