"""Models and backends that a new interpreter can import."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch


class Net(torch.nn.Module):
    """A linear layer, batch norm, dropout and a graph break: two graphs per call.

    Inductor writes C++ for the first graph only: compiling C++ takes seconds.
    """

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(16, 16)
        self.norm = torch.nn.BatchNorm1d(16)
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: [batch, 16]."""
        y = self.dropout(self.norm(self.linear(x)).relu())
        torch._dynamo.graph_break()
        return y @ self.linear.weight


class Matrices(torch.nn.Module):
    """A product on each side of a graph break: two graphs, without C++, even backward."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(16, 16, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: [batch, 16]."""
        y = self.linear(x)
        torch._dynamo.graph_break()
        return y @ self.linear.weight


class Reads(torch.nn.Module):
    """Reads the value of a tensor between two graphs, neither of which needs C++."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: [batch, 16]."""
        y = self.linear(x)
        return self.linear(y) if bool(y[0, 0].item() > 0) else y @ y.T


class Block(torch.nn.Module):
    """A linear layer between two activations."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: [batch, width]."""
        return x + self.linear(x.sin()).relu()


class Stack(torch.nn.Module):
    """Equal blocks and a head whose weight is the embedding's."""

    def __init__(self, depth: int, block: Callable[[], torch.nn.Module] = Block) -> None:
        super().__init__()
        self.embedding = torch.nn.Embedding(8, 16)
        self.blocks = torch.nn.ModuleList(block() for _ in range(depth))
        self.head = torch.nn.Linear(16, 8, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """`tokens`: [batch, length]; the result: [batch, length, 8]."""
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Wide(torch.nn.Module):
    """One gibibyte of weights that are in memory."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(2**14, 2**14))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`x` and the result: [batch, 16384]."""
        return (x @ self.weight).relu()


class Record:
    """A loss that appends to a file a process's own memory now, and its peak, in MiB."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, output: torch.Tensor) -> torch.Tensor:
        """The sum of `output`."""
        rows = Path("/proc/self/smaps_rollup").read_text().splitlines()
        private = sum(int(it.split()[1]) for it in rows if it.startswith("Private_"))
        # `ru_maxrss` would be the peak of the process that started this one, if that is higher.
        status = Path("/proc/self/status").read_text()
        peak = int(status.partition("VmHWM:")[2].split()[0])
        with self.file.open("a") as file:
            file.write(f"{os.getpid()} {private // 1024} {peak // 1024}\n")
        return output.sum()


class Backend:
    """A backend that does `what`, and writes down its process and one that it starts."""

    def __init__(self, what: str, file: Path) -> None:
        self.what = what
        self.file = file

    def __call__(self, graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        """Compile, or not."""
        started = subprocess.Popen(["sleep", "600"])
        self.file.write_text(f"{os.getpid()} {started.pid}")
        print("compiling", flush=True)
        if self.what == "sleeps":
            time.sleep(600)
        while self.what == "loops":
            pass
        if self.what == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.what == "exits":
            os._exit(3)
        if self.what == "raises":
            raise NotImplementedError("no kernel for this\nand more")
        return graph.forward
