"""Proxies in front of the server: those that are believed about their clients' addresses, and those that are not."""

from __future__ import annotations

import logging
from typing import Final

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from hotdice.server.networks import Networks, parsed
from hotdice.server.socket import Receive, Scope, Send

FORWARDED: Final = (b"x-forwarded-for", b"forwarded")
"""The headers in which a proxy says for whom it asks."""
logger: Final = logging.getLogger("hotdice")


def proxies(believed: str) -> Networks:
    """What `--proxy` names: addresses and networks, with commas between them."""
    return Networks(
        believed.split(",") if believed else (),
        f"--proxy takes addresses or networks, such as 10.0.0.2 or 10.0.0.0/24, not “{believed}”.",
    )


class Proxied:
    """An application behind proxies. If one that is not believed speaks for others, that is said once: all its clients
    share the limits of one address."""

    def __init__(self, app: object, believed: Networks) -> None:
        self._believed = believed
        self._app = ProxyHeadersMiddleware(app, list(believed))  # type: ignore[arg-type]
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._warned and any(name in FORWARDED for name, _ in scope.get("headers", ())):
            self._check(str((scope.get("client") or ("",))[0]))
        await self._app(scope, receive, send)  # type: ignore[arg-type]

    def _check(self, peer: str) -> None:
        if parsed(peer) and peer not in self._believed:
            self._warned = True
            logger.warning(
                "%s sends requests for others and is not believed about their addresses, so that all of them share the "
                "limits of one. If it is your proxy, start with --proxy %s",
                peer, peer,
            )  # fmt: skip
