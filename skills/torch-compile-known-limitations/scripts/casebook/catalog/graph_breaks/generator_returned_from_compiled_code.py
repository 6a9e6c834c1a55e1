import torch

from validators.probes import captured_facts


def scaled(tile):
    return tile * 2 + 1


def tiles(image, step):
    done = 0
    for tile in image.chunk(4):
        yield step(tile)
        done += 1
    return done


def all_tiles(image):
    return tiles(image, scaled)


def consumed(start, device):
    image = torch.arange(8.0, device=device).reshape(4, 2)
    graphs, runs = [], []

    def backend(graph, _inputs):
        graphs.append(graph)
        return lambda *inputs: (runs.append(1), graph(*inputs))[1]

    iterator = start(image, backend)
    parts = [next(iterator)]
    runs_for_the_first = len(runs)
    while True:
        try:
            parts.append(next(iterator))
        except StopIteration as stop:
            returned = stop.value
            break
    return {
        "can_be_sent_to": hasattr(iterator, "send"),
        "returned": returned,
        "graphs": len(graphs),
        "runs": len(runs),
        "runs_for_the_first": runs_for_the_first,
        "right": torch.equal(torch.cat(parts), scaled(image)),
    }


def symptom(device):
    def start(image, backend):
        return torch.compile(all_tiles, backend=backend, fullgraph=True)(image)

    return captured_facts(tiles=lambda: consumed(start, device))


def remedy(device):
    def start(image, backend):
        return tiles(image, torch.compile(scaled, backend=backend, fullgraph=True))

    return captured_facts(tiles=lambda: consumed(start, device))


def shows(report):
    facts = report.facts["tiles"]
    assert facts["right"] and facts["graphs"] == 1, facts
    if facts["runs"] == 1:
        return facts["returned"] is None and not facts["can_be_sent_to"]
    assert facts["runs"] == 4 and facts["runs_for_the_first"] == 1, facts
    assert facts["returned"] == 4 and facts["can_be_sent_to"], facts
    return False
