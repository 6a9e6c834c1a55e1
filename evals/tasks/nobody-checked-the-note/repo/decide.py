"""Decide a claim: python decide.py claims/NAME.py"""

import importlib.util
import json
import sys

import torch


def load(path):
    spec = importlib.util.spec_from_file_location("claim", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report_of(arm):
    torch._dynamo.reset()
    torch.manual_seed(0)
    return json.loads(json.dumps(arm()))


def decide(claim):
    before, after = report_of(claim.before), report_of(claim.after)
    if not claim.shows(before):
        return "refuted"
    return "fix failed" if claim.shows(after) else "confirmed"


if __name__ == "__main__":
    claim = load(sys.argv[1])
    print(claim.CLAIM)
    print(decide(claim))
