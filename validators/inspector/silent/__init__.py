"""Silent errors: what their programs compute compiled, beside eager mode. No skill needs it."""
