"""Fusing runs of one query or many."""
