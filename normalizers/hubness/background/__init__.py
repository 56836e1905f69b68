"""Corrections by what is usual of embeddings and scores: backgrounds, cohorts, means."""
