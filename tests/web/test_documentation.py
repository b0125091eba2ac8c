"""The documentation in a browser: from a server, where the app stays out of its way, and from a folder."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from hatch_build import Site
from tests.web.browsing import AXE, HOME, PHONE, Visitor
from tests.web.conftest import Visit

PAGES = ("index.html", "start.html", "operations.html")
THEME_S_OWN = {"empty-table-header", "landmark-unique"}
"""What axe finds in Zensical's frame, and in tables that have no words for a column."""
KEPT = "async () => (await (await caches.open('hotdice')).match('/')).text()"


@pytest.fixture
def visitor(visit: Visit) -> Visitor:
    return visit()


def search(page: Page, words: str) -> None:
    """Search for some words, until the page about fair dice is among what is found."""
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    page.keyboard.type(words, delay=50)
    page.locator("a[href*='fair-dice.html?h=']").first.wait_for()


def test_the_first_page_leads_there_and_the_search_finds_pages(visitor: Visitor) -> None:
    page = visitor.page
    page.goto("/")
    with page.context.expect_page() as opened:
        page.get_by_role("link", name=re.compile("documentation")).click()
    docs = opened.value
    expect(docs).to_have_title("Hotdice")
    assert docs.url.endswith("/docs/")
    docs.get_by_role("link", name="Start", exact=True).first.click()
    expect(docs.get_by_role("heading", level=1)).to_contain_text("Start")
    search(docs, "seal")
    docs.goto("/docs/nowhere/at/all.html")
    expect(docs.get_by_role("heading", level=1)).to_contain_text("There is no such page")
    docs.get_by_role("link", name="The front page").click()
    expect(docs.get_by_role("heading", level=1)).to_contain_text("Hotdice")


def test_the_app_that_is_kept_is_not_the_documentation(visit: Visit) -> None:
    page = visit(offline=True).page
    page.goto("/")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    page.reload()
    kept = page.evaluate(KEPT)
    page.goto("/docs/start.html")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Start")
    assert page.evaluate(KEPT) == kept
    assert "zensical" not in kept


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_pages_can_be_read_by_everybody(visitor: Visitor, dark: bool) -> None:
    page = visitor.page
    page.emulate_media(color_scheme="dark" if dark else "light")
    for name in PAGES:
        for width in (PHONE[0], 1440):
            page.set_viewport_size({"width": width, "height": 900})
            page.goto(f"/docs/{name}")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, f"{name} is too wide"
            page.evaluate(AXE.read_text("utf-8"))
            rules = page.evaluate("async () => (await axe.run()).violations.map(rule => rule.id)")
            assert set(rules) <= THEME_S_OWN, name
            visitor.picture(f"docs-{name.removesuffix('.html')}-{width}-{'dark' if dark else 'light'}")


def test_they_work_from_a_folder_without_a_server(visitor: Visitor) -> None:
    browser = visitor.context.browser
    assert browser
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((Site(HOME).built / "index.html").as_uri())
    search(page, "seal")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    page.close()
