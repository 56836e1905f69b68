"""What a command reads and writes."""
