"""What has to agree before a release, and the files that run a server from one."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from typing import Any

import pytest
import typer

from hotdice import __version__
from hotdice.cli import app
from release.__main__ import NotReady, check_changelog, prepared
from release.pythons import promised
from tests.release.clean import ROOT

LOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n- Dice.\n\n## [0.1.0] - 2026-01-01\n\n### Added\n- Games.\n"


def test_the_changelog_is_moved_under_the_version() -> None:
    after = prepared(LOG, "0.2.0", "2026-12-24")
    assert "## [Unreleased]\n\n## [0.2.0] - 2026-12-24\n\n### Added\n- Dice.\n" in after
    check_changelog(after, "0.2.0")
    with pytest.raises(NotReady, match=r"has 0\.2\.0 already"):
        prepared(after, "0.2.0", "2026-12-25")
    with pytest.raises(NotReady, match="nothing under Unreleased"):
        prepared(after, "0.3.0", "2026-12-25")


@pytest.mark.parametrize("version", ["0.1.0", "0.2.0"])
def test_a_changelog_that_does_not_say_what_a_version_has_stops_a_release(version: str) -> None:
    with pytest.raises(NotReady, match="python -m release prepare"):
        check_changelog(LOG, version)


def test_the_changelog_can_be_released_or_was() -> None:
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if f"## [{__version__}]" not in log:
        log = prepared(log, __version__, "2026-12-24")
    check_changelog(log, __version__)


def test_the_version_is_in_one_place() -> None:
    assert "version" not in json.loads((ROOT / "web/package.json").read_text("utf-8"))
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    assert not re.search(r"^version\s*=", text, re.MULTILINE)
    assert json.loads((ROOT / "web/schema.json").read_text("utf-8"))["info"]["version"] == "current"


def test_the_classifiers_begin_where_the_requirement_does() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    oldest = re.search(r'requires-python = ">=(3\.\d+)"', text)
    assert oldest
    assert promised()[0] == oldest[1]


def test_the_unit_and_the_container_start_the_server_with_options_that_it_has() -> None:
    unit = (ROOT / "deploy/hotdice.service").read_text("utf-8")
    started = re.search(r"^ExecStart=\S+/hotdice (.*)$", unit, re.MULTILINE)
    container = (ROOT / "deploy/Containerfile").read_text("utf-8")
    command = re.search(r"^CMD (\[.*\])$", container, re.MULTILINE)
    assert started
    assert command
    assert 'ENTRYPOINT ["hotdice"]' in container
    whole: Any = typer.main.get_command(app)
    for name, *rest in (shlex.split(started[1].replace("$HOTDICE_OPTIONS", "")), json.loads(command[1])):
        assert whole.commands[name].make_context(name, rest).params["database"].endswith("/tables.sqlite")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_can_read_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(ROOT / "deploy/hotdice.service")],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    own = [line for line in done.stderr.splitlines() if "hotdice.service" in line and "is not executable" not in line]
    assert own == []
