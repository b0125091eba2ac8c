"""`hotdice serve`: start the server, and say who can reach it."""

from __future__ import annotations

import gc
import ipaddress
import logging
import socket
from pathlib import Path
from typing import Final

import uvicorn

from hotdice.errors import HotdiceError
from hotdice.server.app import Server, Settings
from hotdice.server.protocol import HeadProtocol, TableProtocol
from hotdice.server.wire import MESSAGE_BYTES

PING_SECONDS: Final = 20.0
COLLECT: Final = (20_000, 20, 50)
"""How rarely cyclic garbage is looked for."""


class ServeError(HotdiceError):
    """A server that cannot start."""


def data_file() -> Path:
    """Where the tables of this user are kept."""
    from platformdirs import user_data_path

    return user_data_path("hotdice") / "tables.sqlite"


def serve(settings: Settings, host: str, port: int, proxy: str = "") -> None:
    """Run until somebody stops it."""
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.WARNING)
    listening = _listen(host, port)
    told = "\n".join(_reach(host, listening.getsockname()[1]))
    server = Server(settings)
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
    running = _Told(config, told, server)
    running.run(sockets=[listening])
    if running.failed:
        raise running.failed


class _Told(uvicorn.Server):
    """Says where the server is once it answers, and why it does not start if it does not."""

    def __init__(self, config: uvicorn.Config, told: str, server: Server) -> None:
        super().__init__(config)
        self._told, self._server = told, server
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
            print(self._told, flush=True)

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
        raise ServeError(f"Port {port} of {host} cannot be used ({reason}); choose another with --port.") from None
    return listening


def _reach(host: str, port: int) -> list[str]:
    """Where the server is, and for whom."""
    shown = f"[{host}]" if ":" in host else host
    if host == "localhost" or _is(host, "is_loopback"):
        return [
            f"Hotdice is at http://{shown}:{port}",
            "Only this machine can reach it. For others in the house, add --host 0.0.0.0",
        ]
    if _is(host, "is_unspecified"):
        mine = _address()
        return [
            f"Hotdice is at http://localhost:{port}" + (f" and http://{mine}:{port}" if mine else ""),
            "Everybody who can reach this machine over a network can reach it, with no encryption of its own.",
        ]
    return [f"Hotdice is at http://{shown}:{port}", "Everybody who can reach that address can reach it."]


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
