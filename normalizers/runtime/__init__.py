"""Apply a method to untrusted values, and answer in their form."""
