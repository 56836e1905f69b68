"""Runs: read, normalized, pooled and weighted."""
