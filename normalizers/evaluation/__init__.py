"""How good is it: measures of what a request sends, beside each other."""
