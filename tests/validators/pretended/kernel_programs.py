"""Programs whose kernels are hashed on a GPU, or where one is pretended.

    python tests/validators/pretended/kernel_programs.py FOLDER [PROGRAM]...

compiles them with this interpreter's torch into FOLDER and prints JSON: for each program the hash
of the code that Inductor wrote, and its kernels in all their configurations. Where CASEBOOK_BOARD
is set, the GPU is pretended. What a GPU answered is in `h100.json`.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch._inductor.graph import GraphLowering
from torch.nn import functional as fun

Programs = Iterator[tuple[str, Callable[..., Any], list[Tensor]]]
BF16, F16, F32, INT = torch.bfloat16, torch.float16, torch.float32, torch.int64
N = 1024
_VARIES = re.compile(r"'backend_hash': '\w+'|AOT ID: \['\d+|/\S+/\w+\.py")
"""What differs from machine to machine: the build of Triton, a counter, folders."""


def of(*shape: int, dtype: torch.dtype = F32, trains: bool = False) -> Tensor:
    """A tensor of zeros on the GPU."""
    return torch.zeros(shape, device="cuda", dtype=dtype).requires_grad_(trains)


def _several(count: int, *shape: int, **options: Any) -> list[Tensor]:
    return [of(*shape, **options) for _ in range(count)]


def _rotated(x: Tensor, c: Tensor, s: Tensor) -> Tensor:
    # In one expression, as on the GPU: a comment in the code has the names of variables.
    return torch.cat(
        [
            x[..., :32] * c - x[..., 32:] * s,
            x[..., 32:] * c + x[..., :32] * s,
        ],
        -1,
    )


def _attended(*given: Tensor) -> Any:
    from torch.nn.attention.flex_attention import flex_attention

    def causal(score: Tensor, _batch: Tensor, _head: Tensor, i: Tensor, j: Tensor) -> Tensor:
        return torch.where(i >= j, score, -float("inf"))

    return flex_attention(*given, score_mod=causal)


def _pointwise() -> Programs:
    square = (N, N)
    yield "add_relu", lambda x, y: torch.relu(x + y), _several(2, *square)
    yield "gelu_bf16", lambda x: fun.gelu(x), [of(*square, dtype=BF16)]
    yield "gelu_tanh", lambda x: fun.gelu(x, approximate="tanh"), [of(*square)]
    yield "silu_mul_f16", lambda x, y: fun.silu(x) * y, _several(2, N, 4096, dtype=F16)
    yield "cat", lambda x, y: torch.cat([x, y * 2], -1), [of(N, 100), of(N, 28)]
    yield "stack", lambda x, y: torch.stack([x, y.sin()]), _several(2, *square)
    yield "transpose_add", lambda x, y: x.t() + y, _several(2, *square)
    yield "permute_copy", lambda x: x.permute(0, 2, 1).contiguous() * 2, [of(16, 128, 256)]
    yield (
        "where_mask",
        lambda x, m: torch.where(m, x, -1e9),
        [of(*square), of(*square, dtype=torch.bool)],
    )
    yield "dropout", lambda x: fun.dropout(x, 0.1), [of(*square)]
    yield "rand_like", lambda x: x + torch.rand_like(x), [of(*square)]
    yield "rope", _rotated, [of(2, 8, 256, 64), of(256, 32), of(256, 32)]
    yield (
        "dequantize",
        lambda x, s: x.to(BF16) * s,
        [of(N, 4096, dtype=torch.int8), of(N, 1, dtype=BF16)],
    )
    yield "to_float8", lambda x: x.to(torch.float8_e4m3fn), [of(*square, dtype=BF16)]
    yield "complex_abs", lambda x, y: torch.sqrt(x * x + y * y).atan2(x), _several(2, *square)
    yield "pow_exp_log", lambda x: (x.exp() + 1).log().pow(1.7) + torch.erf(x), [of(*square)]
    yield "float64", lambda x: x.sin() * 2, [of(*square, dtype=torch.float64)]
    yield (
        "integer_division",
        lambda x, y: x // (y + 1) + x % (y + 1),
        _several(2, *square, dtype=INT),
    )


def _reductions() -> Programs:
    square = (N, N)
    yield "softmax", lambda x: x.softmax(-1), [of(*square)]
    yield "softmax_wide", lambda x: x.softmax(-1), [of(64, 65536)]
    yield "dynamic_softmax", lambda x: x.softmax(-1), [of(*square)]
    yield "log_softmax_bf16", lambda x: x.log_softmax(-1), [of(N, 32000, dtype=BF16)]
    yield (
        "cross_entropy",
        lambda x, y: fun.cross_entropy(x, y),
        [of(512, 32000), of(512, dtype=INT)],
    )
    yield "layer_norm", lambda x, w, b: fun.layer_norm(x, (N,), w, b), [of(N, N), of(N), of(N)]
    yield (
        "layer_norm_bf16",
        lambda x, w, b: fun.layer_norm(x, (4096,), w, b),
        [of(N, 4096, dtype=BF16), *_several(2, 4096, dtype=BF16)],
    )
    yield (
        "dynamic_layer_norm",
        lambda x, w: fun.layer_norm(x, (512,), w),
        [of(300, 512), of(512)],
    )
    yield (
        "rms_norm",
        lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w,
        [of(N, 4096), of(4096)],
    )
    yield "group_norm", lambda x: fun.group_norm(x, 8), [of(8, 64, 32, 32)]
    yield (
        "batch_norm",
        lambda x: fun.batch_norm(x, None, None, training=True),
        [of(8, 64, 32, 32)],
    )
    yield "sum_all", lambda x: x.sum(), [of(4096, 4096)]
    yield "sum_rows", lambda x: x.sum(0), [of(8192, 64)]
    yield "mean_columns_bf16", lambda x: x.mean(-1), [of(N, 8192, dtype=BF16)]
    yield "var_mean", lambda x: torch.var_mean(x, -1), [of(*square)]
    yield "argmax", lambda x: x.argmax(-1), [of(*square)]
    yield "cumsum", lambda x: x.cumsum(-1), [of(*square)]
    yield (
        "quantize_int8",
        lambda x: (x / x.abs().amax(-1, keepdim=True) * 127).round().to(torch.int8),
        [of(N, 4096)],
    )


def _images_and_indices() -> Programs:
    tokens, rows = of(64, 128, dtype=INT), of(256, dtype=INT)
    yield "max_pool", lambda x: fun.max_pool2d(x, 2), [of(8, 16, 64, 64)]
    yield "avg_pool", lambda x: fun.avg_pool2d(x, 3, 1, 1), [of(8, 16, 64, 64)]
    yield (
        "interpolate",
        lambda x: fun.interpolate(x, scale_factor=2.0, mode="bilinear"),
        [of(2, 8, 32, 32)],
    )
    yield "embedding", lambda i, w: fun.embedding(i, w) * 2, [tokens, of(32000, 512)]
    yield "gather", lambda x, i: x.gather(-1, i), [of(N, N), of(N, 16, dtype=INT)]
    yield (
        "index_put",
        lambda x, i, v: x.clone().index_put_((i,), v, accumulate=True),
        [of(N, 64), rows, of(256, 64)],
    )
    yield (
        "scatter_add",
        lambda x, i, v: x.scatter_add(0, i, v),
        [of(N, 64), of(256, 64, dtype=INT), of(256, 64)],
    )
    yield (
        "embedding_backward",
        lambda i, w: fun.embedding(i, w).sin(),
        [tokens, of(1000, 512, trains=True)],
    )


def _matrices() -> Programs:
    heads = (2, 8, 256, 64)
    yield (
        "linear_gelu",
        lambda x, w, b: fun.gelu(fun.linear(x, w, b)),
        [of(N, 512), of(2048, 512), of(2048)],
    )
    yield "linear_relu_bf16", lambda x, w: fun.relu(x @ w), _several(2, N, N, dtype=BF16)
    yield (
        "attention_math",
        lambda q, k, v: ((q @ k.transpose(-1, -2)) * 0.125).softmax(-1) @ v,
        _several(3, *heads),
    )
    yield (
        "attention_bias",
        lambda q, k, v, b: (q @ k.transpose(-1, -2) * 0.1 + b).softmax(-1) @ v,
        [*_several(3, *heads), of(256, 256)],
    )
    yield (
        "sdpa_bf16",
        lambda q, k, v: fun.scaled_dot_product_attention(q, k, v, is_causal=True) * 2,
        _several(3, *heads, dtype=BF16),
    )
    yield "flex_attention", _attended, _several(3, 1, 4, 256, 64, dtype=BF16)
    yield (
        "layer_norm_backward",
        lambda x, w, b: fun.layer_norm(x, (N,), w, b),
        [of(N, N, trains=True), *_several(2, N, trains=True)],
    )
    yield (
        "mlp_backward",
        lambda x, w, v: fun.gelu(x @ w) @ v,
        [of(512, 256, trains=True), of(256, N, trains=True), of(N, 256, trains=True)],
    )
    yield "softmax_backward", lambda x: x.softmax(-1).pow(2), [of(N, N, trains=True)]
    layer = nn.TransformerEncoderLayer(
        256, 4, 512, dropout=0.0, batch_first=True, norm_first=True
    ).to("cuda")
    yield "gpt_block_training", layer, [of(4, 64, 256, trains=True)]


def programs() -> Programs:
    """Each program: its name, a function and its arguments."""
    for part in (_pointwise, _reductions, _images_and_indices, _matrices):
        yield from part()


def compiled(
    name: str, function: Callable[..., Any], given: list[Tensor], folder: Path
) -> dict[str, Any]:
    """The hashes of one program, compiled into `folder`."""
    codes: list[str] = []
    torch._dynamo.reset()
    os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(folder / "inductor")
    GraphLowering.save_output_code = staticmethod(codes.append)  # type: ignore[assignment]
    out = torch.compile(function, dynamic=True if name.startswith("dynamic_") else None)(*given)
    if any(it.requires_grad for it in given):
        out.sum().backward()
    code = _VARIES.sub("", "\n".join(codes))
    return {"code": _hash(code.encode()), "kernels": sorted(_kernels(folder / "triton"))}


def _kernels(folder: Path) -> Iterator[str]:
    """Each kernel of each configuration: name, warps, bytes of shared memory, and code's hash."""
    for binary in folder.glob("*/*.cubin"):
        made = json.loads(binary.with_suffix(".json").read_text())
        code = _hash(binary.read_bytes())
        yield f"{made['name']} {made['num_warps']} {made['shared']} {code}"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def main(folder: Path, *wanted: str) -> None:
    """Compile the programs and print the hashes."""
    # Line numbers would name the folder.
    os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
    if os.environ.get("CASEBOOK_BOARD"):
        from validators.pretended.proving import begin

        begin()
    torch.manual_seed(0)
    found = {
        name: compiled(name, *program, folder / name)
        for name, *program in programs()
        if not wanted or name in wanted
    }
    device = torch.cuda.get_device_name(0)
    print(json.dumps({"torch": torch.__version__, "device": device, "programs": found}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
