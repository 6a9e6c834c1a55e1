import copy

import torch
import torch.nn.functional as F

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import captured_facts

THRESHOLD = 1e-3


def without_first_value(q, k, v, **options):
    v = v.clone()
    v[:, :, 0] = 0
    return F.scaled_dot_product_attention(q, k, v, **options)


def defective(gm, _inputs):
    """A backend that loses the first position of the values in the first block."""
    attention = (n for n in gm.graph.nodes if n.target is F.scaled_dot_product_attention)
    next(attention).target = without_first_value
    gm.recompile()
    return gm.forward


def mean_error(out, eager, _exact):
    return (out - eager).abs().mean().item(), THRESHOLD


def largest_error(out, eager, exact):
    """Against float64, where eager's own error is the measure of what is allowed."""
    return (out - exact).abs().max().item(), 10 * (eager - exact).abs().max().item()


@torch.no_grad()
def judged(judge, device):
    model = make_model(TotoConfig.debug(blocks=4), device=device)
    series = make_batch(model.config, batch_size=1, variates=1, device=device).series
    in_thousands = series / 1000
    eager, _ = model(in_thousands)
    exact, _ = copy.deepcopy(model).double()(in_thousands.double())

    def verdict(backend):
        out, _ = torch.compile(model, backend=backend)(in_thousands)
        error, allowed = judge(out, eager, exact)
        return {"error": error, "allowed": allowed, "passes": error < allowed}

    return captured_facts(
        sound=lambda: verdict("aot_eager_decomp_partition"),
        defective=lambda: verdict(defective),
    )


def symptom(device):
    return judged(mean_error, device)


def remedy(device):
    return judged(largest_error, device)


def shows(report):
    sound, wrong = report.facts["sound"], report.facts["defective"]
    if not wrong["passes"]:
        return not sound["passes"]
    return sound["passes"] and wrong["error"] > 0
