"""Data and score normalization: fitted, mergeable, exact."""
