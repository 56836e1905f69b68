"""Shared array functions: one formula, one place; pure, without state."""
