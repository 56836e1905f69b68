"""What methods of several families share."""
