"""Pages for people: the start, the guide and the API browser; nothing is loaded from elsewhere."""
