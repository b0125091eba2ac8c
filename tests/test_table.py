"""The table: seats, rolls, moves, the log, undo, and who may act."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hotdice import (
    CHANCE,
    OVER,
    HotdiceError,
    IllegalMove,
    ManualDice,
    OutOfTurn,
    RecordedDice,
    SeededDice,
    State,
    UndoError,
    all_games,
    load_game,
)
from hotdice.errors import DiceError, ImpossibleRoll, SeatError
from hotdice.notation import listed
from hotdice.players import bot_names, make_player
from hotdice.table import Moved, Rolled, Seat, Table


def pig(*rolls: int) -> Table:
    """Two people at a game of Pig with dice known in advance."""
    return Table(load_game("pig").start(2), [Seat("Ann"), Seat("Ben")], RecordedDice((roll,) for roll in rolls))


def play(table: Table, move: str) -> None:
    table.play(table.state.parse_move(move))


def test_the_log_holds_every_roll_and_move_with_its_seat() -> None:
    table = pig(5, 1, 2)
    table.roll()
    play(table, "roll")
    table.roll()
    table.roll()
    roll = table.state.parse_move("roll")
    assert table.events == (Rolled(0, (5,)), Moved(0, roll), Rolled(0, (1,)), Rolled(1, (2,)))
    assert len(table.states) == len(table.events) + 1


def test_the_log_reads_as_sentences() -> None:
    table = pig(5, 1)
    table.roll()
    play(table, "hold")
    table.roll()
    assert [table.tell(number) for number in range(3)] == [
        "Ann rolls a 5, 5 this turn.",
        "Ann holds and scores 5, for 5 in all.",
        "Ben rolls a 1 and loses the 0 of this turn.",
    ]


def test_nobody_moves_for_somebody_else() -> None:
    table = pig(5)
    table.roll()
    with pytest.raises(OutOfTurn, match="It is Ann's decision"):
        table.play(table.state.parse_move("hold"), seat=1)
    assert len(table.events) == 1


def test_a_move_has_to_wait_for_the_dice() -> None:
    table = pig(5)
    with pytest.raises(IllegalMove, match="the dice are to be rolled first"):
        play(table, "hold")


def test_dice_are_not_rolled_when_a_move_is_due() -> None:
    table = pig(5, 5)
    table.roll()
    with pytest.raises(ImpossibleRoll, match="a move is due"):
        table.roll()


def test_a_roll_cannot_be_typed_where_the_program_rolls() -> None:
    with pytest.raises(DiceError, match="The program rolls"):
        pig(5).roll((6,))


def test_a_choice_can_be_taken_back_until_the_next_roll() -> None:
    table = pig(5, 3)
    table.roll()
    before = table.state
    play(table, "hold")
    assert isinstance(table.undo(), Moved)
    assert table.state == before
    play(table, "roll")
    table.roll()
    with pytest.raises(UndoError, match="rolled since"):
        table.undo()
    assert len(table.events) == 3


def test_nothing_can_be_taken_back_at_the_start() -> None:
    with pytest.raises(UndoError, match="Nothing has happened yet"):
        pig().undo()


def test_with_real_dice_a_mistyped_roll_can_be_taken_back() -> None:
    table = Table(load_game("pig").start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    table.roll((5,))
    assert table.undo() == Rolled(0, (5,))
    table.roll((4,))
    play(table, "hold")
    assert table.state.scores == (4, 0)


def test_real_dice_have_to_be_possible() -> None:
    table = Table(load_game("pig").start(2), [Seat("Ann"), Seat("Ben")], ManualDice())
    with pytest.raises(ImpossibleRoll, match="takes 1 of them, such as 1"):
        table.roll((4, 4))
    with pytest.raises(ImpossibleRoll, match="“9” is not a roll"):
        table.roll((9,))
    with pytest.raises(DiceError, match="type what they show"):
        table.roll()
    assert table.events == ()


def test_two_choices_in_a_row_are_taken_back_one_by_one() -> None:
    rolls = [(2,), (1,), (1, 2, 3, 4, 5, 11)]
    table = Table(load_game("rollers").start(2), [Seat("Ann"), Seat("Ben")], RecordedDice(rolls))
    for _ in rolls:
        table.roll()
    after_roll = table.state
    play(table, "stop")
    play(table, "apply 1")
    table.undo()
    table.undo()
    assert table.state == after_roll
    with pytest.raises(UndoError):
        table.undo()


def test_seats_have_to_be_as_many_as_the_game_has() -> None:
    with pytest.raises(SeatError, match="2 seats, and 1 are taken"):
        Table(load_game("pig").start(2), [Seat("Ann")], SeededDice(1))


def test_two_players_cannot_have_one_name() -> None:
    with pytest.raises(SeatError, match="Two players are called Ann"):
        Table(load_game("pig").start(2), [Seat("Ann"), Seat("Ann")], SeededDice(1))


@pytest.mark.parametrize("name", ["", "x" * 25, "a\nb", " Ann", "Ann ", "A  B", "\x1b[31m", "a\u200bb", "a\u202eb"])
def test_names_that_a_sheet_could_not_show_are_refused(name: str) -> None:
    with pytest.raises(SeatError, match="cannot be a name; it takes 1 to 24"):
        Seat(name)


@pytest.mark.parametrize("name", ["A", "Zoë", "王小明", "Grandma Jo (84)", "x" * 24])
def test_other_names_are_welcome(name: str) -> None:
    assert Seat(name).kind == "person"


def test_an_unknown_bot_is_told_the_bots_there_are() -> None:
    with pytest.raises(SeatError) as error:
        make_player("genius", 1)
    assert str(error.value) == f"There is no bot “genius”; there are {listed(bot_names())}."
    assert bot_names()[:6] == ("random", "greedy", "beginner", "casual", "expert", "optimal")


def test_bots_play_any_game_to_its_end() -> None:
    for game in all_games():
        for kind in ("greedy", "random"):
            seats = [Seat(f"P{number}", make_player(kind, number)) for number in range(game.min_players)]
            table = Table(game.start(), seats, SeededDice(3))
            assert table.run().seat == OVER
            with pytest.raises(IllegalMove, match="over"):
                table.step()
            with pytest.raises(HotdiceError, match="over"):
                table.roll()


def test_a_table_does_not_decide_for_people() -> None:
    table = pig(5)
    table.step()
    with pytest.raises(IllegalMove, match="Ann decides here"):
        table.step()


@pytest.mark.parametrize(("name", "games"), [("bj", 200), ("kismet", 30), ("rollers", 60), ("pig", 100)])
def test_the_greedy_bot_beats_the_random_one(name: str, games: int) -> None:
    """Seats in turn; more wins than equals would have by three standard deviations (half the root of the games)."""
    game = load_game(name)
    options = {"target_points": 1} if name == "rollers" else {}
    wins = 0
    for seed in range(games):
        kinds = ["greedy", "random"] if seed % 2 else ["random", "greedy"]
        seats = [Seat(kind, make_player(kind, seed)) for kind in kinds]
        result = Table(game.start(2, options), seats, SeededDice(seed)).run().result
        assert result is not None
        wins += kinds[result.winners[0]] == "greedy"
    assert wins > games / 2 + 3 * games**0.5 / 2


class AnyTable(RuleBasedStateMachine):
    """Any sequence of rolls, moves and undos leaves a log that plays back to the same states."""

    table: Table

    @initialize(data=st.data(), manual=st.booleans())
    def sit_down(self, data: st.DataObject, manual: bool) -> None:
        game = data.draw(st.sampled_from(all_games()))
        options = data.draw(st.sampled_from(game.options.combinations()))
        players = data.draw(st.integers(game.min_players, game.max_players))
        seats = [Seat(f"P{number}") for number in range(players)]
        self.table = Table(game.start(players, options), seats, ManualDice() if manual else SeededDice(1))

    @precondition(lambda self: self.table.state.seat == CHANCE)
    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        manual = self.table.dice.manual
        self.table.roll(data.draw(st.sampled_from(self.table.state.outcomes().rolls)) if manual else None)

    @precondition(lambda self: self.table.state.seat >= 0)
    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        self.table.play(data.draw(st.sampled_from(self.table.state.legal_moves())), self.table.state.seat)

    @rule()
    def undo(self) -> None:
        before = self.table.events
        may = bool(before) and (self.table.dice.manual or isinstance(before[-1], Moved))
        if may:
            assert self.table.undo() == before[-1]
            assert self.table.events == before[:-1]
        else:
            with pytest.raises(UndoError):
                self.table.undo()
            assert self.table.events == before

    @invariant()
    def log_plays_back(self) -> None:
        state: State = self.table.states[0]
        for event, after in zip(self.table.events, self.table.states[1:], strict=True):
            assert event.seat == (state.roller if isinstance(event, Rolled) else state.seat)
            state = state.roll(event.roll) if isinstance(event, Rolled) else state.apply(event.move)
            assert state == after


AnyTable.TestCase.settings = settings(max_examples=40, stateful_step_count=30)
TestAnyTable = AnyTable.TestCase
