import torch

from reference_models.toto import TotoConfig, make_batch, make_model
from validators.probes import compare_steps, gain_below

NEW_PATCHES = 8


# Dynamo remembers sizes by code object, so each variant that is compiled has one of its own.
def list_forward(model, patch_BVTP, caches):
    return model.next_patches(patch_BVTP, caches)


def changed_forward(model, patch_BVTP, caches):
    return model.next_patches(patch_BVTP, caches)


def rewind(caches):
    for cache in filter(None, caches):
        if isinstance(cache, torch.nn.Module):
            cache.length.zero_()
        else:
            cache.current_idx[cache.layer] = 0


def generation(cache, device, forward):
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
                given_BVTP = forward(model, given_BVTP, caches)[:, :, -1:].clone()

        return step, ()

    return build


def against_the_list(cache, device):
    as_it_was, changed = (
        torch.compile(forward, mode="reduce-overhead")
        for forward in (list_forward, changed_forward)
    )
    variants = {
        "as_it_was": generation("index_list", device, as_it_was),
        "changed": generation(cache, device, changed),
        "eager": generation("index_list", device, list_forward),
    }
    return compare_steps(variants, eager=["eager"])


def symptom(device):
    return against_the_list("graph_break", device)


def remedy(device):
    return against_the_list("static", device)


def shows(report):
    return gain_below(report, 1.3, "changed")
