"""What methods of score lists share."""
