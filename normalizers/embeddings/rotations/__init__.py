"""Rotations of vectors that no fit decides, and random projections."""
