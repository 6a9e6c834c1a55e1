"""Patterns made from formats: they fit what is printed, and little else."""

import re

import pytest

from validators.families.patterns import class_pattern, pattern_of, telling_line


def fits(kind, text, line, key=""):
    """Whether the pattern of a format fits a line."""
    return bool(re.search(pattern_of(kind, key, text), line, re.ASCII))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Unsupported method call", "Unsupported method call"),
        ("Unsupported method call", "Graph Break Reason: Unsupported method call"),
        ("Unsupported method call", "torch._dynamo.exc.Unsupported: Unsupported method call"),
        ("Unsupported method call", "[0/0] [__graph_breaks] Unsupported method call"),
        ("no getter of {name} here", "no getter of __mro__ here"),
    ],
)
def test_the_type_of_a_graph_break(text, line):
    """It begins a line, or follows a colon or the prefix of a log."""
    assert fits("graph_break", text, line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("functools.wraps", "    @functools.wraps(function)"),
        ("Skipped frame", "Skipped frame (for another reason)"),
    ],
)
def test_code_and_longer_types_are_no_type(text, line):
    """`functools.wraps` is a type, and in every decorator."""
    assert not fits("graph_break", text, line)


def test_a_reason_for_a_skip_needs_its_log_line():
    """`mutated inputs` are words that anybody may use."""
    text = "mutated inputs ({n} instances)"
    assert fits("cudagraph_skip", text, "skipping cudagraphs due to mutated inputs (1 instances)")
    twice = "skipping cudagraphs due to skipping cudagraphs due to cpu device (arg0_1)"
    assert fits("cudagraph_skip", "cpu device ({node})", twice)
    assert not fits("cudagraph_skip", text, "it has mutated inputs (1 instances)")
    assert not fits(
        "cudagraph_skip", "incompatible op", "skipping cudagraphs due to incompatible ops"
    )
    cpu = ("cudagraph_skip", "reason={node.get_device()} ops")
    assert fits(*cpu, "    buf0: reason=cpu ops, ir=X", key="partition-ops")
    assert not fits(*cpu, "    buf0: reason=DeviceCopy ops, ir=X", key="partition-ops")


@pytest.mark.parametrize(
    ("key", "text", "line"),
    [
        (
            "type-match",
            "___check_type_id({ref}, {id}), type={t}",
            "0/0: ___check_type_id(x, 7), type=A",
        ),
        ("equals-match", "{ref} == {val}", "0/1: self.steps[0] == 3  # x.sum()"),
        ("equals-match", "{ref} == {val}", "   last reason: 0/7: L['n'] == 3"),
        ("bool-match", "{ref} == {val}", "0/0: self.training == True"),
        ("none-match", "{ref} is None", "1/0: mask is None"),
        ("sequence-length", "not {ref}", "0/0: not self.means    # if self.means"),
        ("sequence-length", "len({ref}) == {n}", "0/0: len(images) == 2"),
        ("duplicate-input", "{b} is {a}", "0/0: key is query"),
        ("hasattr", "hasattr({ref}, {attr})", "0/0: hasattr(x, 'shape')"),
        ("shape-env-size", "{base}.size()[{i}]", "0/0: 2 <= x.size()[0] <= 9"),
        (
            "tensor-size",
            "tensor '{n}' size mismatch at index {i}. expected {s}, actual {s}",
            "size mismatch at index 0. expected 4, actual 6",
        ),
        (
            "global-state-autocast",
            "GLOBAL_STATE changed: {states}autocast(",
            "GLOBAL_STATE changed: grad_mode autocast(cpu)_enabled ",
        ),
    ],
)
def test_a_guard_that_failed(key, text, line):
    """Where its own text is weak, the compilation's id stands in front of it."""
    assert fits("guard", text, line, key)


@pytest.mark.parametrize(
    ("key", "text", "line"),
    [
        ("equals-match", "{ref} == {val}", "0/0: self.training == True"),
        ("equals-match", "{ref} == {val}", "0/0: len(images) == 2"),
        ("equals-match", "{ref} == {val}", "    if self.steps == 3:"),
        ("duplicate-input", "{b} is {a}", "0/0: mask is None"),
        ("duplicate-input", "{b} is {a}", "0/0: this mark is present on the tensor"),
        ("hasattr", "hasattr({ref}, {attr})", "0/0: hasattr(x, '_indices') == False"),
        ("type-match", "___check_type_id({ref}, {id})", "| +- TYPE_MATCH: ___check_type_id(x, 7)"),
        (
            "global-state-deterministic-algorithms",
            "GLOBAL_STATE changed: {s}deterministic_algorithms",
            "GLOBAL_STATE changed: deterministic_algorithms_warn_only ",
        ),
    ],
)
def test_what_no_such_guard_is(key, text, line):
    """Other guards, code, and the list of all guards in a log."""
    assert not fits("guard", text, line, key)


def test_a_message_is_known_by_its_first_words():
    """Terminals wrap long lines; a short name before the first hole says nothing."""
    long = "This message goes on and on, so that nobody reads it to its end or even knows its point"
    assert fits("warning", long, long[:80])
    assert fits(
        "warning", "Found {x} which is too old for this", "which is too old for this, we found"
    )
    assert pattern_of("warning", "", "{x} of {y}") == ""


def test_spaces_may_have_been_joined():
    """By whoever shows the log."""
    assert fits(
        "warning", "It is deprecated.  Call the other.", "It is deprecated. Call the other."
    )


def test_the_line_that_tells():
    """The first with words of its own."""
    assert (
        telling_line("#####\nWARNING: {n} issues found\nmore of them")
        == "WARNING: {n} issues found"
    )
    assert telling_line("{a}\nab {b}") == "ab {b}"


@pytest.mark.parametrize(
    ("name", "line", "fits"),
    [
        ("LoweringException", "LoweringException: AssertionError", True),
        ("LoweringException", "torch._inductor.exc.LoweringException: x", True),
        ("LoweringException", "raise LoweringException(e)", False),
        ("LoweringException", "MyLoweringException: x", False),
        ("Unsupported", "torch._dynamo.exc.Unsupported: x", True),
        ("Unsupported", "Unsupported: x", False),
        ("SystemError", "SystemError: from Python", False),
    ],
)
def test_an_exception_is_known_by_its_class(name, line, fits):
    """A single word must follow a module's name, as must a name that Python has."""
    assert bool(re.search(class_pattern(name), line, re.ASCII)) == fits
