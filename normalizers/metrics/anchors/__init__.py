"""Maps from scores to the known quality of anchors."""
