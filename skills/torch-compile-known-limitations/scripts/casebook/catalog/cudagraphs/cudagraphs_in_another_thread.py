from concurrent.futures import ThreadPoolExecutor

from validators.probes import captured_facts


def prepare_graphs():
    """What Inductor asks for, in the calling thread, before it records a CUDA graph."""
    # Not above: the thread that imports it first is the one in which it works.
    from torch._inductor.cudagraph_trees import get_manager

    return get_manager(0, create_if_none_exists=False)


def answer(ask):
    try:
        ask(prepare_graphs)
    except AssertionError as error:
        return f"AssertionError({error})"
    return "served"


def requests(*threads):
    return captured_facts(requests=lambda: [answer(ask) for ask in threads])


def here(prepare):
    """In the thread that has imported it first: `torch._dynamo.reset` does on a GPU."""
    return prepare()


def there(prepare):
    with ThreadPoolExecutor(1) as other:
        return other.submit(prepare).result()


def symptom(device):
    return requests(here, there)


def remedy(device):
    return requests(here, here)


def shows(report):
    first, second = report.facts["requests"]
    assert first == "served" and second in ("served", "AssertionError()"), report.facts
    return second == "AssertionError()"
