"""What methods against hubs share."""
