"""Hubness: corrections of similarities for items that are close to too many queries."""

from normalizers.hubness.inverted_softmax import InvertedSoftmax

METHODS = (InvertedSoftmax,)

__all__ = ["METHODS", "InvertedSoftmax"]
