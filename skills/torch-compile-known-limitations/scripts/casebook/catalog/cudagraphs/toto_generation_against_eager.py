import torch

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import compare_steps, gain_below

NEW_PATCHES = 8


def forward(model, patch_BVTP, caches):
    return model.next_patches(patch_BVTP, caches)


def rewind(caches):
    for cache in filter(None, caches):
        if isinstance(cache, torch.nn.Module):
            cache.length.zero_()
        else:
            cache.current_idx[cache.layer] = 0


def generation(cache, device, run):
    """Builds a step: a context, then patch after patch, into caches that are used again."""

    def build():
        config = TotoConfig.large(cache=cache)
        model = make_model(config, device=device)
        B, V, T = config.batch_size, config.variates, config.patches
        caches = model.new_caches(B, V, T + NEW_PATCHES)
        context_BVTP = model.patch(make_batch(config, device=device).series)

        @torch.no_grad()
        def step():
            rewind(caches)
            given_BVTP = context_BVTP
            for _ in range(NEW_PATCHES):
                # A replay overwrites what the one before returned.
                given_BVTP = run(model, given_BVTP, caches)[:, :, -1:].clone()

        return step, ()

    return build


def against_eager(cache, device):
    compiled = torch.compile(forward, mode="reduce-overhead")
    variants = {
        "eager": generation("index_list", device, forward),
        "compiled": generation(cache, device, compiled),
    }
    return compare_steps(variants, eager=["eager"])


def symptom(device):
    return against_eager("graph_break", device)


def remedy(device):
    return against_eager("static", device)


def shows(report):
    return gain_below(report, 1.5)
