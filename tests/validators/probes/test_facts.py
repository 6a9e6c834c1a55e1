"""Facts read from torch and Triton."""

from __future__ import annotations

import importlib.util

import pytest

from validators.probes import (
    api_places,
    captured_facts,
    config_values,
    mode_options,
    triton_compiles,
)
from validators.probes.kernels import ptx_target


def test_places() -> None:
    """A name resolves through attributes and submodules, or does not."""
    names = {
        "torch.compile": True,
        "torch._dynamo.decorators.mark_unbacked": True,
        "torch._dynamo.nothing_of_the_kind": False,
        "no_such_package.anything": False,
    }
    assert api_places(*names).facts == names


def test_config_values() -> None:
    """A configuration's value is a fact; a missing one is an error, not a None."""
    import torch

    name = "torch._dynamo.config.recompile_limit"
    with torch._dynamo.config.patch(recompile_limit=5):
        assert config_values(name).facts == {name: 5}
    with pytest.raises(LookupError, match="does not resolve"):
        config_values("torch._dynamo.config.no_such_limit")
    with pytest.raises(TypeError, match="return a scalar"):
        config_values("torch.float32")


def test_mode_options() -> None:
    """Each mode's options are facts of their own; the default mode sets none."""
    facts = mode_options().facts
    assert facts["default"] == 0
    assert facts["reduce-overhead.triton.cudagraphs"] is True
    assert "max-autotune-no-cudagraphs.triton.cudagraphs" not in facts


def test_captured_facts_refuse_objects() -> None:
    """A result that is not plain data is the arm's mistake, not a finding."""
    with pytest.raises(TypeError, match="The fact 'what' is a"):
        captured_facts(what=lambda: object())


def test_ptx_target() -> None:
    """The target is read from PTX or from the assembler's command line."""
    assert ptx_target(".version 8.7\n.target sm_100a\n") == "sm_100a"
    assert ptx_target("ptxas -v --gpu-name=sm_90a x.ptx") == "sm_90a"
    assert ptx_target("// no target") == ""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed.")
def test_triton_compiles_for_a_named_target() -> None:
    """A kernel compiles for a GPU that is not here; an impossible one is refused by ptxas."""
    from tests.validators.probes.kernel import SIGNATURE, add_one

    good = triton_compiles(add_one, SIGNATURE, constants={"BLOCK": 128})
    assert good.facts["ptx_target"] == "sm_100a"
    assert good.facts["cubin"] is True
    bad = triton_compiles(add_one, SIGNATURE, constants={"BLOCK": 128}, target=("cuda", 1000, 32))
    assert bad.facts["cubin"] is False
    assert bad.facts["exception"] == "triton.runtime.errors.PTXASError"
    assert "/" not in str(bad.facts["message"]).partition("Repro command: ")[2].split()[0]
