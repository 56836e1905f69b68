"""What fusions share."""
