"""How good fusions and thresholds are on the lists of two real retrievers."""
