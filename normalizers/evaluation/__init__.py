"""How good is it: measures of runs, scores and probabilities, beside each other."""

from normalizers.evaluation.drift import drift
from normalizers.evaluation.evaluate import Evaluation, evaluate

__all__ = ["Evaluation", "drift", "evaluate"]
