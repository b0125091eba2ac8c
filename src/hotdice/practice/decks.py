"""The decks: which cards there are for a game, and which five are everybody's today.

A deck is a file of lines of JSON, `practice.jsonl`: beside a game's code where one is shipped, or in this user's cache
where it was made on first use. Cards go in the order of their names, which are hashes, so it is a random one and the
same everywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from hotdice.game import Game
from hotdice.games import all_games
from hotdice.practice.cards import Card, NoCard
from hotdice.solve.sources import fingerprint

FILE: Final = "practice.jsonl"
GENERATOR: Final = 1
"""The version of what makes decks and daily sets; those of another one are others."""
DAILY: Final = (0, 1, 1, 2, 3)
"""The grades of the five of a day."""
OF_ONE_GAME: Final = 2
"""How many of them are of one game at most."""
EPOCH: Final = 14
"""For how many days no card comes twice."""
_BEGINNING: Final = date(2026, 1, 1).toordinal()


class Deck:
    """The cards of one game."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self.cards = tuple(cards)
        self._by_id = {card.id: card for card in self.cards}

    def get(self, name: str) -> Card | None:
        """The card of that name, if it is here."""
        return self._by_id.get(name)


@cache
def shipped(game: Game) -> Deck | None:
    """The deck beside a game's code, if there is one."""
    path = game.folder / FILE
    return Deck(read(path)) if path.is_file() else None


def kept_at(game: Game) -> Path:
    """Where the deck of a game is kept that was made on first use."""
    from platformdirs import user_cache_path

    return (
        user_cache_path("hotdice") / "practice" / f"{game.name}-{GENERATOR}-{fingerprint(game.state.__module__)}.jsonl"
    )


def read(path: Path) -> tuple[Card, ...]:
    """The cards in a file, in the order of their names."""
    try:
        cards = list(map(Card.from_text, path.read_text("utf-8").splitlines()))
    except ValueError as error:
        raise NoCard(f"“{path}” is no deck for practice. {error}") from None
    return tuple(sorted(cards, key=lambda card: card.id))


def write(path: Path, cards: Sequence[Card]) -> None:
    """Keep the cards of a deck."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{card.text}\n" for card in cards), "utf-8")


# Everybody's five


def daily(day: date) -> tuple[Card, ...]:
    """The five of a day, from the easiest to the hardest.

    They follow from the date and from the decks that come with Hotdice, so they are the same everywhere. For two weeks
    at a time, cards are dealt from one shuffled deck, so none comes twice in that time.
    """
    epoch, days = divmod(day.toordinal() - _BEGINNING, EPOCH)
    piles = _shuffled(epoch)
    dealt: list[Card] = []
    for _ in range(days + 1):
        dealt = []
        for grade in DAILY:
            games = Counter(card.game.name for card in dealt)
            card = next(card for card in piles[grade] if games[card.game.name] < OF_ONE_GAME)
            piles[grade].remove(card)
            dealt.append(card)
    return tuple(dealt)


def _shuffled(epoch: int) -> dict[int, list[Card]]:
    """The cards that come with Hotdice by their grades, in an order of these two weeks' own."""
    games = [game for game in all_games() if game.state.__module__.startswith("hotdice.games.")]
    cards = [card for game in games if (deck := shipped(game)) for card in deck.cards]
    cards.sort(key=lambda card: sha256(f"{GENERATOR} {epoch} {card.id}".encode()).digest())
    return {grade: [card for card in cards if card.grade == grade] for grade in DAILY}
