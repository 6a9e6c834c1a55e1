"""What must not leave a machine: folders, names and secrets in any text that goes out."""
