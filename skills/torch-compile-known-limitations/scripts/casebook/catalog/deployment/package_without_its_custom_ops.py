import multiprocessing
import tempfile
from pathlib import Path

import torch

from validators.probes import captured_facts


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.casebook_shop.smooth(x)


def register():
    smooth = torch.library.custom_op(
        "casebook_shop::smooth",
        lambda x: x.cumsum(-1),
        mutates_args=(),
        schema="(Tensor x) -> Tensor",
    )
    smooth.register_fake(torch.empty_like)


def build(path):
    register()
    exported = torch.export.export(Model(), (torch.ones(2, 4),))
    torch._inductor.aoti_compile_and_package(
        exported,
        package_path=path,
        # How fast the code around the op runs is no matter here; it is slow to optimize.
        inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0"},
    )


def serve(path, prepare):
    """What this process, in which nobody has registered the op, gets from the package."""
    prepare()
    try:
        model = torch._inductor.aoti_load_package(path)
    except RuntimeError as error:
        return {"refused": str(error)}
    x = torch.ones(2, 4)
    return {"refused": "", "right": torch.equal(model(x), x.cumsum(-1))}


def arm(prepare):
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "model.pt2"))
        builder = multiprocessing.get_context("fork").Process(target=build, args=(path,))
        builder.start()
        builder.join()
        assert builder.exitcode == 0, "the package was not built"
        return captured_facts(server=lambda: serve(path, prepare))


def symptom(device):
    return arm(lambda: None)


def remedy(device):
    return arm(register)


def shows(report):
    server = report.facts["server"]
    if server["refused"]:
        assert "Could not find schema for casebook_shop::smooth" in server["refused"], server
        return True
    assert server["right"], server
    return False
