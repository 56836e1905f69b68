"""."""

METHODS = ()
