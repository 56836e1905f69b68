"""Maps of each column by a location and a scale of its own."""
