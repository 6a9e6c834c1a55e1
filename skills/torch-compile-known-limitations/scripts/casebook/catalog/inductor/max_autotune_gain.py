from reference_models.gpt import GPTConfig, make_batch, make_model
from validators.probes import compare_steps, compile_blocks, gain_below

CONFIG = GPTConfig.large()


def serving(device, max_autotune):
    """Forward passes in bfloat16 up to the head, each block compiled by itself."""
    model = make_model(CONFIG, device=device).bfloat16().requires_grad_(False)
    compile_blocks(model, "blocks.*", dynamic=False, options={"max_autotune": max_autotune})
    return model.hidden, (make_batch(CONFIG, device=device).input_ids,)


def off_against(device, max_autotune):
    return compare_steps(
        {
            "off": lambda: serving(device, max_autotune=False),
            "other": lambda: serving(device, max_autotune),
        }
    )


def symptom(device):
    return off_against(device, max_autotune=False)


def remedy(device):
    return off_against(device, max_autotune=True)


def shows(report):
    return gain_below(report, 1.05)
