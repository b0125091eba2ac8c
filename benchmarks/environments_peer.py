"""The peers of `benchmarks.environments`, run by a Python that has them: pgx's tic-tac-toe and PettingZoo's.

Prints a line with the steps done and the CPU seconds taken for every line read: `pgx 4096` or `pettingzoo`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

SLICE = 0.5


def pgx_tic_tac_toe(games: int) -> Callable[[], int]:
    """Games side by side, compiled, with random legal actions; a game that ends begins anew."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("tic_tac_toe")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one_step(state: Any, key: Any) -> tuple[Any, Any]:
        key, one, two = jax.random.split(key, 3)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        return step(state, jax.random.categorical(one, odds, axis=-1), jax.random.split(two, games)), key

    act = jax.jit(one_step)
    table = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    key = jax.random.PRNGKey(1)
    table, key = act(table, key)

    def play() -> int:
        nonlocal table, key
        for _ in range(20):
            table, key = act(table, key)
        jax.block_until_ready(table)
        return 20 * games

    return play


def pettingzoo_tic_tac_toe() -> Callable[[], int]:
    """PettingZoo's AEC tic-tac-toe with random legal actions."""
    from pettingzoo.classic import tictactoe_v3

    return aec_player(tictactoe_v3.env(), lambda seen, info: seen["action_mask"])


def aec_player(env: Any, mask_of: Callable[[Any, Any], Any]) -> Callable[[], int]:
    """Plays an AEC environment to the end of a game, at random."""
    draw = Random(1).random

    def play() -> int:
        steps = 0
        env.reset(seed=int(draw() * 2**30))
        for _ in env.agent_iter():
            seen, _, over, cut, info = env.last()
            if over or cut:
                env.step(None)
            else:
                legal = mask_of(seen, info).nonzero()[0]
                env.step(int(legal[int(draw() * len(legal))]))
            steps += 1
        return steps

    return play


def slice_of(play: Callable[[], int], seconds: float = SLICE) -> tuple[int, float]:
    """The steps of some CPU time, and how much that was."""
    steps, begin = 0, process_time()
    while (spent := process_time() - begin) < seconds:
        steps += play()
    return steps, spent


def main() -> None:
    players: dict[str, Callable[[], int]] = {}
    for line in sys.stdin:
        if line not in players:
            name, *games = line.split()
            players[line] = pgx_tic_tac_toe(int(games[0])) if name == "pgx" else pettingzoo_tic_tac_toe()
            players[line]()
        print(*slice_of(players[line]), flush=True)


if __name__ == "__main__":
    main()
