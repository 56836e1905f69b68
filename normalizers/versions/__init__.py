"""What a fit produces, how it comes to be, and its file."""
