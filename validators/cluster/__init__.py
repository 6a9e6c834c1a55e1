"""Run claims on many machines, by schedulers that others keep."""
