import torch

from validators.probes import captured_facts


def crop(image: torch.Tensor, box: tuple[int, int]) -> torch.Tensor:
    """Stands for a kernel of an extension."""
    return image[: box[0], : box[1]].clone()


def cropped(device, **options):
    op = torch.library.custom_op("casebook::crop", crop, mutates_args=(), **options)
    op.register_fake(lambda image, box: image.new_empty(box[0], box[1]))
    compiled = torch.compile(lambda image: op(image, (2, 3)) + 1, fullgraph=True, backend="eager")
    return tuple(compiled(torch.ones(4, 4, device=device)).shape)


def symptom(device):
    return captured_facts(shape=lambda: cropped(device))


def remedy(device):
    return captured_facts(
        shape=lambda: cropped(device, schema="(Tensor image, SymInt[] box) -> Tensor")
    )


def shows(report):
    said = report.facts.get("shape.message", "")
    if not said:
        assert report.facts["shape"] == [2, 3], report.facts
        return False
    reason = "infer_schema(func): Parameter box has unsupported type tuple[int, int]"
    assert said.startswith(reason), said
    return True
