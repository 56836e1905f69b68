"""Series as tokens of language models."""
