"""What the compiler makes of a target: graphs, breaks, recompiles, guards, sizes."""
