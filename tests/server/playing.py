"""What tests of play share: people who play by each game's own simple rule, and games short enough for a test."""

from __future__ import annotations

from typing import Final

from hotdice.game import Game
from hotdice.games import all_games, load_game, parse_position
from hotdice.players import make_player
from tests.server.running import Client, Json, Running, bot, person


def quick(game: Game) -> Json:
    """Options under which a game is over soon: of each number, the other value that the game offers."""
    return {spec.name: spec.choices[1] for spec in game.options.specs() if type(spec.default) is int}


SHORT: Final[dict[str, Json]] = {game.name: quick(game) for game in all_games()}
"""All games, with options under which they are over soon."""


def seated(game: str, *wanted: Json) -> list[Json]:
    """These seats, as many as the game has at most, and bots in those that it needs besides."""
    found = load_game(game)
    return [*wanted, *[bot("random")] * (found.min_players - len(wanted))][: found.max_players]


def sensible(client: Client) -> str:
    """The move that the greedy rule makes in the position that a client is shown."""
    return make_player("greedy", 1).choose(parse_position(client.state["view"]["position"])).text


def act(client: Client) -> Json:
    """Act for the seat that is to act, as somebody sensible would; the answer."""
    if client.state["rolls"]:
        return client.ask("roll")
    return client.ask("move", move=sensible(client))


def step(*clients: Client) -> None:
    """Let the game go on by what one of the clients does, or by what comes if it is for none of them to act."""
    acting = next((client for client in clients if client.state["actor"] in client.seats), None)
    if acting:
        answer = act(acting)
        assert answer["type"] == "accepted", answer
    else:
        clients[0].receive()
    number = max(client.state["number"] for client in clients)
    for client in clients:
        client.settle(number)


def finish(client: Client) -> None:
    """Play this client's seats until the game is over."""
    while client.state["status"] == "playing":
        step(client)


def joined(server: Running, name: str, who: str, **more: object) -> str:
    """Sit down; the token."""
    answer = server.post(f"/tables/{name}/join", {"name": who, **more})
    assert answer.status_code == 201, answer.text
    token: str = answer.json()["tokens"][0]["token"]
    return token


def two_people(server: Running, game: str = "pig", **more: object) -> tuple[str, Client, Client]:
    """Ann and Bob, each at a screen of their own, at a game that has begun."""
    wishes: Json = {"options": SHORT[game], **more}
    name, tokens = server.table(game, [person("Ann"), {"kind": "open"}], **wishes)
    other = joined(server, name, "Bob")
    started = server.post(f"/tables/{name}/start", token=tokens[0])
    assert started.status_code == 200, started.text
    return name, server.client(name, tokens[0]), server.client(name, other)


def to_a_choice(*clients: Client) -> Client:
    """Roll until somebody has to decide: that client."""
    while True:
        for client in clients:
            if client.state["actor"] in client.seats:
                if not client.state["rolls"]:
                    return client
                number = client.ask("roll")["number"]
                for other in clients:
                    other.settle(number)
