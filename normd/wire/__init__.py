"""What both sides of the wire share."""
