"""Settings that hold while compiled code runs, however they are set, and what hides trouble."""

from __future__ import annotations

import contextlib
import logging
import threading
from unittest import mock

import pytest
import torch
from torch._dynamo import config, convert_frame, eval_frame

from validators.inspector.calls import recording
from validators.inspector.loading.held import SILENCED, SKIPS_GUARDS, STANCE, trusting, watching
from validators.probes.switches import force_eager  # noqa: F401, is used in a text

LIMIT = "torch._dynamo.config.recompile_limit"
TOTAL = "torch._dynamo.config.accumulated_recompile_limit"
SUPPRESS = "torch._dynamo.config.suppress_errors"


def run():
    """Compile a function anew, and call it."""
    torch.compile(lambda x: x * 2, backend="eager")(torch.ones(2))


def assigned(**values):
    """Set, run, and set back."""
    before = {name: getattr(config, name) for name in values}
    for name, value in values.items():
        setattr(config, name, value)
    run()
    for name, value in before.items():
        setattr(config, name, value)


def within(made):
    """Run in a context."""
    with made:
        run()


def decorated(decorator):
    """Run a function that is decorated."""
    decorator(lambda: run())()


def loaded(**values):
    """Load a whole configuration, and the one before."""
    before = config.save_config()
    config.load_config(config.get_config_copy() | values)
    run()
    config.load_config(before)


def overridden():
    """Set an entry below the attributes."""
    entry = config._config["recompile_limit"]
    token = entry.user_override.set(99)
    run()
    entry.user_override.reset(token)


def in_a_thread():
    """Set it where nobody else sees it."""

    def set_and_run():
        config.recompile_limit = 99
        run()

    thread = threading.Thread(target=set_and_run)
    thread.start()
    thread.join()


def inside():
    """Set it between two graphs of one call."""

    def forward(x):
        x = x * 2
        before = config.recompile_limit
        config.recompile_limit = 99
        torch._dynamo.graph_break()
        x = x + 1
        config.recompile_limit = before
        return x

    torch.compile(forward, backend="eager")(torch.ones(2))


def by_stance():
    """Replace the stance itself."""
    stance = eval_frame.DynamoStance("eager_on_recompile")
    with mock.patch.object(eval_frame, "_stance", stance):
        run()


SETTINGS = {
    "a context": (lambda: within(config.patch(recompile_limit=99)), LIMIT, 99),
    "a context of two": (lambda: within(config.patch({"recompile_limit": 99})), LIMIT, 99),
    "its old name": (lambda: within(config.patch(cache_size_limit=99)), LIMIT, 99),
    "the total": (lambda: within(config.patch(accumulated_recompile_limit=999)), TOTAL, 999),
    "the compiler's name": (
        lambda: within(torch.compiler.config.patch(recompile_limit=99)),
        LIMIT,
        99,
    ),
    "errors": (lambda: within(config.patch(suppress_errors=True)), SUPPRESS, True),
    "an assignment": (lambda: assigned(recompile_limit=99), LIMIT, 99),
    "a decorator": (lambda: decorated(config.patch(recompile_limit=99)), LIMIT, 99),
    "a configuration": (lambda: loaded(recompile_limit=99), LIMIT, 99),
    "an entry": (overridden, LIMIT, 99),
    "a thread": (in_a_thread, LIMIT, 99),
    "a call": (inside, LIMIT, 99),
    "an option": (
        lambda: torch.compile(lambda x: x * 2, backend="eager", recompile_limit=99)(torch.ones(2)),
        LIMIT,
        99,
    ),
    "a stance": (
        lambda: within(torch.compiler.set_stance("eager_on_recompile")),
        STANCE,
        "eager_on_recompile",
    ),
    "a stance for a function": (
        lambda: decorated(torch.compiler.set_stance("force_eager")),
        STANCE,
        "force_eager",
    ),
    "a stance of guards": (
        lambda: within(torch.compiler.set_stance(skip_guard_eval_unsafe=True)),
        SKIPS_GUARDS,
        True,
    ),
    "a stance behind the back": (by_stance, STANCE, "eager_on_recompile"),
}


@pytest.fixture(autouse=True)
def fresh():
    """Nothing is compiled before or after."""
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("way", SETTINGS)
def test_a_setting_that_holds_for_a_while_is_seen(way):
    """Although nothing of it is left afterwards."""
    act, name, value = SETTINGS[way]
    # Without guards, torch refuses to compile once more.
    with watching() as held, contextlib.suppress(RuntimeError):
        act()
    assert value in held.values[name], held.values
    assert set(held.values) == {name}
    assert held.called == set()


def test_nothing_is_seen_where_nothing_is_set():
    """Nor what our own workers set."""
    ours = compile("with force_eager():\n    run()", recording.__file__, "exec")
    with watching() as held:
        run()
        exec(ours)
        torch.compiler.set_stance("default")
        run()
    assert (held.values, held.called) == ({}, set())


def silenced(name):
    """Run without what a logger would say."""
    logger = logging.getLogger(name)
    logger.disabled = True
    run()
    logger.disabled = False


def filtered():
    """Run with a filter that lets nothing through."""
    logger, nothing = logging.getLogger("torch._dynamo.convert_frame"), lambda _: False
    logger.addFilter(nothing)
    run()
    logger.removeFilter(nothing)


def disabled():
    """Run without any messages."""
    logging.disable(logging.CRITICAL)
    run()
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("act", [lambda: silenced("torch.__trace"), filtered, disabled])
def test_what_silences_torch_is_seen(act):
    """Whoever counts reads its logs."""
    with watching() as held:
        act()
    assert set(held.values) == {SILENCED}


def never(*_args):
    """Exceed no limit."""
    return False, ""


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: torch._dynamo.reset(), "calls torch._dynamo.reset"),
        (lambda: torch.compiler.reset(), "calls torch._dynamo.reset"),
        (
            lambda: within(mock.patch.object(convert_frame, "exceeds_recompile_limit", never)),
            "replaces torch._dynamo.convert_frame.exceeds_recompile_limit",
        ),
    ],
)
def test_what_forgets_or_does_not_count_is_seen(act, said):
    """A recompilation would be none."""
    with watching() as held:
        act()
    assert said in held.called


@pytest.mark.parametrize("name", ["allow_in_graph", "assume_constant_result"])
def test_what_the_compiler_shall_believe_is_seen(name):
    """While the target is loaded; afterwards, all is as it was."""
    real = getattr(torch.compiler, name)
    with watching() as held, trusting(held):
        getattr(torch.compiler, name)(lambda x: x)
    assert f"calls torch.compiler.{name}" in held.called
    assert getattr(torch.compiler, name) is real


def test_all_is_as_it_was_after_an_exception():
    """The hooks go with the block."""
    before = convert_frame._compile, eval_frame._set_stance, torch._dynamo.reset
    with contextlib.suppress(ValueError), watching():
        raise ValueError
    assert (convert_frame._compile, eval_frame._set_stance, torch._dynamo.reset) == before
