"""Indices: columns in units of their base."""

from normd_indexed.base_index import BaseIndex

__all__ = ["BaseIndex"]
