"""Methods that normalize within groups."""
