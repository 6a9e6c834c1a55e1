"""The one reader of what torch prints: traces and logs become events, and events what broke.

In: a trace or a log. Out: events, and what broke.
Imports: diagnose.findings, inspector, match, probes.
"""
