"""Which expressions compute something and do nothing else, as far as their text tells."""

from __future__ import annotations

import libcst as cst

NAMESPACES = {"torch", "F", "torch.nn.functional", "torch.special"}
REDUCTIONS = {
    *("all", "amax", "amin", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "median"),
    *("min", "norm", "prod", "std", "sum", "var"),
}
_GENTLE = {
    *("abs", "clamp", "clamp_max", "clamp_min", "clip", "clone", "contiguous", "detach", "gelu"),
    *("maximum", "minimum", "nan_to_num", "neg", "ones_like", "relu", "round", "sigmoid", "sign"),
    *("silu", "tanh", "zeros_like"),
}
_STEEP = {"exp", "log", "log1p", "log2", "pow", "reciprocal", "rsqrt", "softplus", "sqrt", "square"}
ELEMENTWISE = _GENTLE | _STEEP
"""Functions and methods of tensors that keep the shape of their first argument."""
_TESTS = {"isfinite", "isinf", "isnan", "logical_and", "logical_not", "logical_or"}
_SIZES = {"dim", "numel", "size"}
_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)
_BITS = (cst.BitAnd, cst.BitOr, cst.BitXor)
_COMPARED = (
    cst.LessThan,
    cst.LessThanEqual,
    cst.GreaterThan,
    cst.GreaterThanEqual,
    cst.Equal,
    cst.NotEqual,
)


def impure(node: cst.CSTNode) -> str:
    """The code of the first part that may do more than compute; "" if there is none."""
    match node:
        case cst.Name() | cst.Integer() | cst.Float():
            return ""
        case cst.Attribute():
            return impure(node.value)
        case cst.UnaryOperation():
            return impure(node.expression)
        case cst.BinaryOperation(operator=operator) if isinstance(operator, _ARITHMETIC + _BITS):
            return impure(node.left) or impure(node.right)
        case cst.Comparison(comparisons=[one]) if isinstance(one.operator, _COMPARED):
            return impure(node.left) or impure(one.comparator)
        case cst.Subscript():
            parts = [it.slice for it in node.slice]
            plain = all(isinstance(it, cst.Index) and _constant(it.value) for it in parts)
            return impure(node.value) if plain else _code(node)
        case cst.Call():
            return _impure_call(node)
    return _code(node)


def function_of(call: cst.Call) -> tuple[str, cst.BaseExpression | None]:
    """What a call calls, and on which tensor: the receiver of a method, or the first argument."""
    if not isinstance(call.func, cst.Attribute):
        return "", None
    name = call.func.attr.value
    if _code(call.func.value) in NAMESPACES:
        return name, call.args[0].value if call.args else None
    return name, call.func.value


def shaped_like(node: cst.CSTNode) -> set[str]:
    """The tensors, as code, whose shape an expression has, unless broadcasting makes it larger."""
    match node:
        case cst.Name() | cst.Attribute():
            return {_code(node)}
        case cst.UnaryOperation():
            return shaped_like(node.expression)
        case cst.BinaryOperation():
            return shaped_like(node.left) | shaped_like(node.right)
        case cst.Call():
            name, first = function_of(node)
            if name in ELEMENTWISE and first is not None:
                return shaped_like(first)
    return set()


def steep(node: cst.CSTNode) -> str:
    """The code of the first part whose gradient can be infinite or NaN; "" if there is none.

    `torch.where` multiplies the gradient of the side that is not taken by zero, and zero times
    infinity is NaN.
    """
    if isinstance(node, cst.Call) and function_of(node)[0] in _STEEP | {"norm", "std"}:
        return _code(node)
    if isinstance(node, cst.BinaryOperation):
        divides = isinstance(node.operator, cst.Divide) and not _constant(node.right)
        if divides or isinstance(node.operator, cst.Power):
            return _code(node)
    return next(filter(None, map(steep, node.children)), "")


def _impure_call(node: cst.Call) -> str:
    name, receiver = function_of(node)
    known = name in ELEMENTWISE | REDUCTIONS | _TESTS | _SIZES
    if not known or receiver is None or _code(receiver) == "self":
        return _code(node)
    owner = node.func.value if isinstance(node.func, cst.Attribute) else receiver
    parts = [owner, *(it.value for it in node.args)]
    return next(filter(None, map(impure, parts)), "")


def _constant(node: cst.CSTNode) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return _constant(node.expression)
    return isinstance(node, (cst.Integer, cst.Float, cst.Ellipsis))


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)
