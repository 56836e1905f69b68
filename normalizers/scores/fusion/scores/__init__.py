"""Fusions by score."""
