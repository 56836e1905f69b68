"""Methods that turn scores into probabilities."""
