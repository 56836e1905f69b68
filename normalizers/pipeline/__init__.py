"""Steps as one method."""
