"""Plain programs: what they do compiled, beside eager mode. No skill needs it."""
