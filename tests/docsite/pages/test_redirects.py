"""The other addresses of a case, and what becomes of two names that claim one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from docsite.pages.redirects import redirects

from tests.world import World, front
from validators.errors import CasebookError

from ..conftest import built

OTHER = ["catalog/old_branch", "catalog/old-branch", "catalog/tensor-branch"]


@pytest.mark.parametrize("address", OTHER)
def test_other_addresses_lead_to_the_case(site: Path, address: str) -> None:
    """Aliases and hyphens redirect without scripts, and say in words where to."""
    html = (site / address / "index.html").read_text()
    target = re.search(r'content="0; url=([^"]+)"', html)
    assert target and (site / address / target[1]).resolve() == (
        site.resolve() / "catalog/tensor_branch/index.html"
    )
    assert f'<link rel="canonical" href="{target[1]}">' in html
    assert '<meta name="robots" content="noindex">' in html
    assert f'<a href="{target[1]}">Tensor branch</a>' in html


def test_no_sitemap_knows_them(world: World) -> None:
    """They would stand beside the page that they lead to."""
    world.case("one_two", front(aliases="[other]"))
    site = built(world, site_url="https://a.b/c/")
    sitemap = (site / "sitemap.xml").read_text("utf-8")
    assert "<loc>https://a.b/c/catalog/one_two/index.html</loc>" in sitemap
    assert "other" not in sitemap and "one-two" not in sitemap
    assert (site / "catalog/other/index.html").is_file()


def test_two_names_of_one_address_are_both_named(world: World) -> None:
    """Neither is written over the other, also where a file system ignores case."""
    world.case("one", front(aliases="[gb0170]"))
    content = world.load()
    with pytest.raises(CasebookError, match=r"both the page catalog/GB0170/.* and 'gb0170' of one"):
        dict(redirects(content, ["catalog/GB0170/index.html"]))


def test_a_name_without_a_hyphen_has_one_address(world: World) -> None:
    """Nothing redirects to itself."""
    world.case("one", front())
    assert dict(redirects(world.load(), ["catalog/one/index.html"])) == {}


def test_what_a_page_says_is_only_text_in_its_redirects(world: World) -> None:
    """They are no Markdown, so the templates alone stand between them and the reader."""
    body = "\n# <script>alert(1)</script>\n\n## Symptom\n\nx\n"
    claim = '"<img src=x> `<b>`"'
    world.case("a_b", front(claim), body=body)
    made = dict(redirects(world.load(), []))
    html = made["catalog/a-b/index.html"]
    assert "&lt;script" in html
    assert "<script" not in html and "<img" not in html
