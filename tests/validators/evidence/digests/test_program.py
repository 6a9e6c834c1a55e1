"""What a source file does: the same hash for the same program, under every Python."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest

from tests.pythons import other_pythons
from validators.evidence.digests import cache, program
from validators.evidence.digests.program import attributes_in, hash_of_tree, program_of
from validators.files import ROOT

SOURCE = """\
class A:
    def f(self, x: int = 1) -> str:
        return f"{x!r:>{self.width}} of" f" {x}"
"""


def hashed(source: str) -> str:
    """The hash of a program."""
    return hash_of_tree(ast.parse(source))


@pytest.mark.parametrize(
    "other",
    [
        "# A comment.\n" + SOURCE,
        '"""A docstring."""\n' + SOURCE,
        SOURCE.replace("class A:", 'class A:\n    """One."""\n'),
        SOURCE.replace("-> str:", '-> str:\n        """Two."""\n'),
        SOURCE.replace("x: int = 1", "\n        x: int = 1,\n    "),
        SOURCE.replace('of" f" {', "of {"),
        SOURCE.replace('f"', 'f"""').replace('of"', 'of"""').replace('x}"', 'x}"""'),
    ],
)
def test_what_nobody_runs_is_not_hashed(other):
    """Comments, docstrings, line ends, and how a string is cut into pieces."""
    assert other != SOURCE
    assert hashed(other) == hashed(SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        SOURCE.replace("1", "2"),
        SOURCE.replace("1", "1.0"),
        SOURCE.replace("1", "True"),
        SOURCE.replace("1", "None"),
        SOURCE.replace("!r", "!s"),
        SOURCE.replace(" of", " off"),
        SOURCE.replace("-> str", ""),
        SOURCE.replace("class A", "class B"),
        SOURCE.replace("self.width", "self.height"),
        SOURCE.replace("return", "yield"),
        SOURCE + "1\n",
        SOURCE + '"""No docstring."""\n',
        "@staticmethod\n" + SOURCE,
    ],
)
def test_what_runs_is_hashed(other):
    """A value, a name, a type, an annotation, a statement."""
    assert hashed(other) != hashed(SOURCE)


@pytest.mark.parametrize(("one", "other"), [("x = [1]", "x = (1,)"), ("f(*a)", "f(**a)")])
def test_nodes_that_look_alike_are_told_apart(one, other):
    """Also where only the kind of a node or of a field differs."""
    assert hashed(one) != hashed(other)


def test_a_string_is_not_a_node():
    """Texts cannot imitate the structure around them."""
    assert hashed("x = 'Name(id=y)'") != hashed("x = y")
    assert hashed("f('a', 'b')") != hashed("f(\"a', 'b\")")


def test_attributes_are_the_names_after_dots(tmp_path):
    """Wherever they stand."""
    file = tmp_path / "a.py"
    file.write_text("def f(r):\n    r.a.b = x.c()\n    return [it.d for it in r.e] and y\n")
    assert program_of(file).attributes == ["a", "b", "c", "d", "e"]
    assert attributes_in(ast.parse("a")) == set()


def test_a_file_is_read_anew_when_it_changes(tmp_path):
    """What is no Python counts by its bytes; what is not there has no hash."""
    file = tmp_path / "a.py"
    hashes = [program_of(file).hash]
    for text in ("a = 1", "a = 22", "a = ", "a =  "):
        file.write_text(text)
        hashes.append(program_of(file).hash)
    assert hashes[0] == ""
    assert len(set(hashes)) == 5


@pytest.mark.parametrize("place", ["/dev/zero", "/", "a\0b", "x" * 5000])
def test_what_is_no_file_has_no_hash(place):
    """Nothing is waited for."""
    assert program_of(Path(place)).hash == ""


def test_every_python_hashes_alike(tmp_path):
    """Each fifth proof and all our probes, and strings that releases split differently."""
    # Those that our code runs under.
    pythons = other_pythons("3.1[1-9]")
    if not pythons:
        pytest.skip("there is no other Python")
    strings = tmp_path / "strings.py"
    strings.write_text(
        "a = f'{x}' 'b' f'' f'{y:}' f'{z:>{w}}' f'{q:a{b}c{d}}' f'{x=}' f'{{}}' f'{x!r:^{w}.{p}}'\n"
        "b = (u'u', b'b', 1j, 1e400, ..., 'é\\u2028\\ud800', lambda *a, **k: None)\n"
    )
    files = sorted((ROOT / "playbooks" / "catalog").glob("*/*.py"))[::5]
    files += [*(ROOT / "validators" / "probes").glob("*.py"), strings]
    source = Path(program.__file__).read_text().replace("from msgspec import Struct\n", "")
    source = "\n".join(it for it in source.split("\n") if not it.startswith("from validators"))
    head, _, tail = source.partition("class Program(")
    code = (
        head
        + tail[tail.index("def attributes_in") :]
        + (
            "\nimport json, sys\n"
            "trees = [ast.parse(open(file, 'rb').read()) for file in sys.argv[1:]]\n"
            "print(json.dumps([hash_of_tree(tree) for tree in trees]))\n"
        )
    )
    ours = [hashed(file.read_bytes()) for file in files]
    for python in pythons:
        said = subprocess.run(
            [python, "-c", code, *map(str, files)], capture_output=True, text=True
        )
        assert said.returncode == 0, said.stderr
        assert json.loads(said.stdout) == ours, python


def test_the_cache_is_of_bytes_and_of_the_code_that_reads_them(tmp_path, monkeypatch):
    """What was computed is found again; an edit of the reader, or damage, begins anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    source, computed = tmp_path / "reader.py", []

    def get(content: bytes) -> int:
        found = cache.Cache("numbers", int, sources=(source,))
        value = found.get(content, lambda: computed.append(content) or len(content))
        found._save()
        return value

    source.write_text("one")
    assert [get(b"aa"), get(b"aa"), get(b"bbb"), get(b"aa")] == [2, 2, 3, 2]
    assert computed == [b"aa", b"bbb"]
    source.write_text("two")
    assert get(b"aa") == 2
    assert len(computed) == 3
    for file in tmp_path.glob("*/numbers-*.json"):
        file.write_text("damage")
    assert get(b"aa") == 2
    assert len(computed) == 4
