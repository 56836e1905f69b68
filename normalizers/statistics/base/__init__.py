"""What statistics share."""
