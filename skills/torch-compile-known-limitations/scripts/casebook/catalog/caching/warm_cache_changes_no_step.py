import torch
from torch._inductor.utils import fresh_cache

from reference_models.toto import TotoConfig, make_model
from validators.probes import captured_facts, inductor_code


def steps(report):
    """What a step that is warmed up runs: generated kernels, library calls, dispatched ops."""
    return {name: str(report.facts[name]) for name in ("kernels", "externs", "dispatched")}


def compiling(report):
    """What had to be compiled, since the caches on disk did not have it."""
    return {"compiled": report.cache.fx_misses + report.cache.aot_misses}


@torch.no_grad()
def cold_and_warm(look, device):
    config = TotoConfig.tiny()
    mlp = make_model(config, device=device).decoder.blocks[0].mlp
    x_BVTD = torch.randn(1, 2, 4, config.dim, device=device)
    reports = []

    def run():
        reports.append(inductor_code(mlp, [(x_BVTD,)]))
        return look(reports[-1])

    def found():
        return reports[-1].cache.fx_hits + reports[-1].cache.aot_hits

    with fresh_cache():
        return captured_facts(cold=run, found_cold=found, warm=run, found_warm=found)


def symptom(device):
    return cold_and_warm(steps, device)


def remedy(device):
    return cold_and_warm(compiling, device)


def shows(report):
    facts = report.facts
    warmed = facts["found_cold"] == 0 < facts["found_warm"]
    return warmed and facts["cold"] == facts["warm"] and facts["cold"].get("kernels") != "[]"
