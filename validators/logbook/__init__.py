"""Writing the experiment log: scaffolds, drafts of what changed, and imports of other logs."""
