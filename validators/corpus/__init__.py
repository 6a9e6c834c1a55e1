"""Real models of published packages: what the compiler does to each, and what explains it."""
