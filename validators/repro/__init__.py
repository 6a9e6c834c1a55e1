"""A minimal script for an upstream issue: find a failure, make the program smaller, check it."""
