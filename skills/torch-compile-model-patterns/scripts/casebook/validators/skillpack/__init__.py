"""The pack of agent skills: what is made for it from the catalog and from this package."""
