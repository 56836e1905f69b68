"""What methods of scores share."""
