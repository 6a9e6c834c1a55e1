"""The scripts of the skills: what the machine does, on a user's Python, without other packages."""
