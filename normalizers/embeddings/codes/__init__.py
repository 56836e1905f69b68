"""Vectors as codes of few bits."""
