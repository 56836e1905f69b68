"""Methods of one window at a time."""
