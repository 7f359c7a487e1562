"""Filters for the templates of the games."""
