"""What methods of series share."""
