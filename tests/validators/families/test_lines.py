"""From a line to its families."""

import re

from validators.families import Family, FamilyLines, Said, load_families
from validators.families.torch_source.formats import filled
from validators.files import ROOT


def family(kind, key, text):
    """A family with one format."""
    return Family(kind=kind, key=key, said=(Said(format=text, on=("2.13.0",)),))


def keys(lines, line):
    """The keys of a line's families."""
    return [it.key for it in lines.of(line)]


def test_a_line_may_have_several_families():
    """Two guards may fail at once; an exception has a message."""
    lines = FamilyLines(
        [
            family("guard", "tensor-size", "tensor '{n}' size mismatch at index {i}. expected {s}"),
            family("guard", "parameter-shape", ". Guard failed on a parameter, consider using it."),
            family("exception", "LoweringException", ""),
        ]
    )
    line = "0/0: tensor 'w' size mismatch at index 0. expected 4. Guard failed on a parameter, "
    assert keys(lines, line + "consider using it.") == ["parameter-shape", "tensor-size"]
    assert keys(lines, "torch._inductor.exc.LoweringException: boom") == ["LoweringException"]
    assert keys(lines, "nothing of the kind") == []


def test_a_line_has_one_graph_break():
    """The type `Unsupported attribute` begins other types, too."""
    lines = FamilyLines(
        [
            family("graph_break", "GB0001", "Unsupported attribute"),
            family("graph_break", "GB0002", "Unsupported attribute of a tensor"),
        ]
    )
    assert keys(lines, "Unsupported attribute of a tensor") == ["GB0002"]
    assert keys(lines, "Unsupported attribute") == ["GB0001"]


def test_a_guard_with_words_is_that_guard():
    """`{ref} == {val}` fits it, too."""
    lines = FamilyLines(
        [
            family("guard", "equals-match", "{ref} == {val}"),
            family("guard", "default-device", "utils_device.CURRENT_DEVICE == {device}"),
        ]
    )
    assert keys(lines, "0/0: utils_device.CURRENT_DEVICE == None") == ["default-device"]
    assert keys(lines, "0/0: self.step == 3") == ["equals-match"]


def test_only_the_beginning_of_a_long_line_counts():
    """No message is that long."""
    lines = FamilyLines([family("exception", "LoweringException", "")])
    assert keys(lines, "x" * 1990 + " LoweringException: boom") == []


def test_words_lose_no_family():
    """Trying every pattern on a line finds the same, on what some families print."""
    families = load_families(ROOT / "playbooks")
    lines = FamilyLines(families)
    patterns = [(it, re.compile("|".join(it.patterns), re.ASCII)) for it in families]
    for printing in families[::20]:
        line = f"0/0: {filled(printing.newest.format, lambda name: 'True')}".split("\n")[0]
        slowly = {(it.kind, it.key) for it, pattern in patterns if pattern.search(line)}
        quickly = {(it.kind, it.key) for it in lines.of(line)}
        assert quickly <= slowly
        assert bool(quickly) == bool(slowly)
        kinds = {kind for kind, _ in slowly - quickly}
        assert kinds <= {"graph_break", "warning", "guard"}, line
