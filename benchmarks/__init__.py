"""How fast the machine is: `python -m benchmarks` measures it against its targets."""
