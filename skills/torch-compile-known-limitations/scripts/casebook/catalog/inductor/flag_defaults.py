from torch._inductor import config, list_mode_options

from validators.probes import config_values

FLAGS = (
    "epilogue_fusion",
    "split_reductions",
    "aggressive_fusion",
    "coordinate_descent_tuning",
    "max_autotune",
)


def values():
    return config_values(*(f"torch._inductor.config.{flag}" for flag in FLAGS))


def symptom(device):
    return values()


def remedy(device):
    with config.patch(list_mode_options("max-autotune-no-cudagraphs")):
        return values()


def shows(report):
    on = [name.rpartition(".")[2] for name, value in report.facts.items() if value]
    return sorted(on) == ["epilogue_fusion", "split_reductions"]
