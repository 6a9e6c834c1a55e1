"""Wrong results: found beside eager mode, and traced to a backend, a pass and a few ops."""
