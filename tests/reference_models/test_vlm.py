"""The vision-language model: its forms agree, its cache agrees, its inputs hold what they say."""

import copy
from dataclasses import fields

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch._dynamo.testing import CompileCounter

from reference_models.vlm import (
    IGNORE,
    IMAGE_TOKEN,
    IMAGES,
    IS_CAUSAL,
    MERGE,
    POSITION_IDS,
    SLOW_DOWN,
    Batch,
    KVCache,
    Tokenizer,
    VisionLanguageModel,
    VLMConfig,
    make_batch,
    make_model,
    parameter_count,
    pixel_shuffle,
    stack_images,
)
from tests.reference_models.models import amplify, step

TINY = VLMConfig.tiny()


def loud_model(config: VLMConfig) -> VisionLanguageModel:
    """A model with weights so large that attention moves the logits well past any tolerance."""
    model = make_model(config)
    amplify(model, 5)
    return model


def stepwise_logits(model: VisionLanguageModel, batch: Batch, prefill: int) -> Tensor:
    """Logits through a cache longer than needed: `prefill` tokens at once, the rest one by one."""
    lm = model.language_model
    B, T = batch.input_ids.shape
    caches = lm.new_caches(B, T + 3)
    x_BTD = model.embed(batch.input_ids, batch.images)
    positions = torch.arange(T).split([prefill] + [1] * (T - prefill))
    parts = [lm(x_BTD[:, p], position_T=p, caches=caches) for p in positions]
    return lm.logits(torch.cat(parts, dim=1))


def pad_left(batch: Batch, width: int) -> Batch:
    """The same sequences behind `width` masked tokens."""
    junk = torch.full((len(batch.input_ids), width), TINY.image_token_id + 1)
    return batch._replace(
        input_ids=torch.cat((junk, batch.input_ids), dim=1),
        attention_mask=torch.cat((torch.zeros_like(junk), batch.attention_mask), dim=1),
    )


# ---- sizes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "lm", "vit"),
    [
        (VLMConfig.tiny(), (2, 64), (2, 64)),
        (VLMConfig.debug(), (4, 256), (4, 256)),
        (VLMConfig.large(), (12, 768), (8, 512)),
    ],
    ids=["tiny", "debug", "large"],
)
def test_sizes(config: VLMConfig, lm: tuple[int, int], vit: tuple[int, int]) -> None:
    """Each size has its blocks and widths."""
    with torch.device("meta"):
        model = VisionLanguageModel(config)
    assert (len(model.language_model.blocks), model.language_model.norm.weight.numel()) == lm
    assert (len(model.vision_encoder.blocks), model.vision_encoder.norm.weight.numel()) == vit


def test_large_suggests_a_batch_worth_timing() -> None:
    """The large size suggests at least 8 sequences."""
    assert VLMConfig.large().batch_size >= 8


@pytest.mark.parametrize("config", [VLMConfig.tiny(), VLMConfig.large()], ids=["tiny", "large"])
def test_parameter_count(config: VLMConfig) -> None:
    """The count follows from the config, with the tied head counted once."""
    with torch.device("meta"):
        model = VisionLanguageModel(config)
    D, E, kv_width = config.lm_dim, config.vit_dim, config.lm_dim // config.lm_heads
    kv_width *= config.lm_kv_heads
    lm_block = 2 * D * D + 2 * D * kv_width + 3 * D * config.lm_mlp_dim + 2 * D
    vit_block = 4 * E * (E + 1) + 2 * E * config.vit_mlp_dim + config.vit_mlp_dim + E + 4 * E
    patches = E * (3 * config.patch_size**2 + 1) + config.patches_per_image * E + 2 * E
    assert parameter_count(model) == (
        config.vocab_size * D
        + config.lm_blocks * lm_block
        + D
        + config.vit_blocks * vit_block
        + patches
        + config.pixel_shuffle**2 * E * D
    )


@pytest.mark.parametrize(
    "mistake",
    [{"rotary": "if"}, {"lm_kv_heads": 3}, {"image_token_id": 128}, {"pixel_shuffle": 3}],
    ids=str,
)
def test_config_refuses(mistake: dict[str, object]) -> None:
    """A config that cannot work says so when it is made."""
    with pytest.raises(AssertionError):
        VLMConfig.tiny(**mistake)


def test_model_is_a_function_of_its_seed() -> None:
    """Weights repeat for a seed, differ between seeds, and leave the global generator alone."""
    state = torch.get_rng_state()
    first, again, other = (make_model(TINY, seed).state_dict() for seed in (0, 0, 1))
    assert torch.equal(torch.get_rng_state(), state)
    torch.testing.assert_close(first, again, rtol=0, atol=0)
    weight = "language_model.token_embedding.weight"
    assert not torch.equal(first[weight], other[weight])


# ---- inputs ----------------------------------------------------------------------------------

batches = {
    "image_token_id": st.integers(0, 7),
    "batch_size": st.integers(1, 5),
    "seq_len": st.integers(6, 20),
    "seed": st.integers(0, 2**31),
}


@settings(max_examples=50, deadline=None)
@given(**batches)
def test_no_stray_image_tokens(
    image_token_id: int, batch_size: int, seq_len: int, seed: int
) -> None:
    """Placeholders stand where the image is and nowhere else, however small the vocabulary."""
    config = VLMConfig.tiny(vocab_size=8, image_token_id=image_token_id)
    batch = make_batch(config, batch_size, seq_len, seed)
    assert batch.input_ids.stride() == batch.targets.stride() == (seq_len, 1)
    is_image_BT = batch.input_ids == image_token_id
    expected_T = torch.zeros(seq_len, dtype=torch.bool)
    expected_T[1 : 1 + config.tokens_per_image] = True
    assert torch.equal(is_image_BT, expected_T.expand(batch_size, -1))
    assert batch.input_ids.min() >= 0
    assert batch.input_ids.max() < config.vocab_size


@settings(max_examples=20, deadline=None)
@given(**batches)
def test_targets_are_the_next_tokens(
    image_token_id: int, batch_size: int, seq_len: int, seed: int
) -> None:
    """Targets are the inputs one step on, and placeholders are no target."""
    config = VLMConfig.tiny(vocab_size=8, image_token_id=image_token_id)
    batch = make_batch(config, batch_size, seq_len, seed)
    following = batch.input_ids[:, 1:]
    expected = following.masked_fill(following == image_token_id, IGNORE)
    assert torch.equal(batch.targets[:, :-1], expected)
    assert not (batch.targets == image_token_id).any()


def test_every_text_token_is_drawn() -> None:
    """Leaving out the placeholder leaves out no other id."""
    config = VLMConfig.tiny(vocab_size=8, image_token_id=3)
    assert make_batch(config, batch_size=64).input_ids.unique().tolist() == list(range(8))


def test_batch_is_a_function_of_its_seed() -> None:
    """Batches repeat for a seed and differ between seeds."""
    torch.testing.assert_close(make_batch(TINY, seed=1), make_batch(TINY, seed=1), rtol=0, atol=0)
    one, two = make_batch(TINY, seed=1), make_batch(TINY, seed=2)
    assert not torch.equal(one.input_ids, two.input_ids)
    assert not torch.equal(one.images, two.images)


def test_sequence_too_short_for_its_image() -> None:
    """A sequence without room for an image and text is refused."""
    with pytest.raises(AssertionError, match="seq_len must exceed 5"):
        make_batch(TINY, seq_len=5)


def test_placeholders_match_image_embeddings() -> None:
    """There are as many placeholders as image embeddings."""
    model, batch = make_model(TINY), make_batch(TINY)
    image_embeddings = model.projector(model.vision_encoder(batch.images))
    assert image_embeddings.shape == (TINY.batch_size, TINY.tokens_per_image, TINY.lm_dim)
    placeholders = (batch.input_ids == TINY.image_token_id).sum()
    assert placeholders == image_embeddings.flatten(0, 1).shape[0]


# ---- forms -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", MERGE)
@settings(max_examples=30, deadline=None)
@given(
    rows=st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=1, max_size=4)
    )
)
def test_merge_keeps_order(form: str, rows: list[list[bool]]) -> None:
    """The i-th placeholder, counted over the batch, gets the i-th image embedding."""
    is_image_BT = torch.tensor(rows)
    if not is_image_BT.any():
        return
    token_BTD = -torch.ones(*is_image_BT.shape, 2)
    image_MD = torch.arange(int(is_image_BT.sum())).float()[:, None].expand(-1, 2)
    ranks = iter(range(is_image_BT.numel()))
    expected = [[next(ranks) if image else -1 for image in row] for row in rows]
    merged_BTD = MERGE[form](token_BTD, is_image_BT, image_MD)
    assert merged_BTD[..., 0].tolist() == merged_BTD[..., 1].tolist() == expected
    assert (token_BTD == -1).all()


@pytest.mark.parametrize("form", MERGE)
def test_merge_refuses_stray_placeholders(form: str) -> None:
    """A placeholder without an embedding is an error in eager mode."""
    with pytest.raises((IndexError, RuntimeError)):
        MERGE[form](torch.zeros(1, 3, 2), torch.tensor([[True, True, True]]), torch.ones(2, 2))


FORMS = {
    "rotary": SLOW_DOWN,
    "image_merge": MERGE,
    "position_ids": POSITION_IDS,
    "is_causal": IS_CAUSAL,
    "image_token": IMAGE_TOKEN,
    "images": IMAGES,
}
OTHER_FORMS = [
    (field.name, form)
    for field in fields(VLMConfig)
    for form in FORMS.get(field.name, ())
    if form != field.default
]


@pytest.mark.parametrize("sizes", [{}, {"original_max_seq_len": 8, "image_token_id": 5}], ids=str)
@pytest.mark.parametrize(("pattern", "form"), OTHER_FORMS)
def test_forms_agree(pattern: str, form: str, sizes: dict[str, int]) -> None:
    """All forms of a pattern give the same logits, loss and gradients."""
    default, config = VLMConfig.tiny(**sizes), VLMConfig.tiny(**sizes, **{pattern: form})
    # without its mask, which would leave nothing to `is_causal`
    batch = make_batch(config)._replace(attention_mask=None)
    torch.testing.assert_close(step(loud_model(config), batch), step(loud_model(default), batch))


def test_every_form_is_a_field() -> None:
    """Every named form can be chosen, and there is one to compare with each default."""
    assert {pattern for pattern, _ in OTHER_FORMS} == set(FORMS)
    for pattern, forms in FORMS.items():
        for form in forms:
            assert getattr(VLMConfig.tiny(**{pattern: form}), pattern) == form


@pytest.mark.parametrize("form", ["list", "list_disabled"])
@pytest.mark.parametrize("nested", [False, True])
def test_listed_images_are_stacked_images(form: str, nested: bool) -> None:
    """Images in a list, or in one list for each sequence, give what one tensor of them gives."""
    batch = make_batch(TINY, batch_size=3)
    first, *rest = batch.images.split(1)
    images = [[first, rest[0]], [], rest[1:]] if nested else [first, torch.cat(rest)]
    assert torch.equal(stack_images(images), batch.images)
    model = loud_model(VLMConfig.tiny(images=form))
    torch.testing.assert_close(
        step(model, batch._replace(images=images)), step(loud_model(TINY), batch)
    )


@pytest.mark.parametrize("form", ["list", "list_disabled"])
def test_no_listed_images_are_text_alone(form: str) -> None:
    """An empty list is no image."""
    model, batch = make_model(VLMConfig.tiny(images=form)), make_batch(TINY)
    expected = make_model(TINY)(batch.input_ids, None)[0]
    for none in ([], [[], []], None):
        assert torch.equal(model(batch.input_ids, none)[0], expected)


def test_tokenizer_looks_up_attributes() -> None:
    """A special token and its id are attributes, of copies too; other names are not."""
    tokenizer = copy.deepcopy(Tokenizer(["a", "<&>", "b"], image_token="<&>"))
    assert (tokenizer.image_token, tokenizer.image_token_id) == ("<&>", 1)
    with pytest.raises(AttributeError, match="Tokenizer has no attribute video_token_id"):
        tokenizer.video_token_id  # noqa: B018


@pytest.mark.parametrize("rotary", ["where", "branch"])
def test_rotations_slow_down_past_the_original_length(rotary: str) -> None:
    """A call longer than the original maximum gets other logits, one within it does not."""
    batch = make_batch(TINY)

    def logits(original_max_seq_len: int) -> Tensor:
        config = VLMConfig.tiny(rotary=rotary, original_max_seq_len=original_max_seq_len)
        result: Tensor = loud_model(config)(*batch)[0]
        return result

    within, exactly, past = logits(1024), logits(TINY.seq_len), logits(TINY.seq_len // 2)
    torch.testing.assert_close(within, exactly, rtol=0, atol=0)
    assert (within - past).abs().max() > 0.1


# ---- the model -------------------------------------------------------------------------------


def test_logits_see_only_the_past() -> None:
    """Another last token changes its own logits and no earlier ones."""
    model, batch = loud_model(TINY), make_batch(TINY)
    changed = batch.input_ids.clone()
    changed[:, -1] = TINY.vocab_size - changed[:, -1]
    before, after = (
        model(ids, batch.images, batch.attention_mask)[0] for ids in (batch.input_ids, changed)
    )
    torch.testing.assert_close(before[:, :-1], after[:, :-1])
    assert (before[:, -1] - after[:, -1]).abs().max() > 0.1


def test_logits_see_the_image() -> None:
    """Another image changes the logits of the text behind it."""
    model, batch = loud_model(TINY), make_batch(TINY)
    before = model(batch.input_ids, batch.images)[0]
    after = model(batch.input_ids, batch.images.flip(0))[0]
    assert (before[:, -1] - after[:, -1]).abs().max() > 0.1


def test_full_mask_is_no_mask() -> None:
    """An attention mask of ones gives what SDPA's own causal mask gives."""
    model, batch = loud_model(TINY), make_batch(TINY)
    torch.testing.assert_close(
        model(batch.input_ids, batch.images, batch.attention_mask)[0],
        model(batch.input_ids, batch.images)[0],
    )


def test_padding_is_not_seen() -> None:
    """Padding on the left changes neither logits nor generated tokens."""
    model, batch = loud_model(TINY), make_batch(TINY)
    padded = pad_left(batch, 3)
    torch.testing.assert_close(
        model(padded.input_ids, padded.images, padded.attention_mask)[0][:, 3:],
        model(batch.input_ids, batch.images)[0],
        rtol=1e-4,
        atol=1e-4,
    )
    assert torch.equal(model.generate(*padded[:3]), model.generate(*batch[:3]))


@pytest.mark.parametrize("prefill", [6, 15])
@pytest.mark.parametrize("rotary", ["where", "branch"])
def test_cached_logits_are_uncached_logits(rotary: str, prefill: int) -> None:
    """Decoding token by token through the cache gives the logits of one call without it."""
    model, batch = loud_model(VLMConfig.tiny(rotary=rotary)), make_batch(TINY)
    torch.testing.assert_close(
        stepwise_logits(model, batch, prefill),
        model(batch.input_ids, batch.images)[0],
        rtol=1e-4,
        atol=1e-4,
    )


@pytest.mark.parametrize("masked", [False, True])
def test_generate_is_greedy(masked: bool) -> None:
    """Every generated token is the likeliest one, placeholder aside, after all before it."""
    model, batch = loud_model(TINY), make_batch(TINY)
    mask = batch.attention_mask if masked else None
    new_tokens = model.generate(batch.input_ids, batch.images, mask, max_new_tokens=6)
    assert len(new_tokens.unique()) > 2
    ids = batch.input_ids
    for token_B in new_tokens.unbind(1):
        logits_BV = model(ids, batch.images)[0][:, -1]
        logits_BV[:, TINY.image_token_id] = -torch.inf
        assert torch.equal(token_B, logits_BV.argmax(-1))
        ids = torch.cat((ids, token_B[:, None]), dim=1)


def test_placeholder_is_never_generated() -> None:
    """Where the likeliest token is the placeholder, generation takes the next likeliest."""
    ids = make_batch(TINY).input_ids[:1, 5:]
    likeliest = int(loud_model(TINY).generate(ids, None, max_new_tokens=1))
    model = loud_model(VLMConfig.tiny(image_token_id=likeliest))
    second = model(ids, None)[0][0, -1].topk(2).indices[1]
    assert model.generate(ids, None, max_new_tokens=1) == second


def test_pixel_shuffle_joins_squares() -> None:
    """Each token holds a square of neighbouring patches, row by row."""
    x_NPE = torch.arange(16).view(1, 16, 1)
    squares = [[0, 1, 4, 5], [2, 3, 6, 7], [8, 9, 12, 13], [10, 11, 14, 15]]
    assert pixel_shuffle(x_NPE, side=4, factor=2).tolist() == [squares]


def test_cache_updates_in_place() -> None:
    """An update writes its positions only, into buffers that stay where they are."""
    cache = KVCache(1, 1, 4, 2, like=torch.empty(0))
    address = cache.k_BGSH.data_ptr()
    k_BGSH, v_BGSH = cache.update(
        torch.tensor([2]), torch.ones(1, 1, 1, 2), -torch.ones(1, 1, 1, 2)
    )
    assert k_BGSH.data_ptr() == address
    assert k_BGSH[0, 0, :, 0].tolist() == [0, 0, 1, 0]
    assert v_BGSH[0, 0, :, 0].tolist() == [0, 0, -1, 0]


def test_text_alone() -> None:
    """Without images the model is a language model."""
    model, batch = make_model(TINY), make_batch(TINY)
    logits, loss = model(batch.input_ids, None)
    assert logits.shape == (*batch.input_ids.shape, TINY.vocab_size)
    assert loss is None


def test_bfloat16() -> None:
    """A bfloat16 model trains and generates in bfloat16."""
    model, batch = make_model(TINY).bfloat16(), make_batch(TINY)
    batch = batch._replace(images=batch.images.bfloat16())
    assert step(model, batch)["logits"].dtype == torch.bfloat16
    assert model.generate(batch.input_ids, batch.images, max_new_tokens=2).shape == (2, 2)


def test_training_lowers_the_loss() -> None:
    """A few steps on one batch at least halve its loss."""
    model, batch = make_model(TINY), make_batch(TINY)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(15):
        losses.append(step(model, batch)["loss"])
        optimizer.step()
    assert losses[-1] < losses[0] / 2


# ---- compiled --------------------------------------------------------------------------------


def graph_count(config: VLMConfig) -> int:
    """Graphs that one forward pass compiles into, by default."""
    counter = CompileCounter()
    torch.compile(make_model(config), backend=counter)(*make_batch(config))
    return int(counter.frame_count)


def test_default_is_one_graph() -> None:
    """The default config compiles forward and loss without a graph break."""
    counter = CompileCounter()
    torch.compile(make_model(TINY), backend=counter, fullgraph=True)(*make_batch(TINY))
    assert counter.frame_count == 1
    assert graph_count(TINY) == 1


def test_rotary_branch_breaks_the_graph() -> None:
    """The rotary form that branches on a tensor compiles into several graphs."""
    assert graph_count(VLMConfig.tiny(rotary="branch")) > 1
    branch = torch.compile(
        make_model(VLMConfig.tiny(rotary="branch")), backend="eager", fullgraph=True
    )
    with pytest.raises(torch._dynamo.exc.Unsupported, match="Data-dependent branching"):
        branch(*make_batch(TINY))


def test_tokenizer_lookup_breaks_the_graph() -> None:
    """The id that compiled code looks up ends the graph; one from the cache does not."""
    config = VLMConfig.tiny(image_token="lookup")
    assert graph_count(config) > 1
    lookup = torch.compile(make_model(config), backend="eager", fullgraph=True)
    with pytest.raises(torch._dynamo.exc.Unsupported, match="Unsupported method call"):
        lookup(*make_batch(TINY))


@pytest.mark.parametrize("form", IS_CAUSAL)
def test_symbolic_is_causal_breaks_the_graph(form: str) -> None:
    """Under dynamic shapes, SDPA takes the Python bool and refuses the SymBool."""
    model, batch = make_model(VLMConfig.tiny(is_causal=form)), make_batch(TINY)
    counter = CompileCounter()
    x_BTD = model.embed(batch.input_ids, None)
    torch.compile(model.language_model, backend=counter, dynamic=True)(x_BTD)
    assert (counter.frame_count == 1) == (form == "bool")


@pytest.mark.parametrize("form", IMAGES)
def test_disabled_stacking_breaks_the_graph(form: str) -> None:
    """Only the disabled form of stacking ends the graph."""
    assert (graph_count(VLMConfig.tiny(images=form)) == 1) == (form != "list_disabled")


@pytest.mark.parametrize(
    "config",
    [TINY, VLMConfig.tiny(image_merge="masked_assign", position_ids="repeat")],
    ids=["default", "masked_assign-repeat"],
)
def test_compiled_is_eager(config: VLMConfig) -> None:
    """Through AOTAutograd, logits, loss and gradients stay what they are in eager mode."""
    model, batch = loud_model(config), make_batch(config)
    eager = step(model, batch)
    model.compile(backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-4, atol=1e-4)


@pytest.mark.slow
def test_inductor_is_eager() -> None:
    """Through Inductor, logits, loss and gradients stay what they are in eager mode."""
    model, batch = loud_model(TINY), make_batch(TINY)
    eager = step(model, batch)
    model.compile(fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-3, atol=1e-3)


def test_blocks_compile_on_their_own() -> None:
    """Blocks compiled one by one are really called, and change nothing."""
    model, batch = loud_model(TINY), make_batch(TINY)
    eager = step(model, batch)
    vision, language = CompileCounter(), CompileCounter()
    for blocks, counter in (
        (model.vision_encoder.blocks, vision),
        (model.language_model.blocks, language),
    ):
        for block in blocks:
            block.compile(backend=counter, fullgraph=True)
    torch.testing.assert_close(step(model, batch), eager, rtol=1e-4, atol=1e-4)
    assert vision.frame_count > 0
    assert language.frame_count > 0


def test_decoding_compiles_once() -> None:
    """Generation compiles a graph for the prompt and one for every token after it."""
    model, batch = loud_model(TINY), make_batch(TINY)
    eager = model.generate(batch.input_ids, batch.images, max_new_tokens=6)
    counter = CompileCounter()
    model.language_model.compile(backend=counter, fullgraph=True)
    assert torch.equal(model.generate(batch.input_ids, batch.images, max_new_tokens=6), eager)
    assert counter.frame_count == 2
