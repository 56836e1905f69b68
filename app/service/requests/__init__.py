"""What a request holds, and whether it may."""
