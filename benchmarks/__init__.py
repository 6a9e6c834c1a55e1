"""What the casebook's programs cost: `make benchmarks` measures them with pytest-benchmark."""
