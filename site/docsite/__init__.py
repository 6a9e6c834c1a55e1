"""The site generator: playbooks, skills and evidence become pages; MkDocs builds them."""
