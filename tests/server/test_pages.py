"""How the browser app and the documentation are handed out: which addresses are pages, what may be kept, and what is
never handed out."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from hotdice.server.app import Server, Settings
from hotdice.server.pages import FOREVER

HTML = "<!doctype html><title>Hotdice</title>" + 40 * "<p>dice</p>"
SCRIPT = "console.log('dice');" * 100
OWN = "document.title += '!'"
BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-encoding": "identity"}
Ask = Callable[..., httpx.Response]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A built app."""
    files = {
        "index.html": HTML,
        "favicon.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "manifest.webmanifest": "{}",
        ".stamp": "not for anybody",
        "assets/index-Abc123.js": SCRIPT,
        "assets/index-Abc123.css": "p{}",
    }
    for name, text in files.items():
        path = tmp_path / "static" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return tmp_path / "static"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A built documentation."""
    files = {
        "index.html": f"<title>Docs</title><script>{OWN}</script><script src=search.js></script>",
        "404.html": "<title>Nothing here</title>",
        "rules/kor.html": "<title>KOR</title>",
        "rules/kor.pdf": "%PDF",
        "assets/bundle.77dd0ce9.min.js": SCRIPT,
        "site.css": "p{}",
        ".stamp": "not for anybody",
    }
    for name, text in files.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path / "docs"


def asking(folder: Path, **settings: Any) -> Ask:
    """Requests to a server with that app."""
    server = Server(Settings(":memory:", pages=folder, **settings))

    def ask(path: str, method: str = "GET", **headers: str) -> httpx.Response:
        async def asked() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(server), base_url="http://localhost:8017"
            ) as client:
                sent = BROWSER | {name.replace("_", "-"): value for name, value in headers.items()}
                return await client.request(method, path, headers=sent)

        return asyncio.run(asked())

    return ask


@pytest.fixture
def ask(folder: Path) -> Ask:
    return asking(folder)


@pytest.mark.parametrize("path", ["/", "/new/kor", "/t/k3x9-w7fm", "/t/k3x9w7fm?watch=1", "/rules/kismet"])
def test_all_addresses_of_the_app_are_its_page(ask: Ask, path: str) -> None:
    answer = ask(path)
    assert answer.status_code == 200
    assert answer.text == HTML
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_a_page_is_sent_again_only_if_it_changed(ask: Ask) -> None:
    tag = ask("/").headers["etag"]
    again = ask("/t/k3x9-w7fm", if_none_match=f'"other", {tag}')
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "no-cache"
    assert ask("/", if_none_match='"other"').status_code == 200


def test_what_has_a_hash_in_its_name_is_kept_forever(ask: Ask) -> None:
    for path, kind in (("/assets/index-Abc123.js", "text/javascript"), ("/assets/index-Abc123.css", "text/css")):
        answer = ask(path, accept="*/*")
        assert answer.status_code == 200
        assert answer.headers.get_list("cache-control") == [FOREVER]
        assert answer.headers["content-type"] == f"{kind}; charset=utf-8"


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/favicon.svg", "image/svg+xml"), ("/manifest.webmanifest", "application/manifest+json")],
)
def test_other_files_are_looked_at_again(ask: Ask, path: str, kind: str) -> None:
    answer = ask(path)
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == "no-cache"


def test_texts_are_compressed_for_whoever_takes_it(ask: Ask) -> None:
    path = "/assets/index-Abc123.js"
    small = ask(path, accept_encoding="br, gzip;q=0.8")
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    assert small.text == SCRIPT
    for accepted in ("identity", "br", "gzip;q=0", "gzip; q=0.000"):
        plain = ask(path, accept_encoding=accepted)
        assert "content-encoding" not in plain.headers
        assert plain.text == SCRIPT
        assert plain.headers["vary"] == small.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in ask("/assets/index-Abc123.css", accept_encoding="gzip").headers  # three bytes


def test_head_says_what_get_would(ask: Ask) -> None:
    for path in ("/", "/assets/index-Abc123.js"):
        head, whole = ask(path, "HEAD"), ask(path)
        assert head.content == b""
        assert head.headers == whole.headers


def test_where_nothing_is_a_browser_gets_the_apps_own_page_and_others_a_problem(ask: Ask) -> None:
    for path in ("/nowhere", "/t/a/b", "/assets/old-123.js"):
        lost = ask(path)
        assert (lost.status_code, lost.text) == (404, HTML)
        assert ask(path, accept="*/*").json() == {"error": "unknown", "message": "There is nothing here."}
    assert ask("/api/nowhere").json()["error"] == "unknown"
    assert ask("/nowhere", "POST").json()["error"] == "unknown"


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets//../../secret.txt",
        "/.stamp",
    ],
)
def test_nothing_outside_the_app_is_handed_out(ask: Ask, path: str) -> None:
    assert ask(path, accept="*/*").status_code == 404


def test_the_lobby_is_not_in_the_way(ask: Ask) -> None:
    answer = ask("/api/health")
    assert answer.json()["status"] == "ok"
    assert answer.headers["cache-control"] == "no-store"


def test_without_a_built_app_one_line_says_how_to_build_it(tmp_path: Path) -> None:
    ask = asking(tmp_path / "nothing")
    answer = ask("/")
    assert answer.headers["content-type"].startswith("text/plain")
    assert "`make setup`" in answer.text
    assert answer.text.count("\n") == 1
    assert ask("/favicon.svg").json()["error"] == "unknown"


def test_the_address_for_others(folder: Path) -> None:
    def reach(**settings: Any) -> str:
        return str(asking(folder, **settings)("/api/reach").json()["address"])

    home = "http://192.168.1.5:8017"
    assert reach() == ""
    assert reach(address=home) == home
    assert reach(address=home, origins=("https://dice.example",)) == "https://dice.example"


# The documentation


def test_the_documentation_has_an_address_for_each_page(folder: Path, docs: Path) -> None:
    ask = asking(folder, docs=docs)
    assert ask("/docs").status_code == 307
    assert ask("/docs").headers["location"] == "/docs/"
    assert ask("/docs/").text == ask("/docs/index.html").text == (docs / "index.html").read_text("utf-8")
    page = ask("/docs/rules/kor.html")
    assert page.text == "<title>KOR</title>"
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-cache"
    assert ask("/docs/", "HEAD").headers == ask("/docs/").headers
    assert ask("/docs/rules/kor.pdf").headers["content-type"] == "application/pdf"
    assert ask("/docs/assets/bundle.77dd0ce9.min.js").headers["cache-control"] == FOREVER
    assert ask("/docs/site.css").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path", ["/docs/nothing.html", "/docs/.stamp", "/docs/../secret.txt", "/docs/%2e%2e/secret.txt"]
)
def test_what_the_documentation_does_not_have_is_its_own_page(folder: Path, docs: Path, path: str) -> None:
    answer = asking(folder, docs=docs)(path)
    assert answer.status_code == 404
    assert "secret" not in answer.text
    if "%" not in path:
        assert answer.text == ("<title>Nothing here</title>" if "/../" not in path else HTML)


def test_a_page_of_the_documentation_runs_its_own_scripts_and_no_others(folder: Path, docs: Path) -> None:
    policy = asking(folder, docs=docs)("/docs/").headers.get_list("content-security-policy")
    digest = base64.b64encode(hashlib.sha256(OWN.encode()).digest()).decode()
    assert len(policy) == 1
    assert f"script-src 'self' 'sha256-{digest}';" in policy[0]
    assert "default-src 'self'" in policy[0]
    other = asking(folder, docs=docs)("/docs/rules/kor.html").headers["content-security-policy"]
    assert "script-src 'self';" in other


def test_the_app_is_not_in_the_way_of_the_documentation_nor_the_other_way_round(folder: Path, docs: Path) -> None:
    ask = asking(folder, docs=docs)
    assert ask("/docsy").text == HTML
    assert ask("/").text == HTML
    assert ask("/docs/", "POST").status_code == 404


def test_without_a_built_documentation_one_line_says_how_to_build_it(folder: Path, tmp_path: Path) -> None:
    ask = asking(folder, docs=tmp_path / "nothing")
    for path in ("/docs", "/docs/", "/docs/rules/kor.html"):
        answer = ask(path)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/plain")
        assert "`make docs`" in answer.text
        assert answer.text.count("\n") == 1
