"""The ids by which Gymnasium makes the environments, made from the registered games and their options.

`hotdice/Name-v0` is a game by its printed rules. House rules stand behind the name: `hotdice/Name.target-500-v0`.
There is an id for every combination of the values that an option lists; any other value is given as a keyword.
"""

from __future__ import annotations

import re
from typing import Final

import gymnasium
from gymnasium.envs.registration import registry

from hotdice.game import Game
from hotdice.games import all_games
from hotdice.options import Options, value_text

NAMESPACE: Final = "hotdice"


def id_of(game: Game, options: Options | None = None) -> str:
    """The id of a game under some options, or by its printed rules.

    >>> import hotdice
    >>> from hotdice.envs import id_of
    >>> game, options = hotdice.parse_game("kor(bank_roll=true)")
    >>> id_of(game, options)
    'hotdice/Kor.bank_roll-true-v0'
    """
    name = "".join(part.capitalize() for part in re.split("[-_]", game.name))
    changed = [
        f".{spec.name}-{value_text(getattr(options, spec.name))}"
        for spec in (options.specs() if options else ())
        if getattr(options, spec.name) != spec.default
    ]
    return f"{NAMESPACE}/{name}{''.join(changed)}-v0"


def ids() -> dict[str, str]:
    """Every id, and the game that it stands for, as it is written."""
    return {id_of(game, options): game.text(options) for game in all_games() for options in game.options.combinations()}


def register_ids() -> None:
    """Make the environments known to Gymnasium; games that are known stay as they are."""
    for name, game in ids().items():
        if name not in registry:
            compiled = _compiled(game)
            gymnasium.register(
                id=name,
                entry_point="hotdice.envs.single:SingleEnv",
                vector_entry_point="hotdice.envs.vector:VectorEnv" if compiled else None,
                kwargs={"game": game},
            )


def _compiled(game: str) -> bool:
    name = game.partition("(")[0]
    return any(card.name == name and card.stepper is not None for card in all_games())
