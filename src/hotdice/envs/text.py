"""A state as a few lines of text, for environments that render as `ansi`."""

from __future__ import annotations

from hotdice.game import State
from hotdice.view import named


def text_of(state: State) -> str:
    """The position, what is to happen, and the scores."""
    names = [f"player_{seat}" for seat in range(state.players)]
    rows = [f"{name}: {score:,}" for name, score in zip(names, state.scores, strict=True)]
    return "\n".join([state.position, named(state.prompt, names), *rows])
