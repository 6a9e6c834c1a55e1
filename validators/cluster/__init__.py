"""Run claims on many machines, by Ray."""
