"""What a verdict is worth where arms compiled for a GPU that is not there."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from validators.probes.report import Caught, GraphBreak, Report
from validators.runner.verdict import Ruling
from validators.runner.without_gpu import LAUNCHES, without_gpu

CONFIRMED = Ruling("confirmed", "", {"symptom": True, "remedy": False})
REFUTED = Ruling("refuted", "", {"symptom": False, "remedy": False})


@pytest.fixture
def ruled(tmp_path):
    """A function from a ruling and what the symptom's arm saw to what the ruling becomes."""

    def make(
        ruling=CONFIRMED, invented=(), shows="len(report.graphs) > 0", about="kernels", **seen
    ) -> Ruling:
        proof = tmp_path / "proof.py"
        proof.write_text(f"def shows(report):\n    return {shows}\n")
        pair = {"symptom": Report(**seen).to_json(), "remedy": Report().to_json()}
        told = [{"kind": kind, "what": what, "count": 1} for kind, what in invented]
        case = SimpleNamespace(proof=proof, meta=SimpleNamespace(compiled=about))
        return without_gpu(ruling, SimpleNamespace(pairs=[pair], invented=told), case)

    return make


def caught(kind: str) -> Caught:
    """An exception of this type."""
    return Caught(kind, "said\nmore", 0)


def broken(kind: str) -> GraphBreak:
    """A graph break of this type."""
    return GraphBreak("", "", kind, "because", "a.py", 1, skipped_frame=False)


@pytest.mark.parametrize("kind", ["clock", "value", "memory", "replay"])
def test_a_verdict_that_rests_on_an_invented_answer_is_undecided(ruled, kind) -> None:
    """The reason names what was asked for."""
    ruling = ruled(invented=[(kind, "this thing")])
    assert (ruling.verdict, ruling.shows) == ("undecided", {})
    assert ruling.reason == f"only a GPU knows: this thing ({kind})"


def test_how_a_kernel_is_launched_decides_nothing(ruled) -> None:
    """Almost every graph has a kernel with several configurations, and no probe reports them."""
    assert ruled(invented=[("clock", LAUNCHES)]) == CONFIRMED


@pytest.mark.parametrize(
    "kind",
    [
        "torch._dynamo.exc.BackendCompilerFailed",
        "torch._inductor.exc.InductorError",
        "torch._subclasses.fake_tensor.DataDependentOutputException",
        "RuntimeError",
    ],
)
def test_an_exception_of_a_backend_or_at_run_time_is_undecided(ruled, kind) -> None:
    """There may be none where there is a GPU."""
    ruling = ruled(exception=caught(kind))
    assert ruling.verdict == "undecided"
    assert f"raised {kind.rpartition('.')[2]} without a GPU; one may not: said" in ruling.reason


@pytest.mark.parametrize(
    "kind",
    [
        "torch._dynamo.exc.Unsupported",
        "torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
    ],
)
def test_an_exception_of_tracing_counts(ruled, kind) -> None:
    """Dynamo raises it before any backend."""
    assert ruled(exception=caught(kind)) == CONFIRMED


def test_a_swallowed_exception_of_a_backend_is_undecided(ruled) -> None:
    """As a graph break, and as a fact."""
    as_break = ruled(graph_breaks=(broken("Backend compiler exception"),))
    assert as_break.verdict == "undecided"
    for kind in (
        "torch._inductor.exc.InductorError",
        "torch._inductor.runtime.triton_heuristics.NoTritonConfigsError",
        "torch.OutOfMemoryError",
    ):
        assert ruled(facts={"made.exception": kind}).verdict == "undecided"
    assert ruled(graph_breaks=(broken("Data-dependent branching"),)) == CONFIRMED
    assert ruled(facts={"made.exception": "AttributeError"}) == CONFIRMED


def test_the_absence_of_an_exception_refutes_nothing(ruled) -> None:
    """It might have come when something ran; a graph that is missing is missing anyway."""
    raises = "report.exception is not None"
    assert ruled(REFUTED, shows=raises).verdict == "undecided"
    assert ruled(REFUTED) == REFUTED
    assert ruled(REFUTED, shows=raises, about="tracing") == REFUTED
