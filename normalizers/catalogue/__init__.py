"""Every method by name."""
