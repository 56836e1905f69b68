"""Maps onto the scale of a reference."""
