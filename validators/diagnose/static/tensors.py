"""Which names of a function hold tensors, as far as its code shows, and where Python reads them.

A method or function of torch makes a tensor of what comes from an argument. An argument may hold
anything until code calls such a method on it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from validators.diagnose.static.live import Function, live

_SHOW = {
    *("abs", "all", "amax", "amin", "any", "argmax", "argmin", "argsort", "bmm", "ceil", "clamp"),
    *("count_nonzero", "cumprod", "cumsum", "detach", "eq", "exp", "floor", "gather", "ge", "gt"),
    *("index_select", "isfinite", "isinf", "isnan", "le", "log2", "logical_and", "logical_not"),
    *("logical_or", "logsumexp", "lt", "masked_fill", "matmul", "max", "mean", "median", "min"),
    *("mul", "ne", "neg", "norm", "numpy", "permute", "prod", "relu", "reshape", "rsqrt"),
    *("sigmoid", "sign", "softmax", "sqrt", "square", "squeeze", "std", "sub", "sum", "tanh"),
    *("transpose", "tril", "triu", "unsqueeze", "var", "where"),
}
"""Methods and functions of torch that return a tensor; no number, text, list or dict has them."""
_KEEP = {
    *("bool", "clone", "contiguous", "cpu", "cuda", "double", "expand", "flatten", "float"),
    *("half", "int", "long", "pow", "repeat", "round", "to", "type_as", "view"),
}
"""Methods that others have as well; of a tensor, they return one."""
_PAIRS = {"max", "median", "min"}
"""Given a dim, these return a pair."""
_TORCH = {"torch", "torch.nn.functional", "torch.linalg", "F"}
_FACTS = {"device", "dtype", "itemsize", "layout", "ndim", "requires_grad", "shape"}
_IDENTITY = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
_BRANCH, _READ = "tensor_dependent_if_in_rotary", "item_in_forward"


@dataclass
class _Names:
    """The names that hold tensors, and those whose values come from an argument."""

    tensors: set[str]
    given: set[str]

    def copy(self) -> _Names:
        return _Names({*self.tensors}, {*self.given})

    def become(self, branches: Sequence[_Names]) -> None:
        """Keep what all branches agree on; without one, what follows is not reached."""
        if branches:
            self.tensors = set.intersection(*(it.tensors for it in branches))
            self.given = set.intersection(*(it.given for it in branches))


def tensors_read(function: Function) -> Iterator[tuple[int, str]]:
    """The lines where Python asks for the value of a tensor, and the case about it."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    names = {it.arg for it in given} - {"self", "cls"}
    yield from _block(function.body, _Names(set(), names))


def _block(body: Sequence[ast.stmt], names: _Names) -> Iterator[tuple[int, str]]:
    for statement in body:
        yield from _statement(statement, names)


def _statement(node: ast.stmt, names: _Names) -> Iterator[tuple[int, str]]:
    match node:
        case ast.FunctionDef(name=own) | ast.AsyncFunctionDef(name=own) | ast.ClassDef(name=own):
            _bind(ast.Name(own, ast.Store()), None, names)
            return
        case ast.Assert():
            if _asserted(node, names):
                yield node.lineno, _BRANCH
        case ast.If() if live(node) != (node.body, node.orelse):
            yield from _blocks(node, names)
            return
        case ast.If() | ast.While():
            if _asked(node.test, names):
                yield node.lineno, _BRANCH
    for value in _expressions(node):
        yield from _read(value, names)
    _bind_all(node, names)
    yield from _blocks(node, names)


def _blocks(node: ast.stmt, names: _Names) -> Iterator[tuple[int, str]]:
    """The same of the statements inside of a statement."""
    match node:
        case ast.If():
            bodies = [*live(node)]
        case ast.While(body=body, orelse=after) | ast.For(body=body, orelse=after):
            bodies = [[*body, *after], []]
        case ast.With(body=body) | ast.AsyncWith(body=body):
            bodies = [body]
        case ast.Try(body=body, handlers=handlers, orelse=after, finalbody=last):
            bodies = [[*body, *after, *last], *([*it.body, *last] for it in handlers)]
        case ast.Match(cases=cases):
            bodies = [*(it.body for it in cases), []]
        case _:
            return
    ends = []
    for body in bodies:
        end = names.copy()
        yield from _block(body, end)
        if not (body and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
            ends.append(end)
    names.become(ends)


def _expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, without those of statements inside."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def _read(node: ast.AST, names: _Names) -> Iterator[tuple[int, str]]:
    """The lines of an expression where Python asks for a tensor's value."""
    match node:
        case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case ast.IfExp(test=test) if _asked(test, names):
            yield node.lineno, _BRANCH
        case ast.Call(func=ast.Name(id="float" | "int" | "bool"), args=[value]):
            if _is_tensor(value, names):
                yield node.lineno, _READ
    for child in ast.iter_child_nodes(node):
        yield from _read(child, names)
    if isinstance(node, ast.NamedExpr):
        _bind(node.target, node.value, names)


def _asked(test: ast.expr, names: _Names) -> bool:
    """Whether Python asks for the truth of a tensor in a condition."""
    match test:
        case ast.BoolOp(values=values):
            return any(_asked(it, names) for it in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _asked(operand, names)
    return _is_tensor(test, names)


def _asserted(node: ast.Assert, names: _Names) -> bool:
    """Whether an `assert` asks for it, too; Dynamo makes an op of one with a fixed message."""
    plain = node.msg is None or isinstance(node.msg, ast.Constant)
    return _asked(node.test, names) and not (plain and _is_tensor(node.test, names))


def _bind_all(node: ast.stmt, names: _Names) -> None:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                _bind(target, value, names)
        case ast.AnnAssign(target=target, value=value):
            _bind(target, value, names)
        case ast.AugAssign(target=ast.Name(id=own) as target, op=op, value=value):
            _bind(target, ast.BinOp(ast.Name(own, ast.Load()), op, value), names)
        case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
            _bind(target, value, names)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                _bind(item.optional_vars, None, names)
        case ast.Delete(targets=targets):
            for target in targets:
                _bind(target, None, names)
        case ast.Import(names=imported) | ast.ImportFrom(names=imported):
            for it in imported:
                _bind(ast.Name(it.asname or it.name, ast.Store()), None, names)


def _bind(target: ast.expr | None, value: ast.expr | None, names: _Names) -> None:
    """Note what the names of an assignment's target hold now; None is nothing that matters."""
    match target, value:
        case ast.Name(id=own), _:
            tensor = value is not None and _is_tensor(value, names)
            given = value is not None and _is_given(value, names)
            (names.tensors.add if tensor else names.tensors.discard)(own)
            (names.given.add if given else names.given.discard)(own)
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for target, value in zip(targets, values, strict=True):
                _bind(target, value, names)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
            for target in targets:
                _bind(target, value, names)
        case ast.Starred(value=target), _:
            _bind(target, None, names)


def _is_tensor(node: ast.expr, names: _Names) -> bool:
    match node:
        case ast.Name(id=own):
            return own in names.tensors
        case ast.NamedExpr(value=value) | ast.Subscript(value=value):
            return _is_tensor(value, names)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=value):
            return _is_tensor(value, names)
        case ast.BinOp(left=left, right=right):
            return _is_tensor(left, names) or _is_tensor(right, names)
        case ast.Compare(left=left, ops=ops, comparators=others):
            told = any(_is_tensor(it, names) for it in (left, *others))
            return told and not any(isinstance(it, _IDENTITY) for it in ops)
        case ast.IfExp(body=left, orelse=right):
            return _is_tensor(left, names) and _is_tensor(right, names)
        case ast.Call():
            return _makes_tensor(node, names)
    return False


def _makes_tensor(call: ast.Call, names: _Names) -> bool:
    if not isinstance(call.func, ast.Attribute):
        return False
    method, of = call.func.attr, call.func.value
    if ast.unparse(of) in _TORCH:
        operands = [it for it in call.args if _is_given(it, names)]
        pair = method in _PAIRS and _paired(call, len(call.args) - len(operands))
        return method in _SHOW and bool(operands) and not pair
    if method in _PAIRS and _paired(call, len(call.args)):
        return False
    return (method in _SHOW and _is_given(of, names)) or (method in _KEEP and _is_tensor(of, names))


def _paired(call: ast.Call, dims: int) -> bool:
    return dims > 0 or any(it.arg in ("dim", "axis") for it in call.keywords)


def _is_given(node: ast.expr, names: _Names) -> bool:
    """Whether a value comes from an argument, through calls as well."""
    match node:
        case ast.Name(id=own):
            return own in names.given
        case ast.Attribute(value=value, attr=attribute):
            return attribute not in _FACTS and _is_given(value, names)
        case ast.Subscript(value=value) | ast.UnaryOp(operand=value):
            return _is_given(value, names)
        case ast.NamedExpr(value=value) | ast.Starred(value=value):
            return _is_given(value, names)
        case ast.BinOp(left=left, right=right):
            return _is_given(left, names) or _is_given(right, names)
        case ast.Compare(left=left, comparators=others):
            return any(_is_given(it, names) for it in (left, *others))
        case ast.Call(func=function, args=args, keywords=keywords):
            called = isinstance(function, ast.Attribute) and _is_given(function.value, names)
            return called or any(_is_given(it, names) for it in (*args, *map(_value, keywords)))
    return False


def _value(keyword: ast.keyword) -> ast.expr:
    return keyword.value
