import torch

from reference_models.vlm import VLMConfig, make_model
from validators.probes import captured_facts


def wrapped(model):
    return torch.compile(model, backend="eager")


def in_place(model):
    model.compile(backend="eager")
    return model


def checkpoint(compiled):
    """Save the weights of a compiled model and load them into one that never was."""
    config = VLMConfig.tiny()
    weights = compiled(make_model(config)).state_dict()
    return captured_facts(
        keys=lambda: len(weights),
        prefixed_keys=lambda: sum(key.startswith("_orig_mod.") for key in weights),
        missing=lambda: len(make_model(config).load_state_dict(weights, strict=False).missing_keys),
        load=lambda: bool(make_model(config).load_state_dict(weights)),
    )


def symptom(device):
    return checkpoint(wrapped)


def remedy(device):
    return checkpoint(in_place)


def shows(report):
    facts = report.facts
    every_key = facts["prefixed_keys"] == facts["keys"] == facts["missing"] > 0
    return every_key and facts.get("load.exception") == "RuntimeError"
