"""What maps of vectors do to searches: figures of published spaces, kept beside the code."""
