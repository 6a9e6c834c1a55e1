from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps

CONFIG = GPTConfig.debug()


def serving(device, mode):
    """Forward passes in bfloat16, the whole model compiled."""
    model = make_model(CONFIG, device=device).bfloat16().requires_grad_(False)
    model.compile(mode=mode, dynamic=False)
    return model, (make_batch(CONFIG, device=device).input_ids,)


def autotuned_against(device, mode):
    return compare_steps(
        {
            "autotuned": lambda: serving(device, "max-autotune"),
            "other": lambda: serving(device, mode),
        }
    )


def symptom(device):
    return autotuned_against(device, "max-autotune-no-cudagraphs")


def remedy(device):
    return autotuned_against(device, "max-autotune")


def shows(report):
    return report.facts["gain"]["other"] < 0.95
