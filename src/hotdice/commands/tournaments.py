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
from hotdice.simulation.tally import Interval
from hotdice.simulation.tournament import Outcome, play_tournament
from hotdice.terminal.columns import columns
from hotdice.terminal.progress import Work, worked
from hotdice.values import Progress


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
    chosen = game.options.parse(",".join(options))
    if plot:
        pictures.check(plot)
    found: list[Outcome] = []

    def see(outcome: Outcome) -> None:
        found[:] = [outcome]

    def do(progress: Progress) -> None:
        play_tournament(
            game.name, entrants, seats=seats, games=games, until=until, seed=seed, options=chosen, jobs=where.jobs,
            workers=where.workers, scheduler=where.scheduler, results=results, each=see, progress=progress,
        )  # fmt: skip

    stopped, error = worked(Work(do, f"Playing a tournament of {game.title}"))
    for outcome in (one for one in found if one.games):
        if as_json:
            print(json.dumps(_as_json(outcome, stopped=stopped), indent=2))
        else:
            print("\n".join(_lines(outcome, stopped=stopped)))
        if plot:
            tournament_chart.write(outcome, plot)
    if error:
        raise error
    return 130 if stopped else 0


# As text


def _lines(outcome: Outcome, *, stopped: bool) -> list[str]:
    wanted = outcome.tournament
    each = f"{outcome.games:,} games in each of {wanted.seatings:,} seatings"
    how = "compiled" if tournament.compiled(wanted) else "partly by the rules' own states"
    lines = [f"{wanted.game}: {each}, all on the same dice; seed {wanted.seed}, played {how}."]
    if stopped:
        lines.append("Stopped; this is what the games played so far say.")
    lines += ["", *columns(_standing_rows(outcome)), "", *columns(_cross_rows(outcome))]
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


def _standing_rows(outcome: Outcome) -> list[list[str]]:
    wanted = outcome.tournament
    ratings = None if wanted.by_score else outcome.ratings()
    rows = [["Entrant", "Place", *(["Rating", "Wins"] if ratings else []), "Score"]]
    for one in outcome.order:
        best, worst = outcome.place(one)
        found = [shown(ratings[one], "+"), share(outcome.results[one])] if ratings else []
        place = str(best) if best == worst else f"{best} to {worst}"
        rows.append([wanted.names[one], place, *found, shown(outcome.scores[one])])
    return rows


def _cross_rows(outcome: Outcome) -> list[list[str]]:
    wanted = outcome.tournament
    rows = [["Against", *(wanted.names[one] for one in outcome.order)]]
    for one in outcome.order:
        cells = ["" if one == other else _cell(outcome, outcome.against(one, other)) for other in outcome.order]
        rows.append([wanted.names[one], *cells])
    return rows


def _cell(outcome: Outcome, found: Interval) -> str:
    return shown(found, "+") if outcome.tournament.by_score else share(found)


# As data


def _as_json(outcome: Outcome, *, stopped: bool) -> dict[str, Any]:
    wanted = outcome.tournament
    everybody = range(len(wanted.entrants))
    ratings = None if wanted.by_score else outcome.ratings()
    return {
        "game": wanted.game, "seats": wanted.seats, "seed": wanted.seed, "stopped": stopped,
        "games": outcome.games, "seatings": wanted.seatings, "compiled": tournament.compiled(wanted),
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
