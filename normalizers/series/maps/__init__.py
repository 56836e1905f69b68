"""Maps of each value by itself."""
