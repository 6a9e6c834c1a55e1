"""What a target costs: its first call, warm calls by turns, and options tried one by one."""
