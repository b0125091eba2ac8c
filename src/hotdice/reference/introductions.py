"""What the reference has by hand: what its pages begin with, with a session that the tests run; and what a few names
mean whose sources had better not be touched."""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "Roll": "What some dice show: the codes of their faces, sorted. Which die shows what does not matter.",
    "ORDINARY": "The die with 1 to 6 pips; the codes of its faces are these numbers.",
    "Face.code": "What rolls are made of: a number of its own among all dice of a game.",
    "Face.text": "The face in notation.",
    "Face.name": "The face in words.",
    "Face.aliases": "What else may be typed for it.",
    "Face.colour": "The colour of its pips, where games speak of it.",
    "Die.name": "What this kind of die is called.",
    "Die.faces": "Its faces, all equally likely.",
}
"""What has no docstring: solved tables are kept under a hash of these sources, so there a sentence would cost everybody
their tables."""

INDEX: Final = """\
# Reference

All that is public in Python, made from the docstrings by `make types`. A name that is not here may change from one
version to the next without a word. [By task](python.md) shows how things are done; this says what every part means.

- Seats count from 0 in Python, and from 1 in texts: positions, records, commands.
- What a seat is worth has a unit and an error. Chances are numbers from 0 to 1.
- Everything that bad input can cause is a `HotdiceError`, which is a `ValueError`. Its text is one sentence for people.
- In signatures `S`, `T` and `V` stand for one type each, the same wherever they occur.
- `import hotdice` needs the standard library alone. Where more is needed the page says which extra brings it.
"""

GAME: Final = """\
A game is a card (`Game`) and a class of states (`State`). States never change: `apply` a move or `roll` some dice, and
you get the next one. Chance is listed with exact probabilities, so nothing here draws dice by itself.

```python
>>> import hotdice
>>> game = hotdice.load_game("bj")
>>> state = game.start(players=2, options={"target": 1000})
>>> state.seat == hotdice.CHANCE, state.roller
(True, 0)
>>> outcomes = state.outcomes()
>>> len(outcomes), outcomes.probability((1, 1, 1, 1, 1, 1))
(462, Fraction(1, 46656))
>>> state = state.roll(state.parse_roll("1 1 2 3 4 6"))
>>> state.seat, [move.text for move in state.legal_moves()]
(0, ['roll', 'pass'])
>>> state = state.apply(state.parse_move("pass"))
>>> state.scores, state.position
((200, 0), 'bj(target=1000) 200/0 2 toss 6 0 0 -')
>>> hotdice.parse_position(state.position) == state
True

```

A `Distribution` lists each roll once, in `rolls`, with its integer weight, in `weights`; `total` is their sum.
"""

TABLE: Final = """\
A `Table` plays a game: it has seats, a source of dice and a log, and knows what can be taken back. A `Record` is the
same game as text.

```python
>>> from datetime import date
>>> import hotdice
>>> from hotdice.players import make_player
>>> from hotdice.record import read_record, record_of
>>> from hotdice.table import Moved, Rolled, Seat, Table
>>> start = hotdice.load_game("pig").start(players=2, options={"target": 20})
>>> table = Table(start, [Seat("Ann"), Seat("Robo", make_player("greedy", seed=1))], hotdice.SeededDice(7))
>>> table.roll()
Rolled(seat=0, roll=(2,))
>>> table.play(table.state.parse_move("hold"), seat=0).move.text
'hold'
>>> table.step().seat
1
>>> print(record_of(table, date(2026, 11, 19)).text)
hotdice record 1
game: pig(target=20)
date: 2026-11-19
seat 1: Ann (person)
seat 2: Robo (greedy)
dice: seeded 7
<BLANKLINE>
1 rolls 2
1 hold
2 rolls 1
result: unfinished
<BLANKLINE>

```
"""

PLAYERS: Final = """\
A bot is anything with `choose(state)`, which gives a legal move. [Bots](../bots.md) says how strong those are that come
with Hotdice, and how to bring your own.

```python
>>> import hotdice
>>> from hotdice.players import make_player
>>> state = hotdice.parse_position("pig 50/50 1 20 decide")
>>> make_player("greedy", seed=1).choose(state).text
'hold'

```

`kind` is a bot's name, as `make_player` takes it and records have it.
"""

VALUES: Final = """\
What a position, a move or a roll is worth to the seat that decides or rolls. A value comes with its unit and its error:
a proven bound where the game is solved, one standard error where it was sampled. Computing needs the extra `[solve]`.

```python
>>> import hotdice
>>> from hotdice.solve import evaluate
>>> found = evaluate(hotdice.parse_position("pig 60/70 1 18 decide"))
>>> found.unit.value, found.exact
('win probability', True)
>>> for line in found.lines:
...     print(line.action.text, round(line.value, 3), round(line.behind, 3))
roll 0.558 0.0
hold 0.522 0.036

```
"""

REVIEW: Final = """\
What everybody did in a game, what was best, and what was luck. [Reviews](../review.md) defines every figure. Most of it
needs the extra `[solve]`.

```python
>>> import hotdice
>>> from hotdice.players import make_player
>>> from hotdice.review import review
>>> from hotdice.table import Seat, Table
>>> start = hotdice.load_game("pig").start(players=2, options={"target": 30})
>>> seats = [Seat("Ann", make_player("random", 1)), Seat("Ben", make_player("greedy", 2))]
>>> table = Table(start, seats, hotdice.SeededDice(5))
>>> result = table.run().result
>>> report = review(table)
>>> report.unit, report.exact, [round(seat.result, 6) for seat in report.seats]
('win probability', True, [0.0, 1.0])
>>> seat = report.seats[0]
>>> abs(seat.start + seat.luck - seat.losses + seat.gifts + seat.remainder - seat.result) < 1e-9
True

```
"""

SIMULATION: Final = """\
Many games at once, compiled where the game has a simulator. Needs the extra `[solve]`. [Many games](../simulation.md)
defines the figures and the names of players.

```python
>>> import hotdice
>>> found = hotdice.simulate("pig", ["hold:20", "hold:25"], games=10_000, seed=1)
>>> rate = found.win_rates[0]
>>> rate.low < rate.mean < rate.high
True
>>> list(found.columns)[:7]
['game', 'win_1', 'win_2', 'score_1', 'score_2', 'turns', 'rolls']
>>> from hotdice.simulation import play_tournament
>>> outcome = play_tournament("pig", ["hold:20", "hold:8", "random"], games=200, seed=1)
>>> outcome.tournament.names[outcome.order[0]], outcome.place(0)
('hold:20', (1, 1))

```
"""

ENVS: Final = """\
Every game for programs that learn. Needs the extra `[envs]`; OpenSpiel's interface needs `open_spiel` besides.
[Environments](../environments.md) lists what the numbers of each game's observations and actions mean.

In what follows `Ints`, `Floats` and `Bools` are numpy arrays, and `Info` is a dictionary.

```python
>>> import gymnasium
>>> import hotdice.envs
>>> env = gymnasium.make("hotdice/Pig-v0", opponents="greedy", seat=0)
>>> observation, info = env.reset(seed=1)
>>> observation.tolist(), info["action_mask"].tolist()
([0, 0, 6, 0], [1, 1])

```
"""

SOLVERS: Final = """\
What a solver of a game's own is written with, beside `Evaluator` and `Solver` in [Values](values.md). Needs the extra
`[solve]`. [All that a game can have](../new-game.md#values) has an example; a game without a solver needs none of this.

```python
>>> from hotdice.solve.jit import kernel
>>> @kernel
... def busts(dice: int) -> float:
...     chance = 1.0
...     for _ in range(dice):
...         chance *= 4 / 6
...     return chance
>>> round(busts(2), 4)
0.4444

```

What simulates and steps games compiled (`Simulator`, `Stepper`) is not public yet.
"""

AUTHORS: Final = """\
What a game of your own is written with, beside the contract in [The rules](game.md): sentences and score sheets, the
readers of positions, numbers for programs that learn, and the kit that tests it. [A game of your own](../new-game.md)
builds one.

```python
>>> from hotdice.view import named, verb, who
>>> sentence = f"{who(0)} {verb(0, 'rolls', 'roll')} a 6."
>>> sentence
'{0|You} {0:rolls|roll} a 6.'
>>> named(sentence, ["Ann", "Ben"]), named(sentence, ["Ann", "Ben"], you=0)
('Ann rolls a 6.', 'You roll a 6.')

```
"""
