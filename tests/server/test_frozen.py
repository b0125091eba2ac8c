"""PostgreSQL and Redis that are frozen: they neither answer nor hang up, and nobody waits for them for long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import Connection, text

from hotdice.server.broker import BrokerError, Note, RedisBroker
from hotdice.server.entries import Left
from hotdice.server.store import Store, StoreError
from tests.server.running import TIMEOUT, Json, Running, local, person
from tests.server.test_store import TABLE, opened, write
from tests.services import PostgresServer, RedisServer

PATIENCE = "8"
"""Seconds for a database that is to be reached although the machine has much else to do: an attempt has a quarter."""


async def until(done: Callable[[], Any]) -> None:
    """Wait for something that has to happen soon."""
    async with asyncio.timeout(TIMEOUT):
        while not done():
            await asyncio.sleep(0.01)


def test_everybody_gets_an_answer_while_postgresql_is_frozen(mortal_postgres: PostgresServer) -> None:
    database = mortal_postgres.create_database()
    with Running(database, "--unlimited", "--database-timeout", PATIENCE) as server:
        name, tokens = server.table("pig", [person("Ann"), local("Bob")], start=True)
        with server.client(name, *tokens) as client, server.client(name, *tokens) as other:
            move = {"do": "roll", "id": "once", "on": client.state["number"]}
            lists: list[int] = []
            reading = threading.Thread(target=lambda: lists.append(server.get("/tables").status_code))
            with mortal_postgres.frozen():
                reading.start()
                client.send(move)
                other.send(move | {"id": "behind"})  # at the same table, it waits for the other one first
                assert client.until("accepted", "unavailable")["type"] == "unavailable"
                assert other.until("accepted", "unavailable")["type"] == "unavailable"
                reading.join(TIMEOUT)
                assert lists == [503]
            answer: Json = {"type": "unavailable"}
            while answer["type"] == "unavailable":
                client.send(move)
                answer = client.until("accepted", "unavailable")
            client.settle(answer["number"])
            assert [event["entry"].get("client") for event in client.events].count("once") == 1
        said = server.output()
    assert said.count("The database is away") == 1
    assert said.count("The database is back") == 1
    assert "Traceback" not in said


def test_a_server_does_not_wait_for_ever_to_start(mortal_postgres: PostgresServer) -> None:
    database = mortal_postgres.create_database()
    with mortal_postgres.frozen(), pytest.raises(StoreError, match=r"cannot be used: it does not answer\."):
        asyncio.run(Store(database, patience=1).open())


def test_a_node_that_is_frozen_in_mid_commit_does_not_hold_others_up(mortal_postgres: PostgresServer) -> None:
    database = mortal_postgres.create_database()

    def half(connection: Connection) -> None:
        connection.execute(text(f"INSERT INTO events VALUES ('{TABLE}', 1, 1, 'half')"))  # noqa: S608

    async def run() -> None:
        async with opened(database) as store:
            frozen = Store(database, patience=float(PATIENCE))
            await frozen._writer.run(half)
            await write(store, TABLE, 1, 2, [Left(0)], None)
            assert await store.read(TABLE) == [(Left(0), 2)]
            await frozen.close()

    asyncio.run(run())


def test_a_node_ends_although_postgresql_is_frozen(mortal_postgres: PostgresServer) -> None:
    database = mortal_postgres.create_database()

    async def run() -> None:
        async with opened(database) as store:
            await store.read(TABLE)
            with mortal_postgres.frozen():
                async with asyncio.timeout(TIMEOUT):
                    await store.close()

    asyncio.run(run())


def test_a_frozen_redis_counts_as_away_until_it_answers(
    mortal_redis: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Then nodes read the logs themselves, at once and every second."""

    async def run() -> None:
        one, two = RedisBroker(mortal_redis.url), RedisBroker(mortal_redis.url)
        heard: list[Note] = []
        missed: list[bool] = []
        await one.open(heard.append, lambda: missed.append(one.connected))
        await two.open(lambda note: None, lambda: None)
        try:
            await until(lambda: one.connected and two.connected)
            with mortal_redis.frozen():
                await until(lambda: not one.connected)
                assert missed[-2:] == [True, False]  # a busy machine may have seen more of that
            await until(lambda: one.connected and two.connected)
            assert missed[-1]
            said = [line for line in caplog.messages if line.startswith("Redis is")]
            assert said.count("Redis is back.") >= 1
            assert len(said) == 2 * said.count("Redis is back.")
            two.tell(TABLE, number=7)
            await until(lambda: heard)
            assert [note.number for note in heard] == [7]
        finally:
            await one.close()
            await two.close()

    asyncio.run(run())


def test_a_broker_does_not_wait_for_ever_to_start(mortal_redis: RedisServer) -> None:
    async def run() -> None:
        broker = RedisBroker(mortal_redis.url)
        try:
            with mortal_redis.frozen(), pytest.raises(BrokerError, match="Redis does not answer"):
                await broker.open(lambda note: None, lambda: None)
        finally:
            await broker.close()

    asyncio.run(run())


def test_a_broker_ends_although_a_cancellation_was_lost() -> None:
    """As redis loses one now and then, when an answer comes at the same moment; a node ends all the same."""
    lost: list[bool] = []

    async def deaf() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        lost.append(True)
        await asyncio.Event().wait()

    async def run() -> None:
        broker = RedisBroker("redis://127.0.0.1:1/0")
        broker._tasks = [asyncio.create_task(deaf()), asyncio.create_task(deaf())]
        await asyncio.sleep(0)
        async with asyncio.timeout(TIMEOUT):
            await broker.close()

    asyncio.run(run())
    assert lost == [True, True]
