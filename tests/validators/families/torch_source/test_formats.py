"""Formats: literal texts and holes, keys made of them, and the registry's way to write them."""

import pytest

from validators.families.torch_source.formats import (
    escaped,
    filled,
    hole,
    letters_of,
    of_registry,
    parts_of,
    shape_of,
    slug_of,
)


def test_a_format_has_literal_texts_around_its_holes():
    """Doubled braces are braces; a hole at an end leaves an empty text there."""
    assert parts_of("a {x} b") == ("a ", " b")
    assert parts_of("{x}{{y}}{z}") == ("", "{y}", "")
    assert parts_of(escaped("{x} %s")) == ("{x} %s",)


def test_each_hole_is_filled_by_its_name():
    """The name is what stands between the braces; doubled braces print one."""
    assert filled("{a} of {{{b}}}", lambda name: name.upper()) == "A of {B}"


def test_formats_are_compared_without_names_and_extra_spaces():
    """Renaming a variable changes no message; a brace is no hole."""
    assert shape_of("got {x}\n  in {y}") == shape_of("got {other} in {f(z)}")
    assert shape_of("{{x}}") != shape_of("{x}")
    assert letters_of("ab {cd}") == 2


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("mutated inputs ({len(indices)} instances)", "mutated-inputs"),
        ("mutated inputs", "mutated-inputs"),
        ("The size of {x} is the wrong one", "size-wrong-one"),
        ("of the", "of-the"),
        ("{x} == {y}", ""),
    ],
)
def test_a_key_is_made_of_the_first_telling_words(text, slug):
    """Holes, what brackets hold around them, and words such as `the` do not count."""
    assert slug_of(text) == slug


def test_a_key_has_few_words():
    """So that it can be typed."""
    assert slug_of("one two three four five six seven eight") == "one-two-three-four-five-six-seven"
    assert slug_of("one two three", 2) == "one-two"


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("fn={fn}, args={args}", "fn={fn}, args={args}"),
        ("of {', '.join({a, b})}.", "of {…}."),
        ("a dict {'x': 1}", "a dict {'x': 1}"),
        ("unclosed {", "unclosed {{"),
        ("plain }", "plain }}"),
    ],
)
def test_the_registry_writes_holes_as_f_strings_do(text, made):
    """A hole in a hole is one that cannot be named; a brace that closes nothing is a brace."""
    assert of_registry(text) == made


def test_a_long_hole_has_no_name():
    """It would be longer than the message."""
    assert hole("x" * 41) == hole("{a}") == "{…}"
    assert hole("f(\n    x)") == "{f( x)}"
