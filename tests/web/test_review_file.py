"""The review in one HTML file: it opens from the disk, asks nobody for anything, and no name breaks out of it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from hotdice.record import parse_record
from hotdice.review import review
from hotdice.review.report import Report
from hotdice.server.review_file import html_of
from tests.server.running import Json
from tests.test_moments import HAND_MADE
from tests.web.browsing import AXE, PHONE

pytestmark = pytest.mark.timeout(1200)  # the solver may have to be compiled first
EVIL = "</script><b>&amp;"


@pytest.fixture(scope="module")
def report() -> Report:
    return review(parse_record(HAND_MADE.replace("Bob", EVIL)))


def test_a_file_has_the_whole_review(browser: Browser, report: Report, tmp_path: Path) -> None:
    page = tmp_path / "review.html"
    page.write_text(html_of(parse_record(HAND_MADE.replace("Bob", EVIL)), report), "utf-8")
    context = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}, reduced_motion="reduce")
    shown = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    shown.on("console", lambda message: said.append(message.text))
    shown.on("pageerror", lambda error: said.append(str(error)))
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto(page.as_uri())
    values = shown.get_by_role("list", name="What it is worth now")
    expect(values).to_have_text(re.compile(r"Ann\s+85\.7%"))
    expect(values).to_contain_text(EVIL)
    board = shown.get_by_role("region", name="The board")
    expect(board).to_contain_text("Ann rolls")
    shown.keyboard.press("ArrowRight")
    shown.keyboard.press("ArrowRight")
    expect(shown.get_by_role("table", name=f"What {EVIL} could do, best first")).to_be_visible()
    expect(board).to_contain_text(EVIL)
    for tab in ("Players", "Key moments"):
        shown.get_by_role("button", name=tab).click()
        expect(shown.get_by_role("region", name="The review")).to_contain_text(EVIL)
    shown.get_by_role("button", name="Share").click()
    expect(shown.get_by_role("img", name=re.compile("^Ann beats"))).to_be_visible()
    expect(shown.get_by_role("link", name="Save as a picture")).to_be_visible()
    shown.keyboard.press("Escape")
    shown.evaluate(AXE.read_text("utf-8"))
    assert shown.evaluate("async () => (await axe.run()).violations.map(rule => rule.id)") == []
    assert not shown.get_by_role("button", name=re.compile("Play on|Play it out")).count()
    assert [url for url in asked if not url.startswith(("blob:", "data:"))] == [page.as_uri()]
    assert said == []
    context.close()


def packed_in(html: str) -> Json:
    """What the viewer is given, without the times at which that was made."""
    found = re.search(r'<script id="game" type="application/gzip;base64">([A-Za-z0-9+/=]+)</script>', html)
    assert found
    packed: Json = json.loads(gzip.decompress(base64.b64decode(found[1])))
    for message in (packed["replay"]["welcome"], *packed["replay"]["updates"]):
        del message["state"]["now"]
    return packed


def test_a_table_becomes_the_same_file_as_its_record(report: Report) -> None:
    record = replace(parse_record(HAND_MADE.replace("Bob", EVIL)), day=date.today())
    assert packed_in(html_of(record.table(), report)) == packed_in(html_of(record, report))
