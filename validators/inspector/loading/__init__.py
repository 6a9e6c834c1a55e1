"""A user's model: how it is loaded and compiled, and what its own code asks of the compiler."""
