import torch

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import compare_steps

NEW_PATCHES = 8


def generation(cache, device, around=lambda forward: forward):
    """Builds a step: a context, then patch after patch, into caches that are used again."""

    def build():
        config = TotoConfig.large(cache=cache)
        model = make_model(config, device=device)
        B, V, T = config.batch_size, config.variates, config.patches
        caches = model.new_caches(B, V, T + NEW_PATCHES)
        context_BVTP = model.patch(make_batch(config, device=device).series)
        forward = around(model.next_patches)

        @torch.no_grad()
        def step():
            for cache in filter(None, caches):
                cache.current_idx[cache.layer] = 0
            given_BVTP = context_BVTP
            for _ in range(NEW_PATCHES):
                # A replay overwrites what the one before returned.
                given_BVTP = forward(given_BVTP, caches)[:, :, -1:].clone()

        return step, ()

    return build


def against_eager(cache, device):
    compiled = generation(cache, device, lambda f: torch.compile(f, mode="reduce-overhead"))
    variants = {"eager": generation("index_list", device), "compiled": compiled}
    return compare_steps(variants, eager=["eager"])


def symptom(device):
    return against_eager("index_list", device)


def remedy(device):
    return against_eager("graph_break", device)


def shows(report):
    return report.facts["bytes_of"]["compiled"] > 1.2
