"""What corrections of hubs do to real searches: published figures, kept beside the code."""
