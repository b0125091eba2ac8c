"""What is said and shown of a match of Rollers: sentences, and the boards as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hotdice.dice import Roll
from hotdice.game import CHANCE, OVER, Move, State
from hotdice.games.rollers.data import RoundEnd, effect_of
from hotdice.games.rollers.rules import (
    CLOSED,
    DICE,
    EMPTY,
    NUMBERS,
    OPEN,
    ROLLS,
    ZAP,
    Apply,
    Call,
    Keep,
    applied,
    place_of,
    pool_of,
)
from hotdice.notation import listed
from hotdice.rolloff import WAITING
from hotdice.view import DieView, Grid, Result, Standing

if TYPE_CHECKING:
    from hotdice.games.rollers.state import RollersState

_SECTIONS: Final = {EMPTY: "·", OPEN: "open", CLOSED: "closed"}


def why_illegal(state: RollersState, move: Move) -> str:
    """Why a move is not legal now."""
    match move:
        case Apply() if state.rolls < ROLLS:
            return "The dice are applied after the last roll; stop first."
        case Apply(uses):
            return _why_not_applied(state, uses)
        case Keep() if state.rolls == ROLLS:
            return "There is no roll left; the dice have to be applied."
        case Keep(dice) if len(dice) == DICE:
            return "To keep all six dice, stop."
        case Keep(dice) if state.options.saved_dice == "locked" and any(
            dice.count(die) < state.kept.count(die) for die in state.kept
        ):
            return f"Saved dice are locked: {state.game.roll_text(state.kept)} must stay."
        case Keep() if state.zapped:
            return "The ZAP cancelled this roll; only dice kept before it can be kept."
        case Keep():
            return f"The dice are {state.game.roll_text(state.usable)}, so “{move.text}” is not possible."
        case Call.STOP:
            return "There is no roll left to stop before; the dice have to be applied."
    return State.why_illegal(state, move)


def _why_not_applied(state: RollersState, uses: tuple[int, ...]) -> str:
    pool = pool_of(state.usable)
    missing = sum(max(0, used - count) for used, count in zip(uses, pool.counts, strict=True))
    if missing > pool.stars:
        return f"The dice to apply are {state.game.roll_text(state.usable) or 'none'}; they cannot be used like that."
    sections = tuple(zip(NUMBERS, state.boards[state.seat], uses, strict=True))
    for number, section, used in sections:
        if section == EMPTY and 0 < used < number:
            return f"Opening the {number}s takes {number} dice, not {used}."
    if not state.chips[state.seat]:
        return "Without chips of your own you cannot collect any."
    collects = state.collects()
    number = next(part[0] for part in sections if applied(*part)[1] and not collects[part[0] - 1])
    return f"Everybody else has closed the {number}s, so there is nobody to collect from."


def tell_move(state: RollersState, move: Move) -> str:
    """What the player does by a move."""
    match move:
        case Keep(()):
            return "rolls all six again."
        case Keep(dice):
            rest = DICE - len(dice)
            return f"keeps {state.game.roll_words(dice)} and rolls {rest} {'die' if rest == 1 else 'dice'}."
        case Apply():
            return _tell_applied(state, move)
    return f"stops with {state.game.roll_words(state.usable) or 'no dice'}."


def doing(state: RollersState, move: Move) -> str:
    """A move as something one does."""
    match move:
        case Keep(()):
            return "rolling all six again"
        case Keep(dice):
            return f"keeping {state.game.roll_words(dice)}"
        case Apply():
            return f"using {move.text.removeprefix('apply ')}"
    return "stopping"


def _tell_applied(state: RollersState, move: Apply) -> str:
    effect = effect_of(state, move)
    deeds: list[str] = []
    opens, closes = effect.opens, effect.closes
    for number in sorted({*opens, *closes}):
        verb = "closes" if number not in opens else "opens and closes" if number in closes else "opens"
        deeds.append(f"{verb} the {number}s")
    if effect.paid:
        deeds.append(f"collects {sum(effect.paid)}")
    told = f"{listed(deeds)}." if deeds else "applies nothing."
    return f"{told} {_tell_end(effect.round_end)}" if effect.round_end else told


def _tell_end(end: RoundEnd) -> str:
    gains = listed(f"{{{seat}}} {points}" for seat, points in enumerate(end.points) if points)
    verdict = f"{{{end.starter}}} starts the next round."
    if end.winners:
        winners = listed(f"{{{winner}}}" for winner in end.winners)
        verdict = f"{winners} {'wins' if len(end.winners) == 1 else 'share the win'}!"
    return f"The board is full, and the round is over. Points: {gains}. {verdict}"


def tell_roll(state: RollersState, roll: Roll) -> str:
    """What a roll shows, and in the roll-off who begins."""
    told = f"rolls {state.game.roll_words(roll)}"
    if not state.roll_off:
        return f"{told}. The ZAP cancels this roll." if ZAP in roll else f"{told}."
    after = state.roll(roll)
    if after.roll_off and WAITING in state.roll_off[state.roller + 1 :]:
        return f"{told} to see who begins."
    verdict = "A tie at the top: roll again." if after.roll_off else f"{{{after.roller}}} begins."
    return f"{told} to see who begins. {verdict}"


def prompt(state: RollersState) -> str:
    """What is to happen now."""
    who = f"{{{state.roller}}}"
    if state.roll_off:
        return f"{who} rolls one purple die to see who begins."
    if state.seat == OVER:
        return "The match is over."
    if state.seat == CHANCE:
        dice = DICE - len(state.kept)
        return f"{who} rolls {'one die' if dice == 1 else f'{dice} dice'}, roll {state.rolls + 1} of {ROLLS}."
    if state.rolls == ROLLS:
        return f"{who} applies {state.game.roll_words(state.usable) or 'no dice'}."
    zapped = " The ZAP cancelled this roll." if state.zapped else ""
    return f"{who} keeps dice and rolls the others, or stops. Roll {state.rolls} of {ROLLS}.{zapped}"


def result(state: RollersState) -> Result:
    """Who has won, and where everybody stands."""
    target = state.options.target_points
    order = sorted(range(state.players), key=state.strength, reverse=True)
    places: list[int] = []
    for position, seat in enumerate(order):
        tied = position and state.strength(seat) == state.strength(order[position - 1])
        places.append(places[-1] if tied else position + 1)
    chips = ["1 chip" if count == 1 else f"{count} chips" for count in state.chips]
    standings = tuple(
        Standing(seat, place, state.scores[seat], chips[seat]) for seat, place in zip(order, places, strict=True)
    )
    winners = tuple(sorted(standing.seat for standing in standings if standing.place == 1))
    at_target = sum(score >= target for score in state.scores)
    reason = f"First to {target} points." if target > 1 else "First to a point."
    if len(winners) > 1:
        reason = f"Level at {state.scores[winners[0]]} points and in chips."
    elif at_target > 1:
        reason = f"Several reached {target} at once; the most chips decide, then the most points."
    return Result(winners, reason, standings)


def dice_view(state: RollersState) -> tuple[DieView, ...]:
    """The dice on the table."""
    place = place_of(state.rolled)
    return (
        *(state.game.die_view(code, "kept") for code in state.kept),
        *(state.game.die_view(code, place) for code in state.rolled),
    )


def grids(state: RollersState) -> tuple[Grid, ...]:
    """Everybody's board, chips and points."""
    head = ("Player", *(f"{number}s" for number in NUMBERS), "Chips", "Points")
    rows = tuple(
        (f"{{{seat}}}", *(_SECTIONS[section] for section in board), str(chips), str(points))
        for seat, (board, chips, points) in enumerate(zip(state.boards, state.chips, state.scores, strict=True))
    )
    return (Grid(head, rows),)
