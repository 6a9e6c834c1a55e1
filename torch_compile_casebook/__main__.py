"""Entry point of `python -m torch_compile_casebook`, which is the command `casebook`."""

from torch_compile_casebook import main

main()
