"""`generate` of a transformers model gets a cache of one size, where the call names no cache.

The cache that it makes by itself grows with each token, and so do the sizes that compiled code
gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from validators.patch.editing.changes import Change, Left, NotMechanicalError, Scene
from validators.patch.editing.source import Source

CASE = "kv_cache_grown_by_cat"
_CACHE = "cache_implementation"
_CHOSEN = {_CACHE, "past_key_values", "use_cache"}
"""Arguments by which a call has chosen its cache."""
_MAY_CHOOSE = {"generation_config", "assistant_model", "custom_generate"}
"""Arguments that may hold a choice, or that need a cache of their own."""

Comma = cst.Comma | cst.MaybeSentinel


def generation(scene: Scene) -> Iterator[Change | Left]:
    """A change for each call of `generate` that names no cache."""
    source = scene.source
    if not _imports_transformers(source):
        return
    for call in source.all(cst.Call):
        if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "generate":
            continue
        if _CHOSEN & _keywords(call):
            continue
        line = source.line(call)
        try:
            made = _with_static_cache(call)
        except NotMechanicalError as error:
            yield Left("generation", source.file, line, str(error))
            continue
        what = f"generate with {_CACHE}='static'"
        yield Change("generation", CASE, source, line, what, {call: made})


def _imports_transformers(source: Source) -> bool:
    """Whether a file imports transformers, wherever in it."""
    names = [source.code(it.module) for it in source.all(cst.ImportFrom) if it.module is not None]
    names += [source.code(alias.name) for it in source.all(cst.Import) for alias in it.names]
    return any(it.partition(".")[0] == "transformers" for it in names)


def _keywords(call: cst.Call) -> set[str]:
    return {it.keyword.value for it in call.args if it.keyword is not None}


def _with_static_cache(call: cst.Call) -> cst.Call:
    """The call with one more argument, written like those before it.

    Raises:
        NotMechanicalError: what is there may choose a cache already.
    """
    if any(it.star == "**" for it in call.args):
        raise NotMechanicalError("the call passes ** arguments, which may choose a cache")
    if taken := sorted(_MAY_CHOOSE & _keywords(call)):
        raise NotMechanicalError(f"{', '.join(taken)} may choose a cache")
    added = cst.Arg(
        keyword=cst.Name(_CACHE),
        value=cst.SimpleString('"static"'),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    if not call.args:
        return call.with_changes(args=[added])
    *others, last = call.args
    between = others[-1].comma if others else cst.Comma(whitespace_after=_space_before(call))
    between, after = _with_comment(between, last.comma)
    added = added.with_changes(comma=after, whitespace_after_arg=last.whitespace_after_arg)
    last = last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*others, last, added])


def _with_comment(between: Comma, after: Comma) -> tuple[Comma, Comma]:
    """Two commas; a comment in the second goes to the first, whose argument it is about."""
    match between, after:
        case (
            cst.Comma(whitespace_after=cst.ParenthesizedWhitespace() as one),
            cst.Comma(whitespace_after=cst.ParenthesizedWhitespace() as other),
        ):
            moved = one.with_changes(first_line=other.first_line)
            rest = other.with_changes(first_line=cst.TrailingWhitespace())
            return (
                between.with_changes(whitespace_after=moved),
                after.with_changes(whitespace_after=rest),
            )
    return between, after


def _space_before(call: cst.Call) -> cst.BaseParenthesizableWhitespace:
    """What separates a second argument from the only one: a line, if that has one of its own."""
    before = call.whitespace_before_args
    return before if isinstance(before, cst.ParenthesizedWhitespace) else cst.SimpleWhitespace(" ")
