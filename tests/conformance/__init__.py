"""Every method of the catalogue through the same small checks."""
