"""Offer fixes of a user's model that are mechanical, as a diff, each proved by `verify-fix`."""
