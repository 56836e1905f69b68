"""Methods that normalize lists of scores."""
