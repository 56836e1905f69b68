"""What the methods of rewards share."""
