"""Corrections by a balanced assignment of queries to items."""
