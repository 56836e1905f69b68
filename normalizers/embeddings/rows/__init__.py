"""Each vector by itself: its length, its mean."""
