"""The quick tests in a clean environment of every Python that the classifiers promise: `python -m release.pythons`.

Interpreters are those on the PATH as `python3.12` and so on, and those of pyenv; one that is promised and not here is
an error. What is installed is the lock, as pip brings it from the package index.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
QUICK: Final = "not service and not browser and not slow"
_CLASSIFIER: Final = re.compile(r"Programming Language :: Python :: (3\.\d+)")


def promised() -> list[str]:
    """The versions in the classifiers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [found[1] for line in project["classifiers"] if (found := _CLASSIFIER.fullmatch(line))]


def interpreter(version: str) -> str | None:
    """A program of that version that runs, as a shim may not."""
    places = [shutil.which(f"python{version}"), *_of_pyenv(version)]
    return next((place for place in places if place and _says(place) == version), None)


def _of_pyenv(version: str) -> Iterator[str]:
    for folder in sorted(Path.home().glob(f".pyenv/versions/{version}.*"), reverse=True):
        yield str(folder / "bin" / "python")


def _says(program: str) -> str:
    command = [program, "-c", "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def tried(program: str, arguments: list[str]) -> bool:
    """Whether the quick tests pass in a new environment of an interpreter."""
    with tempfile.TemporaryDirectory(prefix="hotdice-") as folder:
        subprocess.run([program, "-m", "venv", folder], check=True)
        python = str(Path(folder) / "bin" / "python")
        install = [python, "-m", "pip", "--disable-pip-version-check", "-q", "install", "--no-deps"]
        subprocess.run([*install, "--require-hashes", "-r", "requirements/dev.txt"], cwd=ROOT, check=True)
        subprocess.run([*install, "--no-build-isolation", "-e", "."], cwd=ROOT, check=True)
        tests = [python, "-m", "pytest", "-n", "auto", "-p", "no:cacheprovider", "-m", QUICK, *arguments]
        return subprocess.run(tests, cwd=ROOT, check=False).returncode == 0


def main(arguments: list[str]) -> int:
    """Try those that are promised; of arguments, versions choose and the rest goes to pytest."""
    versions = [each for each in arguments if re.fullmatch(r"3\.\d+", each)] or promised()
    others = [each for each in arguments if each not in versions]
    failed = []
    for version in versions:
        program = interpreter(version)
        if program is None:
            print(f"Python {version} is promised by the classifiers, and it is not here.", file=sys.stderr)
            failed.append(version)
            continue
        print(f"Python {version} ({program})", flush=True)
        if not tried(program, others):
            failed.append(version)
    print(f"Failed: Python {', '.join(failed)}." if failed else f"Passed: Python {', '.join(versions)}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
