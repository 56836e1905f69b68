"""Embeddings: whitening and other linear maps of vectors."""
