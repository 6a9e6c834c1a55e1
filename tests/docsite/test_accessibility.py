"""Every kind of page, judged by axe-core, in both colour schemes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.world import World

from .conftest import built
from .pages.test_messages import write_messages

pytestmark = pytest.mark.browser
AXE = (Path(__file__).parent / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
REDIRECT = "catalog/old_branch/index.html"
PAGES = [
    "index.html",
    "catalog/index.html",
    "matrix/index.html",
    "match/index.html",
    "areas/memory/index.html",
    "catalog/tensor_branch/index.html",
    "catalog/unbacked_dim/index.html",
    "catalog/never_run/index.html",
    "catalog/gone/index.html",
    "gb/index.html",
    "about/index.html",
    "first-on-gpu/index.html",
    "releases/index.html",
    "releases/2.13.0-2.15.0/index.html",
    "sources/index.html",
    "sources/old-notes/index.html",
    "logs/index.html",
    "logs/2026-01-23-first-try/index.html",
    "guides/index.html",
    "guides/decide/index.html",
    "skills/index.html",
    "skills/compile-vlm/index.html",
    "skills/compile-vlm/references/shapes/index.html",
    "404.html",
    REDIRECT,
]
MESSAGE_PAGES = [
    "messages/index.html",
    "messages/exceptions/index.html",
    "gb/index.html",
    "gb/GB0170/index.html",
    "gb/GB0171/index.html",
]
JUDGE = """
const done = arguments[arguments.length - 1];
for (const part of document.querySelectorAll("details")) part.open = true;
const options = {resultTypes: ["violations"], rules: {"target-size": {enabled: true}}};
const settled = new Promise((resolve) => setTimeout(resolve, 300));  // the theme measures code
settled.then(() => axe.run(options)).then(({violations}) => done(violations.flatMap(
    ({id, help, nodes}) => nodes.map(({target, any}) =>
        `${id} (${help}): ${target} ${any.map((check) => check.message)}`))));
"""


class _Served(SimpleHTTPRequestHandler):
    """Says nothing, and answers an unknown address as servers of sites do: with `404.html`."""

    def log_message(self, *_: Any) -> None:
        pass

    def send_error(self, code: int, *_: Any) -> None:
        page = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(page)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served: the page of a missing address names its files from the root."""
    with serving(site) as place:
        yield place


@pytest.fixture(scope="module")
def message_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """A served site with two messages, of which one has a cause."""
    world = World(tmp_path_factory.mktemp("messages"))
    world.catalog.mkdir(parents=True)
    write_messages(world)
    site = built(world)
    with serving(site) as place:
        yield site, place


@contextmanager
def serving(site: Path) -> Iterator[str]:
    """The address at which a folder is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Served, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(
    params=[("light", 1280), ("dark", 1280), ("light", 390)], ids=["light", "dark", "telephone"]
)
def scheme(request: pytest.FixtureRequest, browser: Any) -> Iterator[str]:
    """The colour scheme that the browser prefers; a narrow one is a telephone."""
    name, width = request.param
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    yield name
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_no_violation(
    browser: Any, site: Path, address: str, path: str, scheme: str
) -> None:
    """All rules that axe runs by default, best practices and the size of targets included."""
    judge(browser, site, address, path, scheme)


@pytest.mark.parametrize("path", MESSAGE_PAGES)
def test_axe_finds_no_violation_in_pages_of_messages(
    browser: Any, message_site: tuple[Path, str], path: str, scheme: str
) -> None:
    """They are in a site of their own, since ids lead to cases where no messages are recorded."""
    judge(browser, *message_site, path, scheme)


def judge(browser: Any, site: Path, address: str, path: str, scheme: str) -> None:
    """Open a page in a scheme and let axe judge it."""
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get("about:blank")
    everything = {"origin": address, "storageTypes": "all"}  # the theme keeps its first scheme
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", everything)
    browser.get(_still(site / path) if path == REDIRECT else f"{address}/{path}")
    shown = browser.execute_script("return getComputedStyle(document.body).colorScheme")
    assert shown == scheme or path == REDIRECT
    browser.execute_script(AXE)
    found = browser.execute_async_script(JUDGE)
    assert not found, "\n".join(found)


def _still(redirect: Path) -> str:
    """The redirect as an address that stays where it is."""
    html = redirect.read_text(encoding="utf-8").replace('http-equiv="refresh"', "")
    return f"data:text/html;charset=utf-8,{quote(html)}"


def test_the_judge_is_awake(browser: Any) -> None:
    """A picture without a text, grey on grey, is found."""
    browser.get("data:text/html,<img src=x><p style='color:silver'>grey")
    browser.execute_script(AXE)
    found = {text.partition(" ")[0] for text in browser.execute_async_script(JUDGE)}
    assert {"image-alt", "color-contrast", "html-has-lang"} <= found
