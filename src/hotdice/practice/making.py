"""Makes decks: bots of all levels play whole games, and of what they had to decide, the interesting choices are kept.

A choice is interesting if it is not forced, if not all moves are right, if the weakest level misses it often enough,
and if the first wrong move costs something. Of those as many are kept of every grade and every phase of the game as
there are. `python -m hotdice.practice.making` writes the decks that are shipped, beside each game's code; what is made
follows from the game, its values and `GENERATOR`.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from hotdice.dice import SeededDice
from hotdice.game import CHANCE, OVER, Game, Move
from hotdice.games import all_games, load_game
from hotdice.players.levels import noise_of, noisy_best
from hotdice.practice import decks
from hotdice.practice.cards import LEVELS, Card, NoCard, card_of
from hotdice.practice.decks import GENERATOR, Deck
from hotdice.solve import evaluator_for
from hotdice.table import Seat, Table
from hotdice.values import Evaluation, Evaluator, NotSolved, Progress, Unit, no_progress

PHASES: Final = ("early", "middle", "late")
OFTEN: Final = 0.1
"""A choice that the weakest level misses less often than this is trivial."""
SOME: Final = 0.5
"""How much the first wrong move has to cost, in noise of the best of the levels."""
OPEN: Final = 0.03
"""How far from lost and from won a game has to be, where values are chances."""
OF_A_GAME: Final = 4
"""How many cards come from one game at most."""
COUNT: Final = 60
"""How many cards a deck has that is made on first use."""
MOST_GAMES: Final = 400
"""How many games are played for such a deck at most."""
SHIPPED, SHIPPED_GAMES = 180, 12_000
"""The same of decks that are shipped."""


def deck_of(game: Game, progress: Progress = no_progress) -> Deck:
    """The deck of a game: shipped, made earlier, or made now and kept; `NotSolved` if it has no exact values."""
    if deck := decks.shipped(game):
        return deck
    path = decks.kept_at(game)
    with suppress(OSError, NoCard):
        return Deck(decks.read(path))
    cards = make(game, progress=progress)
    with suppress(OSError):
        decks.write(path, cards)
    return Deck(cards)


def make(
    game: Game, count: int = COUNT, most_games: int = MOST_GAMES, progress: Progress = no_progress
) -> tuple[Card, ...]:
    """A deck for a game, by its usual house rules; `NotSolved` if it has no exact values."""
    tables = [(players, found) for players in _players(game) if (found := _exact(game, players, progress))]
    if not tables:
        raise NotSolved(f"{game.title} has no exact values, so there is nothing to practise on.")
    cells: dict[tuple[int, str], list[Card]] = defaultdict(list)
    most, seen = -(-count // len(PHASES) // 2), set[str]()
    for number in range(most_games):
        players, evaluator = tables[number % len(tables)]
        for card in _of_game(game, players, evaluator, number):
            cell = cells[card.grade, card.phase]
            if card.id not in seen and len(cell) < most:
                seen.add(card.id)
                cell.append(card)
        full = sum(len(cell) == most for cell in cells.values())
        progress(max(number / most_games, min(full / 12, 0.99)))
        if full == 12:
            break
    return _evenly(cells, count)


def _evenly(cells: dict[tuple[int, str], list[Card]], count: int) -> tuple[Card, ...]:
    """So many cards, as many of every grade and phase as there are, in the order of their names."""
    kept: list[Card] = []
    piles = [cells[key] for key in sorted(cells)]
    while len(kept) < count and any(piles):
        kept += [pile.pop() for pile in piles if pile][: count - len(kept)]
    return tuple(sorted(kept, key=lambda card: card.id))


def _players(game: Game) -> range:
    return range(game.min_players, min(game.max_players, 2) + 1)


def _exact(game: Game, players: int, progress: Progress) -> Evaluator | None:
    """The values for that number of players, if they are not sampled."""
    try:
        found = evaluator_for(game, game.make_options(), players, progress)
    except NotSolved:
        return None
    return None if found.sampled else found


def _of_game(game: Game, players: int, evaluator: Evaluator, number: int) -> Iterator[Card]:
    """Some interesting choices of one game, in which each seat plays at a level of its own, or without any noise."""
    random = Random(f"{GENERATOR} {game.name} {number}")
    table = Table(
        game.start(players), [Seat(f"Seat {seat + 1}") for seat in range(players)], SeededDice(random.randrange(10**9))
    )
    levels = [random.choice((*LEVELS, "")) for _ in range(players)]
    choices: list[tuple[int, Evaluation]] = []
    while (seat := table.state.seat) != OVER:
        if seat == CHANCE:
            table.roll()
            continue
        moves = table.state.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            found = evaluator.evaluate(table.state)
            scale = noise_of(levels[seat], game, players, found.unit) if levels[seat] else 0.0
            action = noisy_best(found.lines, scale, random).action
            if isinstance(action, Move):
                move = action
            if found.exact:
                choices.append((table.played, found))
        table.play(move)
    begun = {index: turn[0] for turn in table.turns() for index in turn}
    random.shuffle(choices)
    kept = 0
    for index, found in choices:
        phase = PHASES[len(PHASES) * index // table.played]
        if kept < OF_A_GAME and _matters(found, game, players):
            card = card_of(table, begun[index], index, found, phase=phase)
            if card.misses[0].chance >= OFTEN:
                kept += 1
                yield card


def _matters(found: Evaluation, game: Game, players: int) -> bool:
    """Whether the game is open, there is a wrong move, and the first of them costs something."""
    if found.unit is Unit.WIN and not OPEN <= found.value <= 1 - OPEN:
        return False
    wrong = next((line.behind for line in found.lines if not line.alike), 0.0)
    return wrong >= SOME * noise_of(LEVELS[-1], game, players, found.unit)


def main(names: list[str]) -> None:
    """Write the decks of some games, or of all that come with Hotdice: `kismet:200` is one of 200 cards."""
    for wish in names or [
        game.name for game in all_games() if game.folder.parent == Path(__file__).parents[1] / "games"
    ]:
        name, _, count = wish.partition(":")
        game = load_game(name)
        cards = make(game, int(count or SHIPPED), SHIPPED_GAMES)
        decks.write(game.folder / decks.FILE, cards)
        counts = Counter(card.grade for card in cards), Counter(card.phase for card in cards)
        print(f"{game.name}: {len(cards)} cards, {dict(counts[0])}, {dict(counts[1])}")


if __name__ == "__main__":
    main(sys.argv[1:])
