"""Entry point of `python -m validators`."""

from validators.cli import main

main()
