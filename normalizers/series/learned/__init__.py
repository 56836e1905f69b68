"""Input layers whose weights were trained elsewhere."""
