"""What scores of many groups come to."""
