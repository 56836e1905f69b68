"""Fusions by rank."""
