"""Makes a release ready, and checks all of it but the upload.

    python -m release prepare    move the changelog's Unreleased section under the version and today's date
    python -m release            check the tree, the version and the tag, test, build dist/ and try what is there

The version is in src/hotdice/__init__.py and nowhere else. `make release` runs the second.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hotdice import __version__
from release import pythons

ROOT: Final = Path(__file__).parents[1]
CHANGELOG: Final = ROOT / "CHANGELOG.md"
UNRELEASED: Final = "## [Unreleased]\n"
_SECTION: Final = re.compile(r"^## \[(.+?)\](?: - (\d{4}-\d{2}-\d{2}))?$", re.MULTILINE)


class NotReady(Exception):
    """Why this is no release yet."""


def prepared(changelog: str, version: str, day: str) -> str:
    """The changelog with what was unreleased under a version and a day."""
    sections = _SECTION.findall(changelog)
    if any(name == version for name, _ in sections):
        raise NotReady(f"CHANGELOG.md has {version} already: raise __version__ in src/hotdice/__init__.py first.")
    if not unreleased(changelog):
        raise NotReady("CHANGELOG.md has nothing under Unreleased.")
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)


def unreleased(changelog: str) -> str:
    """What is under Unreleased."""
    _, _, rest = changelog.partition(UNRELEASED)
    following = _SECTION.search(rest)
    return rest[: following.start() if following else None].strip()


def check_changelog(changelog: str, version: str) -> None:
    """Whether the newest section is the version's, with a day, and nothing waits above it."""
    sections = _SECTION.findall(changelog)
    if not sections or sections[0][0] != "Unreleased":
        raise NotReady("CHANGELOG.md does not begin with an Unreleased section.")
    if unreleased(changelog) or len(sections) < 2 or sections[1][0] != version or not sections[1][1]:
        raise NotReady(f"CHANGELOG.md does not say what {version} has: python -m release prepare, and commit.")


def check_tree(version: str) -> None:
    """Whether all is committed, and the tag, if it is there, is of this commit."""
    if changed := _git("status", "--porcelain"):
        raise NotReady(f"There is something that is not committed:\n{changed}")
    tag = f"v{version}"
    if _git("tag", "--list", tag) and _git("rev-list", "-n", "1", tag) != _git("rev-parse", "HEAD"):
        raise NotReady(f"The tag {tag} is of another commit: raise __version__ in src/hotdice/__init__.py.")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise NotReady(done.stderr.strip())
    return done.stdout.strip()


def _run(what: str, *command: str, **environment: str) -> None:
    print(f"== {what}", flush=True)
    if subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=False).returncode:
        raise NotReady(f"{what}: failed.")


def release() -> None:
    """All checks, the quick ones first."""
    check_tree(__version__)
    check_changelog(CHANGELOG.read_text("utf-8"), __version__)
    _run("All tests", "make", "test")
    if pythons.main([]):
        raise NotReady("Not every Python that the classifiers promise passes.")
    dist = ROOT / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    _run("Building dist/", sys.executable, "-m", "hatchling", "build", "-d", str(dist))
    _run("Trying dist/", sys.executable, "-m", "pytest", "tests/release", HOTDICE_DIST=str(dist))
    check_tree(__version__)
    print(f"\nHotdice {__version__} is ready. What is left:\n")
    print(f"    git tag -a v{__version__} -m 'Hotdice {__version__}' && git push origin v{__version__}")
    print(f"    twine upload dist/hotdice-{__version__}*")


def main(arguments: list[str]) -> int:
    """The command; its exit code."""
    try:
        match arguments:
            case []:
                release()
            case ["prepare"]:
                today = datetime.now(UTC).date().isoformat()
                CHANGELOG.write_text(prepared(CHANGELOG.read_text("utf-8"), __version__, today), "utf-8")
                print(f"CHANGELOG.md has a section for {__version__}; read it and commit it.")
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except NotReady as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
