"""The lobby against its own description: Schemathesis reads the OpenAPI schema of a running server and tries it out.

All its checks and phases are on. By hand, with many more cases: `python -m tests.server.test_openapi --examples 1000`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished
from schemathesis.generation.case import Case as AnyCase

from tests.server.playing import SHORT
from tests.server.running import OPEN, Json, Running, bot, local, person

EXAMPLES = 20
LEAST = 700
Case = AnyCase[Any]
SEMANTIC = [
    "create", "join", "start", "pad", "record", "moments", "mistakes", "played", "position", "why", "lesson",
    "take_record", "review", "replay", "what_if", "play_on", "practice_daily", "practice_cards", "challenge_try",
    "challenge_column",
]  # fmt: skip
"""Operations whose wishes may be well-formed and still impossible: two people of one name, too few players, an
unknown house rule, a clock of a second, a text that is no record, a fifth game where two were played. A schema cannot
say that, so their valid data may be answered with 422, but only by the rules: see `refused_by_the_rules`."""


@schemathesis.check
def refused_by_the_rules(_: CheckContext, response: Response, case: Case) -> bool | None:
    """What the schema allows is never refused for its form, only for what it says."""
    valid = case.meta is not None and case.meta.generation.mode.is_positive
    if valid and response.status_code == 422 and "There is something wrong with" in response.json()["message"]:
        raise Failure(
            operation=case.operation.label,
            title="Valid data refused for its form",
            message=response.text,
        )
    return None


GAMES: list[tuple[str, Json]] = list(SHORT.items())


class Stock:
    """Tables that are there beforehand, wishes that can be granted, and the tokens that were given out."""

    def __init__(self, server: Running) -> None:
        self.tokens: dict[str, str] = {}
        self.records: list[str] = []
        self._server = server
        for game, options in 3 * GAMES:
            for seats in ([person("Ada"), OPEN], [person("Ada"), local("Bob")], [person("Ada"), bot()]):
                for start in (False, True):
                    if start <= (OPEN not in seats):
                        self._set(game, options, seats, start)
        self._over()
        self._turn = 0

    def _set(self, game: str, options: Json, seats: list[Json], start: bool) -> str:
        name, (token, *_) = self._server.table(game, seats, options=options, start=start, coach="ask")
        self.tokens[name] = token
        return name

    def _over(self) -> None:
        """A game that is over, and one that has been given up, with their records."""
        name = self._set("pig", {"target": 20}, [person("Ada"), bot()], True)
        with self._server.client(name, self.tokens[name]) as client:
            client.to_the_end()
        self.records.append(self._server.get(f"/tables/{name}/record").text)
        name = self._set("pig", {"target": 20}, [person("Ada"), OPEN], False)
        assert self._server.post(f"/tables/{name}/start", {"bots": "random"}, self.tokens[name]).is_success
        self.records.append(self._server.get(f"/tables/{name}/record").text)
        assert self._server.post(f"/tables/{name}/leave", token=self.tokens[name]).is_success

    def wish(self, operation: str) -> Json | None:
        """Every second time a wish that can be granted, in place of the one that was made up."""
        self._turn += 1
        if self._turn % 2:
            return None
        if operation == "take_record":
            return {"record": self.records[self._turn // 2 % len(self.records)], "public": True}
        game, options = GAMES[self._turn // 2 % len(GAMES)]
        seats = ([person("Eve"), OPEN], [bot("random"), bot()], [person("Eve"), bot("random")])[self._turn // 2 % 3]
        return {"game": game, "options": options, "seats": seats, "public": self._turn % 4 == 0}

    def learn(self, made: Json) -> None:
        for token in made["tokens"]:
            self.tokens.setdefault(made["table"]["name"], token["token"])


def config(examples: int, seed: int, names: list[str]) -> SchemathesisConfig:
    """All checks and all phases; nothing is kept between runs.

    Two checks run and find nothing to look at: `use_after_free` wants a DELETE, and `object_level_authorization` two
    identities, where a token here is one seat's at one table. The fuzzer tries tokens at other tables instead.
    """
    statuses = ["2xx", "401", "403", "404", "409", "422", "429"]
    return SchemathesisConfig.from_dict(
        {
            "seed": seed,
            "generation": {"max-examples": examples, "database": "none", "mode": "all"},
            "cache": {"enabled": False},
            "checks": {"enabled": True},
            "dictionaries": {"names": {"values": names}, "rounds": {"values": [0, 1, 2]}},
            "parameters": {"path.name": {"dictionary": "names", "probability": 0.8}},
            "operations": [
                {
                    "include-operation-id": SEMANTIC,
                    "checks": {"positive_data_acceptance": {"expected-statuses": statuses}},
                },
                {
                    "include-operation-id": ["record", "moments"],
                    "parameters": {"query.game": {"dictionary": "rounds", "probability": 0.8}},
                },
            ],
        }
    )


@dataclass
class Outcome:
    """What was tried, and what came of it."""

    phases: Counter[str] = field(default_factory=Counter)
    """Cases by phase."""
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    """Answers by operation and status."""
    checks: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        return sum(self.phases.values())

    def text(self) -> str:
        lines = [f"{self.cases} cases: " + ", ".join(f"{phase} {n}" for phase, n in self.phases.items())]
        for label in sorted({label for label, _ in self.statuses}):
            found = sorted((status, n) for (other, status), n in self.statuses.items() if other == label)
            lines.append(f"  {label}: " + ", ".join(f"{n} × {status}" for status, n in found))
        lines.append("Checks: " + ", ".join(f"{name} {n}" for name, n in sorted(self.checks.items())))
        return "\n".join([*lines, *self.failures.values()])

    def note(self, event: ScenarioFinished) -> None:
        recorder = event.recorder
        self.phases[event.phase.value] += len(recorder.cases)
        for key, interaction in recorder.interactions.items():
            if interaction.response is not None:
                self.statuses[recorder.cases[key].value.operation.label, interaction.response.status_code] += 1
        for key, checks in recorder.checks.items():
            for check in checks:
                self.checks[check.name] += 1
                if check.failure_info is not None:
                    failure = check.failure_info.failure
                    name = f"{failure.operation}, {check.name}: {failure.title}"
                    command = recorder.cases[key].value.as_curl_command()
                    self.failures.setdefault(name, f"{name}: {failure.message}\n{command}")


def explore(server: Running, examples: int, seed: int) -> Outcome:
    """Let Schemathesis loose on a server."""
    stock = Stock(server)
    schema = schemathesis.openapi.from_url(
        f"{server.url}/api/openapi.json", config=config(examples, seed, list(stock.tokens))
    )

    @schema.auth(refresh_interval=None)
    class Seats:
        """The token of the table that a case is about, if we have one."""

        def get(self, case: Case, _: Any) -> str | None:
            return stock.tokens.get(str(case.path_parameters.get("name", "")))

        def set(self, case: Case, token: str, _: Any) -> None:
            case.headers["Authorization"] = f"Bearer {token}"

    @schema.hook
    def map_case(_: Any, case: Case) -> Case:
        operation = case.operation.definition.raw.get("operationId")
        valid = case.meta is not None and case.meta.generation.mode.is_positive
        if valid and operation in ("create", "take_record") and (wish := stock.wish(operation)):
            case.body = wish
        return case

    @schema.hook
    def after_call(_: Any, case: Case, response: Response) -> None:
        if response.status_code == 201:
            stock.learn(response.json())

    outcome = Outcome()
    for event in from_schema(schema).execute():
        if isinstance(event, ScenarioFinished):
            outcome.note(event)
        elif isinstance(event, NonFatalError):
            outcome.failures[f"{event.label}: {event.value}"] = f"{event.label}: {event.value!r}"
        elif isinstance(event, FatalError):
            raise event.exception
    return outcome


def test_the_lobby_does_what_its_schema_says(server: Running) -> None:
    outcome = explore(server, EXAMPLES, seed=1)
    print(outcome.text())
    assert not outcome.failures, outcome.text()
    assert outcome.cases >= LEAST, outcome.text()
    assert "Traceback" not in server.output()


def main() -> None:
    parser = argparse.ArgumentParser(description="Let Schemathesis loose on a server.")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="of each operation and phase")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Running(f"{folder}/tables.sqlite", "--unlimited") as server:
        outcome = explore(server, arguments.examples, arguments.seed)
        print(outcome.text())
        print(server.output())
    raise SystemExit(bool(outcome.failures))


if __name__ == "__main__":
    main()
