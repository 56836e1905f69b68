"""How versions come to be, and are kept."""
