import torch

CLAIM = "An `if` on a tensor cuts the graph of a function in two; `torch.where` leaves one."


def branches(x):
    y = x * 2
    if y.sum() > 0:
        return y + 1
    return y - 1


def selects(x):
    y = x * 2
    return torch.where(y.sum() > 0, y + 1, y - 1)


def report(function):
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph

    x = torch.ones(4)
    outputs = [torch.compile(function, backend=backend)(x).tolist()]
    return {"graphs": len(graphs), "outputs": outputs}


def before():
    return report(branches)


def after():
    return report(selects)


def shows(report):
    return report["graphs"] == 2
