"""Decide the claim as it is and where it must not be confirmed: python check.py COPY FILE"""

import json
import os
import subprocess
import sys

ARMS = """
import importlib.util, json, sys
sys.path.insert(0, ".")
import decide, torch
{setting}
claim = decide.load(sys.argv[1])
before, after = decide.report_of(claim.before), decide.report_of(claim.after)
print(json.dumps({{
    "verdict": {verdict},
    "outputs": [before["outputs"], after["outputs"]],
    "text": json.dumps([before, after]),
}}))
"""
USUAL = "decide.decide(claim)"
SWAPPED = "'confirmed' if claim.shows(after) and not claim.shows(before) else 'lost'"
TWICE = "'confirmed' if claim.shows(before) and not claim.shows(before) else 'lost'"
DYNAMIC = "torch._dynamo.config.allow_unspec_int_on_nn_module = True"


def run(folder, file, setting="", verdict=USUAL, **variables):
    done = subprocess.run(
        [sys.executable, "-c", ARMS.format(setting=setting, verdict=verdict), file],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if done.returncode:
        return {"verdict": (done.stderr.strip().splitlines() or ["no message"])[-1], "outputs": []}
    return json.loads(done.stdout.strip().splitlines()[-1])


def close(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(close, one, other))
    return isinstance(one, (int, float)) and abs(one - other) < 1e-4


def problems(folder, file):
    usual, eager = run(folder, file), run(folder, file, TORCH_COMPILE_DISABLE="1")
    if usual["verdict"] != "confirmed":
        yield f"on torch as it is, the verdict is {usual['verdict']}, not confirmed"
        return
    before, after = usual["outputs"]
    if not close(before, after) or not eager["outputs"] or not close(before, eager["outputs"][0]):
        yield "the arms do not compute the same as each other and as eager mode"
    if len({json.dumps(it) for it in before}) < 2:
        yield "the outputs of the calls do not show that calls are counted"
    elsewhere = {
        "with compilation disabled": eager,
        "where ints of modules become dynamic, so that few calls compile": run(
            folder, file, DYNAMIC
        ),
        "with the arms exchanged": run(folder, file, verdict=SWAPPED),
        "asked about the same report twice": run(folder, file, verdict=TWICE),
    }
    for where, found in elsewhere.items():
        if found["verdict"] == "confirmed":
            yield f"{where}, the verdict is confirmed as well"


if __name__ == "__main__":
    found = list(problems(sys.argv[1], sys.argv[2]))
    print("\n".join(found))
    sys.exit(bool(found))
