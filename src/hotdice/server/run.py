"""`hotdice` and `hotdice serve`: start the server, say who can reach it, and open the browser there."""

from __future__ import annotations

import errno
import gc
import ipaddress
import json
import logging
import os
import socket
import sys
import threading
import urllib.request
import webbrowser
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

import uvicorn

from hotdice.errors import HotdiceError
from hotdice.server.app import Server, Settings
from hotdice.server.uvicorn_adapter import HeadProtocol, TableProtocol
from hotdice.server.wire import MESSAGE_BYTES

PING_SECONDS: Final = 20.0
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


def serve(settings: Settings, host: str, port: int, proxy: str = "") -> None:
    """Run until somebody stops it."""
    _run(settings, host, _listen(host, port), proxy=proxy)


def welcome(settings: Settings, host: str, port: int, *, browser: bool) -> None:
    """Run for those at home, with the browser open; if that is done already, open the browser only."""
    try:
        listening = _listen(host, port)
    except PortTaken:
        if _is_hotdice(there := _url(_here(host), port)):
            print(f"Hotdice is already at {there}.", flush=True)
            if browser:
                _open(there)
            return
        print(f"Another program has port {port}.", flush=True)
        listening = _listen(host, 0)
    with suppress(KeyboardInterrupt):
        _run(settings, host, listening, browser=browser, ending="Ctrl-C ends it.")


def _run(
    settings: Settings, host: str, listening: socket.socket, *, proxy: str = "", browser: bool = False, ending: str = ""
) -> None:
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
    port = listening.getsockname()[1]
    greeting = "\n".join([*_where(host, port), *filter(None, [ending])])
    server = Server(replace(settings, address=_reach(host, port)))
    config = uvicorn.Config(
        server,
        access_log=False,
        forwarded_allow_ips=proxy,
        http=HeadProtocol,
        lifespan="off",
        log_config=None,
        proxy_headers=bool(proxy),
        server_header=False,
        timeout_graceful_shutdown=5,
        ws=TableProtocol,
        ws_max_size=MESSAGE_BYTES,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
    )
    running = _Announced(config, greeting, server, _url(_here(host), port) if browser else "")
    running.run(sockets=[listening])
    if running.failed:
        raise running.failed


class _Announced(uvicorn.Server):
    """Says where the server is once it answers, and shows it; or says why it does not start."""

    def __init__(self, config: uvicorn.Config, greeting: str, server: Server, page: str) -> None:
        super().__init__(config)
        self._greeting, self._server, self._page = greeting, server, page
        self.failed: HotdiceError | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            await self._server.open()
        except HotdiceError as error:
            self.failed, self.should_exit = error, True
            return
        await super().startup(sockets)
        # What is here now stays; and what tables make are trees, which go without the collector's help.
        gc.freeze()
        gc.set_threshold(*COLLECT)
        if self.started:
            print(self._greeting, flush=True)
            if self._page:
                threading.Thread(target=_open, args=(self._page,), daemon=True).start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        await self._server.close()


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


def _where(host: str, port: int) -> list[str]:
    """Where the server is, and for whom."""
    address = _reach(host, port)
    if _is(host, "is_unspecified"):
        return [
            f"Hotdice is at {_url(_here(host), port)}" + (f" and {address}" if address else ""),
            "Everybody who can reach this machine over a network can reach it, with no encryption of its own.",
        ]
    if address:
        return [f"Hotdice is at {address}", "Everybody who can reach that address can reach it."]
    return [
        f"Hotdice is at {_url(host, port)}",
        "Only this machine can reach it. For others in the house, add --host 0.0.0.0",
    ]


def _reach(host: str, port: int) -> str:
    """The address for others in the network, if they can reach the server."""
    if host == "localhost" or _is(host, "is_loopback"):
        return ""
    if _is(host, "is_unspecified"):
        host = _address()
    return _url(host, port) if host else ""


def _here(host: str) -> str:
    """The host's name on this machine."""
    return "localhost" if _is(host, "is_unspecified") else host


def _url(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


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
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
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
