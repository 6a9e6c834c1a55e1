"""What calls compute: results in parts, how far two are apart, and what rounding may do."""
