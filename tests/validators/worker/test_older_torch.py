"""The hooks that torch 2.4 is given, with stand-ins for its modules."""

from types import SimpleNamespace

from validators.worker.older_torch import give_code_a_hook, give_frames_a_hook, name_backends


def test_replacing_the_later_name_changes_what_frames_get():
    """Before and after, the callback arrives as it is."""
    frames = []
    eval_frame = SimpleNamespace(set_eval_frame=frames.append)
    give_frames_a_hook(eval_frame)
    real = eval_frame._maybe_set_eval_frame
    eval_frame.set_eval_frame("one")
    eval_frame._maybe_set_eval_frame = lambda _: real(None)
    eval_frame.set_eval_frame("two")
    eval_frame._maybe_set_eval_frame = real
    eval_frame.set_eval_frame("three")
    assert frames == ["one", None, "three"]


def test_generated_code_is_handed_on():
    """To whatever replaces `save_output_code`; what generates it returns the same as before."""

    class GraphLowering:
        def codegen(self):
            return "code", []

    give_code_a_hook(GraphLowering)
    assert GraphLowering().codegen() == ("code", [])
    seen = []
    GraphLowering.save_output_code = staticmethod(seen.append)
    assert GraphLowering().codegen() == ("code", []) and seen == ["code"]


def test_a_backend_put_into_the_later_table_is_found_in_the_older_one():
    """It is the same table; a torch that has the later name keeps its own."""
    older = SimpleNamespace(_BACKENDS={})
    name_backends(older)
    older._COMPILER_FNS["eager"] = "stand-in"
    assert older._BACKENDS == {"eager": "stand-in"}
    later = SimpleNamespace(_COMPILER_FNS={}, _BACKENDS={"mine": None})
    name_backends(later)
    assert later._COMPILER_FNS == {}
