"""Guided first games: every lesson is played, and every rule of its game's sheet comes up in it as the sheet has it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from hotdice import CHANCE, OVER, Game, HotdiceError, all_games, load_game
from hotdice.lesson import Lesson, lesson_of, read_lesson
from hotdice.table import apply_event

TAUGHT = [game for game in all_games() if game.lesson.is_dir()]

Check = Callable[[Any, Any, Any], bool]
"""Whether a state, what happens in it, and the state after it are what a rule of the sheet says."""


def gain(before: Any, after: Any, seat: int | None = None) -> int:
    """What a seat's score grows by; the roller's unless another is named."""
    at = before.roller if seat is None else seat
    return int(after.scores[at] - before.scores[at])


def faces(before: Any, event: Any) -> list[str]:
    """The faces of a roll, as they are typed."""
    return str(before.game.roll_text(event.roll)).split()


BJ: Mapping[str, Check] = {
    "all the dice": lambda b, e, a: b.fresh and len(e.roll) == 6,
    # 1, 5, 5: 100 + 50 + 50
    "ones and fives": lambda b, e, a: e.roll == (1, 3, 4, 5, 5, 6) and a.at_risk == 200,
    "frozen": lambda b, e, a: b.places(e.roll).count("frozen") == 3 and a.dice == 3,
    "one toss": lambda b, e, a: b.dice == 3 and b.at_risk == 200 and 5 in e.roll and a.at_risk == 250,
    "pass": lambda b, e, a: gain(b, a) == b.at_risk == 250 and a.roller == 1,
    "three alike": lambda b, e, a: e.roll[:3] == (2, 2, 2) and a.at_risk == 200 and a.dice == 3,
    "bust": lambda b, e, a: b.at_risk == 200 and gain(b, a) == 0 and a.roller != b.roller,
    "best reading": lambda b, e, a: e.roll[:3] == (1, 1, 1) and a.at_risk == 300,
    "all frozen": lambda b, e, a: b.dice == 3 and a.dice == 6 and a.safe == 500 and a.seat == b.roller,
    "safe bonus": lambda b, e, a: b.safe == 500 and b.at_risk == 500 and gain(b, a) == 500 and a.roller != b.roller,
    "last round": lambda b, e, a: b.starter < 0 and a.scores[0] > 5000 and a.starter == 0 and a.roller == 1,
    "beat it": lambda b, e, a: (
        b.scores[1] + b.at_risk == b.scores[0] and (over := b.apply(b.parse_move("pass"))).result.winners == (0,)
        and over.seat == OVER
    ),
    "settlement": lambda b, e, a: a.result.standings[0].amount == -50_000 * 120,
}  # fmt: skip

KOR: Mapping[str, Check] = {
    "highest aside": lambda b, e, a: {25, 50, 100} < {*e.roll} and a.points == 100 and a.dice == 5,
    "roll on": lambda b, e, a: b.seat == CHANCE and not b.legal_moves() and len(e.roll) == 5 and a.dice == 4,
    "no number": lambda b, e, a: max(e.roll) < 25 and b.points == gain(b, a) == 150 and a.roller == 1,
    "three signs": lambda b, e, a: faces(b, e) == ["S", "S", "S", "50", "100"] and gain(b, a) == b.points,
    "stop": lambda b, e, a: faces(b, e).count("S") == 3 and gain(b, a) == b.points == 100,
    "dead end": lambda b, e, a: faces(b, e).count("D") == 3 and b.points == 100 and gain(b, a) == 0,
    "six again": lambda b, e, a: b.dice == 1 and a.dice == 6 and a.points == b.points + 50,
    "u-turn": lambda b, e, a: (
        faces(b, e).count("U") == 3 and gain(b, a) == b.points == 375
        and [move.text for move in a.legal_moves()] == ["target 2", "target 3"]
    ),
    "penalty": lambda b, e, a: b.penalty and b.fresh and a.points == 100 and a.roller == 1 and a.penalty,
    "penalty stop": lambda b, e, a: b.penalty and faces(b, e).count("S") == 3 and gain(b, a) == -b.points == -100,
    "play goes on": lambda b, e, a: not b.penalty and b.fresh and b.roller == 1,
    "penalty u-turn": lambda b, e, a: (
        b.penalty and faces(b, e).count("U") == 3 and gain(b, a) == -b.points == -100 and a.seat == b.roller
        and len(a.legal_moves()) == 2
    ),
    "penalty dead end": lambda b, e, a: (
        b.penalty and faces(b, e).count("D") == 3 and b.points == 100 and gain(b, a) == 0 and a.roller == 2
    ),
    "split": lambda b, e, a: [move.text for move in b.legal_moves()] == ["follow stop", "follow dead-end"],
    "win": lambda b, e, a: a.scores[0] == 6000 and a.result.winners == (0,),
    # Jim's example: 825 + 350 = 1175
    "bank roll": lambda b, e, a: (b.points, gain(b, a), a.points, a.dice, a.roller) == (825, 1175, 0, 6, 0),
    "final round": lambda b, e, a: b.leader == 0 and b.scores[0] == 6075 and b.roller == 1,
    "final win": lambda b, e, a: a.result.winners == (0,) and a.scores == (6025, 5200, 5100),
}  # fmt: skip


def entry(before: Any, after: Any) -> int:
    """What was written on the sheet of whoever decided."""
    return int(sum(after.sheets[before.seat]) - sum(before.sheets[before.seat]) - 1)


KISMET: Mapping[str, Check] = {
    "who begins": lambda b, e, a: b.roll_off == (5, 0) and e.roll == (3,) and a.roller == 0 and not a.roll_off,
    "keep": lambda b, e, a: a.dice == (3, 3) and b.rolls == a.rolls == 1,
    "colours": lambda b, e, a: b.dice == (3, 3, 4, 4, 4),
    "full house same color": lambda b, e, a: entry(b, a) == 3 + 3 + 4 + 4 + 4 + 20,
    "stop early": lambda b, e, a: b.rolls == 2 and a.roller == 1,
    "any box": lambda b, e, a: len([m for m in b.legal_moves() if m.text.startswith("score")]) == 15,
    "two pair": lambda b, e, a: b.dice == (1, 1, 3, 6, 6) and entry(b, a) == 17 and e.move.text == "score two-pair",
    "any dice": lambda b, e, a: b.dice.count(5) == 2 and a.dice == (2, 3, 4, 5),
    "three rolls": lambda b, e, a: b.rolls == 2 and a.rolls == 3 and all(
        move.text.startswith("score") for move in a.legal_moves()
    ),
    "straight": lambda b, e, a: b.dice == (2, 3, 4, 5, 6) and entry(b, a) == 30,
    "flush": lambda b, e, a: b.dice == (2, 2, 5, 5, 5) and entry(b, a) == 35,
    "full house": lambda b, e, a: b.dice == (2, 2, 6, 6, 6) and entry(b, a) == 22 + 15 and b.rolls == 1,
    # the sheet's 4-5-5-5-5: 49
    "four of a kind": lambda b, e, a: b.dice == (4, 5, 5, 5, 5) and entry(b, a) == 49,
    "basic": lambda b, e, a: b.dice == (1, 3, 6, 6, 6) and entry(b, a) == 18,
    "bonus": lambda b, e, a: sum(a.sheets[0][:6]) == 63 and gain(b, a) == 18 + 35,
    "three of a kind": lambda b, e, a: b.dice == (1, 5, 5, 5, 6) and entry(b, a) == 22,
    "kismet": lambda b, e, a: b.dice == (4,) * 5 and entry(b, a) == 20 + 50,
    "yarborough": lambda b, e, a: b.dice == (1, 3, 4, 6, 6) and entry(b, a) == 20 and "yarb" in e.move.text,
    "second kismet": lambda b, e, a: (
        b.had_kismet[0] and b.dice == (5,) * 5 and entry(b, a) == 25 + 25
        and b.sheets[1].index(-1) == 1 and a.sheets[1][1] == 0 and a.sheets[1].count(-1) == 1 and a.roller == 0
    ),
    "zero": lambda b, e, a: e.move.text == "score flush" and b.rolls == 3 and entry(b, a) == 0,
    "winner": lambda b, e, a: all(-1 not in sheet for sheet in a.sheets) and a.result.winners == (0,),
}  # fmt: skip

ROLLERS: Mapping[str, Check] = {
    # a STAR is a 6
    "who begins": lambda b, e, a: b.roll_off == (6, 4, 0) and faces(b, e) == ["2"] and a.roller == 0,
    "six dice": lambda b, e, a: b.fresh and len(e.roll) == 6,
    "keep": lambda b, e, a: len(a.kept) == 4 and b.rolls == 1,
    "stop": lambda b, e, a: b.rolls == 2 and e.move.text == "stop" and a.rolls == 3,
    "open": lambda b, e, a: e.move.uses[2] == 3 and a.boards[0][2] == 1,
    "close": lambda b, e, a: e.move.uses[0] == 2 and a.boards[0][0] == 2,
    "star": lambda b, e, a: b.usable.count(3) == 2 and 6 in b.usable and e.move.uses[2] == 3 and a.boards[0][2] == 1,
    "unused": lambda b, e, a: len(b.usable) == 6 and sum(e.move.uses) == 5,
    "zap": lambda b, e, a: b.rolls == 0 and "zap" in faces(b, e) and a.usable == () and a.rolls == 1,
    "zap keeps": lambda b, e, a: "zap" in faces(b, e) and len(a.usable) == 2 and a.rolls == 2,
    # two more 3s from each of two players, and a 1 from the one who has not closed it
    "collect": lambda b, e, a: a.chips[0] - b.chips[0] == 2 * 3 * 2 + 1,
    "closed pays nothing": lambda b, e, a: b.boards[2][0] == 2 and b.chips[2] - a.chips[2] == 6,
    "what is left": lambda b, e, a: b.chips[1] == 5 and b.outcome_of(e.move.uses)[1] == (114, 0, 51),
    "round": lambda b, e, a: gain(b, a, 0) == 2 + 1,
    "most chips": lambda b, e, a: b.richest((114, 0, 51))[0] == (0,),
    "next round": lambda b, e, a: (
        b.boards == ((0,) * 5,) * 3 and b.chips == (55,) * 3 and b.starter == b.roller == 2 and b.fresh
    ),
    "last zap": lambda b, e, a: b.rolls == 2 and "zap" in faces(b, e) and a.usable == b.kept and a.rolls == 3,
    "no chips": lambda b, e, a: b.chips[1] == 0 and {m.text for m in b.legal_moves()} == {"apply none", "apply 5"},
    "poor board": lambda b, e, a: a.boards[1] == (2,) * 5 and gain(b, a, 1) == 1,
    "win": lambda b, e, a: a.seat == OVER and max(a.scores) == 5,
    "level": lambda b, e, a: a.scores[:2] == (5, 5) and a.chips[0] > a.chips[1] and a.result.winners == (0,),
}  # fmt: skip

CHECKS: Mapping[str, Mapping[str, Check]] = {"bj": BJ, "kor": KOR, "kismet": KISMET, "rollers": ROLLERS}


def lesson(game: Game) -> Lesson:
    found = lesson_of(game)
    assert found is not None
    return found


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_every_rule_comes_up_as_the_sheet_has_it(game: Game) -> None:
    checks = CHECKS[game.name]
    assert {rule.name for rule in lesson(game).rules} == {*checks}
    for scene in lesson(game).scenes:
        for met in scene.met:
            before, after = scene.states[met.event], scene.states[met.event + 1]
            event = scene.record.events[met.event]
            assert checks[met.rule](before, event, after), f"{met.rule}: {before}, {event}"


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_a_lesson_can_be_played(game: Game) -> None:
    for scene in lesson(game).scenes:
        state = scene.states[scene.steps[0].first]
        for step in scene.steps:
            for event in step.events:
                state = apply_event(state, event)
        assert state == scene.states[-1]
        assert scene.steps[0].says, "a scene begins with a word from the teacher"
        assert not scene.steps[-1].events


def test_the_dice_aside_were_seen_to_fall() -> None:
    """What was played before a scene opens is in its record: a page has no face for other dice."""
    for scene in lesson(load_game("kor")).scenes:
        start: Any = scene.states[0]
        assert start.dice == 6
        opening: Any = scene.states[scene.steps[0].first]
        assert (opening.dice, opening.points) == (1, 325) or opening is start


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_a_lesson_takes_two_or_three_minutes(game: Game) -> None:
    """At 200 words a minute, and some three seconds for everything that is done."""
    steps = [step for scene in lesson(game).scenes for step in scene.steps]
    words = sum(len(step.says.split()) for step in steps)
    assert sum(step.learner for step in steps) <= 30
    assert words / 200 + len(steps) * 3 / 60 <= 4
    assert all(len(step.says.split()) <= 42 for step in steps)


# Reading is strict


WRONG = {
    "the first comment is not a title": ("# scene: ", "# ", "A scene begins with"),
    "a rule that the sheet does not have": ("# rule: bust", "# rule: boost", "no rule “boost”"),
    "a choice without a hint": ("# try: Two dice", "# Two dice", "“# try: …” before it"),
    "words after a mark": ("# rule: pass\n", "# rule: pass\n# Well done.\n", "before “try” and “rule”"),
    "two learners": ("Ben (greedy)", "Ben (person)", "One seat is a person's"),
    "other dice": ("dice: manual", "dice: recorded", "“manual”"),
    "a move that is not legal": ("1 rolls 2 5 6", "1 rolls 2 2 5 6", "not a roll of the dice in hand"),
    "a rule at the end": ("result: unfinished", "# rule: bust\nresult: unfinished", "before the event that shows it"),
}


@pytest.mark.parametrize(("right", "wrong", "said"), WRONG.values(), ids=WRONG)
def test_a_scene_that_does_not_hold_is_refused(right: str, wrong: str, said: str, tmp_path: Path) -> None:
    game = next(game for game in TAUGHT if "bust" in (game.lesson / "sheet.txt").read_text("utf-8"))
    folder = Path(copytree(game.lesson, tmp_path / "lesson"))
    first = min(folder.glob("*.hotdice"))
    text = first.read_text("utf-8")
    assert right in text
    first.write_text(text.replace(right, wrong, 1), "utf-8")
    with pytest.raises(HotdiceError, match=f"{first.name}: line .*{said}"):
        read_lesson(game, folder)


def test_a_rule_that_never_comes_up_is_refused(tmp_path: Path) -> None:
    game = TAUGHT[0]
    folder = Path(copytree(game.lesson, tmp_path / "lesson"))
    with (folder / "sheet.txt").open("a", encoding="utf-8") as sheet:
        sheet.write("flip: A die on its edge is flipped.\n")
    with pytest.raises(HotdiceError, match="“flip” does not come up"):
        read_lesson(game, folder)


def test_a_scene_of_another_game_is_refused(tmp_path: Path) -> None:
    one, other = TAUGHT[:2]
    folder = Path(copytree(one.lesson, tmp_path / "lesson"))
    with pytest.raises(HotdiceError, match=f"another game than {other.title}"):
        read_lesson(other, folder)


def test_a_game_without_a_lesson_has_none() -> None:
    assert all(lesson_of(game) is None for game in all_games() if game not in TAUGHT)
