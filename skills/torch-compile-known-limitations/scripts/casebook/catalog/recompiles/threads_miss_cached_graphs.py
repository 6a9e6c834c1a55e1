import threading

import torch

from validators.probes import captured_facts

SIZES = (4, 8, 12, 16)
PASSES = 2000  # of each thread; the first recompile mostly comes in the first hundreds


def serve(device, dynamic):
    """Warm up with all sizes, then call with these sizes from four threads at once."""
    compiled = []

    def backend(graph, _):
        compiled.append(graph)
        return graph.forward

    function = torch.compile(lambda x: (x * 2 + 1).sin(), backend=backend, dynamic=dynamic)
    requests = [torch.ones(size, device=device) for size in SIZES]
    for x in (*requests, *requests):
        function(x)
    warm = len(compiled)

    def serve_alone():
        for x in (*requests, *reversed(requests)) * (PASSES // 2):
            function(x)

    def serve_from(first):
        for _ in range(PASSES):
            for x in (*requests[first:], *requests[:first]):
                function(x)
            if len(compiled) > warm:
                return

    serve_alone()
    alone = len(compiled) - warm
    threads = [threading.Thread(target=serve_from, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [warm, alone, len(compiled) > warm + alone]


def symptom(device):
    return captured_facts(served=lambda: serve(device, dynamic=False))


def remedy(device):
    return captured_facts(served=lambda: serve(device, dynamic=True))


def shows(report):
    warm, alone, again = report.facts["served"]
    assert alone == 0, report.facts
    if not again:
        assert warm == 1, report.facts
        return False
    return warm == len(SIZES)
