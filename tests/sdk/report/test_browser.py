"""Reports in a real browser, without a window: what the page is once Chromium has read it."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sdk.report import fragment, page
from sdk.report.view import view_of
from tests.sdk.report.test_report import DOCUMENT, EVIL, FAILED, RESULT

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")

POLICY = re.compile(r"<meta http-equiv[^>]*>\n")

LOOK = """<script>
const marks = [...document.querySelectorAll('.document a')], background = e => getComputedStyle(e).backgroundColor;
const offset = mark => {
  const before = document.createRange();
  before.setStart(mark.closest('.document'), 0); before.setEndBefore(mark);
  return before.toString().length;
};
const row = document.querySelector('.f1'), resting = background(row), mark = document.querySelector('.m1');
mark.focus({focusVisible: true});
const lit = background(row);
mark.blur();
const link = document.querySelector('.f0 a'), idle = getComputedStyle(marks[0]).outlineStyle;
link.focus();
const outlined = getComputedStyle(marks[0]).outlineStyle;
location.hash = link.getAttribute('href');
document.title = 'read ' + JSON.stringify({
  text: document.querySelector('.document').textContent,
  marks: marks.map(one => [offset(one), one.textContent, one.className, one.title]),
  broken: [...document.querySelectorAll('a')].filter(one => !document.querySelector(one.getAttribute('href'))).length,
  reachable: [...document.querySelectorAll('a, summary, [tabindex]')].every(one => one.tabIndex === 0),
  lit: [resting, lit], outlined: [idle, outlined], target: !!document.querySelector('a:has(:target)'),
  direction: getComputedStyle(document.querySelector('.document')).unicodeBidi,
  ground: background(document.querySelector('.extraction-report')), ink: getComputedStyle(document.body).color,
  strangers: document.querySelectorAll('img, script[src], link, iframe').length,
});
</script>"""


@dataclass
class Browser:
    """Opens pages; ``folder`` holds them and the browser's profile."""

    folder: Path

    def dom(self, text: str, *options: str) -> str:
        """The page after it is loaded, as the browser would write it."""
        (self.folder / "page.html").write_text(text, encoding="utf-8", newline="")
        command = [
            str(CHROMIUM),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={self.folder}/profile",
        ]
        address = (self.folder / "page.html").as_uri()
        done = subprocess.run(
            [*command, *options, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=True
        )
        return done.stdout

    def title(self, text: str, *options: str) -> str:
        """The title that the page has in the end."""
        found = re.search("<title>(.*?)</title>", self.dom(text, *options), re.DOTALL)
        assert found is not None
        return html.unescape(found[1])

    def look(self, text: str, *options: str) -> dict[str, Any]:
        """What ``LOOK`` finds in the page, which is allowed to run scripts for this."""
        title = self.title(POLICY.sub("", text).replace("</body>", f"{LOOK}</body>"), *options)
        assert title.startswith("read "), title
        return json.loads(title.removeprefix("read "))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    return Browser(tmp_path_factory.mktemp("browser"))


def test_no_script_runs_with_or_without_the_policy(browser: Browser) -> None:
    written = page([RESULT, FAILED], title=f"report {EVIL}")
    assert POLICY.search(written)
    assert browser.title(POLICY.sub("", written)) == f"report {EVIL}"
    notebook = f"<!doctype html><title>notebook</title><body>{fragment(RESULT)}{fragment(FAILED)}</body>"
    assert browser.title(notebook) == "notebook"


def test_the_policy_stops_scripts_that_the_browser_would_run(browser: Browser) -> None:
    written = page([RESULT], title="report").replace("</body>", "<script>document.title = 'ran'</script></body>")
    assert browser.title(written) == "report"
    assert browser.title(POLICY.sub("", written)) == "ran"


def test_marks_stand_at_their_offsets(browser: Browser) -> None:
    seen = browser.look(page([RESULT, FAILED], title="t"))
    assert seen["text"] == DOCUMENT.replace("\r\n", "\n")  # as browsers read any page
    expected, position = [], 0
    for segment in view_of(RESULT).segments:
        text = segment.text.replace("\r\n", "\n")
        if segment.marks:
            expected.append([position, text])
        position += len(text)
    assert [mark[:2] for mark in seen["marks"]] == expected
    assert [mark[1] for mark in seen["marks"][:3]] == ["Ace ", "Books", ", London"]
    assert seen["marks"][1][2].split() == ["verbatim", "over", "m0", "m1"]
    assert seen["marks"][1][3] == "shop, 93%; city, 20%"
    assert seen["strangers"] == 0


def test_it_is_used_by_keyboard(browser: Browser) -> None:
    seen = browser.look(page([RESULT], title="t"))
    assert seen["broken"] == 0
    assert seen["reachable"]
    assert seen["target"]
    assert seen["lit"][0] != seen["lit"][1], "a mark with the focus lights up its field"
    assert seen["outlined"] == ["none", "solid"], "and a field its marks"
    assert seen["direction"] == "plaintext"


def test_it_is_light_or_dark(browser: Browser) -> None:
    written = page([RESULT], title="t")
    light = browser.look(written, "--blink-settings=preferredColorScheme=1")["ground"]
    dark = browser.look(written, "--blink-settings=preferredColorScheme=0")["ground"]
    brightness = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (light, dark)]
    assert brightness[0] > 600
    assert brightness[1] < 150
