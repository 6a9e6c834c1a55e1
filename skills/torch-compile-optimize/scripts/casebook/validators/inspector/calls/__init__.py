"""The calls of a target: made, recorded, replayed with another target, and timed by turns."""
