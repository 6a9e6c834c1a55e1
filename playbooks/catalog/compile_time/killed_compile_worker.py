from signal import SIGKILL, SIGURG, raise_signal

from torch._inductor import config
from torch._inductor.async_compile import AsyncCompile

from validators.probes import captured_facts


@config.patch(compile_threads=2)
def compiled_by_a_worker_that_gets(signal):
    """What Inductor says while it waits for a kernel, and whether the pool serves after that."""
    pool = AsyncCompile.process_pool()
    # A job in a kernel's place, in whose middle the signal comes.
    kernels = {"triton_poi_fused_0": pool.submit(raise_signal, signal)}
    try:
        AsyncCompile().wait(kernels)
        said = ""
    except RuntimeError as error:
        said = f"{error} / {error.__cause__!r}"
    return {"said": said, "next_kernel": pool.submit(max, 3, 7).result()}


def symptom(device):
    return captured_facts(compiled=lambda: compiled_by_a_worker_that_gets(SIGKILL))


def remedy(device):
    return captured_facts(compiled=lambda: compiled_by_a_worker_that_gets(SIGURG))


def shows(report):
    compiled = report.facts["compiled"]
    assert compiled["next_kernel"] == 7, compiled
    if not compiled["said"]:
        return False
    assert compiled["said"].startswith("A compilation subprocess exited unexpectedly"), compiled
    return "BrokenProcessPool" in compiled["said"] and "SIGKILL" not in compiled["said"]
