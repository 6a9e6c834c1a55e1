import os
import re
import sysconfig
import tempfile

import torch
from torch._dynamo.exc import TorchDynamoException
from torch._inductor import config

from validators.probes import captured_facts

HEADERS = sysconfig.get_path("include", "posix_prefix")


def answer(model, x):
    """What the first request gets; of a compiler's complaint, what is the same everywhere."""
    try:
        right = torch.allclose(torch.compile(model)(x), model(x), atol=1e-4)
    except TorchDynamoException as error:
        said = re.findall(r"C\+\+ compile error|fatal error: .*", str(error))
        return {"answered": False, "said": "; ".join(said)}
    return {"answered": right, "said": ""}


def first_request(device, searched):
    # Where a Python without its headers would have them, there is nothing.
    sysconfig.get_config_vars()["installed_base"] = tempfile.mkdtemp()
    os.environ["CPLUS_INCLUDE_PATH"] = searched
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    # Headers compiled in advance would be compiled anew for the folder that is another each time.
    with config.patch(cpp_cache_precompile_headers=False):
        return captured_facts(request=lambda: answer(model, x))


def symptom(device):
    return first_request(device, searched="")


def remedy(device):
    return first_request(device, searched=HEADERS)


def shows(report):
    request = report.facts["request"]
    if not request["said"]:
        assert request["answered"], request
        return False
    missing = ("Python.h: No such file", "Python.h' file not found")
    assert request["said"].startswith("C++ compile error; "), request
    assert any(words in request["said"] for words in missing), request
    return True
