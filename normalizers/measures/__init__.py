"""Measures of quality: pure functions of evidence, listed in one table, one noun a file."""
