"""Learning environments: every game for Gymnasium, PettingZoo and OpenSpiel, and thousands of games at once.

Importing this registers the games with Gymnasium, under the ids that `ids()` lists. Each interface has a module of its
own: `hotdice.envs.single` (Gymnasium, one player against bots), `hotdice.envs.zoo` (PettingZoo), `hotdice.envs.vector`
(many games at once, compiled) and `hotdice.envs.spiel` (OpenSpiel). All of it needs the extra `[envs]`; OpenSpiel is
installed by itself.
"""

from __future__ import annotations

from importlib.util import find_spec

if missing := [name for name in ("numpy", "gymnasium", "pettingzoo") if find_spec(name) is None]:
    raise ImportError(f"Learning environments need {missing[0]}: pip install 'hotdice[envs]'.", name=missing[0])

from hotdice.envs.ids import id_of, ids, register_ids
from hotdice.envs.single import SingleEnv

__all__ = ["SingleEnv", "id_of", "ids", "register_ids"]

register_ids()
