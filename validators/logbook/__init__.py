"""Writing the experiment log: scaffolds, drafts of what changed, imports of other logs."""
