import torch

from validators.probes import observe


def next_state(state, weight):
    return torch.tanh(state @ weight)


def stream(state, weight):
    """Yields each state as soon as it is there, as a streaming decoder does."""
    for _ in range(3):
        state = torch.tanh(state @ weight)
        yield state


def compiled_stream(stream):
    compiled = torch.compile(stream, backend="eager")
    return lambda state, weight: list(compiled(state, weight))


def stream_of_compiled_steps(next_state):
    compiled = torch.compile(next_state, backend="eager")

    def stream(state, weight):
        for _ in range(3):
            state = compiled(state, weight)
            yield state

    return lambda state, weight: list(stream(state, weight))


def inputs(device):
    return torch.ones(1, 4, device=device), torch.ones(4, 4, device=device)


def symptom(device):
    return observe(stream, [inputs(device)] * 2, compile=compiled_stream, eager=True)


def remedy(device):
    return observe(next_state, [inputs(device)] * 2, compile=stream_of_compiled_steps)


def shows(report):
    assert report.exception is None and not report.graph_breaks, report
    executions = [call.executions for call in report.calls]
    assert executions in ([0, 0], [3, 3]), executions
    return not report.graphs and executions == [0, 0]
