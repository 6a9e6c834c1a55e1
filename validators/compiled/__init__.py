"""What torch compiles a user's target to, for a GPU that is not there."""
