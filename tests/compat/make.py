"""Writes down games, saves and a server's database of the version that runs it, for the tests of later versions.

    python -m tests.compat.make tests/compat/2026-11-16

It takes half a minute, and what it writes stays as it is: a later version adds a folder of its own. Besides the data,
the folder gets two JSON files that say what this version made of it: results, scores and positions.

It keeps to what outlives a version: public names of the library, HTTP and WebSocket, what is typed in a terminal.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import Any

from hotdice import Game, Move, Options, SeededDice, State, all_games
from hotdice.dice import ManualDice, RecordedDice
from hotdice.fair import FairDice, SameDice, SeededSameDice, Share, TurnDice
from hotdice.record import Comment, Entry, Record, read_record, record_of
from hotdice.table import Rolled, Seat, Table
from tests.server.playing import SHORT, act, finish, joined, step, to_a_choice
from tests.server.running import OPEN, Client, Json, Running, begun, bot, local, person
from tests.terminal.drive import hotdice, played, saved_in

EVERY = 10
"""Of how many positions of a record one is kept; the last one always is."""
DAY = date(2026, 11, 16)
BANNED = "192.0.2.7"
FORGOTTEN = "Ben"
"""Whose name is taken out of the book."""
NAMES = ("Ann", "J. Smith", "Zoë", "Robot (old)", "Lou 2", "Eve", "Mallory", "X")


def main(folder: Path) -> None:
    folder.mkdir(parents=True)
    records = folder / "records"
    records.mkdir()
    expected: Json = {}
    for name, record in [*recorded_games(), *later_games(), *saved_games()]:
        (records / f"{name}.hotdice").write_text(record.text, "utf-8", newline="\n")
        expected[name] = outcome(record)
    write_json(folder / "records.json", expected)
    with tempfile.TemporaryDirectory() as place:
        database = Path(place) / "tables.sqlite"
        tables = Tables(str(database))
        write_json(folder / "tables.json", tables.play())
        (folder / "tables.sql").write_text(dump(database), "utf-8", newline="\n")


def write_json(path: Path, data: Json) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8", newline="\n")


# Records


@dataclass(frozen=True)
class Playing:
    """A bot of any kind, which plays by the game's greedy rule."""

    kind: str

    def choose(self, state: State) -> Move:
        return state.game.greedy(state)


KINDS = ("person", "greedy", "random", "beginner", "casual", "expert", "optimal")


def recorded_games() -> Iterator[tuple[str, Record]]:
    """A game under every combination of options, each with another kind of dice and other players."""
    dice, ends = cycle(("seeded", "manual", "fair", "hidden", "recorded")), cycle((0, 0, 25))
    for game in all_games():
        counts = cycle(sorted({game.min_players, min(3, game.max_players), game.max_players}))
        for number, options in enumerate(game.options.combinations(), 1):
            kind, end = next(dice), next(ends)
            table = engine_game(game, options, next(counts), number, kind, 25 if kind == "hidden" else end)
            record = record_of(table, DAY)
            if isinstance(table.dice, FairDice) and kind == "hidden":
                record = replace(record, dice=table.dice.hidden_text)
            yield f"{game.name}-{number}-{kind}", commented(record)


def later_games() -> Iterator[tuple[str, Record]]:
    """What records had later: dice by turns, and games that begin at a position."""
    for game in all_games():
        options = game.options.make(SHORT[game.name].items())
        for seed, kind in enumerate(("seeded-same", "turns", "same"), 1):
            yield f"{game.name}-{kind}", record_of(engine_game(game, options, 2, seed, kind, 0), DAY)
        middle = engine_game(game, options, 2, 4, "seeded", 12).state
        yield f"{game.name}-from", record_of(engine_game(game, options, 2, 5, "seeded", 0, middle), DAY)


def engine_game(
    game: Game, options: Options, players: int, seed: int, dice: str, events: int, start: State | None = None
) -> Table:
    """A game that the engine plays to its end, or the first events of it."""
    kinds = [KINDS[(seed + seat) % len(KINDS)] for seat in range(players)]
    bots = [Playing(kind) for kind in kinds]
    seats = [Seat(name, None if bot.kind == "person" else bot) for name, bot in zip(NAMES, bots, strict=False)]
    secret = bytes([seed]) * 32
    fair = {"fair": FairDice, "hidden": FairDice, "turns": TurnDice, "same": SameDice}.get(dice)
    seeded = SeededSameDice if dice == "seeded-same" else SeededDice
    source = fair(f"table-{seed}", secret, (Share(0, "ann_1"),)) if fair else seeded(seed)
    table = Table(start or game.start(players, options), seats, source)
    while table.state.result is None and (not events or table.played < events):
        state = table.state
        if state.seat >= 0:
            table.play(bots[state.seat].choose(state), state.seat)
        else:
            table.roll()
    if dice not in ("manual", "recorded"):
        return table
    rolls = [event.roll for event in table.events if isinstance(event, Rolled)]
    again = Table(table.states[0], seats, ManualDice() if dice == "manual" else RecordedDice(rolls))
    for event in table.events:
        again.repeat(event)
    return again


def commented(record: Record) -> Record:
    """The record with a few remarks, one of them empty."""
    entries: list[Entry] = list(record.entries)
    for at, text in ((len(entries), "That was it – “à la carte”."), (3, ""), (0, "casual played for Ann")):
        entries.insert(at, Comment(text))
    return replace(record, entries=tuple(entries))


def saved_games() -> Iterator[tuple[str, Record]]:
    """Games that were typed into the terminal and saved: by the end, by `quit`, and by `save`."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["XDG_DATA_HOME"] = place
        for game in all_games():
            options = [f"{name}={value}" for name, value in SHORT[game.name].items()]
            whole = played(game.name, ["Ann", "greedy"], options)
            yield f"save-{game.name}-whole", typed(whole.args, whole.lines)
            part = played(game.name, ["Ann", "Robo:random", "Ben"], events=30, seed=2)
            yield f"save-{game.name}-part", typed(part.args, [*part.lines, "quit"])
            real = played(game.name, ["Ann", "Ben"], events=12, seed=3, manual=True)
            yield f"save-{game.name}-real", typed(real.args, [*real.lines, "save", "quit"])


def typed(args: list[str], lines: list[str]) -> Record:
    return read_record(saved_in(hotdice(*args, typed=lines).out).read_bytes())


def outcome(record: Record) -> Json:
    """What this version makes of a record."""
    states = list(record.replay())
    last = states[-1]
    return {
        "game": record.game.text(record.options),
        "seats": [[sitter.name, sitter.kind] for sitter in record.seats],
        "dice": record.dice,
        "dice_checked": record.check_dice(),
        "events": len(record.events),
        "comments": [entry.text for entry in record.entries if isinstance(entry, Comment)],
        "result": record.result,
        "scores": last.scores,
        "to_act": last.seat,
        "legal": len(last.legal_moves()),
        "positions": [state.position for state in (*states[:-1:EVERY], last)],
    }


# A server's tables


@dataclass
class Tables:
    """A server that is left with tables in every state."""

    database: str
    tokens: dict[str, list[str]] = field(default_factory=dict)
    """The tokens that open seats, for each table by what it is there for."""
    names: dict[str, str] = field(default_factory=dict)
    clients: list[Client] = field(default_factory=list)

    def play(self) -> Json:
        """Set everything up; what this version says of each table."""
        with Running(self.database, "--unlimited", "--book") as self.server:
            for game in all_games():
                self.whole(game.name)
                self.halfway(game.name)
            self.rematches()
            self.given_up()
            self.from_records()
            self.undo()
            self.real_dice()
            self.bots_alone()
            self.stand_ins()
            self.orders()
            self.waiting()  # last, so that SQLite has entries that are not filed yet
            found = {what: self.shown(what) for what in self.names}
            self.server.kill()
        for client in self.clients:
            client.close()
        return found

    def orders(self) -> None:
        """Somebody is kept out, the book is looked at, and a name is taken out of it."""
        ban = ["admin", "ban", BANNED, "--for", "365d", "--why", "noise – much", "--port", str(self.server.port)]
        for order in (ban, ["book"], ["book", "--delete", FORGOTTEN, "--yes"]):
            done = hotdice(*order, "--database", self.database)
            assert done.code == 0, done.err

    def shown(self, what: str) -> Json:
        name = self.names[what]
        with self.server.client(name) as watching:
            state, last = watching.state, watching.events[-1]["number"]
            kinds = sorted({event["entry"]["kind"] for event in watching.events})
        begun = state["status"] != "waiting" and state.get("view")
        games = [*range(1, state["round"])] + ([state["round"]] if begun else [])
        view = state.get("view") or {}
        return {
            "name": name,
            "tokens": self.tokens.get(what, []),
            "game": watching.welcome["game"],
            "public": self.server.get(f"/tables/{name}").json()["public"],
            "status": state["status"],
            "round": state["round"],
            "entries": last,
            "kinds": kinds,
            "seats": [[seat["kind"], seat.get("name", ""), seat.get("away", "")] for seat in state["seats"]],
            "actor": state.get("actor"),
            "asked": state.get("asked"),
            "waiting": list(state.get("waiting") or ()),
            "position": view.get("position"),
            "records": [self.server.get(f"/tables/{name}/record", game=number).text for number in games],
        }

    def keep(self, what: str, name: str, *tokens: str) -> None:
        self.names[what], self.tokens[what] = name, list(tokens)

    def table(self, what: str, game: str, seats: list[Json], **more: Any) -> tuple[str, list[str]]:
        name, tokens = self.server.table(game, seats, **more)
        self.keep(what, name, *tokens)
        return name, tokens

    def two(self, what: str, game: str = "pig", **more: Any) -> tuple[Client, Client]:
        """Ann and Bob at a game that has begun, with their shares in its dice."""
        wishes: Json = {"options": SHORT[game], **more}
        name, tokens = self.table(what, game, [person("Ann"), OPEN], **wishes)
        self.tokens[what].append(joined(self.server, name, "J. Smith"))
        ann, bob = (self.server.client(name, token) for token in self.tokens[what])
        self.server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()
        begun(ann, bob)
        self.clients += [ann, bob]
        return ann, bob

    def leave(self, what: str) -> None:
        """Who sat down last leaves."""
        token = self.tokens[what].pop()
        self.server.post(f"/tables/{self.names[what]}/leave", token=token).raise_for_status()

    def waiting(self) -> None:
        self.table("waiting", "kor", [person("Ann"), OPEN, bot()], public=True, coach="ask")
        clock = {"kind": "hard", "seconds": 600}
        name, _ = self.table("waiting, one left", "kismet", [person("Ann"), local("Lou"), OPEN], clock=clock)
        self.tokens["waiting, one left"].append(joined(self.server, name, "Zoë"))
        self.leave("waiting, one left")

    def whole(self, game: str) -> None:
        """A game that is over."""
        seats = [person("Ann"), bot("greedy")]
        name, tokens = self.table(f"over, {game}", game, seats, options=SHORT[game], start=True, public=True)
        with self.server.client(name, *tokens) as client:
            finish(client)

    def halfway(self, game: str) -> None:
        """A game that goes on, if it can be at a choice."""
        pair = self.two(f"playing, {game}", game, public=True, options={})
        for number in range(40):
            if number > 20 and not pair[0].state["rolls"]:
                break
            step(*pair)

    def rematches(self) -> None:
        for what in ("rematch, waiting", "rematch, playing"):
            name, tokens = self.table(what, "pig", [person("Ann"), local("Ben")], options=SHORT["pig"], start=True)
            with self.server.client(name, *tokens) as client:
                finish(client)
                for token in tokens:
                    self.server.post(f"/tables/{name}/rematch", token=token).raise_for_status()
                if what.endswith("playing"):
                    self.server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()
                    while client.state["status"] != "playing":
                        client.receive()
                    act(client)

    def given_up(self) -> None:
        pair = self.two("closed, one left", "bj")
        for _ in range(3):
            step(*pair)
        self.leave("closed, one left")
        self.table("closed, all left", "rollers", [person("Ann"), OPEN])
        self.leave("closed, all left")

    def from_records(self) -> None:
        games = {game.name: game for game in all_games()}
        for what, game, dice, events in (
            ("record, going on", "kismet", "seeded", 25),
            ("record, real dice", "kor", "manual", 14),
            ("record, over", "bj", "fair", 0),
        ):
            short = games[game].options.make(SHORT[game].items())
            table = engine_game(games[game], short, 3, 6, dice, events)  # a person sits in seat 2
            text = commented(record_of(table, DAY)).text
            body = {"record": text, "mine": [] if what.endswith("over") else [2], "public": True}
            made = self.server.post("/records", body).json()
            name, tokens = made["table"]["name"], [token["token"] for token in made["tokens"]]
            self.keep(what, name, *tokens)
            if tokens:
                self.server.post(f"/tables/{name}/start", token=tokens[0]).raise_for_status()

    def undo(self) -> None:
        for what in ("undo, asked", "undo, agreed", "undo, refused"):
            pair = self.two(what, options={"target": 10_000})
            chooser = to_a_choice(*pair)
            answer = chooser.ask("move", move="hold")
            other = next(client for client in pair if client is not chooser)
            other.settle(answer["number"])
            assert chooser.ask("undo")["type"] == "accepted"
            while other.state.get("asked") is None:
                other.receive()
            if not what.endswith("asked"):
                word = "agree" if what.endswith("agreed") else "refuse"
                assert other.ask(word)["type"] == "accepted"

    def real_dice(self) -> None:
        ann, bob = self.two("real dice", options={"target": 100}, dice="manual")
        for faces in ("4", "6", "1", "5"):
            while not ann.state["rolls"]:
                acting = ann if ann.state["actor"] == 0 else bob
                number = acting.ask("move", move="roll")["number"]
                ann.settle(number)
                bob.settle(number)
            number = ann.ask("roll", faces=faces)["number"]  # Ann types for both
            bob.settle(number)
        assert ann.ask("undo")["type"] == "accepted"

    def bots_alone(self) -> None:
        name, _ = self.table("bots alone", "kor", [bot("greedy"), bot("random")], options=SHORT["kor"], public=True)
        with self.server.client(name) as watching:
            while watching.state["status"] == "playing":
                watching.receive()
        # Open seats that bots take when it starts.
        name, tokens = self.table("bots in open seats", "kismet", [person("Ann"), OPEN, OPEN], coach="always")
        self.server.post(f"/tables/{name}/start", {"bots": "greedy"}, token=tokens[0]).raise_for_status()
        with self.server.client(name, *tokens) as client:
            while not (client.state["actor"] == 0 and not client.state["rolls"]):
                step(client)

    def stand_ins(self) -> None:
        """Somebody who leaves for good, one who is away, and one who is back: their bots act for them."""
        ann, bob = self.two("stand-in, gone", options={"target": 10_000}, stand_in="greedy")
        self.leave("stand-in, gone")
        self.hold(ann)
        self.until(ann, lambda: ann.state["actor"] == 0)
        soft = {"kind": "soft", "seconds": 5}
        for what in ("stand-in, back", "stand-in, away"):
            ann, bob = self.two(what, options={"target": 10_000}, clock=soft, stand_in="greedy")
            bob.close()
            self.hold(ann)
            self.until(ann, lambda ann=ann: bool(ann.state["seats"][1].get("away")) and ann.state["actor"] == 0)
            if what.endswith("back"):
                back = self.server.client(self.names[what], self.tokens[what][1])
                self.clients.append(back)
                self.until(ann, lambda ann=ann: not ann.state["seats"][1].get("away"))

    def hold(self, ann: Client) -> None:
        """Play until it is the other's turn."""
        while ann.state["actor"] == 0:
            assert (ann.ask("roll") if ann.state["rolls"] else ann.ask("move", move="hold"))["type"] == "accepted"

    def until(self, client: Client, done: Any) -> None:
        while not done():
            client.receive()


def dump(database: Path) -> str:
    """A database as SQL. Entries are JSON, and stay readable."""
    with closing(sqlite3.connect(database)) as connection:
        found = list(connection.execute("select type, name, sql from sqlite_master where sql is not null"))
        lines = [f"{' '.join(sql.split())};" for _, _, sql in found]
        for name in sorted(name for kind, name, _ in found if kind == "table"):
            rows = connection.execute(f'select * from "{name}"')  # noqa: S608 (our own tables)
            lines += [f'INSERT INTO "{name}" VALUES ({", ".join(map(literal, row))});' for row in rows]  # noqa: S608
    return "\n".join([*lines, ""])


def literal(value: object) -> str:
    match value:
        case bytes():
            return f"CAST({literal(value.decode('utf-8'))} AS BLOB)"
        case str():
            return "'" + value.replace("'", "''").replace("\n", "'||char(10)||'") + "'"
        case None:
            return "NULL"
        case _:
            return repr(value)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
