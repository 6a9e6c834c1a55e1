"""The time-series decoder: its caches agree, it is causal, its forecasts follow scale and order."""

import functools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch._dynamo.testing import CompileCounter

from reference_models.toto import (
    CACHE,
    Batch,
    StaticCache,
    TimeAttention,
    TimeSeriesDecoder,
    TotoConfig,
    VariateAttention,
    make_batch,
    make_model,
    parameter_count,
)
from tests.reference_models.models import amplify, gradients
from tests.reference_models.models import step as training_step

TINY = TotoConfig.tiny()
FORMS = sorted(CACHE)
FRIENDLY = ("static", "index_list", "cat")  # those without a graph break


def loud_model(config: TotoConfig) -> TimeSeriesDecoder:
    """A model with weights so large that attention moves forecasts well past any tolerance."""
    model = make_model(config)
    amplify(model, 8)
    return model


step = functools.partial(training_step, output="forecast")


def scaled(model: TimeSeriesDecoder, series: Tensor) -> Tensor:
    """What the decoder is given: BVL -> BVTP."""
    patch_BVTP = model.patch(series)
    loc, spread = model.scale_of(patch_BVTP)
    return (patch_BVTP - loc) / spread


# ---- sizes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "over_time", "over_variates", "dim"),
    [
        (TotoConfig.tiny(), 2, 2, 32),
        (TotoConfig.debug(), 6, 2, 256),
        (TotoConfig.large(), 11, 1, 768),
    ],
    ids=["tiny", "debug", "large"],
)
def test_sizes(config: TotoConfig, over_time: int, over_variates: int, dim: int) -> None:
    """Each size has its blocks of both kinds, and its width."""
    with torch.device("meta"):
        model = TimeSeriesDecoder(config)
    kinds = [type(block.attention) for block in model.decoder.blocks]
    assert kinds.count(TimeAttention) == over_time == config.time_blocks
    assert kinds.count(VariateAttention) == over_variates
    assert model.decoder.norm.weight.numel() == dim


def test_every_block_may_attend_over_time() -> None:
    """Without attention over variates, every block has a cache."""
    config = TotoConfig.tiny(variate_every=0)
    assert config.time_blocks == config.blocks
    assert None not in make_model(config).new_caches(1, 1, 4)


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (TotoConfig.tiny(), 41_540),
        (TotoConfig.debug(), 6_337_040),
        (TotoConfig.large(), 85_052_992),
    ],
    ids=["tiny", "debug", "large"],
)
def test_parameter_count(config: TotoConfig, expected: int) -> None:
    """The count follows from the config."""
    with torch.device("meta"):
        model = TimeSeriesDecoder(config)
    D, P = config.dim, config.patch_size
    block = 4 * D * D + 3 * D * config.mlp_dim + 2 * D
    ends = (P * D + D) + (D * P + P) + D
    assert parameter_count(model) == config.blocks * block + ends == expected


@pytest.mark.parametrize(
    "mistake",
    [
        {"cache": "list"},
        {"heads": 5},
        {"variate_every": 1},
        {"variate_every": -1},
        {"patch_size": 1},
    ],
    ids=str,
)
def test_config_refuses(mistake: dict[str, object]) -> None:
    """A config that cannot work says so when it is made."""
    with pytest.raises(AssertionError):
        TotoConfig.tiny(**mistake)


def test_model_is_a_function_of_its_seed() -> None:
    """Weights repeat for a seed, differ between seeds, and leave the global generator alone."""
    state = torch.get_rng_state()
    first, again, other = (make_model(TINY, seed).state_dict() for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), state)
    torch.testing.assert_close(first, again, rtol=0, atol=0)
    assert not torch.equal(first["head.weight"], other["head.weight"])


def test_every_form_has_the_same_weights() -> None:
    """A cache adds nothing to a model's state."""
    for form in FORMS:
        config = TotoConfig.tiny(cache=form)
        torch.testing.assert_close(
            make_model(config).state_dict(), make_model(TINY).state_dict(), rtol=0, atol=0
        )


# ---- inputs ----------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(
    batch_size=st.integers(1, 3),
    variates=st.integers(1, 4),
    patches=st.integers(1, 5),
    seed=st.integers(0, 2**31),
)
def test_targets_are_the_next_patches(
    batch_size: int, variates: int, patches: int, seed: int
) -> None:
    """Inputs and targets have the sizes asked for; targets are the inputs one patch on."""
    batch = make_batch(TINY, batch_size, variates, patches, seed)
    assert batch.series.shape == batch.targets.shape == (batch_size, variates, patches * 4)
    assert batch.series.is_contiguous()
    assert batch.targets.is_contiguous()
    assert torch.equal(batch.targets[..., :-4], batch.series[..., 4:])
    assert not torch.equal(batch.targets[..., -4:], batch.series[..., -4:])


def test_batch_is_a_function_of_its_seed() -> None:
    """Batches repeat for a seed, differ between seeds, and leave the global generator alone."""
    state = torch.get_rng_state()
    torch.testing.assert_close(make_batch(TINY, seed=1), make_batch(TINY, seed=1), rtol=0, atol=0)
    assert not torch.equal(make_batch(TINY, seed=1).series, make_batch(TINY, seed=2).series)
    assert torch.equal(torch.get_rng_state(), state)


def test_variates_differ() -> None:
    """No two variates of a batch are the same series."""
    series = make_batch(TINY).series.flatten(0, 1)
    assert len(series.unique(dim=0)) == len(series)


# ---- forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("chunks", [[6], [4, 1, 1], [1] * 6, [2, 3, 1]], ids=str)
def test_cached_is_uncached(form: str, chunks: list[int]) -> None:
    """However a series is cut into calls, each form gives what one call without a cache gives."""
    model, series = loud_model(TotoConfig.tiny(cache=form)), make_batch(TINY).series
    given_BVTP = scaled(model, series)
    caches = model.new_caches(2, 3, 8)  # longer than needed
    with torch.no_grad():
        parts = [model.next_patches(part, caches) for part in given_BVTP.split(chunks, dim=2)]
        expected_BVTP = model.next_patches(given_BVTP)
    torch.testing.assert_close(torch.cat(parts, dim=2), expected_BVTP, rtol=1e-4, atol=1e-4)
    assert [int(cache.seq_len()) for cache in caches if cache is not None] == [6, 6]


@pytest.mark.parametrize("form", FORMS)
def test_forms_have_the_gradients_of_no_cache(form: str) -> None:
    """Backward through a call that fills a cache gives the gradients of a call without one."""
    model, batch = loud_model(TotoConfig.tiny(cache=form)), make_batch(TINY)
    given_BVTP, target_BVTP = scaled(model, batch.series), model.patch(batch.targets)
    found = []
    for caches in (None, model.new_caches(2, 3, 8)):
        model.zero_grad()
        (model.next_patches(given_BVTP, caches) - target_BVTP).square().mean().backward()
        found.append(gradients(model))
    assert found[0]["decoder.blocks.2.attention.qkv.weight"].abs().max() > 0.01
    torch.testing.assert_close(found[1], found[0], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("form", FORMS)
def test_generation_is_that_without_a_cache(form: str) -> None:
    """Generation with each form gives the forecast of generation without a cache."""
    model, series = loud_model(TotoConfig.tiny(cache=form)), make_batch(TINY).series
    forecast = model.generate(series, 5)
    assert forecast.shape == (2, 3, 5 * 4)
    torch.testing.assert_close(
        forecast, model.generate(series, 5, use_cache=False), rtol=1e-3, atol=1e-3
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.filterwarnings("ignore")
def test_compiled_generation_is_eager_generation(form: str) -> None:
    """Each form generates compiled what it generates in eager mode."""
    model, series = loud_model(TotoConfig.tiny(cache=form)), make_batch(TINY).series
    eager, counter = model.generate(series, 5), CompileCounter()
    model.decoder.compile(backend=counter)
    torch.testing.assert_close(model.generate(series, 5), eager, rtol=1e-3, atol=1e-3)
    assert counter.frame_count > 0


@pytest.mark.parametrize("form", FORMS)
def test_graph_breaks_of_each_form(form: str) -> None:
    """The forms that slice by ints of their own, or by shapes, trace whole; the others break."""
    model, series = make_model(TotoConfig.tiny(cache=form)), make_batch(TINY).series
    model.decoder.compile(backend="eager")
    with torch._dynamo.error_on_graph_break(True):
        if form in FRIENDLY:
            model.generate(series, 2)
        else:
            with pytest.raises(torch._dynamo.exc.Unsupported):
                model.generate(series, 2)


@pytest.mark.parametrize("form", FORMS)
def test_only_what_was_given_is_seen(form: str) -> None:
    """Caches that held something else before are not what new ones are: nothing is shared."""
    model = loud_model(TotoConfig.tiny(cache=form))
    series, other = (make_batch(TINY, seed=seed).series for seed in (0, 1))
    alone = model.generate(series, 3)
    model.generate(other, 3)
    torch.testing.assert_close(model.generate(series, 3), alone, rtol=0, atol=0)


def test_static_cache_updates_in_place() -> None:
    """An append writes its positions only, into buffers that stay where they are."""
    cache = StaticCache(torch.empty(1, 1, 4, 2), 0, None)
    address, length = cache.k_NQSH.data_ptr(), cache.seq_len()
    cache.append(torch.zeros(1, 1, 2, 2), torch.zeros(1, 1, 2, 2))
    k_NQSH, v_NQSH = cache.append(torch.ones(1, 1, 1, 2), -torch.ones(1, 1, 1, 2))
    assert k_NQSH.data_ptr() == address
    assert k_NQSH[0, 0, :, 0].tolist() == [0, 0, 1, 0]
    assert v_NQSH[0, 0, :, 0].tolist() == [0, 0, -1, 0]
    assert (length.item(), cache.seq_len().item()) == (0, 3)


# ---- the model -------------------------------------------------------------------------------


@pytest.mark.parametrize("variate_every", [0, 2])
def test_forecasts_see_only_the_past(variate_every: int) -> None:
    """Other last patches change the last forecasts, and none before them."""
    model = loud_model(TotoConfig.tiny(variate_every=variate_every))
    series = make_batch(TINY).series
    changed = series.clone()
    changed[..., -8:] = changed[..., -8:].flip(-1) + 3
    before, after = model(series)[0], model(changed)[0]
    torch.testing.assert_close(before[..., :-8], after[..., :-8])
    for patch in (slice(-8, -4), slice(-4, None)):
        assert (before[..., patch] - after[..., patch]).abs().amax(-1).min() > 0.1


@pytest.mark.parametrize("patch", range(5))
def test_the_last_forecast_sees_every_patch(patch: int) -> None:
    """Attention over time reaches from the last patch to each one before it."""
    model, series = loud_model(TotoConfig.tiny(variate_every=0)), make_batch(TINY).series
    changed = series.clone()
    # flipped within the patch, the first one's mean and deviation stay
    changed[..., patch * 4 : patch * 4 + 4] = changed[..., patch * 4 : patch * 4 + 4].flip(-1)
    difference = (model(series)[0] - model(changed)[0])[..., -4:].abs().max()
    assert difference > 0.01


def test_positions_matter() -> None:
    """Two patches exchanged change the forecast after them."""
    # one block only: a second one could tell their order from what the first one let them see
    config = TotoConfig.tiny(blocks=1, variate_every=0)
    model, series = loud_model(config), make_batch(config).series
    changed = torch.cat(
        (series[..., :4], series[..., 8:12], series[..., 4:8], series[..., 12:]), dim=-1
    )
    assert (model(series)[0] - model(changed)[0])[..., -4:].abs().max() > 0.01


def test_variates_see_each_other() -> None:
    """Another variate changes a forecast where blocks attend over variates, and only there."""
    series = make_batch(TINY).series
    changed = series.clone()
    changed[:, 0] = changed[:, 0].flip(-1)
    for variate_every in (0, 2):
        model = loud_model(TotoConfig.tiny(variate_every=variate_every))
        difference = (model(series)[0] - model(changed)[0])[:, 1:].abs().max()
        assert (difference > 0.1) == (variate_every > 0)


def test_order_of_variates_has_no_meaning() -> None:
    """Forecasts of permuted variates are the permuted forecasts."""
    model, series = loud_model(TINY), make_batch(TINY).series
    order = [2, 0, 1]
    torch.testing.assert_close(model(series[:, order])[0], model(series)[0][:, order])


def test_series_of_a_batch_are_strangers() -> None:
    """A series alone gets the forecast that it gets in a batch."""
    model, series = loud_model(TINY), make_batch(TINY).series
    torch.testing.assert_close(model(series[1:])[0], model(series)[0][1:])


@pytest.mark.parametrize(("factor", "shift"), [(100.0, 0.0), (1.0, 50.0), (0.1, -3.0)])
def test_forecasts_follow_scale_and_level(factor: float, shift: float) -> None:
    """A series in other units has the same forecast, in those units, and the same loss."""
    model, batch = loud_model(TINY), make_batch(TINY)
    expected, loss = model(*batch)
    other = Batch(*(factor * part + shift for part in batch))
    found, other_loss = model(*other)
    torch.testing.assert_close((found - shift) / factor, expected, rtol=1e-2, atol=1e-2)
    torch.testing.assert_close(other_loss, loss, rtol=1e-3, atol=1e-3)


def test_constant_series() -> None:
    """A variate without deviation gets a finite forecast, near its level."""
    forecast, _ = loud_model(TINY)(torch.full((1, 2, 12), 7.0))
    torch.testing.assert_close(forecast, torch.full((1, 2, 12), 7.0), rtol=1e-3, atol=1e-3)


def test_bfloat16() -> None:
    """A bfloat16 model trains and generates in bfloat16, whatever its cache."""
    batch = Batch(*(part.bfloat16() for part in make_batch(TINY)))
    assert step(make_model(TINY).bfloat16(), batch)["forecast"].dtype == torch.bfloat16
    for form in FORMS:
        model = make_model(TotoConfig.tiny(cache=form)).bfloat16()
        assert model.generate(batch.series, 2).dtype == torch.bfloat16


def test_training_lowers_the_loss() -> None:
    """Some steps on one batch at least halve its loss."""
    model, batch = make_model(TINY), make_batch(TINY)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(30):
        losses.append(step(model, batch)["loss"])
        optimizer.step()
    assert losses[-1] < losses[0] / 2


# ---- compiled --------------------------------------------------------------------------------


def test_default_is_one_graph() -> None:
    """Forward and loss compile without a graph break."""
    counter = CompileCounter()
    torch.compile(make_model(TINY), backend=counter, fullgraph=True)(*make_batch(TINY))
    assert counter.frame_count == 1


def test_decoding_compiles_once() -> None:
    """The static cache takes a graph for the context and one for every patch after it."""
    model, series = loud_model(TINY), make_batch(TINY).series
    counter = CompileCounter()
    model.decoder.compile(backend=counter, fullgraph=True)
    model.generate(series, 6)
    assert counter.frame_count == 2


def test_compiled_is_eager() -> None:
    """Through AOTAutograd, forecast, loss and gradients stay what they are in eager mode."""
    model, batch = loud_model(TINY), make_batch(TINY)
    eager = step(model, batch)
    model.compile(backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_inductor_is_eager() -> None:
    """Through Inductor, training and generation stay what they are in eager mode."""
    model, batch = loud_model(TotoConfig.tiny(blocks=2)), make_batch(TINY)
    eager, forecast = step(model, batch), model.generate(batch.series, 4)
    model.compile(fullgraph=True)
    model.decoder.compile(fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-3, atol=1e-3)
    torch.testing.assert_close(model.generate(batch.series, 4), forecast, rtol=1e-3, atol=1e-3)


def test_blocks_compile_on_their_own() -> None:
    """Blocks compiled one by one share a graph per kind of attention, and change nothing."""
    config = TotoConfig.tiny(blocks=6, variate_every=3)
    model, batch = loud_model(config), make_batch(config)
    with torch.no_grad():
        eager = model(*batch)
        counter = CompileCounter()
        for block in model.decoder.blocks:
            block.compile(backend=counter, fullgraph=True)
        torch.testing.assert_close(model(*batch), eager, rtol=1e-4, atol=1e-4)
    assert counter.frame_count == 2


def test_blocks_share_graphs_over_a_static_cache() -> None:
    """Decoding block by block takes no more graphs for more blocks."""
    config = TotoConfig.tiny(blocks=6, variate_every=0)
    model, series = loud_model(config), make_batch(config).series
    eager, counter = model.generate(series, 4), CompileCounter()
    for block in model.decoder.blocks:
        block.compile(backend=counter, fullgraph=True)
    torch.testing.assert_close(model.generate(series, 4), eager, rtol=1e-3, atol=1e-3)
    assert counter.frame_count == 2
