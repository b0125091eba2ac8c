"""`hotdice games` and `hotdice rules`: what can be played, and how."""

from __future__ import annotations

import json
from typing import Any

from hotdice.game import Game
from hotdice.games import all_games, load_game
from hotdice.terminal import speak
from hotdice.terminal.screen import Screen
from hotdice.terminal.streams import plain


def list_games(*, as_json: bool) -> None:
    """Print every game."""
    if as_json:
        print(json.dumps([_card_json(game) for game in all_games()], indent=2))
        return
    column = max(len(game.name) for game in all_games()) + 2
    for game in all_games():
        print(f"{game.name:{column}}{speak.card(game)}")
        print(f"{'':{column}}{game.pitch}")


def _card_json(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "pitch": game.pitch,
        "minutes": game.minutes,
        "min_players": game.min_players,
        "max_players": game.max_players,
        "options": [
            {"name": spec.name, "default": spec.default, "accepts": spec.accepts, "meaning": spec.meaning}
            for spec in game.options.specs()
        ],
    }


def show_rules(name: str) -> None:
    """Print a game's rules and house rules."""
    game = load_game(name.lower())
    screen = Screen()
    if screen.pictures:
        print("\n".join(screen.markdown(speak.rules_markdown(game))))
    else:
        print("\n".join(map(plain, speak.rules_lines(game))))
