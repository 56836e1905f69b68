"""For authors of methods: check that a class keeps what methods promise."""

from normalizers.testing.conformance import ConformanceError, Failure, check_method
from normalizers.testing.hint import Hint

__all__ = ["ConformanceError", "Failure", "Hint", "check_method"]
