"""A diagnosis for people and machines: terminal, Markdown, HTML, SARIF.

In: a diagnosis. Out: terminal lines, Markdown, HTML, SARIF.
Imports: catalog, diagnose, diagnose.compare, diagnose.explaining, diagnose.findings, inspector.
"""
