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
from hotdice.server.run import data_file
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


UNIT = (ROOT / "deploy/hotdice.service").read_text("utf-8")
CONTAINER = (ROOT / "deploy/Containerfile").read_text("utf-8")
OPERATIONS = (ROOT / "docs/operations.md").read_text("utf-8")


def started_by_the_unit() -> list[str]:
    (command,) = re.findall(r"^ExecStart=\S+/hotdice (.*)$", UNIT, re.MULTILINE)
    return shlex.split(command.replace("$HOTDICE_OPTIONS", ""))


def started_by_the_container() -> list[str]:
    (command,) = re.findall(r"^CMD (\[.*\])$", CONTAINER, re.MULTILINE)
    found: list[str] = json.loads(command)
    return found


def understood(arguments: list[str]) -> dict[str, Any]:
    """What the command line makes of what is typed after `hotdice`."""
    command: Any = typer.main.get_command(app)
    while hasattr(command, "commands"):
        command, arguments = command.commands[arguments[0]], arguments[1:]
    found: dict[str, Any] = command.make_context("hotdice", arguments).params
    return found


def test_the_unit_and_the_container_start_the_server_with_options_that_it_has() -> None:
    assert 'ENTRYPOINT ["hotdice"]' in CONTAINER
    for arguments in (started_by_the_unit(), started_by_the_container()):
        assert arguments[0] == "serve"
        understood(arguments)


def test_other_commands_find_the_database_of_the_unit_and_of_the_container(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same environment, and without being told where it is."""
    for deployed, arguments in ((UNIT, started_by_the_unit()), (CONTAINER, started_by_the_container())):
        (folder,) = re.findall(r"XDG_DATA_HOME=(\S+)", deployed)
        monkeypatch.setenv("XDG_DATA_HOME", folder)
        assert understood(arguments)["database"] in ("", str(data_file()))
        assert f"\nVOLUME {folder}\n" in CONTAINER or f" env XDG_DATA_HOME={folder} /opt/hotdice/bin/" in OPERATIONS


def test_what_is_typed_to_build_and_run_the_container_is_right() -> None:
    (line,) = re.findall(r"^    (podman build .*)$", OPERATIONS, re.MULTILINE)
    assert f"#   {line}\n" in CONTAINER
    assert (ROOT / line.split()[-2]).is_file()
    assert "\nHEALTHCHECK " in CONTAINER
    assert "--format docker" in line, "In its own format Podman leaves the health check out."
    told = re.findall(r"^    podman (?:exec hotdice|run .*:/data) hotdice (.+)$", OPERATIONS, re.MULTILINE)
    inside = [shlex.split(typed.replace("$(date +%F)", "2026-11-16")) for typed in told]
    assert {arguments[0] for arguments in inside} == {"serve", "admin", "backup", "restore"}
    for arguments in inside:
        understood(arguments)


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_systemd_can_read_the_unit() -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", str(ROOT / "deploy/hotdice.service")],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    own = [line for line in done.stderr.splitlines() if "hotdice.service" in line and "is not executable" not in line]
    assert own == []
