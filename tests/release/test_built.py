"""The files of a release: built without Node.js, installed with each extra alone, and tried there."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.metadata import Metadata
from readme_renderer import markdown

import hatch_build
from hotdice import __version__
from tests.release.clean import ROOT, Clean, described, extras_of, metadata_of, needed, needed_by

NONE = ""
RECORD = ROOT / "tests/compat/2026-11-16/records/pig-1-hidden.hotdice"
SIMULATED = ("simulate", "pig", "--games", "20")


@dataclass(frozen=True)
class Built:
    """The files of a release."""

    sdist: Path
    wheel: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The sdist of this checkout, and the wheel that hatchling makes of it where there is no Node.js; or those that are
    to be released (`make release`)."""
    if dist := os.environ.get("HOTDICE_DIST"):
        (sdist,), (wheel,) = Path(dist).glob("*.tar.gz"), Path(dist).glob("*.whl")
        copied = tmp_path_factory.mktemp("dist") / wheel.name
        return Built(sdist, Path(shutil.copy(wheel, copied)))
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (sdist,) = folder.glob("*.tar.gz")
    builder = Clean(folder / "builder", needed_by("hatchling"))
    builder.pip("wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", str(folder), str(sdist))
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


def test_the_wheel_from_the_sdist_is_the_wheel_from_the_checkout(built: Built, tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    assert contents(Path(wheel)) == contents(built.wheel)
    assert {"hotdice/server/static/index.html", "hotdice/server/docs/index.html"} <= contents(built.wheel).keys()


def contents(wheel: Path) -> dict[str, str]:
    """The files of a wheel with their hashes."""
    with ZipFile(wheel) as archive:
        (record,) = (name for name in archive.namelist() if name.endswith(".dist-info/RECORD"))
        return {name: digest for name, digest, _ in csv.reader(io.StringIO(archive.read(record).decode("utf-8")))}


def test_the_names_of_the_files_have_the_version(built: Built) -> None:
    assert built.wheel.name == f"hotdice-{__version__}-py3-none-any.whl"
    assert built.sdist.name == f"hotdice-{__version__}.tar.gz"
    with tarfile.open(built.sdist) as archive:
        assert {name.partition("/")[0] for name in archive.getnames()} == {f"hotdice-{__version__}"}


def test_the_metadata_are_valid(built: Built) -> None:
    found = Metadata.from_email(metadata_of(built.wheel), validate=True)
    assert found.version.public == __version__
    assert found.license_expression == "MIT"


# The page of a package index


class Page(HTMLParser):
    """What a page leads to and shows, but for its own places."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.places: set[str] = set()
        self.feed(page)
        self.found -= self.places

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value or "" for name, value in attrs if name in ("href", "src")}
        self.places |= {f"#{value}" for name, value in attrs if name == "id"}


def rendered(text: str) -> str:
    page: str | None = markdown.render(text)
    assert page, "A package index cannot render README.md."
    return page


def test_a_package_index_renders_the_front_page_and_no_link_of_it_is_dead(built: Built) -> None:
    description = described(built.wheel)
    assert description["Description-Content-Type"] == "text/markdown"
    page = rendered(str(description.get_payload()))
    assert "<h1" in page
    assert "<pre" in page
    assert [target for target in Page(page).found if not urlsplit(target).scheme] == []


def test_where_the_repository_is_known_links_and_pictures_lead_there() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    page = rendered(hatch_build.published(readme, "https://forge.example/hotdice/", "1.2.3"))
    place = "https://forge.example/hotdice/"
    found = {target.removeprefix(place) for target in Page(page).found if target.startswith(place)}
    assert {kind for kind in ("raw", "blob") for target in found if target.startswith(f"{kind}/v1.2.3/")} == {
        "raw",
        "blob",
    }
    for target in found:
        assert (ROOT / target.split("/", 2)[2].partition("#")[0]).exists(), target
    assert all(urlsplit(target).scheme for target in Page(page).found)


# Installed


@dataclass(frozen=True)
class Try:
    """What an extra enables, and what asks for another."""

    enabled: tuple[str, ...]
    said: str
    missing: tuple[str, ...]
    extra: str
    """Which it asks for."""
    code: int = 0
    program: str = "hotdice"
    written: str = ""
    """The file that the enabled command writes."""
    magic: bytes = field(default=b"")
    """What that file begins with."""


POSTGRES = ("serve", "--database", "postgresql://127.0.0.1:1/hotdice")
TRIES = {
    NONE: Try(("verify", str(RECORD)), "All 25 events are legal", (*SIMULATED,), "solve"),
    "solve": Try(("solve", "pig", "-o", "target=10"), "100 states", ("book",), "server"),
    "server": Try(("book",), "No game in the book yet", POSTGRES, "cluster"),
    "cluster": Try(POSTGRES, "cannot be used: [Errno", ("tables",), "solve", code=2),
    "plot": Try(
        (*SIMULATED, "--plot", "wins.svg"), "95% interval", (*SIMULATED, "--parquet", "games.parquet"), "data",
        written="wins.svg", magic=b"<?xml",
    ),
    "data": Try(
        (*SIMULATED, "--parquet", "games.parquet"), "95% interval", ("review", str(RECORD), "--plot", "luck.svg"),
        "plot", written="games.parquet", magic=b"PAR1",
    ),
    "dask": Try(
        (*SIMULATED, "--workers", "1"), "95% interval", ("review", str(RECORD), "--html", "a.html"), "server"
    ),
    "envs": Try(
        ("-c", "import hotdice.envs as e, gymnasium; print(len(gymnasium.make('hotdice/Pig-v0').reset(seed=1)))"),
        "2", (*SIMULATED, "--workers", "1"), "dask", program="python",
    ),
    "play": Try(("review", str(RECORD), "--html", "a.html"), "a.html", (*SIMULATED, "--plot", "wins.svg"), "plot",
                written="a.html", magic=b"<!doctype html"),
}  # fmt: skip


def test_every_extra_is_tried(built: Built) -> None:
    assert {NONE, *extras_of(built.wheel)} == TRIES.keys()
    assert {one.extra for one in TRIES.values()} <= TRIES.keys() - {NONE}


@pytest.fixture(scope="module", params=TRIES, ids=lambda extra: extra or "none")
def installed(request: pytest.FixtureRequest, built: Built) -> tuple[str, Clean]:
    """The wheel, installed with one extra alone."""
    extra: str = request.param
    clean = Clean(built.wheel.parent / "environments" / (extra or "none"), needed(built.wheel, extra))
    clean.pip(
        "install", "--no-index", "--no-compile", f"hotdice{f'[{extra}]' if extra else ''} @ {built.wheel.as_uri()}"
    )
    return extra, clean


def test_what_an_extra_enables_works_and_what_it_lacks_asks_for_the_smallest_that_helps(
    installed: tuple[str, Clean],
) -> None:
    extra, clean = installed
    one = TRIES[extra]
    assert clean.run("hotdice", "--version").stdout == f"hotdice {__version__}\n"
    assert "kismet" in clean.run("hotdice", "games").stdout
    done = clean.run(one.program, *one.enabled)
    assert (done.returncode, one.said in done.stdout + done.stderr) == (one.code, True), done
    if one.written:
        assert (clean.home / one.written).read_bytes().lower().startswith(one.magic.lower())
        (clean.home / one.written).unlink()
    refused = clean.run("hotdice", *one.missing)
    assert refused.returncode == 2
    assert f"pip install 'hotdice[{one.extra}]'" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_doctor_finds_what_is_installed_and_no_more(installed: tuple[str, Clean], built: Built) -> None:
    extra, clean = installed
    found = {one["what"]: one["fine"] for one in json.loads(clean.run("hotdice", "doctor", "--json").stdout)}
    here = needed(built.wheel, extra)
    for other in extras_of(built.wheel):
        assert found[f"[{other}]"] == (needed(built.wheel, other) <= here)
    assert found["browser app"]
    assert found["documentation"]


@pytest.mark.parametrize("installed", ["play"], indirect=True)
def test_the_app_is_served_from_the_wheel(installed: tuple[str, Clean]) -> None:
    _, clean = installed
    with serving(clean) as place:
        page = fetched(place)
        (script,) = re.findall(r'src="[./]*(assets/index-[\w-]+\.js)"', page)
        assert len(fetched(f"{place}/{script}")) > 10_000
        assert json.loads(fetched(f"{place}/api/health"))["version"] == __version__
        assert "<title>Hotdice</title>" in fetched(f"{place}/docs")


@contextmanager
def serving(clean: Clean) -> Iterator[str]:
    """`hotdice` alone, on a port that is free; its address."""
    command = [str(clean.folder / "bin/hotdice"), "--no-browser", "--host", "127.0.0.1", "--port", "0"]
    with subprocess.Popen(command, env=clean.environment, stdout=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stdout
        try:
            yield next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
        finally:
            server.terminate()


def fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:  # noqa: S310 (ours)
        text: str = answer.read().decode("utf-8")
        return text
