"""What an operator sees of every request: metrics and lines of a log."""
