"""What `holds` should say, so that it agrees with every record."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest

from validators.catalog import Holds, expected_to_hold, load_catalog
from validators.evidence.expectation import agreeing_holds

RELEASES = ["2.9.1", "2.10.0", "2.11.0", "2.11.1", "2.13.0"]
VERDICTS = {"c": "confirmed", "r": "refuted", "f": "remedy-failed", "?": "unstable"}


@pytest.fixture
def holds_of(tmp_path, write_case, make_record):
    """A function from a case's fields, and letters of verdicts by device, to what fits them."""

    def run(fields, **letters):
        write_case(tmp_path, "guards", "one", **fields)
        case = load_catalog(tmp_path).by_name["one"]
        records = [
            _record(make_record, release, device, VERDICTS[letter])
            for device, those in letters.items()
            for release, letter in zip(RELEASES, those, strict=True)
            if letter != "."
        ]
        found = agreeing_holds(case, records)
        if found is not None:
            _agrees(dataclasses.replace(case, meta=_with(case.meta, found)), records)
        return found

    return run


def _with(meta, holds):
    return msgspec.structs.replace(meta, holds=holds)


def _agrees(case, records):
    """What was found expects what was recorded, and nothing else."""
    for it in records:
        mark = it.fingerprint
        expected = expected_to_hold(case.meta, mark.torch, mark.device_type, mark.python)
        assert expected == (it.verdict == "confirmed"), it.column


def _record(make_record, release, device, verdict):
    record = make_record("one", torch=release, verdict=verdict)
    if device == "cpu":
        return record
    mark = dataclasses.replace(
        record.fingerprint, device="cuda", accelerator="NVIDIA H200", torch=release
    )
    return make_record("one", verdict=verdict, column=f"torch-{release}-h200", fingerprint=mark)


@pytest.mark.parametrize(
    ("letters", "found"),
    [
        ("ccccc", []),
        ("..ccc", []),
        ("rcccc", [">=2.10"]),
        ("r..cc", [">=2.11"]),
        ("cccfr", ["<2.11.1"]),
        ("cc..r", ["<2.11"]),
        ("crccc", ["<2.10", ">=2.11"]),
        ("rrcrr", [">=2.11,<2.11.1"]),
        ("r?rcc", [">=2.11.1"]),
        ("rrrrr", None),
        (".....", None),
    ],
)
def test_the_narrowest_ranges_that_agree(holds_of, letters, found):
    """They begin and end with releases that confirm the claim, unless nothing else was seen."""
    expected = found if found is None else [Holds(it) for it in found]
    assert holds_of({"devices": ["cpu"]}, cpu=letters) == expected


def test_devices_share_ranges_until_they_disagree(holds_of):
    """A release that says otherwise on a GPU gives each device its own."""
    fields = {"devices": ["cpu", "cuda"]}
    assert holds_of(fields, cpu="rcccc", cuda="..c..") == [Holds(">=2.10")]
    assert holds_of(fields, cpu="rcccc", cuda="..rcc") == [
        Holds(">=2.10", "cpu"),
        Holds(">=2.11.1", "cuda"),
    ]
    assert holds_of(fields, cpu="ccccc", cuda="..r..") == [Holds("", "cpu")]


def test_a_device_that_nobody_ran_keeps_its_own(holds_of):
    """No record says anything of it."""
    fields = {"devices": ["cpu", "cuda"], "holds": [{"torch": ">=2.11", "device": "cpu"}]}
    assert holds_of(fields, cpu="rcccc") == [Holds(">=2.10", "cpu")]
    fields["holds"].append({"torch": ">=2.12", "device": "cuda"})
    assert holds_of(fields, cpu="rcccc") == [Holds(">=2.10", "cpu"), Holds(">=2.12", "cuda")]


def test_what_ranges_cannot_say_is_left_to_people(holds_of, tmp_path, write_case, make_record):
    """A Python in `holds`, and two GPUs that disagree on one release."""
    fields = {"devices": ["cpu"], "holds": [{"torch": ">=2.11", "python": "<3.12"}]}
    assert holds_of(fields, cpu="ccccc") is None
    write_case(tmp_path, "guards", "one", devices=["cuda"])
    case = load_catalog(tmp_path).by_name["one"]
    records = [_record(make_record, "2.11.0", "cuda", it) for it in ("confirmed", "refuted")]
    assert agreeing_holds(case, records) is None


def test_what_was_only_compiled_confirms_nothing(tmp_path, write_case, make_record):
    """But it may refute."""
    write_case(tmp_path, "guards", "one", devices=["cpu", "cuda"], compiled="tracing")
    case = load_catalog(tmp_path).by_name["one"]
    mark = dataclasses.replace(
        make_record("one").fingerprint, torch="2.15.0", device="compiled", accelerator="sm_90"
    )
    for verdict, found in (("confirmed", []), ("refuted", [Holds("<2.14")])):
        compiled = make_record(
            "one", verdict=verdict, column="torch-2.15.0-sm90-compiled", fingerprint=mark
        )
        assert agreeing_holds(case, [make_record("one"), compiled]) == found
    refuted = make_record("one", verdict="refuted")
    assert (
        agreeing_holds(case, [refuted, msgspec.structs.replace(compiled, verdict="confirmed")])
        is None
    )
