from torch._inductor import list_mode_options

from validators.probes import captured_facts


def modes_for(autotuned, least_to_do, most_to_do):
    """What each of the three modes sets, named by what a user expects of it."""
    return captured_facts(
        autotuned=lambda: list_mode_options(autotuned),
        least_to_do=lambda: list_mode_options(least_to_do),
        most_to_do=lambda: list_mode_options(most_to_do),
    )


def symptom(device):
    return modes_for(
        autotuned="default",
        least_to_do="reduce-overhead",
        most_to_do="max-autotune-no-cudagraphs",
    )


def remedy(device):
    return modes_for(
        autotuned="max-autotune-no-cudagraphs",
        least_to_do="default",
        most_to_do="max-autotune",
    )


def shows(report):
    return report.facts == {
        "autotuned": {},
        "least_to_do": {"triton.cudagraphs": True},
        "most_to_do": {"max_autotune": True, "coordinate_descent_tuning": True},
    }
