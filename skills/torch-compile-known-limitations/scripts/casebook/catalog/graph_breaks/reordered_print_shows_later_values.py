import contextlib
import io

import torch
from torch._dynamo import config

from validators.probes import captured_facts


def update(x):
    y = x * 2
    print("before:", y)
    y.add_(1)
    return y


def update_printing_a_copy(x):
    y = x * 2
    print("before:", y.clone())
    y.add_(1)
    return y


def printed_by(function, x):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        function(x)
    return text.getvalue().strip()


def eager_and_compiled(function, device):
    x = torch.ones(1, device=device)
    compiled = torch.compile(function, backend="eager")
    with config.patch(reorderable_logging_functions={print}):
        return captured_facts(
            eager=lambda: printed_by(function, x), compiled=lambda: printed_by(compiled, x)
        )


def symptom(device):
    return eager_and_compiled(update, device)


def remedy(device):
    return eager_and_compiled(update_printing_a_copy, device)


def shows(report):
    return report.facts["compiled"] == report.facts["eager"].replace("2.", "3.")
