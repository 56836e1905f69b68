"""Fusions that learn from judged queries."""
