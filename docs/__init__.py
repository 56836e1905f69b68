"""The pages of the documentation: written by hand, or made from the code."""
