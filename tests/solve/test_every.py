"""`hotdice solve --every`: a game by all its house rules, one after the other or shared among workers."""

from __future__ import annotations

import json

import pytest

import hotdice
from hotdice.cli import main


def test_every_set_of_house_rules_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "bj", "--every", "-o", "target=500", "--json"]) == 0
    found = {one["text"]: one["value"] for one in json.loads(capsys.readouterr().out)["solved"]}
    bj = hotdice.load_game("bj")
    wanted = {bj.text(options) for options in bj.options.combinations() if getattr(options, "target", 0) == 500}
    assert set(found) == wanted
    for text, value in found.items():
        options = text.partition("(")[2].rstrip(")")
        args = [part for option in options.split(",") for part in ("-o", option)]
        assert main(["solve", "bj", *args, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["value"] == value


def test_work_is_shared_only_where_there_is_much(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "pig", "--workers", "2"]) == 2
    assert capsys.readouterr().err.startswith("--jobs, --workers and --scheduler share the work of --every")
