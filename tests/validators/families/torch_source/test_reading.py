"""What an expression of torch's code can print, found without running it."""

import ast

import pytest

from validators.errors import CasebookError
from validators.families.torch_source.reading import SourceFile

SOURCE = '''
import textwrap
PREFIX = "Please "

def text_of(kind):
    if kind:
        return "the kind is known"
    return f"the kind is {kind}"

class Tool:
    def act(self, x, name):
        say("plain {braces}")
        say("%s has %d of %%" % (name, x.count))
        say("%(name)s is named")
        say(f"got {x!r} and {name}")
        say("one " + "two " + str(x))
        say("{} of {}".format(x, name))
        say("{0!r:>3}".format(x))
        say(textwrap.dedent("""  indented"""))
        say("a" if x else "b")
        say(x or "nothing")
        say(PREFIX + "report it")
        say(text_of(x))
        say(f"Note: {text_of(x)}")
        message = "first"
        if x:
            message = f"{message}, second"
        say(message)
        say(unknown)
'''


@pytest.fixture
def said(tmp_path):
    """What each call of `say` can print, by the first words of its argument's source."""
    path = tmp_path / "tool.py"
    path.write_text(SOURCE)
    file = SourceFile(path, "tool.py")
    return [
        (ast.unparse(call.args[0]), file.formats(call.args[0], place))
        for place, call, name in file.calls()
        if name == "say"
    ]


def test_texts_are_followed_through_expressions_names_and_functions(said):
    """What is computed becomes a hole with the name that the code gives it."""
    assert [texts for _, texts in said] == [
        ["plain {{braces}}"],
        ["{name} has {x.count} of %"],
        ["%(name)s is named"],
        ["got {x} and {name}"],
        ["one two {str(x)}"],
        ["{} of {}"],
        ["{0!r:>3}"],
        ["  indented"],
        ["a", "b"],
        ["nothing"],
        ["Please report it"],
        ["the kind is {kind}", "the kind is known"],
        ["Note: {text_of(x)}"],
        ["first", "{message}, second"],
        ["{unknown}"],
    ]


def test_a_logger_fills_in_its_arguments(tmp_path):
    """As in `log.warning("%s failed", name)`; without arguments the mark stays a hole."""
    path = tmp_path / "one.py"
    path.write_text("log.warning('%s took %.2f s', name, t)\nlog.warning('at %s')\nlog.warning()\n")
    file = SourceFile(path, "one.py")
    found = [file.logged(call, place) for place, call, _ in file.calls()]
    assert found == [["{name} took {t} s"], ["at {}"], []]


def test_choices_are_limited(tmp_path):
    """Eight texts of one expression are enough; more would be a flood."""
    path = tmp_path / "one.py"
    lines = [f"a = 'a{n}'\nb = 'b{n}'" for n in range(9)]
    path.write_text("\n".join([*lines, "say(a + b)"]))
    file = SourceFile(path, "one.py")
    (place, call, _) = next(iter(file.calls()))
    assert len(file.formats(call.args[0], place)) == 8


def test_a_function_that_calls_itself_ends(tmp_path):
    """So does a name that is assigned from itself."""
    path = tmp_path / "one.py"
    path.write_text("def f():\n    return f()\nx = x\nsay(f())\nsay(x)\n")
    file = SourceFile(path, "one.py")
    assert [file.formats(c.args[0], p) for p, c, n in file.calls() if n == "say"] == [
        ["{f()}"],
        ["{x}"],
    ]


def test_a_file_that_this_python_cannot_read_is_named(tmp_path):
    """What it says would be missing without a word."""
    path = tmp_path / "one.py"
    path.write_text("def f(:\n")
    with pytest.raises(CasebookError, match=r"one\.py: cannot be read by Python .*newer Python"):
        _ = SourceFile(path, "one.py").places
