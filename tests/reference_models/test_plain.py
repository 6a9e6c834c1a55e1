"""The plain programs in eager mode."""

from __future__ import annotations

import pytest
import torch

from validators.files import ROOT
from validators.inspector.plain.compared import BATCHES, Use, maker
from validators.plain.programs import load_programs
from validators.worker.user_code import module_of


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["training", "no_grad", "inference_mode"])
def test_programs_compute_finite_numbers(mode):
    """NaN beside NaN counts as equal; and a step changes the parameters that it trains."""
    for program in load_programs(ROOT)[0]:
        module = module_of(program.file)
        if mode not in program.modes:
            continue
        torch.manual_seed(0)
        model = module.build().train(mode == "training")
        before = [it.detach().clone() for it in model.parameters()]
        use = Use(model, maker(module, mode), mode)
        for batch in BATCHES:
            result, _, state = use(*module.inputs(batch))
            values = [*torch.utils._pytree.tree_leaves(result), *state.values()]
            finite = [torch.as_tensor(it).isfinite().all() for it in values]
            assert all(finite), (program.name, batch)
        same = [torch.equal(one, it) for one, it in zip(before, model.parameters(), strict=True)]
        assert all(same) == (mode != "training"), program.name
