"""Columns name files, whatever builds and GPUs call themselves."""

from __future__ import annotations

import dataclasses
import re

import msgspec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from validators.environment import column_of
from validators.environment.column_pattern import ColumnName
from validators.versions import version_of

VERSIONS = st.text() | st.from_regex(r"v?[0-9.]+(a|rc|\.dev|\.post)?[0-9]*([+-][a-z0-9.]*)?")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(torch=VERSIONS, device=st.sampled_from(["cpu", "cuda"]), accelerator=st.text())
@example(torch="2.13.0a0+gitabc", device="cpu", accelerator="")
@example(torch="2.11.0.dev20260101+cu130", device="cuda", accelerator="NVIDIA H200")
@example(torch="1!2.13.0", device="cuda", accelerator="../../x")
@example(torch="../../x", device="cpu", accelerator="")
@example(torch="2.13.0-custom/x", device="cpu", accelerator="")
@example(torch="9" * 5000, device="cuda", accelerator="\0")
def test_a_column_is_fit_for_a_record(make_record, torch, device, accelerator):
    """It is one that records may have, and depends on nothing but release and device."""
    mark = make_record("one").fingerprint
    mark = dataclasses.replace(mark, torch=torch, device=device, accelerator=accelerator)
    column = column_of(mark)
    assert msgspec.convert(column, ColumnName) == column
    assert column_of(dataclasses.replace(mark, git="x", driver="y", python="z")) == column


@given(VERSIONS)
@example("2.13.0-custom_build")
@example("3.13.0a1+")
def test_a_version_is_that_which_the_text_begins_with(text):
    """Of what is no version, the leading release counts; of what has none, 0."""
    version = version_of(text)
    begins = re.match(r"\s*v?([0-9]+)", text)
    assert not begins or version.epoch or version.major in (int(begins[1]), 0)
