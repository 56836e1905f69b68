"""What a command may be told."""
