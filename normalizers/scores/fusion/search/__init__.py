"""The parameter of a fusion that measures best."""
