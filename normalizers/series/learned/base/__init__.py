"""What layers with imported weights share."""
