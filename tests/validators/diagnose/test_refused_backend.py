"""What aot_eager refuses and Inductor compiles is not the user's trouble."""

from __future__ import annotations

from validators.diagnose.run import _refused_by_aot_eager

RAISED = {"backend": "aot_eager", "raised": {"type": "RuntimeError"}}


def test_a_crash_that_inductor_does_not_have_is_told_apart():
    """Only where `results` ran, and the backend is not what the user asked for."""
    works, raises = {"raised": None}, {"raised": {"type": "RuntimeError"}}
    assert _refused_by_aot_eager({"breaks": RAISED, "results": works}) == "RuntimeError"
    assert _refused_by_aot_eager({"breaks": RAISED, "results": raises}) == ""
    assert _refused_by_aot_eager({"breaks": RAISED}) == ""
    assert _refused_by_aot_eager({"breaks": RAISED, "results": {}}) == ""
    asked = {**RAISED, "backend": "cudagraphs"}
    assert _refused_by_aot_eager({"breaks": asked, "results": works}) == ""
