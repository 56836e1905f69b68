"""Data and score normalization: fitted, mergeable, exact.

Every method is a class with scikit-learn's face (`fit`, `partial_fit`, `transform`,
`inverse_transform`); stateless methods of one field are plain functions too.
"""

from normalizers.answer import Answer, Options
from normalizers.embeddings import Whitening
from normalizers.estimator import load
from normalizers.functions import answering, function_of
from normalizers.hubness import InvertedSoftmax
from normalizers.metrics import GroupZScore
from normalizers.normalizer import Normalizer
from normalizers.pipeline import Pipeline
from normalizers.ragged import Ragged
from normalizers.scores import MinMax, Percentile, ReciprocalRankFusion
from normalizers.series import RollingZScore, WindowZScore
from normalizers.version import Version

min_max = function_of(MinMax)
percentile = function_of(Percentile)
rrf = answering(ReciprocalRankFusion)

__all__ = [
    "Answer",
    "GroupZScore",
    "InvertedSoftmax",
    "MinMax",
    "Normalizer",
    "Options",
    "Percentile",
    "Pipeline",
    "Ragged",
    "ReciprocalRankFusion",
    "RollingZScore",
    "Version",
    "Whitening",
    "WindowZScore",
    "load",
    "min_max",
    "percentile",
    "rrf",
]
