from concurrent.futures import ThreadPoolExecutor

from validators.probes import captured_facts


def prepare_graphs():
    """What Inductor asks for, in the calling thread, before it records a CUDA graph."""
    # Not above: the thread that imports it first is the one in which it works.
    from torch._inductor.cudagraph_trees import get_manager

    return get_manager(0, create_if_none_exists=False)


def answer(worker):
    try:
        worker.submit(prepare_graphs).result()
    except AssertionError as error:
        return f"AssertionError({error})"
    return "served"


def requests(*workers):
    return captured_facts(requests=lambda: [answer(worker) for worker in workers])


def symptom(device):
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as second:
        return requests(first, second)


def remedy(device):
    with ThreadPoolExecutor(1) as only:
        return requests(only, only)


def shows(report):
    first, second = report.facts["requests"]
    assert first == "served" and second in ("served", "AssertionError()"), report.facts
    return second == "AssertionError()"
