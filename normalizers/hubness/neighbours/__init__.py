"""Corrections by the nearest bank queries of each item."""
