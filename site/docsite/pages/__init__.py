"""The pages of the catalog and of the prose around it, and the data for other tools."""
