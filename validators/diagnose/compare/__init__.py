"""Two reports or benchmarks beside each other: counts, findings, times with intervals."""
