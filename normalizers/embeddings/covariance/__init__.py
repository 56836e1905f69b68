"""Methods that learn from the covariance of vectors."""
