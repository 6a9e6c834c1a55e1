"""What a release lacks is told apart from what is broken."""

from __future__ import annotations

import pytest

from validators.runner.missing_api import missing_api, raised_in

MISSING = {
    "torch._dynamo.error_on_graph_break": (
        "AttributeError: module 'torch._dynamo' has no attribute 'error_on_graph_break'"
    ),
    "torch._inductor.utils.fresh_cache": (
        "ImportError: cannot import name 'fresh_cache' from 'torch._inductor.utils' (/lib/utils.py)"
    ),
    "triton.knobs": "ImportError: cannot import name 'knobs' from 'triton' (/lib/__init__.py)",
    "torch.compiler.cache": "ModuleNotFoundError: No module named 'torch.compiler.cache'",
    "torch._inductor.config.aot_inductor.level": (
        "AttributeError: torch._inductor.config.aot_inductor.level does not exist"
    ),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_name_that_the_release_lacks_is_told(name):
    """A function, a module or a setting, as Python and torch say it."""
    source = f"use({name.rpartition('.')[2]}=1)"
    assert missing_api(["AssertionError: no", MISSING[name]], source) == name


@pytest.mark.parametrize("name", MISSING)
def test_a_name_that_only_torch_asks_for_is_an_error(name):
    """Then torch is broken there; part of another name does not count."""
    assert missing_api([MISSING[name]], f"not_{name.rpartition('.')[2]} = 1") == ""


def test_an_argument_that_the_release_lacks_is_told():
    """By the function and the keyword, if the proof passes it."""
    said = ["TypeError: compile() got an unexpected keyword argument 'isolated'"]
    assert missing_api(said, "torch.compile(f, isolated=True)") == "compile(isolated=...)"
    assert missing_api(said, "torch.compile(f)") == ""


def test_an_option_that_the_release_lacks_is_told():
    """As `torch.compile` says it."""
    said = ["RuntimeError: Unexpected optimization option filter, known options are [...]"]
    assert missing_api(said, 'options={"filter": keep}') == "options['filter']"


def test_a_setting_that_cannot_be_patched_is_told():
    """A key of anything else is an error."""
    said, source = ["KeyError: 'limit'"], "@torch._dynamo.config.patch(other=1, limit=2)"
    assert missing_api(said, source) == "config.limit"
    assert missing_api(said, 'report.facts["limit"]') == ""
    assert missing_api(said, "config.patch(other=1)\nlimit = 2") == ""


@pytest.mark.parametrize(
    "said",
    [
        "AttributeError: 'Tensor' object has no attribute 'level'",
        "AttributeError: module 'model' has no attribute 'level'",
        "AssertionError: torch.level does not exist",
    ],
)
def test_other_failures_stay_errors(said):
    """Also those of the proof's own modules and of objects."""
    assert missing_api([said], "level") == ""


def test_what_a_probe_caught_counts():
    """In a call, or in a fact that the proof kept."""
    exception = {"type": "RuntimeError", "message": "first"}
    facts = {"a.exception": "AttributeError", "a.message": "second", "b": 1}
    told = [*raised_in({"exception": exception, "facts": facts})]
    assert told == ["RuntimeError: first", "AttributeError: second"]
    assert [*raised_in({"exception": None, "facts": {}})] == []
