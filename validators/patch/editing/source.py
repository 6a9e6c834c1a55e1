"""A file of the user's, parsed so that its formatting survives a change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True, eq=False)
class Source:
    """A parsed file: its nodes, with their places and parents."""

    file: Path
    module: cst.Module
    positions: Mapping[cst.CSTNode, CodeRange]
    parents: Mapping[cst.CSTNode, cst.CSTNode]

    def line(self, node: cst.CSTNode) -> int:
        """The line on which a node starts."""
        return self.positions[node].start.line

    def code(self, node: cst.CSTNode) -> str:
        """A node as its author wrote it, without the space around it."""
        return self.module.code_for_node(node).strip()

    def all(self, kind: type[Node], below: cst.CSTNode | None = None) -> Iterator[Node]:
        """Every node of a kind, in order, `below` a node or in the whole file."""
        return (it for it in walk(below or self.module) if isinstance(it, kind))

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The parents of a node, nearest first."""
        while (parent := self.parents.get(node)) is not None:
            yield parent
            node = parent

    def enclosing(self, node: cst.CSTNode, kind: type[Node]) -> Node | None:
        """The nearest parent of a kind."""
        return next((it for it in self.above(node) if isinstance(it, kind)), None)

    def imports_torch(self) -> bool:
        """Whether the name `torch` stands for torch in the whole file."""
        lines = (it for it in self.module.body if isinstance(it, cst.SimpleStatementLine))
        imports = (it for line in lines for it in line.body if isinstance(it, cst.Import))
        names = (alias for it in imports for alias in it.names)
        return any(
            self.code(it.name).split(".")[0] == "torch" and it.asname is None for it in names
        )


def parsed(file: Path, content: bytes) -> Source | None:
    """The source of a file; None if it is not Python that libcst reads, and writes as it was."""
    try:
        wrapper = MetadataWrapper(cst.parse_module(content))
    except (cst.ParserSyntaxError, SyntaxError, UnicodeDecodeError, LookupError):
        return None
    if wrapper.module.bytes != content:
        return None
    positions = wrapper.resolve(PositionProvider)
    parents = wrapper.resolve(ParentNodeProvider)
    return Source(file, wrapper.module, positions, parents)


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node and all nodes below it, in order."""
    yield node
    for child in node.children:
        yield from walk(child)


def names(node: cst.CSTNode) -> set[str]:
    """The names that an expression or a function mentions."""
    return {it.value for it in walk(node) if isinstance(it, cst.Name)}
