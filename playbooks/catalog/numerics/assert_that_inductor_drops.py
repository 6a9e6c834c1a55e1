import torch

from validators.probes import captured_facts


def with_assert(x_C):
    assert (x_C > 0).all(), "x is not positive"
    return x_C.log()


def with_condition(x_C):
    return x_C.log(), (x_C > 0).all()


def asserted_outside(compiled):
    def log(x_C):
        y_C, positive = compiled(x_C)
        assert positive, "x is not positive"
        return y_C

    return log


def called_twice(log, device):
    """A call that passes the check, and one that must not."""
    x_C = torch.tensor([1.0, 2.0], device=device)
    return captured_facts(
        eager=lambda: bool(with_assert(-x_C).isnan().any()),
        good=lambda: bool(log(x_C).isnan().any()),
        bad=lambda: bool(log(-x_C).isnan().any()),
    )


def symptom(device):
    return called_twice(torch.compile(with_assert), device)


def remedy(device):
    return called_twice(asserted_outside(torch.compile(with_condition)), device)


def shows(report):
    facts = report.facts
    assert "eager.exception" in facts, facts
    assert facts["good"] is False, facts
    return facts.get("bad") is True
