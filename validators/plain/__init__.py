"""Plain programs: what a textbook has, compiled in each mode and compared with eager mode."""
