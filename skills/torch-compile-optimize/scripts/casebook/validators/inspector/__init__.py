"""What looks at a user's model inside its interpreter: torch and the standard library only.

A worker imports it by name. `loading` and `values` stand below; `calls`, `graphs` and
`differences` use them, `costs` uses all, and `diagnosis` runs the parts. Of the worker it imports
only what runs somebody's code.

In: a target, `example()` or a file, in a request as JSON. Out: JSON that says what the compiler
made of it, what it computes beside eager mode, and what it costs.
Imports: inspector.calls, inspector.costs, inspector.differences, inspector.graphs,
inspector.loading, worker.
"""
