import torch

from validators.probes import observe

TASKS = ("ner", "pos", "qa", "nli", "sts", "mt", "asr", "ocr", "tts", "vqa")


def loss(logits, targets, weigh):
    return weigh(torch.nn.functional.mse_loss(logits, targets))


def weigh_by(weight):
    return lambda value: value * weight


def symptom(device):
    weights = {task: torch.tensor(1.0 + i, device=device) for i, task in enumerate(TASKS)}
    logits, targets = torch.randn(2, 4, 8, device=device)
    task = ""

    def weigh(value):
        return value * weights[task]

    def one_closure_for_all():
        nonlocal task
        for task in TASKS:  # noqa: B007
            yield logits, targets, weigh

    # `eager`: what is left after the recompile limit runs without a graph.
    return observe(loss, one_closure_for_all(), eager=True)


def remedy(device):
    weights = {task: torch.tensor(1.0 + i, device=device) for i, task in enumerate(TASKS)}
    logits, targets = torch.randn(2, 4, 8, device=device)

    def a_closure_for_each():
        for task in TASKS:
            yield logits, targets, weigh_by(weights[task])

    return observe(loss, a_closure_for_each())


def shows(report):
    # Past the limit, torch 2.4 still compiles the closure by itself, as another frame.
    of_loss = [graph for graph in report.graphs if graph.compile_id.startswith("0/")]
    return [graph.executions for graph in of_loss] == [1] * 8
