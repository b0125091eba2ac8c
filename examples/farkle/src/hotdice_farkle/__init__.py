"""Farkle: set aside what scores, roll the rest or bank, and hope for hot dice. A game for Hotdice."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hotdice.dice import ORDINARY
from hotdice.game import Accent, Game, bare
from hotdice_farkle.greedy import look_one_roll_ahead
from hotdice_farkle.notation import read_keep
from hotdice_farkle.rules import CHOICES, FarkleOptions, Keep, scores
from hotdice_farkle.state import FarkleState
from hotdice_farkle.words import FarkleEffect, FarkleFacts

__all__ = ["FARKLE", "FarkleEffect", "FarkleFacts", "FarkleOptions", "FarkleState", "Keep"]

FARKLE: Final = Game(
    name="farkle",
    title="Farkle",
    pitch="Set aside what scores and roll the rest, or bank before a farkle takes it all.",
    minutes=30,
    min_players=2,
    max_players=8,
    dice=(ORDINARY,),
    options=FarkleOptions,
    state=FarkleState,
    verbs={"keep": read_keep, **{move.text: bare(move) for move in CHOICES}},
    moves=lambda options, players: (*map(Keep, sorted(scores(options))), *CHOICES),
    greedy=look_one_roll_ahead,
    folder=Path(__file__).parent,
    accent=Accent(light="#a3470a", dark="#f0a05a"),
)
"""The card. It is registered when Hotdice finds it by its entry point."""
