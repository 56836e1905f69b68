"""What a method is made of."""
