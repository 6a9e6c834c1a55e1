import torch

from validators.probes import captured_facts


class Annotation(type):
    """Says whether a tensor has the class's shape, as jaxtyping does."""

    def __instancecheck__(cls, value):
        return isinstance(value, torch.Tensor) and value.ndim == 2


class Matrix(metaclass=Annotation):
    pass


def by_isinstance(x):
    return x.sum() if isinstance(x, Matrix) else x.prod()


def by_its_shape(x):
    return x.sum() if x.ndim == 2 else x.prod()


def answers(branch, device):
    """The results of both branches of the function, compiled as one graph, eager's beside it."""
    compiled = torch.compile(branch, fullgraph=True, backend="eager")
    matrix, vector = torch.ones(2, 3, device=device), torch.ones(3, device=device)
    return {
        "matrix": compiled(matrix).item(),
        "matrix_eager": branch(matrix).item(),
        "vector": compiled(vector).item(),
        "vector_eager": branch(vector).item(),
    }


def symptom(device):
    return captured_facts(results=lambda: answers(by_isinstance, device))


def remedy(device):
    return captured_facts(results=lambda: answers(by_its_shape, device))


def shows(report):
    said = report.facts.get("results.message", "")
    if said:
        assert "builtin isinstance() with custom type check on tensor" in said, said
        return True
    right = {"matrix": 6.0, "matrix_eager": 6.0, "vector": 1.0, "vector_eager": 1.0}
    found = report.facts["results"]
    assert found in (right, {**right, "matrix": 1.0}), found
    return found != right
