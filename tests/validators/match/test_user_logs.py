"""The judged set: logs of users, each with the answer it should get.

They are taken from public threads. Messages are as programs print them; what a user wrote, prose
and code, is restated.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from packaging.version import Version

from tests.validators.match.judging import judged_logs, our_catalog
from validators.catalog import Catalog

FILES = sorted(Path(__file__).with_name("user_logs").iterdir())
FIELDS = ["source", "torch", "category", "part"]
SOURCE = re.compile(r"[\w.-]+/[\w.-]+#\d+|https://\S+")
HOME = re.compile(r"(?:/home/|/Users/|[A-Z]:[\\/]+Users[\\/]+)([\w.-]+)[\\/]")
NO_PERSON = {"user", "miniconda3", ".local"}


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    """The catalog whose cases are the answers."""
    return our_catalog()


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    """All logs, in the order of their files' names."""
    return list(judged_logs())


def names_of(source: str) -> set[str]:
    """What the file of a log from `source` is called: by that, or where that is taken, by more.

    So two writers choose one name for one thread only, and no file is ever renamed.
    """
    name = re.sub(r"[^a-z0-9]+", "-", source.lower().removeprefix("https://")).strip("-")
    return {f"{name}.yaml", f"{name}-{hashlib.sha256(source.encode()).hexdigest()[:6]}.yaml"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_log_says_where_it_is_from_and_what_explains_it(file, catalog):
    """A related log has its cases or the claim that is missing; an unrelated one has no answer."""
    text = file.read_text("utf-8")
    record = msgspec.yaml.decode(text)
    answer = "missing" if "missing" in record else "expect"
    assert file.name in names_of(record["source"])
    assert text.startswith("---\n")
    assert list(record) == [*FIELDS, answer, "log"]
    assert SOURCE.fullmatch(record["source"])
    assert not record["torch"] or Version(record["torch"])
    if record["category"] == "unrelated":
        assert record["expect"] == []
    elif answer == "missing":
        assert record["missing"].endswith(".")
        assert record["category"] in catalog.casebook.areas
    else:
        assert record["expect"]
        assert set(record["expect"]) <= catalog.by_any_name.keys()
        assert record["category"] in catalog.casebook.areas


def test_logs_are_of_a_readable_length_and_name_no_one(records):
    """A log is a few lines up to sixty, and the owner of a home folder in it is `user`."""
    for record in records:
        assert 1 <= len(record["log"].splitlines()) <= 60, record["source"]
        assert set(HOME.findall(record["log"])) <= NO_PERSON, record["source"]


def test_each_thread_counts_once(records):
    """Two logs of one thread would be judged as if they were independent."""
    sources = [record["source"].lower() for record in records]
    assert sorted(sources) == sorted(set(sources))


def test_a_log_is_named_by_its_source():
    """With a few digits behind it where another source has that name; nothing is numbered."""
    assert names_of("Some-Org/a_repo#12") == {
        "some-org-a-repo-12.yaml",
        "some-org-a-repo-12-491e53.yaml",
    }
    assert "discuss-pytorch-org-t-a-title-7.yaml" in names_of(
        "https://discuss.pytorch.org/t/a-title/7"
    )


def test_the_set_is_large_enough(records, catalog):
    """At least 60 logs about torch.compile, from every area, and 40 about other things."""
    categories = [record["category"] for record in records]
    unrelated = categories.count("unrelated")
    assert unrelated >= 40
    assert len(categories) - unrelated >= 60
    assert set(catalog.casebook.areas) <= set(categories)
