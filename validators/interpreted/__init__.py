"""Inductor's code for a GPU that is not there, run: Triton's interpreter runs its kernels on a CPU.

A program runs on CPU tensors, and Dynamo and AOTAutograd trace it as it is. Inductor gets each
graph moved to the board of `validators.pretended`, and the code that it writes gets the CPU
tensors. So a result tells what the generated code computes. It does not tell what hardware adds:
streams, CUDA graphs, races, conversions to float8, the rounding of math functions (those of torch
on a CPU stand in their place). A program with a Triton kernel of its own cannot run so.

`VARIABLES` go to the interpreter beside those of the board; `code.install` does the rest before
anything is compiled. `silent` answers the command of that name. The room may import the rooms that
run in an interpreter, torch, Triton and NumPy.

In: kernels that torch wrote for a GPU that is not there. Out: what Triton's interpreter computes
with them.
Imports: inspector, pretended, probes.
"""

VARIABLES = {"TRITON_INTERPRET": "1"}
"""The variables with which Triton, and Inductor, leave kernels to the interpreter."""
