"""What looks at a user's model inside its interpreter: torch and the standard library only.

A worker imports it by name. A target, `example()` or a file, goes in; plain JSON comes out: what
the compiler made of it, what it computes beside eager mode, and what it costs. `loading` and
`values` stand below; `calls`, `graphs` and `differences` use them, `costs` uses all, and
`diagnosis` runs the parts. It imports the probes, and of the worker only what runs somebody's code.

In: a request as JSON, on the user's torch. Out: what was measured, as JSON.
Imports: inspector.calls, inspector.costs, inspector.differences, inspector.graphs,
inspector.loading, worker.
"""
