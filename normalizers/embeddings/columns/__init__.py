"""Columns, each by its own statistics."""
