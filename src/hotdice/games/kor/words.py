"""What is said and shown of a game of KOR: sentences and the score sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotdice.dice import Roll
from hotdice.game import OVER, Move, State, race
from hotdice.games.kor.rules import DICE, DIE, NOBODY, SIGN_NAMES, Follow, Side, Target, read_toss
from hotdice.view import Grid, Result, rank, verb, who

if TYPE_CHECKING:
    from hotdice.games.kor.state import KorState


def why_illegal(state: KorState, move: Move) -> str:
    """Why a move is not legal now."""
    match move:
        case Target(seat) if not state.signs and seat == state.seat:
            return "A U-TURN penalty goes to an opponent, not to yourself."
        case Target(seat) if not state.signs:
            return f"There is no seat {seat + 1} at this table."
        case Target():
            return "First choose which of the two signs to follow."
        case Follow() if not state.signs:
            return "There is no sign to choose; name the opponent who serves the penalty."
        case Follow(sign):
            return f"The toss does not show three {SIGN_NAMES[sign]} signs."
    return State.why_illegal(state, move)


def tell_move(state: KorState, move: Move) -> str:
    """What the player does by a move."""
    match move:
        case Target(seat):
            sends = verb(state.seat, "sends", "send")
            rolled = verb(seat, "what they roll", "what you roll")
            return f"{sends} {who(seat, 'you')} on a U-TURN: {rolled} now is subtracted."
        case Follow(sign):
            follows = verb(state.seat, "follows", "follow")
            return f"{follows} {_name(sign)}{_ending(state, state.apply(move), sign)}"
    raise state.illegal(move)


def doing(state: KorState, move: Move) -> str:
    """A move as something one does."""
    match move:
        case Target(seat):
            return f"sending {{{seat}}} on a U-TURN"
        case Follow(sign):
            return f"following {_name(sign)}"
    raise state.illegal(move)


def reason(state: KorState, move: Move) -> str:
    """What speaks for a move: the best score among the others, or what the other sign would do."""
    match move:
        case Target(seat):
            others = [score for other, score in enumerate(state.scores) if other != state.seat]
            if len(others) == 1:
                return "there is nobody else"
            return (
                f"nobody else has more than {{{seat}}}'s {max(others):,}" if state.scores[seat] == max(others) else ""
            )
        case Follow(sign):
            (other,) = (one for one in state.signs if one != sign)
            return _why_followed(state, sign, other)
    raise state.illegal(move)


def _why_followed(state: KorState, sign: Side, other: Side) -> str:
    """Why a sign is followed and not the other one. A DEAD END is the only one that leaves points where they were."""
    points = f"the {state.points:,} points"
    if state.points and other == Side.DEAD_END and not state.penalty:
        return f"{_name(other)} would lose {points}"
    if state.points and sign == Side.DEAD_END and state.penalty:
        return f"{_name(other)} would subtract {points}"
    if sign == Side.U_TURN and other == Side.STOP:
        return f"{points} {'are subtracted' if state.penalty else 'count'} either way, and this sends somebody back"
    return ""


def tell_roll(state: KorState, roll: Roll) -> str:
    """What a toss brings about."""
    toss = read_toss(roll)
    after = state.roll(roll)
    roller = state.roller
    tosses = f"{verb(roller, 'tosses', 'toss')} {state.game.roll_words(roll)}"
    if state.options.bank_roll and toss.scoring == DICE:
        banks = verb(roller, "Loses", "You lose") if state.penalty else verb(roller, "Banks", "You bank")
        rolls = verb(roller, "rolls", "roll")
        return f"{tosses}: a Bank Roll! {banks} {state.points + toss.total:,} at once, and {rolls} on."
    if len(toss.signs) == 2:
        return f"{tosses}: three {' and three '.join(map(_name, toss.signs))}, a choice."
    if toss.signs:
        return f"{tosses}: {_name(toss.signs[0])}{_ending(state, after, toss.signs[0])}"
    if not toss.scoring:
        return f"{tosses}: no number ends the {'penalty' if state.penalty else 'turn'}{_ending(state, after)}"
    gain = after.points - state.points
    scores = f", scoring {gain:,}" if gain != toss.highest else ""
    again = " All six roll again." if after.dice == DICE else ""
    sets = verb(roller, "sets", "set")
    return f"{tosses} and {sets} {toss.highest} aside{scores}: {after.points:,} so far.{again}"


def _ending(state: KorState, after: KorState, sign: Side | None = None) -> str:
    """How the turn or penalty ends, as the rest of a sentence that names the sign that ended it, if one did."""
    points = abs(after.scores[state.roller] - state.scores[state.roller])
    if sign == Side.DEAD_END:
        lost = f"the {state.points:,} points are lost" if state.points else "there was nothing to lose"
        text = ", no points are subtracted." if state.penalty else f", {lost}."
    else:
        sends = ", and somebody is sent driving backwards" if after.seat == state.roller else ""
        text = f", {points:,} points are {'subtracted' if state.penalty else 'scored'}{sends}."
    if after.seat == OVER:
        return f"{text} {who(after.winner)} {verb(after.winner, 'wins', 'win')}!"
    if after.leader == state.leader:
        return text
    if after.leader == NOBODY:
        return f"{text} The final round is undecided, and play goes on."
    stands = f"{who(after.leader)} {verb(after.leader, 'stands', 'stand')}"
    return f"{text} {stands} at {after.scores[after.leader]:,}: the final round begins."


def prompt(state: KorState) -> str:
    """What is to happen now."""
    roller = state.roller
    if state.seat == OVER:
        return f"{who(state.winner)} {verb(state.winner, 'has', 'have')} won."
    last = " Final round." if state.leader != NOBODY else ""
    if state.signs:
        chooses = verb(roller, "chooses", "choose")
        return f"{who(roller)} {chooses} which sign to follow, with {state.points:,} points so far.{last}"
    if state.seat == state.roller:
        return f"{who(roller)} {verb(roller, 'names', 'name')} the opponent who serves the U-TURN penalty.{last}"
    what = verb(roller, "tosses", "toss")
    if state.penalty:
        what = verb(roller, "serves a penalty and tosses", "serve a penalty and toss")
    dice = "1 die" if state.dice == 1 else f"{state.dice} dice"
    return f"{who(roller)} {what} {dice}, with {state.points:,} points so far.{last}"


def result(state: KorState) -> Result:
    """Who has won."""
    winner = state.winner
    when = "after the final round" if state.options.final_round else "at the end of a turn"
    reason = f"{state.options.target:,} or more {when}."
    return Result((winner,), reason, rank(state.scores, (winner,)))


def grids(state: KorState) -> tuple[Grid, ...]:
    """The score sheet."""
    return race(state.scores, state.options.target)


def _name(sign: Side) -> str:
    """A sign as the die shows it."""
    return next(face.name for face in DIE.faces if face.code == sign)
