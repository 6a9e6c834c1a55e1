"""A diagnosis for people and machines: terminal, Markdown, HTML, SARIF."""
