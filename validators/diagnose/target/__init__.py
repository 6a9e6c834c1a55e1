"""What a user wants diagnosed, and how a worker is asked about it."""
