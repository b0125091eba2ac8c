"""The soak gives every kind of test a seed, stops at the first failure, and says how to repeat it."""

from __future__ import annotations

import importlib
import shlex

import pytest

from tests.soak import KINDS, arguments, commands, soak


def test_each_round_has_a_seed_and_the_next_another() -> None:
    ran: list[str] = []

    def run(command: list[str]) -> int:
        ran.append(shlex.join(command))
        return len(ran) == 2 * len(KINDS)

    assert soak(arguments(["--minutes", "1000"]), run) == 1
    seeds = [command.rpartition("seed")[2].split()[0].strip(" =") for command in ran if "pytest" in command]
    assert len(set(seeds)) == 2
    assert all(
        seed in command
        for seed, part in zip(seeds, (ran[: len(KINDS)], ran[len(KINDS) :]), strict=True)
        for command in part
    )


def test_a_failure_is_told_with_the_command_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert soak(arguments(["--only", "chaos", "--seed", "7", "--kills", "3"]), lambda command: 1) == 1
    assert "tests.server.chaos --kills 3 --seed 7 --database sqlite" in capsys.readouterr().err


def test_a_seed_is_one_round_of_what_is_asked_for() -> None:
    ran: list[list[str]] = []

    def run(command: list[str]) -> int:
        ran.append(command)
        return 0

    assert soak(arguments(["--seed", "7", "--only", "fuzz", "--only", "hypothesis"]), run) == 0
    assert len(ran) == 2


def test_the_programs_that_it_runs_are_there() -> None:
    for command in commands(arguments([]), 1).values():
        assert importlib.util.find_spec(command[2])
