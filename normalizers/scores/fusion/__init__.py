"""Methods that fuse runs."""
