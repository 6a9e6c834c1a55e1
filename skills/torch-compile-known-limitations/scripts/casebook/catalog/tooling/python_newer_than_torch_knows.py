import contextlib
import sys

import torch
from torch._dynamo.eval_frame import is_dynamo_supported

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


def wrap_where_errors_are_suppressed(device, version):
    with torch._dynamo.config.patch(suppress_errors=True):
        return wrap(device, version)


def ask(version):
    with on_python(version):
        return is_dynamo_supported()


def start(device, version):
    return captured_facts(
        wrapped=lambda: wrap(device, version),
        disabled=lambda: wrap(device, version, disable=True),
        suppressed=lambda: wrap_where_errors_are_suppressed(device, version),
        supported=lambda: ask(version),
        uncompiled=lambda: scale(torch.ones(3, device=device)).tolist(),
    )


def symptom(device):
    return start(device, (3, 99, 0, "final", 0))


def remedy(device):
    return start(device, sys.version_info)


def shows(report):
    facts, ways = report.facts, ("wrapped", "disabled", "suppressed")
    assert facts["uncompiled"] == [2, 2, 2]
    if facts["supported"]:
        assert [facts[way] for way in ways] == ["runs"] * 3, facts
        return False
    assert all(facts[f"{way}.exception"] == "RuntimeError" for way in ways), facts
    return all("is not supported on Python 3." in facts[f"{way}.message"] for way in ways)
