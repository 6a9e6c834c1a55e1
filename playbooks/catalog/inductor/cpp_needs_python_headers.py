import os
import sysconfig
import tempfile

import torch
from torch._inductor import config

from validators.probes import observe

HEADERS = sysconfig.get_path("include", "posix_prefix")


def first_request(device, searched):
    # Where a Python without its headers would have them, there is nothing.
    sysconfig.get_config_vars()["installed_base"] = tempfile.mkdtemp()
    os.environ["CPLUS_INCLUDE_PATH"] = searched
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    # Headers compiled in advance would be compiled anew for the folder that is another each time.
    with config.patch(cpp_cache_precompile_headers=False):
        return observe(model, [(x,)], backend="inductor", compare=["eager"])


def symptom(device):
    return first_request(device, searched="")


def remedy(device):
    return first_request(device, searched=HEADERS)


def shows(report):
    if report.exception is None:
        assert report.calls[0].difference.eager < 1e-4, report.calls
        return False
    said = report.exception.message
    assert "C++ compile error" in said and "Python.h" in said, said
    return "Python.h: No such file" in said or "Python.h' file not found" in said
