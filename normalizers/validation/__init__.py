"""Admission: untrusted values become the validated arrays of a batch, in one place.

A value may come from a decoded request (nested lists, arrays) or from a Python caller (arrays,
data frames, lists of NumPy scalars); both are held to the same rules and get the same messages.
"""

from normalizers.validation.validate import validate

__all__ = ["validate"]
