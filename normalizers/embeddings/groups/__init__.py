"""What groups of vectors share, such as a language, taken away."""
