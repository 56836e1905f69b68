"""Depth maps and points in space."""
