"""The plain GPT: its sizes scale as they say, its cache agrees, its blocks compile on their own."""

import pytest
import torch
from torch._dynamo.testing import CompileCounter

from reference_models.gpt import (
    GPT,
    GPTConfig,
    KVCache,
    make_batch,
    make_model,
    parameter_count,
)
from tests.reference_models.models import amplify, step

TINY = GPTConfig.tiny()


def loud_model(config: GPTConfig) -> GPT:
    """A model with weights so large that attention moves the logits well past any tolerance."""
    model = make_model(config)
    amplify(model, 10)
    return model


def ops(config: GPTConfig) -> int:
    """Ops that Dynamo traces for a forward pass with its loss."""
    counter = CompileCounter()
    torch.compile(make_model(config), backend=counter, fullgraph=True)(*make_batch(config))
    assert counter.frame_count == 1
    return int(counter.op_count)


# ---- sizes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "millions"),
    [(GPTConfig.tiny(), 0.03), (GPTConfig.debug(), 5.3), (GPTConfig.large(), 124.5)],
    ids=["tiny", "debug", "large"],
)
def test_parameter_count(config: GPTConfig, millions: float) -> None:
    """Each size has the parameters that its embeddings and blocks add up to."""
    with torch.device("meta"):
        count = parameter_count(GPT(config))
    D, F = config.dim, config.mlp_factor * config.dim
    block = 4 * D + (3 * D * D + 3 * D) + (D * D + D) + (D * F + F) + (F * D + D)
    embeddings = (config.vocab_size + config.max_seq_len) * D
    assert count == embeddings + config.n_blocks * block + 2 * D
    assert count / 1e6 == pytest.approx(millions, rel=0.05)


def test_blocks_are_ops_and_width_is_none() -> None:
    """Every block adds as many ops as the last; width, heads and vocabulary add none."""
    one, two, three = (ops(GPTConfig.tiny(n_blocks=n)) for n in (1, 2, 3))
    assert three - two == two - one > 0
    assert ops(GPTConfig.tiny(dim=128, heads=8, mlp_factor=6, vocab_size=1000)) == two


@pytest.mark.parametrize("mistake", [{"n_blocks": -1}, {"heads": 3}, {"seq_len": 33}], ids=str)
def test_config_refuses(mistake: dict[str, int]) -> None:
    """A config that cannot work says so when it is made."""
    with pytest.raises(AssertionError):
        GPTConfig.tiny(**mistake)


def test_model_is_a_function_of_its_seed() -> None:
    """Weights repeat for a seed, differ between seeds, and leave the global generator alone."""
    state = torch.get_rng_state()
    first, again, other = (make_model(TINY, seed).state_dict() for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), state)
    torch.testing.assert_close(first, again, rtol=0, atol=0)
    assert not torch.equal(first["token_embedding.weight"], other["token_embedding.weight"])


# ---- inputs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("batch_size", [1, 3])
def test_targets_are_the_next_tokens(batch_size: int) -> None:
    """Targets are the inputs one step on, in memory of their own."""
    batch = make_batch(TINY, batch_size, seq_len=6)
    assert batch.input_ids.stride() == batch.targets.stride() == (6, 1)
    assert torch.equal(batch.targets[:, :-1], batch.input_ids[:, 1:])
    batch.targets.zero_()
    assert (batch.input_ids != 0).any()


def test_batch_is_a_function_of_its_seed() -> None:
    """Batches repeat for a seed and differ between seeds."""
    one, again, two = (make_batch(TINY, seed=seed).input_ids for seed in (1, 1, 2))
    assert torch.equal(one, again)
    assert not torch.equal(one, two)


# ---- the model -------------------------------------------------------------------------------


def test_logits_see_only_the_past() -> None:
    """Another token in the middle changes its own logits and later ones, and no earlier ones."""
    model, ids = loud_model(TINY), make_batch(TINY).input_ids
    changed = ids.clone()
    changed[:, 4] = (changed[:, 4] + 1) % TINY.vocab_size
    before, after = model(ids)[0], model(changed)[0]
    torch.testing.assert_close(before[:, :4], after[:, :4])
    assert ((before - after).abs().amax(dim=(0, 2))[4:] > 0.1).all()


def test_logits_see_positions() -> None:
    """The same token everywhere gets different logits at different positions."""
    logits_BTV = loud_model(TINY)(torch.zeros(1, 4, dtype=torch.long))[0]
    assert (logits_BTV[:, 1:] - logits_BTV[:, :-1]).abs().amax(dim=2).min() > 0.1


def test_head_is_tied() -> None:
    """The head is the token embedding, whose gradient the loss reaches from both sides."""
    model, batch = make_model(TINY), make_batch(TINY)
    gradient = step(model, batch)["token_embedding.weight"]
    unseen = torch.ones(TINY.vocab_size, dtype=torch.bool)
    unseen[batch.input_ids.flatten()] = False
    assert unseen.any()
    assert gradient[unseen].any(dim=1).all()


def test_generate_is_uncached_greedy() -> None:
    """Every token that generation finds through its cache is the likeliest after all before it."""
    model, ids = loud_model(TINY), make_batch(TINY).input_ids
    new_tokens = model.generate(ids, max_new_tokens=6)
    assert len(new_tokens.unique()) > 2
    for token_B in new_tokens.unbind(1):
        assert torch.equal(token_B, model(ids)[0][:, -1].argmax(-1))
        ids = torch.cat((ids, token_B[:, None]), dim=1)


def test_cached_logits_are_uncached_logits() -> None:
    """Decoding through a cache longer than needed gives the logits of one call without it."""
    model, ids = loud_model(TINY), make_batch(TINY).input_ids
    caches = [KVCache(TINY, 2, TINY.seq_len + 3, model.norm.weight) for _ in model.blocks]
    positions = torch.arange(TINY.seq_len).split([3] + [1] * (TINY.seq_len - 3))
    parts = [model.hidden(ids[:, p], p, caches) for p in positions]
    cached = model.logits(torch.cat(parts, dim=1))
    torch.testing.assert_close(cached, model(ids)[0], rtol=1e-4, atol=1e-4)


def test_training_lowers_the_loss() -> None:
    """A few steps on one batch at least halve its loss."""
    model, batch = make_model(TINY), make_batch(TINY)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(15):
        losses.append(step(model, batch)["loss"])
        optimizer.step()
    assert losses[-1] < losses[0] / 2


def test_bfloat16() -> None:
    """A bfloat16 model trains and generates in bfloat16."""
    model, batch = make_model(TINY).bfloat16(), make_batch(TINY)
    assert step(model, batch)["logits"].dtype == torch.bfloat16
    assert model.generate(batch.input_ids, max_new_tokens=2).shape == (2, 2)


# ---- compiled --------------------------------------------------------------------------------


def test_compiled_is_eager() -> None:
    """Through AOTAutograd, logits, loss and gradients stay what they are in eager mode."""
    model, batch = loud_model(TINY), make_batch(TINY)
    eager = step(model, batch)
    model.compile(backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-4, atol=1e-4)


def test_blocks_compile_into_one_graph() -> None:
    """Blocks compiled one by one share a graph, and change nothing."""
    model, batch = loud_model(GPTConfig.tiny(n_blocks=4)), make_batch(TINY)
    eager = step(model, batch)
    counter = CompileCounter()
    for block in model.blocks:
        block.compile(backend=counter, fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-4, atol=1e-4)
    assert counter.frame_count == 1


def test_hooks_on_blocks_run() -> None:
    """A forward hook on a block runs in every way of calling the model."""
    model, batch = make_model(TINY), make_batch(TINY)
    calls: list[int] = []
    model.blocks[1].register_forward_hook(lambda *_: calls.append(1))
    model(*batch)
    model.generate(batch.input_ids, max_new_tokens=2)
    assert len(calls) == 3


def test_decoding_compiles_once() -> None:
    """Generation compiles a graph for the prompt and one for every token after it."""
    model, ids = loud_model(TINY), make_batch(TINY).input_ids
    eager = model.generate(ids, max_new_tokens=6)
    counter = CompileCounter()
    model.hidden = torch.compile(model.hidden, backend=counter, fullgraph=True)
    assert torch.equal(model.generate(ids, max_new_tokens=6), eager)
    assert counter.frame_count == 2
