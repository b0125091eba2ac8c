"""`hotdice tournament`: bots against each other in every seating, a cross table, and ratings."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hotdice import pictures
from hotdice.commands.simulations import share, shown
from hotdice.games import load_game
from hotdice.simulation import tournament, tournament_chart
from hotdice.simulation.clusters import Where
from hotdice.simulation.kept import Kept
from hotdice.simulation.plan import prepare_again
from hotdice.simulation.tally import Interval
from hotdice.simulation.tournament import Outcome, Standings, Tournament, plans_of
from hotdice.terminal.columns import columns
from hotdice.terminal.progress import Work, worked
from hotdice.values import Progress

UNTIL_AT_MOST = 10**8
"""Games of each seating after which a tournament ends that is to go on until its errors are small."""


def play(
    name: str,
    entrants: Sequence[str],
    options: Sequence[str],
    *,
    seats: int | None,
    games: int | None,
    until: float | None,
    seed: int,
    where: Where,
    as_json: bool,
    plot: Path | None,
    results: Path | None,
) -> int:
    """Play a tournament and print what it says; stopped by Ctrl-C, what the games so far say."""
    game = load_game(name.lower())
    wanted = Tournament.of(game, game.options.parse(",".join(options)), entrants, seats, seed)
    if plot:
        pictures.check(plot)
    most = games if games is not None else UNTIL_AT_MOST if until is not None else 1000
    kept: Kept[Standings] | None = None
    if results:
        what = {"game": wanted.game, "entrants": list(wanted.names), "seats": wanted.seats, "seed": seed}
        kept = Kept(results, what)
    found: list[Standings] = []

    def keep() -> None:
        if kept:
            kept.write_now_and_then(found[0])

    def do(progress: Progress) -> None:
        standings = tournament.begin(wanted, progress)
        found.append(kept.read(standings) if kept else standings)
        plans = [plan for _, plan in plans_of(wanted)]
        slowest = min(plans, key=lambda plan: prepare_again(plan).compiled)
        try:
            with where.side_by_side(prepare_again(slowest), slowest) as mapped:
                tournament.go_on(wanted, found[0], most, mapped=mapped, until=until, keep=keep, progress=progress)
        finally:
            if kept:
                kept.write(found[0])

    stopped, error = worked(Work(do, f"Playing a tournament of {game.title}"))
    if found and found[0].games:
        outcome = Outcome(wanted, found[0])
        if as_json:
            print(json.dumps(_as_json(wanted, found[0], outcome, stopped=stopped), indent=2))
        else:
            print("\n".join(_lines(wanted, found[0], outcome, stopped=stopped)))
        if plot:
            tournament_chart.write(wanted, outcome, found[0].games, plot)
    if error:
        raise error
    return 130 if stopped else 0


# As text


def _lines(wanted: Tournament, standings: Standings, outcome: Outcome, *, stopped: bool) -> list[str]:
    each = f"{standings.games:,} games in each of {wanted.seatings:,} seatings"
    how = "compiled" if tournament.compiled(wanted) else "partly by the rules' own states"
    lines = [f"{wanted.game}: {each}, all on the same dice; seed {wanted.seed}, played {how}."]
    if stopped:
        lines.append("Stopped; this is what the games played so far say.")
    lines += ["", *columns(_standing_rows(wanted, outcome)), "", *columns(_cross_rows(wanted, outcome))]
    if not wanted.by_score:
        seats = ", ".join(f"{number} {share(one)}" for number, one in enumerate(outcome.by_seat, 1))
        lines += ["", f"By seat: {seats}."]
    said = "points of the left one more than of the upper one" if wanted.by_score else "wins of the left one"
    about = [
        f"The cross table has {said}" + ("" if wanted.seats < 3 else " of those that the two had at one table") + "."
    ]
    if not wanted.by_score:
        about.append("Ratings are Elo points around 0, by Luce's choice axiom.")
    return [*lines, "", *about, "± is a 95% interval; places are as far apart as the same dice tell entrants apart."]


def _standing_rows(wanted: Tournament, outcome: Outcome) -> list[list[str]]:
    ratings = None if wanted.by_score else outcome.ratings()
    rows = [["Entrant", "Place", *(["Rating", "Wins"] if ratings else []), "Score"]]
    for one in outcome.order:
        best, worst = outcome.place(one)
        found = [shown(ratings[one], "+"), share(outcome.results[one])] if ratings else []
        place = str(best) if best == worst else f"{best} to {worst}"
        rows.append([wanted.names[one], place, *found, shown(outcome.scores[one])])
    return rows


def _cross_rows(wanted: Tournament, outcome: Outcome) -> list[list[str]]:
    rows = [["Against", *(wanted.names[one] for one in outcome.order)]]
    for one in outcome.order:
        cells = ["" if one == other else _cell(wanted, outcome.against(one, other)) for other in outcome.order]
        rows.append([wanted.names[one], *cells])
    return rows


def _cell(wanted: Tournament, found: Interval) -> str:
    return shown(found, "+") if wanted.by_score else share(found)


# As data


def _as_json(wanted: Tournament, standings: Standings, outcome: Outcome, *, stopped: bool) -> dict[str, Any]:
    everybody = range(len(wanted.entrants))
    ratings = None if wanted.by_score else outcome.ratings()
    return {
        "game": wanted.game, "seats": wanted.seats, "seed": wanted.seed, "stopped": stopped,
        "games": standings.games, "seatings": wanted.seatings, "compiled": tournament.compiled(wanted),
        "unit": "points" if wanted.by_score else "wins",
        "entrants": [
            {
                "name": wanted.names[one],
                "place": outcome.place(one),
                "result": asdict(outcome.results[one]),
                "rating": asdict(ratings[one]) if ratings else None,
                "score": asdict(outcome.scores[one]),
                "against": [None if one == other else asdict(outcome.against(one, other)) for other in everybody],
                "ahead_by": [None if one == other else asdict(outcome.apart(one, other)) for other in everybody],
            }
            for one in everybody
        ],
        "by_seat": None if wanted.by_score else [asdict(one) for one in outcome.by_seat],
    }  # fmt: skip
