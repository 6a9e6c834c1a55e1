"""A CUDA device that is not there: torch compiles for it, and every answer that is made up is kept.

A compiler decides which kernels a graph becomes, and a machine without a GPU can run the compiler.
What torch asks a GPU on the way falls into two classes:

- Properties of a board, such as the number of its multiprocessors, are facts; `boards` holds them.
- Times, values of tensors, free memory and replays of graphs exist on a GPU only. Such a question
  gets an exception, or an answer that is made up. Both are kept in `Invented`, and what a report
  says is then undecided.

`libraries` gives the variables with which an interpreter starts; there, `install.install` does the
rest before anything is compiled. `kernels` answers the command of that name. The room needs torch,
Triton and the standard library, Python >= 3.10.
"""
