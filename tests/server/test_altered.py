"""Servers that cheat with their dice: each is found out by what its players kept, in words.

They are today's server with one thing altered. Whoever plays keeps the promise that came first, the string that was
sent and the seals that were there by then, as the browser does; `hotdice verify` holds them against the record.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Final

import pytest

from hotdice.record import read_record
from tests.server.playing import SHORT, joined, step
from tests.server.running import OPEN, Running, begun, bot, person
from tests.terminal.drive import hotdice

HEAD: Final = """
from hotdice.cli import main
from hotdice.fair import Share, commitment
from hotdice.server.match import dealing
from hotdice.server.match.fold import Match
from hotdice.server.match.seats import Deal

def in_the_end(altered):
    def begin(self):
        honest, Deal.shares = Deal.shares, lambda deal: altered(honest(deal))
        try:
            return BEGIN(self)
        finally:
            Deal.shares = honest
    BEGIN, Match._begin = Match._begin, begin
"""
CHEATS: Final = {
    "a secret that suits the strings": """
def begin(self):
    self.deal.signed = None
    self.secret = self.deal.secret = bytes(32)
    self.promise = self.deal.promise = commitment(self.secret)
    return BEGIN(self)
BEGIN, Match._begin = Match._begin, begin
""",
    "another secret in the end": """
def begin(self):
    self.secret = self.deal.secret = bytes(32)
    return BEGIN(self)
BEGIN, Match._begin = Match._begin, begin
""",
    "a string that is swapped": """
in_the_end(lambda shares: [Share(one.seat, "swapped" if one.seat else one.string, one.sealed) for one in shares])
""",
    "a string that is dropped": """
in_the_end(lambda shares: [one for one in shares if not one.seat])
""",
    "a string that is kept back": """
def reveal(match, seat, string, here, client=""):
    return [] if seat else REVEAL(match, seat, string, here, client)
REVEAL, dealing.reveal = dealing.reveal, reveal
""",
    "a string of an accomplice that is chosen last": """
in_the_end(lambda shares: [one if one.seat else Share(0, "chosen", one.sealed) for one in shares])
""",
    "a string that is added for a bot": """
in_the_end(lambda shares: [*shares, Share(2, "chosen")])
""",
    "an accomplice's string that is dropped": """
in_the_end(lambda shares: [one for one in shares if one.seat])
""",
}
FOUND: Final = {
    "a secret that suits the strings": "The record holds another promise than the one that you give",
    "another secret in the end": "The record holds another promise than the one that you give",
    "a string that is swapped": "were drawn without “2:",
    "a string that is dropped": "were drawn without “2:",
    "a string that is kept back": "were drawn without “2:",
    "a string of an accomplice that is chosen last": "“1:chosen” in the dice of this record fits no seal that you give",
    "a string that is added for a bot": "“3:chosen” in the dice of this record fits no seal that you give",
    "an accomplice's string that is dropped": "is missing from the dice of this record",
}


def altered(cheat: str) -> type[Running]:
    """A server that somebody has changed."""

    class Altered(Running):
        program: ClassVar[tuple[str, ...]] = ("-c", f"{HEAD}{cheat}\nimport sys\nsys.exit(main(sys.argv[1:]))")

    return Altered


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_server_that_cheats_is_found_out(tmp_path: Path, cheat: str) -> None:
    file = tmp_path / "game.hotdice"
    with altered(CHEATS[cheat])(str(tmp_path / "tables.sqlite"), "--unlimited") as server:
        name, tokens = server.table("pig", [person("Ann"), OPEN, bot()], options=SHORT["pig"])
        with server.client(name, *tokens) as ann, server.client(name, joined(server, name, "Ben")) as ben:
            server.post(f"/tables/{name}/start", token=tokens[0])
            while not ben.strings:  # what Ben has seen and drawn, before he can know what comes of it
                ben.receive()
            ((promise, _), string), *_ = ben.strings.items()
            begun(ann, ben)
            while ann.state["status"] == "playing":
                step(ann, ben)
        file.write_text(server.get(f"/tables/{name}/record").text, "utf-8")
    read_record(file.read_text("utf-8")).check_dice()  # the record by itself looks right
    assert promise in ben.seals or cheat == "a secret that suits the strings"
    seals = [word for sealed in ben.seals.get(promise, ()) for word in ("--seal", sealed)]
    outcome = hotdice("verify", file, "--promise", promise, "--string", f"2:{string}", *seals)
    assert outcome.code == 2
    assert FOUND[cheat] in outcome.err
