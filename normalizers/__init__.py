"""Data and score normalization: fitted, mergeable, exact.

Every method is a class with scikit-learn's face (`fit`, `partial_fit`, `transform`,
`inverse_transform`); one that needs no fit is a plain function of its own name too. Both are
found here by name: ``from normalizers import MinMax, min_max``.
"""

from typing import TYPE_CHECKING, cast

from normalizers.answer import Answer, Options
from normalizers.estimator import load
from normalizers.normalizer import Normalizer
from normalizers.ragged import Ragged
from normalizers.version import Version

if TYPE_CHECKING:
    # What editors and type checkers cannot discover. A method that is not here is found all the
    # same, as `type[Normalizer]`.
    from normalizers.embeddings.whitening import Whitening as Whitening
    from normalizers.functions import answering, function_of
    from normalizers.hubness.inverted_softmax import InvertedSoftmax as InvertedSoftmax
    from normalizers.metrics.group_z_score import GroupZScore as GroupZScore
    from normalizers.pipeline import Pipeline as Pipeline
    from normalizers.scores.banded_min_max import BandedMinMax as BandedMinMax
    from normalizers.scores.bayesfuse import BayesFuse as BayesFuse
    from normalizers.scores.beta_calibration import BetaCalibration as BetaCalibration
    from normalizers.scores.boltzmann import Boltzmann as Boltzmann
    from normalizers.scores.borda import Borda as Borda
    from normalizers.scores.convex import Convex as Convex
    from normalizers.scores.dbsf import DistributionBased as DistributionBased
    from normalizers.scores.gamma_cdf import GammaCdf as GammaCdf
    from normalizers.scores.identity import Identity as Identity
    from normalizers.scores.isotonic import Isotonic as Isotonic
    from normalizers.scores.l2 import L2 as L2
    from normalizers.scores.logistic import Logistic as Logistic
    from normalizers.scores.mapfuse import MapFuse as MapFuse
    from normalizers.scores.max import Max as Max
    from normalizers.scores.milvus_map import MilvusMap as MilvusMap
    from normalizers.scores.min_max import MinMax as MinMax
    from normalizers.scores.normal_cdf import NormalCdf as NormalCdf
    from normalizers.scores.normal_exponential import NormalExponential as NormalExponential
    from normalizers.scores.percentile import Percentile as Percentile
    from normalizers.scores.platt import Platt as Platt
    from normalizers.scores.posfuse import PosFuse as PosFuse
    from normalizers.scores.positive_map import PositiveMap as PositiveMap
    from normalizers.scores.probfuse import ProbFuse as ProbFuse
    from normalizers.scores.quantile_transform import QuantileTransform as QuantileTransform
    from normalizers.scores.rank import Rank as Rank
    from normalizers.scores.reciprocal_rank import ReciprocalRank as ReciprocalRank
    from normalizers.scores.rrf import ReciprocalRankFusion as ReciprocalRankFusion
    from normalizers.scores.segfuse import SegFuse as SegFuse
    from normalizers.scores.sigmoid import Sigmoid as Sigmoid
    from normalizers.scores.slidefuse import SlideFuse as SlideFuse
    from normalizers.scores.sum import Sum as Sum
    from normalizers.scores.temperature_scaling import TemperatureScaling as TemperatureScaling
    from normalizers.scores.tmm import TheoreticalMinMax as TheoreticalMinMax
    from normalizers.scores.wsum import WeightedSum as WeightedSum
    from normalizers.scores.z_score import ZScore as ZScore
    from normalizers.scores.z_sigmoid import ZSigmoid as ZSigmoid
    from normalizers.series.rolling_z_score import RollingZScore as RollingZScore
    from normalizers.series.window_max_abs import WindowMaxAbs as WindowMaxAbs
    from normalizers.series.window_z_score import WindowZScore as WindowZScore

    borda = answering(Borda)
    banded_min_max = function_of(BandedMinMax)
    boltzmann = function_of(Boltzmann)
    dbsf = function_of(DistributionBased)
    gamma_cdf = function_of(GammaCdf)
    identity = function_of(Identity)
    l2 = function_of(L2)
    milvus_map = function_of(MilvusMap)
    normal_cdf = function_of(NormalCdf)
    positive_map = function_of(PositiveMap)
    rank = function_of(Rank)
    reciprocal_rank = function_of(ReciprocalRank)
    sigmoid = function_of(Sigmoid)
    tmm = function_of(TheoreticalMinMax)
    z_score = function_of(ZScore)
    z_sigmoid = function_of(ZSigmoid)
    min_max = function_of(MinMax)
    percentile = function_of(Percentile)
    rrf = answering(ReciprocalRankFusion)

__all__ = ["Answer", "Normalizer", "Options", "Ragged", "Version", "load"]


def __getattr__(name: str) -> type[Normalizer]:
    """Return a built-in method's class, or its function, when it is first asked for."""
    if name.startswith("_"):
        raise AttributeError(name)
    from normalizers.discovery import exported

    found = exported().get(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return cast("type[Normalizer]", found)


def __dir__() -> list[str]:
    """Return the contract and every built-in method."""
    from normalizers.discovery import exported

    return sorted({*__all__, *exported()})
