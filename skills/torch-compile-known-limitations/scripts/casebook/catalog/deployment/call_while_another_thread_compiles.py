import threading

import torch

from validators.probes import captured_facts

requests = []  # what to do in the middle of the other model's trace, and of its run


def meanwhile():
    for request in requests:
        thread = threading.Thread(target=request)
        thread.start()
        thread.join()


@torch.library.custom_op("casebook::meanwhile", mutates_args=())
def with_requests(x: torch.Tensor) -> torch.Tensor:
    meanwhile()
    return x.clone()


@with_requests.register_fake
def _(x):
    meanwhile()
    return torch.empty_like(x)


def serve(device, warm_up):
    x = torch.ones(4, device=device)
    ready = torch.compile(lambda x: x * 2, backend="eager")
    other = torch.compile(lambda x: with_requests(x) + 1, backend="aot_eager")
    ready(x)
    if warm_up:
        other(x)

    answers = []

    def request():
        try:
            answers.append(str(ready(x).tolist() == [2, 2, 2, 2]))
        except RuntimeError as error:
            answers.append(str(error))

    requests.append(request)
    try:
        answers.append(str(other(x).tolist() == [2, 2, 2, 2]))
    finally:
        requests.clear()
    return answers


def symptom(device):
    return captured_facts(answers=lambda: serve(device, warm_up=False))


def remedy(device):
    return captured_facts(answers=lambda: serve(device, warm_up=True))


def shows(report):
    answers = report.facts["answers"]
    refused = [answer for answer in answers if "using FX to symbolically trace" in answer]
    assert len(answers) > 1 and set(answers) <= {"True", *refused}, answers
    return bool(refused)
