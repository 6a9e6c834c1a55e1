import contextlib
import sys

import torch

from validators.probes import captured_facts


@contextlib.contextmanager
def on_python(version):
    """Tells torch that it runs on another Python: its check asks for no more than the number."""
    real, sys.version_info = sys.version_info, version
    try:
        yield
    finally:
        sys.version_info = real


def scale(x):
    return x * 2


def wrap(device, version, **options):
    with on_python(version):
        compiled = torch.compile(scale, backend="eager", **options)
    x = torch.ones(3, device=device)
    torch.testing.assert_close(compiled(x), scale(x))
    return "runs"


def start(device, version):
    return captured_facts(
        wrapped=lambda: wrap(device, version),
        disabled=lambda: wrap(device, version, disable=True),
        uncompiled=lambda: scale(torch.ones(3, device=device)).tolist(),
    )


def symptom(device):
    return start(device, (3, 99, 0, "final", 0))


def remedy(device):
    return start(device, sys.version_info)


def shows(report):
    facts = report.facts
    assert facts["uncompiled"] == [2, 2, 2]
    if facts.get("wrapped") == facts.get("disabled") == "runs":
        return False
    refusals = [
        (facts[f"{it}.exception"], facts[f"{it}.message"]) for it in ("wrapped", "disabled")
    ]
    return all(
        kind == "RuntimeError" and "not supported on Python 3." in said for kind, said in refusals
    )
