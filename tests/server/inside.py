"""A server in the process of the test, without a socket: clients can have any address, and its parts be looked at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx

from hotdice.server.app import Server, Settings


class Inside:
    """The server, and clients of it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._clients: list[httpx.AsyncClient] = []

    def client(self, address: str = "127.0.0.1") -> httpx.AsyncClient:
        """A client that comes from an address."""
        transport = httpx.ASGITransport(app=self.server, client=(address, 5000))
        self._clients.append(httpx.AsyncClient(transport=transport, base_url="http://localhost"))
        return self._clients[-1]

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Inside]:
    server = Server(settings)
    await server.open()
    inside = Inside(server)
    try:
        yield inside
    finally:
        await inside.close()
        await server.close()


def within(settings: Settings, work: Callable[[Inside], Coroutine[Any, Any, None]]) -> None:
    """Do something with a server."""

    async def run() -> None:
        async with opened(settings) as inside:
            await work(inside)

    asyncio.run(run())
