"""Methods that look back, and carry a state."""
