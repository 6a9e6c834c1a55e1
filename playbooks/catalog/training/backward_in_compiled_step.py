import torch

from validators.probes import observe


def loss_of(model):
    def loss(x, target):
        return torch.nn.functional.mse_loss(model(x).tanh(), target)

    return loss


def whole_step_compiled(loss_of_batch):
    def step(x, target):
        loss = loss_of_batch(x, target)
        loss.backward()
        return loss.detach()

    return torch.compile(step, backend="aot_eager", fullgraph=True)


def loss_compiled(loss_of_batch):
    compiled_loss = torch.compile(loss_of_batch, backend="aot_eager", fullgraph=True)

    def step(x, target):
        loss = compiled_loss(x, target)
        loss.backward()
        return loss.detach()

    return step


def steps(device, compile):
    torch.manual_seed(0)
    model = torch.nn.Linear(8, 3).to(device)
    batch = torch.randn(4, 8, device=device), torch.randn(4, 3, device=device)
    return observe(loss_of(model), [batch] * 2, compile=compile, compare=["eager"])


def symptom(device):
    return steps(device, whole_step_compiled)


def remedy(device):
    return steps(device, loss_compiled)


def shows(report):
    if report.exception is not None:
        assert not report.graphs, report.graphs
        return True
    assert len(report.graphs) == 1 and report.backward_executions == 2, report
    assert all(call.difference.eager < 1e-6 for call in report.calls), report
    return False
