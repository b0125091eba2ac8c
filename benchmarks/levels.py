"""How much each level of bot loses per decision, by the exact values of the moves that it takes.

A decision with one legal move does not count. Both seats are played by the same level.
"""

from __future__ import annotations

from hotdice import CHANCE, OVER, SeededDice, load_game
from hotdice.players import make_player
from hotdice.solve.evaluator import evaluator_for

DECISIONS = 1500
GAMES = (("bj", 2), ("kismet", 1), ("rollers", 2), ("pig", 2))


def loss(name: str, players: int, level: str) -> tuple[float, int]:
    """The average loss and the number of decisions it was measured over."""
    game = load_game(name)
    evaluator = evaluator_for(game, game.options(), players)
    bot, dice = make_player(level, 1), SeededDice(2026)
    lost, decisions = 0.0, 0
    state = game.start(players)
    while decisions < DECISIONS:
        if state.seat == OVER:
            state = game.start(players)
        elif state.seat == CHANCE:
            state = state.roll(dice.draw(state.outcomes()))
        else:
            move = bot.choose(state)
            if len(state.legal_moves()) > 1:
                lines = evaluator.evaluate(state).lines
                lost += lines[0].value - next(line.value for line in lines if line.action == move)
                decisions += 1
            state = state.apply(move)
    return lost / decisions, decisions


def main() -> None:
    print("Average loss per decision    expert     casual   beginner     greedy     random")
    for name, players in GAMES:
        losses = [loss(name, players, level)[0] for level in ("expert", "casual", "beginner", "greedy", "random")]
        print(f"{name:22} {'  '.join(f'{one:9.4f}' for one in losses)}")


if __name__ == "__main__":
    main()
