import torch

from validators.probes import observe

# The longest row fills the batch. It is another row each time, then the first two rows again.
BATCHES = ((8, 5, 3, 6), (4, 8, 6, 3), (6, 3, 8, 5), (5, 6, 4, 8), (8, 0, 5, 4), (3, 8, 4, 5))


def attend_by_loop(q_BTD, k_BSD, v_BSD, lengths_B):
    scores_BTS = q_BTD @ k_BSD.mT
    for i, n in enumerate(lengths_B.tolist()):
        scores_BTS[i, :, n:] = -1e9
    return scores_BTS.softmax(-1) @ v_BSD


def attend_by_comparison(q_BTD, k_BSD, v_BSD, lengths_B):
    scores_BTS = q_BTD @ k_BSD.mT
    steps_S = torch.arange(scores_BTS.size(-1), device=scores_BTS.device)
    padding_B1S = steps_S >= lengths_B[:, None, None]
    return scores_BTS.masked_fill(padding_B1S, -1e9).softmax(-1) @ v_BSD


def run(forward, device):
    torch.manual_seed(0)
    calls = []
    for lengths in BATCHES:
        qkv = (torch.randn(4, 8, 2, device=device, requires_grad=True) for _ in range(3))
        calls.append((*qkv, torch.tensor(lengths, device=device)))

    def compiled(_):
        # `aot_eager`: AOTAutograd asks about the sizes of the slices, as it does for Inductor.
        return torch.compile(forward, backend="aot_eager")

    # Both are held to the loop in eager mode: a mask that hides other steps is no remedy.
    # Up to torch 2.9 AOTAutograd refuses the loop, which then runs eagerly.
    return observe(
        attend_by_loop,
        calls,
        compile=compiled,
        compare=("eager", "gradients"),
        eager=forward is attend_by_loop,
    )


def symptom(device):
    return run(attend_by_loop, device)


def remedy(device):
    return run(attend_by_comparison, device)


def shows(report):
    assert report.exception is None, report.exception
    for call in report.calls:
        assert max(call.difference.eager, call.difference.gradients_eager) < 1e-5, report.calls
    compiled = [call.compiled for call in report.calls]
    if not report.eager:
        return compiled != [1, 0, 0, 0, 0, 0]
    return compiled == [2, 1, 1, 1, 1, 0]
