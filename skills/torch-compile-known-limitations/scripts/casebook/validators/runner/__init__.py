"""The runner: plans what has to run, runs it in workers, and decides verdicts. Never torch."""
