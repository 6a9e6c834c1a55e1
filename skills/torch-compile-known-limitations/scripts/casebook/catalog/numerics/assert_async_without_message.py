import torch

from validators.probes import captured_facts


def without(x_C):
    torch._assert_async((x_C > 0).all())
    return x_C.log()


def with_message(x_C):
    torch._assert_async((x_C > 0).all(), "x is not positive")
    return x_C.log()


def checked(check, device):
    """A tensor that passes, and one that must not."""
    x_C = torch.tensor([1.0, 2.0], device=device)

    def called(function, argument):
        return function(argument).isnan().any().item()

    compiled = torch.compile(check, backend="aot_eager")
    return captured_facts(
        eager=lambda: called(check, -x_C),
        good=lambda: called(compiled, x_C),
        bad=lambda: called(compiled, -x_C),
    )


def symptom(device):
    return checked(without, device)


def remedy(device):
    return checked(with_message, device)


def shows(report):
    assert report.facts["eager.exception"] == "RuntimeError", report.facts
    assert report.facts["good"] is False, report.facts
    if "bad" in report.facts:
        assert report.facts["bad"] is True, report.facts
        return True
    assert "x is not positive" in report.facts["bad.message"], report.facts
    return False
