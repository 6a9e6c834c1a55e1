import torch

from reference_models.vlm import merge_gather, merge_masked_assign
from validators.probes import captured_facts

# placeholders, image embeddings
COUNTS = {"equal": (3, 3), "too_few": (2, 3), "too_many": (4, 3), "single": (3, 1)}


def outcomes(device, merge, compiled):
    """What each pair of counts makes of a batch of zeros: row i of the images holds i + 1."""

    def merged(placeholders, embeddings):
        is_image_BT = (torch.arange(8, device=device) < placeholders).view(2, 4)
        image_MD = torch.arange(1.0, embeddings + 1, device=device)[:, None].repeat(1, 2)
        token_BTD = torch.zeros(2, 4, 2, device=device)
        run = torch.compile(merge, backend="aot_eager") if compiled else merge
        return run(token_BTD, is_image_BT, image_MD)[..., 0].flatten().tolist()

    return {name: lambda counts=counts: merged(*counts) for name, counts in COUNTS.items()}


def both_modes(device, merge):
    eager, compiled = (outcomes(device, merge, compiled=mode) for mode in (False, True))
    return captured_facts(
        **{f"eager_{name}": run for name, run in eager.items()},
        **{f"compiled_{name}": run for name, run in compiled.items()},
    )


def symptom(device):
    return both_modes(device, merge_gather)


def remedy(device):
    return both_modes(device, merge_masked_assign)


def shows(report):
    """The lookup: too few pass in silence; the assignment: whatever differs from what it does."""
    facts = report.facts
    lookup = {
        "equal": [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "too_few": [1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        "too_many.exception": "IndexError",
        "single.exception": "IndexError",
    }
    assignment = lookup | {
        "too_few.exception": "RuntimeError",
        "too_many.exception": "RuntimeError",
        "single": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    }
    del assignment["too_few"], assignment["single.exception"]

    def matches(expected):
        modes = ("eager", "compiled")
        return all(facts.get(f"{m}_{key}") == expected[key] for m in modes for key in expected)

    return not matches(assignment) if "eager_single" in facts else matches(lookup)
