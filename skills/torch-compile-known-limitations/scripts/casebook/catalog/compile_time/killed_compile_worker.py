from signal import SIGKILL, SIGURG, raise_signal

from torch._inductor import config
from torch._inductor.async_compile import AsyncCompile

from validators.probes import captured_facts


def waited(pool, signal):
    """What Inductor says while it waits for a kernel whose worker gets the signal in its midst."""
    kernels = {"triton_poi_fused_0": pool.submit(raise_signal, signal)}
    try:
        AsyncCompile().wait(kernels)
    except RuntimeError as error:
        return f"{error} / {error.__cause__!r}"
    return ""


@config.patch(compile_threads=2)
def after_a_kill(again):
    """The wait that loses its worker, or the one after it, for which nothing was reset."""
    pool = AsyncCompile.process_pool()
    first = waited(pool, SIGKILL)
    assert "BrokenProcessPool" in first, first
    # A signal that does nothing: the job of a worker that lives.
    said = waited(pool, SIGURG) if again else first
    return {"said": said, "next_kernel": pool.submit(max, 3, 7).result()}


def symptom(device):
    return captured_facts(compiled=lambda: after_a_kill(again=False))


def remedy(device):
    return captured_facts(compiled=lambda: after_a_kill(again=True))


def shows(report):
    compiled = report.facts["compiled"]
    assert compiled["next_kernel"] == 7, compiled
    if not compiled["said"]:
        return False
    assert compiled["said"].startswith("A compilation subprocess exited unexpectedly"), compiled
    return "BrokenProcessPool" in compiled["said"] and "SIGKILL" not in compiled["said"]
