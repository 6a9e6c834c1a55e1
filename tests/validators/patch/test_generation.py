"""`generate` of a transformers model with a cache of one size."""

from __future__ import annotations

import json

import pytest

from tests.commands import call
from tests.pythons import with_package
from validators.cli import main

CODE = """from transformers import AutoModelForCausalLM


def answer(model, ids):
    return {call}
"""
CHAT = """import torch
from transformers import LlamaConfig, LlamaForCausalLM

SIZES = dict(vocab_size=32, hidden_size=16, intermediate_size=32, num_hidden_layers=1)
CONFIG = LlamaConfig(**SIZES, num_attention_heads=2, max_position_embeddings=64, eos_token_id=None)


class Chat(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.model = LlamaForCausalLM(CONFIG).eval()

    def forward(self, ids):
        return self.model.generate(ids, max_new_tokens=4, do_sample=False)


def example():
    return Chat(), [(torch.arange(2, 6)[None],)] * 2
"""
STATIC = 'cache_implementation="static"'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model.generate(ids)", f"model.generate(ids, {STATIC})"),
        ("model.generate(ids, max_length=8)", f"model.generate(ids, max_length=8, {STATIC})"),
        ("model.generate( ids,max_length=8 )", f"model.generate( ids,max_length=8,{STATIC} )"),
        ("model.generate(*ids)", f"model.generate(*ids, {STATIC})"),
        ("self.model.generate()", f"self.model.generate({STATIC})"),
        (
            "model.generate(\n        ids,\n        max_length=8,  # short\n    )",
            "model.generate(\n        ids,\n        max_length=8,  # short\n"
            f"        {STATIC},\n    )",
        ),
        (
            "model.generate(\n        ids\n    )",
            f"model.generate(\n        ids,\n        {STATIC}\n    )",
        ),
    ],
)
def test_a_call_gets_a_static_cache(apply, before, after):
    """Written like its other arguments; a second run finds nothing to do."""
    assert apply("generation", CODE.format(call=before)) == (CODE.format(call=after), [])
    assert apply("generation", CODE.format(call=after)) == (CODE.format(call=after), [])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("model.generate(ids, past_key_values=cache)", ""),
        ("model.generate(ids, use_cache=False)", ""),
        ('model.generate(ids, cache_implementation="dynamic")', ""),
        ("generate(model, ids)", ""),
        ("model.generate(ids, **options)", "passes ** arguments"),
        ("model.generate(ids, generation_config=c)", "generation_config may choose a cache"),
        ("model.generate(ids, assistant_model=m)", "assistant_model may choose a cache"),
    ],
)
def test_a_call_that_may_have_chosen_stays(apply, line, reason):
    """With the reason, where the source does not tell what it chose."""
    code = CODE.format(call=line)
    after, left = apply("generation", code)
    assert after == code
    assert [reason in it for it in left] == [True] * bool(reason)


def test_another_generate_stays(apply):
    """Only transformers knows the argument."""
    code = CODE.format(call="model.generate(ids)").replace("transformers", "mine")
    assert apply("generation", code) == (code, [])


@pytest.mark.slow
@pytest.mark.matrix
def test_the_change_is_verified_or_taken_back(tmp_path):
    """On a small Llama with random weights."""
    python = with_package("transformers")
    (tmp_path / "chat.py").write_text(CHAT)
    words = ("chat.py:example", "--only", "generation", "--backend", "eager", "--json")
    done = call(main, "patch", *words, "--python", python, cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)
    [change] = found["changes"]
    assert bool(change["refused"]) != (STATIC in found["diff"]), found
    assert change["better"] or change["refused"]
