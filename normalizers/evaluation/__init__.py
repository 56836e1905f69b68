"""How good is it: measures of runs, scores and probabilities, beside each other."""

from normalizers.evaluation.diagnosis import diagnose
from normalizers.evaluation.drift import drift
from normalizers.evaluation.evaluate import Evaluation, evaluate
from normalizers.evaluation.live import LiveSample
from normalizers.evaluation.refit import refit

__all__ = ["Evaluation", "LiveSample", "diagnose", "drift", "evaluate", "refit"]
