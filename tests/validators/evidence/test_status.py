"""What evidence says of a case: one place computes it."""

from __future__ import annotations

import pytest

from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.evidence import Freshness
from validators.evidence.status import (
    applies,
    device_of,
    explained,
    open_devices,
    overall,
    status_on,
)
from validators.evidence.stored.examples import ABSENT, ExampleRun, example_digest

CPU, GPU = "torch-2.13.0-cpu", "torch-2.13.0-h200"
COMPILED = "torch-2.13.0-sm90-compiled"


@pytest.fixture
def case_of(tmp_path, write_case):
    """A function that writes a case and reads it."""

    def make(**fields):
        write_case(tmp_path, "guards", "one", **fields)
        return load_catalog(tmp_path).by_name["one"]

    return make


@pytest.fixture
def status_of(tmp_path, case_of, make_record):
    """A function from a case's fields and its record's to its status on the CPU."""

    def make(fields, column=CPU, **record):
        case = case_of(**fields)
        return status_on(case, column, make_record(case, **record), Freshness(tmp_path))

    return make


@pytest.mark.parametrize("verdict", ["confirmed", "refuted", "remedy-failed", "unstable", "error"])
def test_a_current_record_counts_as_what_it_says(status_of, verdict):
    """Its verdict is the state."""
    status = status_of({}, verdict=verdict)
    assert (status.state, status.was) == (verdict, "")


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"verdict": "refuted"}, "error"),
        ({"verdict": "refuted", "reason": "before has 2 graph breaks"}, "confirmed"),
        ({"verdict": "confirmed"}, "confirmed"),
        ({"verdict": "error"}, "confirmed"),
        ({"verdict": "refuted", "digest": "old"}, "confirmed"),
    ],
)
def test_an_example_that_contradicts_its_proof_is_an_error(
    tmp_path, case_of, make_record, fields, state
):
    """Two witnesses that ran disagree, so nothing is decided; others have no say."""
    case = case_of(body=page_with_example("a = 1", "b = 2"))
    known = {"digest": example_digest(case), "torch": "2.13.0", "reason": ABSENT}
    run, record = ExampleRun(**(known | fields)), make_record(case)
    status = status_on(case, CPU, record, Freshness(tmp_path), run)
    assert status.state == state
    assert status.surprising == (state == "error")
    told = f"the example is refuted ({ABSENT}), the proof confirmed"
    assert status.reason == (told if state == "error" else record.reason)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"verdict": "refuted", "reason": ABSENT}, "refuted"),
        ({"verdict": "refuted", "reason": "before has 2 graph breaks and after 0"}, "unshown"),
        ({"verdict": "error", "reason": "before raised KeyError"}, "unshown"),
        ({"verdict": "confirmed"}, "error"),
        ({"verdict": "refuted", "reason": ABSENT, "digest": "old"}, "unshown"),
        (None, "unshown"),
    ],
)
def test_a_page_says_not_affected_only_where_its_example_seconds_it(
    tmp_path, case_of, make_record, fields, state
):
    """One program that shows nothing is not enough."""
    case = case_of(body=page_with_example("a = 1", "b = 2"))
    known = {"digest": example_digest(case), "torch": "2.13.0"}
    run = None if fields is None else ExampleRun(**(known | fields))
    record = make_record(case, verdict="refuted", reason="")
    assert status_on(case, CPU, record, Freshness(tmp_path), run).state == state


@pytest.mark.parametrize(("doubted", "state"), [("<2.13", "refuted"), (">=2.13", "unshown")])
def test_a_proof_that_another_program_contradicts_decides_nothing(status_of, doubted, state):
    """The page names the releases, and what the other program shows there."""
    doubts = [{"torch": doubted, "why": "A convolution shows it."}]
    status = status_of({"doubts": doubts}, verdict="refuted", reason="")
    assert status.state == state
    assert status.reason == ("A convolution shows it." if state == "unshown" else "")
    assert status_of({"doubts": doubts}, verdict="confirmed", reason="").state == "confirmed"


def test_trouble_that_is_not_the_claimed_one_decides_nothing(status_of):
    """Other words may say the same: who is in trouble is not told that nothing affects them."""
    told = "the symptom left 1 graph break, though not as claimed"
    status = status_of({}, verdict="refuted", reason=told)
    assert (status.state, status.reason, status.surprising) == ("unshown", told, True)
    elsewhere = status_of({"holds": [{"torch": ">=2.14"}]}, verdict="refuted", reason=told)
    assert not elsewhere.surprising


def test_a_symptom_whose_remedy_the_release_lacks_affects(status_of):
    """Nobody tried the fix, so it has not failed."""
    told = "the remedy needs `torch.nonsense`, which torch 2.13.0 lacks"
    assert status_of({}, verdict="remedy-failed", reason=told).state == "unremedied"
    assert status_of({}, verdict="remedy-failed", reason="left a break").state == "remedy-failed"


@pytest.mark.parametrize(
    ("lacks", "verdict", "state"),
    [
        (True, "confirmed", "confirmed"),
        (True, "remedy-failed", "unremedied"),
        (True, "refuted", "error"),
        (False, "confirmed", "remedy-failed"),
        (False, "refuted", "error"),
    ],
)
def test_an_example_may_show_a_fix_that_the_proof_cannot(
    tmp_path, case_of, make_record, lacks, verdict, state
):
    """The proof's remedy may need what the release lacks; of the symptom both must say the same."""
    case = case_of(body=page_with_example("a = 1", "b = 2"))
    run = ExampleRun(
        verdict=verdict, digest=example_digest(case), torch="2.13.0", line="", reason=ABSENT
    )
    reason = "the remedy needs `a.b`, which torch 2.13.0 lacks" if lacks else "left a break"
    record = make_record(case, verdict="remedy-failed", reason=reason)
    assert status_on(case, CPU, record, Freshness(tmp_path), run).state == state


@pytest.fixture
def explained_of(tmp_path, case_of, make_record):
    """A function from a case's fields and letters of verdicts by column to its states."""

    def make(fields, columns):
        case, freshness = case_of(**fields), Freshness(tmp_path)
        verdicts = {"c": "confirmed", "r": "refuted", "f": "remedy-failed", "s": "skipped"}
        statuses = {
            column: status_on(case, column, make_record(case, verdict=verdicts[it]), freshness)
            for column, it in columns.items()
        }
        return {column: it.state for column, it in explained(case, statuses).items()}

    return make


def _on_cpu(letters):
    """Columns of the CPU with these letters, the newest first."""
    releases = ("2.9.1", "2.10.0", "2.11.0", "2.13.0")
    pairs = zip(releases, letters, strict=True)
    return {f"torch-{it}-cpu": letter for it, letter in [*pairs][::-1]}


@pytest.mark.parametrize(
    ("letters", "unexplained"),
    [
        ("rrcc", ["2.9.1", "2.10.0"]),
        ("rsfr", ["2.9.1"]),
        ("crcr", []),
        ("rrrr", []),
        ("ssss", []),
    ],
)
def test_refuted_before_the_first_that_shows_it_decides_nothing(explained_of, letters, unexplained):
    """An older release may call it otherwise, unless the page names what brought it."""
    found = explained_of({}, _on_cpu(letters))
    assert {f"torch-{it}-cpu" for it in unexplained} == {
        column for column, state in found.items() if state == "unexplained"
    }
    assert [*found] == [*_on_cpu(letters)]
    named = explained_of({"since": "Torch 2.10 brought it."}, _on_cpu(letters))
    assert "unexplained" not in named.values()


def test_each_device_has_its_own_first_release(explained_of):
    """Of two GPUs that disagree on one release, none is before the other."""
    columns = {"torch-2.9.1-h100": "r", "torch-2.9.1-h200": "c", "torch-2.8.0-cpu": "c"}
    assert explained_of({}, columns)["torch-2.9.1-h100"] == "refuted"
    columns["torch-2.10.0-a100"] = columns.pop("torch-2.9.1-h200")
    assert explained_of({}, columns)["torch-2.9.1-h100"] == "unexplained"


def test_what_is_unexplained_is_a_surprise_where_holds_expects_more(case_of, tmp_path, make_record):
    """As *refuted* is."""
    case = case_of(holds=[{"torch": ">=2.10"}])
    statuses = {
        f"torch-{it}-cpu": status_on(
            case, CPU, make_record(case, torch=it, verdict=verdict), Freshness(tmp_path)
        )
        for it, verdict in (("2.9.1", "refuted"), ("2.11.0", "refuted"), ("2.13.0", "confirmed"))
    }
    assert [it.surprising for it in explained(case, statuses).values()] == [False, True, False]


def test_a_stale_record_only_tells_what_was(status_of):
    """It decides nothing."""
    status = status_of({}, digest="0")
    assert (status.state, status.was, status.surprising) == ("stale", "confirmed", False)


def test_without_a_record_nothing_is_decided(case_of, tmp_path):
    """And nothing is a surprise."""
    status = status_on(case_of(), CPU, None, Freshness(tmp_path))
    assert (status.state, status.record, status.surprising) == ("undecided", None, False)


def test_a_claim_without_meaning_on_the_device(status_of):
    """A record there only says that the case was skipped."""
    status = status_of({"devices": ["cuda"]}, verdict="skipped")
    assert (status.state, status.record) == ("na", None)


def test_a_release_that_lacks_what_the_proof_needs_is_told_apart(status_of):
    """From what this machine lacks; neither is a surprise."""
    reason = "needs `torch._dynamo.nonsense`, which torch 2.13.0 lacks"
    status = status_of({}, verdict="skipped", reason=reason)
    assert (status.state, status.reason, status.surprising) == ("lacks", reason, False)
    assert status_of({}, verdict="skipped", reason="needs pandas").state == "skipped"


@pytest.mark.parametrize(
    ("fields", "verdict", "surprising"),
    [
        ({}, "refuted", True),
        ({}, "skipped", False),
        ({"holds": [{"torch": ">=2.14"}]}, "refuted", False),
        ({"holds": [{"torch": ">=2.14"}]}, "error", True),
        ({"holds": [{"device": "cuda"}]}, "unstable", False),
    ],
)
def test_what_is_a_surprise(status_of, fields, verdict, surprising):
    """An error anywhere; what is not confirmed where `holds` expects that."""
    assert status_of(fields, verdict=verdict).surprising is surprising


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ({}, "undecided"),
        ({CPU: "na", GPU: "undecided"}, "undecided"),
        ({CPU: "confirmed", GPU: "stale"}, "confirmed"),
        ({CPU: "confirmed", GPU: "refuted"}, "differs"),
        ({CPU: "skipped", GPU: "stale"}, "stale"),
        ({CPU: "skipped", GPU: "error"}, "error"),
        ({CPU: "confirmed", COMPILED: "refuted"}, "confirmed"),
        ({CPU: "skipped", COMPILED: "confirmed"}, "compiled"),
        ({CPU: "skipped", COMPILED: "undecided"}, "skipped"),
    ],
)
def test_one_state_for_lists(case_of, states, said):
    """What decides comes first; columns that disagree differ; what only compiled comes last."""
    assert overall(case_of(), states) == said
    assert overall(case_of(withdrawn="wrong"), states) == "retired"


def test_the_devices_that_nothing_decides(case_of):
    """Where the claim has a meaning; a retired case asks for none."""
    assert open_devices(case_of(), {CPU: "confirmed", GPU: "stale"}) == ["cuda"]
    assert open_devices(case_of(), {CPU: "confirmed", COMPILED: "confirmed"}) == ["cuda"]
    assert open_devices(case_of(devices=["cpu"]), {CPU: "unstable"}) == ["cpu"]
    assert open_devices(case_of(withdrawn="wrong"), {}) == []


def test_the_device_of_a_column():
    """The end of its name tells; a column named after a GPU alone is of a CUDA device."""
    assert [device_of(name) for name in (CPU, GPU, COMPILED)] == ["cpu", "cuda", "compiled"]
    assert device_of("torch-2.13.0-arc-b580-xpu") == "xpu"
    assert device_of("torch-2.13.0-m3-pro-mps") == "mps"


def test_a_claim_about_all_devices_has_a_meaning_on_other_gpus(case_of):
    """One about CUDA alone, or about CPUs alone, has none."""
    columns = ("torch-2.13.0-arc-b580-xpu", "torch-2.13.0-m3-pro-mps")
    for devices, meant in ((["cpu", "cuda"], True), (["cuda"], False), (["cpu"], False)):
        assert {applies(case_of(devices=devices), it) for it in columns} == {meant}


def test_a_claim_is_compiled_for_a_gpu_only_where_its_page_says_so(case_of):
    """Elsewhere a compiler decides nothing of it."""
    assert [applies(case_of(), it) for it in (CPU, GPU, COMPILED)] == [True, True, False]
    assert applies(case_of(compiled="tracing"), COMPILED)


def test_a_claim_about_some_gpus_has_no_meaning_on_others(case_of):
    """Compiled for or not; a CPU is none of them."""
    case = case_of(compiled="kernels", gpus=["h100", "sm90"])
    meant = ("cpu", "h100", "h100-mig", "sm90-compiled")
    others = ("a100", "h200", "sm80-compiled", "sm100-compiled")
    assert all(applies(case, f"torch-2.13.0-{it}") for it in meant)
    assert not any(applies(case, f"torch-2.13.0-{it}") for it in others)
