"""Embeddings: whitening and other linear maps of vectors."""

from normalizers.embeddings.whitening import Whitening

METHODS = (Whitening,)

__all__ = ["METHODS", "Whitening"]
