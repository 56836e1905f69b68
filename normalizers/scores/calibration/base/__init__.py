"""What calibrators share."""
