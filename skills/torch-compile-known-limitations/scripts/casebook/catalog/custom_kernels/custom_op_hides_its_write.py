import torch

from validators.probes import observe


def store(cache, keys):
    """Stands for a kernel of an extension that fills a cache."""
    cache[: keys.shape[0]] = keys


SCHEMAS = {
    "hidden": ((), "(Tensor cache, Tensor keys) -> ()"),
    "declared": (("cache",), "(Tensor(a!) cache, Tensor keys) -> ()"),
}
ops = {}
for name, (mutates, schema) in SCHEMAS.items():
    ops[name] = torch.library.custom_op(
        f"casebook::store_{name}", store, mutates_args=mutates, schema=schema
    )
    ops[name].register_fake(lambda cache, keys: None)


def attend(name, device):
    def step(keys):
        cache = torch.zeros(8, 4, device=keys.device)
        ops[name](cache, keys)
        return cache.sum()

    return observe(
        step, [(torch.ones(2, 4, device=device),)], backend="aot_eager", compare=["eager"]
    )


def symptom(device):
    return attend("hidden", device)


def remedy(device):
    return attend("declared", device)


def shows(report):
    assert report.exception is None and len(report.graphs) == 1, report.exception
    # Eager stores eight ones; where the op did not run, the sum is zero.
    assert report.calls[0].difference.eager in (0.0, 8.0), report.calls
    return report.calls[0].difference.eager == 8.0
