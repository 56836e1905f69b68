"""Data and score normalization: fitted, mergeable, exact.

Made by `make stubs` from the methods; edit those. A default in a function is the value used where
the parameter is not given, None where the data or other parameters decide.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, overload, type_check_only

import numpy.typing as npt

from normalizers.contract.answer import Answer as Answer
from normalizers.contract.answer import Options as Options
from normalizers.contract.answer import Rendered
from normalizers.data.arrays import Array
from normalizers.data.batch import Batch
from normalizers.data.ragged import Ragged as Ragged
from normalizers.embeddings.codes.quantization import Quantization as Quantization
from normalizers.embeddings.columns.centering import Centering as Centering
from normalizers.embeddings.columns.group_centering import GroupCentering as GroupCentering
from normalizers.embeddings.columns.moment_matching import MomentMatching as MomentMatching
from normalizers.embeddings.columns.power_transform import PowerTransform as PowerTransform
from normalizers.embeddings.columns.robust_scaling import RobustScaling as RobustScaling
from normalizers.embeddings.columns.running_standardization import RunningStandardization as RunningStandardization
from normalizers.embeddings.columns.standardization import Standardization as Standardization
from normalizers.embeddings.covariance.all_but_the_top import AllButTheTop as AllButTheTop
from normalizers.embeddings.covariance.isotropic_standardization import IsotropicStandardization as IsotropicStandardization
from normalizers.embeddings.covariance.iterative_whitening import IterativeWhitening as IterativeWhitening
from normalizers.embeddings.covariance.whitening import Whitening as Whitening
from normalizers.embeddings.groups.cluster_isotropy import ClusterIsotropy as ClusterIsotropy
from normalizers.embeddings.groups.group_span_removal import GroupSpanRemoval as GroupSpanRemoval
from normalizers.embeddings.groups.language_removal import LanguageRemoval as LanguageRemoval
from normalizers.embeddings.rotations.hadamard_rotation import HadamardRotation as HadamardRotation
from normalizers.embeddings.rotations.random_projection import RandomProjection as RandomProjection
from normalizers.embeddings.rotations.random_rotation import RandomRotation as RandomRotation
from normalizers.embeddings.rows.layer_norm import LayerNorm as LayerNorm
from normalizers.embeddings.rows.nsn import Nsn as Nsn
from normalizers.embeddings.rows.rms_norm import RmsNorm as RmsNorm
from normalizers.embeddings.rows.scale_norm import ScaleNorm as ScaleNorm
from normalizers.embeddings.rows.squash import Squash as Squash
from normalizers.embeddings.rows.unit_norm import UnitNorm as UnitNorm
from normalizers.hubness.background.distribution_normalization import DistributionNormalization as DistributionNormalization
from normalizers.hubness.background.invgc import InvGC as InvGC
from normalizers.hubness.background.query_background_norm import QueryBackgroundNorm as QueryBackgroundNorm
from normalizers.hubness.background.s_norm import SNorm as SNorm
from normalizers.hubness.neighbours.csls import Csls as Csls
from normalizers.hubness.neighbours.dis_sim_global import DisSimGlobal as DisSimGlobal
from normalizers.hubness.neighbours.dis_sim_local import DisSimLocal as DisSimLocal
from normalizers.hubness.neighbours.global_correction import GlobalCorrection as GlobalCorrection
from normalizers.hubness.neighbours.local_scaling import LocalScaling as LocalScaling
from normalizers.hubness.neighbours.margin import Margin as Margin
from normalizers.hubness.neighbours.mutual_proximity import MutualProximity as MutualProximity
from normalizers.hubness.neighbours.nicdm import Nicdm as Nicdm
from normalizers.hubness.neighbours.nnn import Nnn as Nnn
from normalizers.hubness.sinkhorn.dual_bank_sinkhorn import DualBankSinkhorn as DualBankSinkhorn
from normalizers.hubness.sinkhorn.hnn import Hnn as Hnn
from normalizers.hubness.sinkhorn.sinkhorn import Sinkhorn as Sinkhorn
from normalizers.hubness.sinkhorn.sinkhorn_assignment import SinkhornAssignment as SinkhornAssignment
from normalizers.hubness.softmax.dual_dynamic_inverted_softmax import DualDynamicInvertedSoftmax as DualDynamicInvertedSoftmax
from normalizers.hubness.softmax.dual_inverted_softmax import DualInvertedSoftmax as DualInvertedSoftmax
from normalizers.hubness.softmax.dual_softmax import DualSoftmax as DualSoftmax
from normalizers.hubness.softmax.dynamic_inverted_softmax import DynamicInvertedSoftmax as DynamicInvertedSoftmax
from normalizers.hubness.softmax.inverted_softmax import InvertedSoftmax as InvertedSoftmax
from normalizers.metrics.aggregation.accuracy_curve import AccuracyCurve as AccuracyCurve
from normalizers.metrics.aggregation.autorank import Autorank as Autorank
from normalizers.metrics.aggregation.baseline_rescale import BaselineRescale as BaselineRescale
from normalizers.metrics.aggregation.group_average import GroupAverage as GroupAverage
from normalizers.metrics.anchors.anchor_isotonic import AnchorIsotonic as AnchorIsotonic
from normalizers.metrics.anchors.anchor_linear import AnchorLinear as AnchorLinear
from normalizers.metrics.anchors.anchor_piecewise_linear import AnchorPiecewiseLinear as AnchorPiecewiseLinear
from normalizers.metrics.groups.group_min_max import GroupMinMax as GroupMinMax
from normalizers.metrics.groups.group_percentile import GroupPercentile as GroupPercentile
from normalizers.metrics.groups.group_robust import GroupRobust as GroupRobust
from normalizers.metrics.groups.group_z_score import GroupZScore as GroupZScore
from normalizers.metrics.groups.median_interpercentile import MedianInterpercentile as MedianInterpercentile
from normalizers.metrics.groups.rater_effects import RaterEffects as RaterEffects
from normalizers.metrics.groups.shrunk_z_score import ShrunkZScore as ShrunkZScore
from normalizers.metrics.linking.link_equipercentile import LinkEquipercentile as LinkEquipercentile
from normalizers.metrics.linking.link_mean import LinkMean as LinkMean
from normalizers.metrics.linking.link_mean_sigma import LinkMeanSigma as LinkMeanSigma
from normalizers.metrics.linking.quantile_map import QuantileMap as QuantileMap
from normalizers.normalizer import Normalizer as Normalizer
from normalizers.normalizer import load as load
from normalizers.pipeline.column_transformer import ColumnTransformer as ColumnTransformer
from normalizers.pipeline.pipeline import Pipeline as Pipeline
from normalizers.rewards.beta_rewards import BetaRewards as BetaRewards
from normalizers.rewards.choice_mass import ChoiceMass as ChoiceMass
from normalizers.rewards.choice_scores import ChoiceScores as ChoiceScores
from normalizers.rewards.group_ratio import GroupRatio as GroupRatio
from normalizers.rewards.group_rewards import GroupRewards as GroupRewards
from normalizers.rewards.multi_rewards import MultiRewards as MultiRewards
from normalizers.rewards.plateau_align import PlateauAlign as PlateauAlign
from normalizers.rewards.process_rewards import ProcessRewards as ProcessRewards
from normalizers.rewards.truncated_softmax import TruncatedSoftmax as TruncatedSoftmax
from normalizers.scores.calibration.beta_calibration import BetaCalibration as BetaCalibration
from normalizers.scores.calibration.isotonic import Isotonic as Isotonic
from normalizers.scores.calibration.logistic import Logistic as Logistic
from normalizers.scores.calibration.normal_exponential import NormalExponential as NormalExponential
from normalizers.scores.calibration.platt import Platt as Platt
from normalizers.scores.calibration.temperature_scaling import TemperatureScaling as TemperatureScaling
from normalizers.scores.fusion.ranks.bordafuse import BordaFuse as BordaFuse
from normalizers.scores.fusion.ranks.condorcet import Condorcet as Condorcet
from normalizers.scores.fusion.ranks.isr import InverseSquareRank as InverseSquareRank
from normalizers.scores.fusion.ranks.log_isr import LogInverseSquareRank as LogInverseSquareRank
from normalizers.scores.fusion.ranks.logn_isr import LogNInverseSquareRank as LogNInverseSquareRank
from normalizers.scores.fusion.ranks.rbc import RankBiasedCentroids as RankBiasedCentroids
from normalizers.scores.fusion.ranks.rrf import ReciprocalRankFusion as ReciprocalRankFusion
from normalizers.scores.fusion.ranks.w_bordafuse import WeightedBordaFuse as WeightedBordaFuse
from normalizers.scores.fusion.ranks.w_condorcet import WeightedCondorcet as WeightedCondorcet
from normalizers.scores.fusion.scores.arithmetic_mean import ArithmeticMean as ArithmeticMean
from normalizers.scores.fusion.scores.combanz import CombAnz as CombAnz
from normalizers.scores.fusion.scores.combmax import CombMax as CombMax
from normalizers.scores.fusion.scores.combmed import CombMed as CombMed
from normalizers.scores.fusion.scores.combmin import CombMin as CombMin
from normalizers.scores.fusion.scores.combmnz import CombMnz as CombMnz
from normalizers.scores.fusion.scores.combsum import CombSum as CombSum
from normalizers.scores.fusion.scores.convex import Convex as Convex
from normalizers.scores.fusion.scores.geometric_mean import GeometricMean as GeometricMean
from normalizers.scores.fusion.scores.gmnz import Gmnz as Gmnz
from normalizers.scores.fusion.scores.harmonic_mean import HarmonicMean as HarmonicMean
from normalizers.scores.fusion.scores.log_euclidean_mean import LogEuclideanMean as LogEuclideanMean
from normalizers.scores.fusion.scores.log_odds import LogOdds as LogOdds
from normalizers.scores.fusion.scores.mixed import Mixed as Mixed
from normalizers.scores.fusion.scores.wmnz import WeightedMnz as WeightedMnz
from normalizers.scores.fusion.scores.wsum import WeightedSum as WeightedSum
from normalizers.scores.fusion.trained.bayesfuse import BayesFuse as BayesFuse
from normalizers.scores.fusion.trained.mapfuse import MapFuse as MapFuse
from normalizers.scores.fusion.trained.posfuse import PosFuse as PosFuse
from normalizers.scores.fusion.trained.probfuse import ProbFuse as ProbFuse
from normalizers.scores.fusion.trained.segfuse import SegFuse as SegFuse
from normalizers.scores.fusion.trained.slidefuse import SlideFuse as SlideFuse
from normalizers.scores.lists.banded_min_max import BandedMinMax as BandedMinMax
from normalizers.scores.lists.boltzmann import Boltzmann as Boltzmann
from normalizers.scores.lists.borda import Borda as Borda
from normalizers.scores.lists.dbsf import Dbsf as Dbsf
from normalizers.scores.lists.gamma_cdf import GammaCdf as GammaCdf
from normalizers.scores.lists.identity import Identity as Identity
from normalizers.scores.lists.l2 import L2 as L2
from normalizers.scores.lists.max import Max as Max
from normalizers.scores.lists.milvus_map import MilvusMap as MilvusMap
from normalizers.scores.lists.min_max import MinMax as MinMax
from normalizers.scores.lists.normal_cdf import NormalCdf as NormalCdf
from normalizers.scores.lists.percentile import Percentile as Percentile
from normalizers.scores.lists.positive_map import PositiveMap as PositiveMap
from normalizers.scores.lists.quantile_transform import QuantileTransform as QuantileTransform
from normalizers.scores.lists.rank import Rank as Rank
from normalizers.scores.lists.reciprocal_rank import ReciprocalRank as ReciprocalRank
from normalizers.scores.lists.sigmoid import Sigmoid as Sigmoid
from normalizers.scores.lists.sum import Sum as Sum
from normalizers.scores.lists.tmm import TheoreticalMinMax as TheoreticalMinMax
from normalizers.scores.lists.z_score import ZScore as ZScore
from normalizers.scores.lists.z_sigmoid import ZSigmoid as ZSigmoid
from normalizers.series.causal.causal_patch_z_score import CausalPatchZScore as CausalPatchZScore
from normalizers.series.causal.difference import Difference as Difference
from normalizers.series.causal.ewm_z_score import EwmZScore as EwmZScore
from normalizers.series.causal.expanding_min_max import ExpandingMinMax as ExpandingMinMax
from normalizers.series.causal.expanding_z_score import ExpandingZScore as ExpandingZScore
from normalizers.series.causal.log_return import LogReturn as LogReturn
from normalizers.series.causal.pct_change import PctChange as PctChange
from normalizers.series.causal.rolling_z_score import RollingZScore as RollingZScore
from normalizers.series.causal.session_z_score import SessionZScore as SessionZScore
from normalizers.series.channels.channel_max_abs import ChannelMaxAbs as ChannelMaxAbs
from normalizers.series.channels.channel_min_max import ChannelMinMax as ChannelMinMax
from normalizers.series.channels.decimal_scale import DecimalScale as DecimalScale
from normalizers.series.channels.percentile_min_max import PercentileMinMax as PercentileMinMax
from normalizers.series.channels.seasonal import Seasonal as Seasonal
from normalizers.series.geometry.depth_affine_invariant import DepthAffineInvariant as DepthAffineInvariant
from normalizers.series.geometry.depth_log3 import DepthLog3 as DepthLog3
from normalizers.series.geometry.geometry_scale import GeometryScale as GeometryScale
from normalizers.series.learned.bin import Bin as Bin
from normalizers.series.learned.dain import Dain as Dain
from normalizers.series.learned.dish_ts import DishTs as DishTs
from normalizers.series.learned.edain import Edain as Edain
from normalizers.series.learned.revin import Revin as Revin
from normalizers.series.maps.asinh import Asinh as Asinh
from normalizers.series.maps.box_cox import BoxCox as BoxCox
from normalizers.series.maps.log import Log as Log
from normalizers.series.maps.log1p import Log1p as Log1p
from normalizers.series.maps.logit import Logit as Logit
from normalizers.series.maps.sqrt import Sqrt as Sqrt
from normalizers.series.maps.yeo_johnson import YeoJohnson as YeoJohnson
from normalizers.series.tokens.chronos_bins import ChronosBins as ChronosBins
from normalizers.series.tokens.llmtime_scale import LlmtimeScale as LlmtimeScale
from normalizers.series.tokens.llmtime_serialize import LlmtimeSerialize as LlmtimeSerialize
from normalizers.series.tokens.token_integer import TokenInteger as TokenInteger
from normalizers.series.windows.fan_split import FanSplit as FanSplit
from normalizers.series.windows.last_value import LastValue as LastValue
from normalizers.series.windows.mean_scale import MeanScale as MeanScale
from normalizers.series.windows.slice_z_score import SliceZScore as SliceZScore
from normalizers.series.windows.window_max_abs import WindowMaxAbs as WindowMaxAbs
from normalizers.series.windows.window_min_max import WindowMinMax as WindowMinMax
from normalizers.series.windows.window_robust import WindowRobust as WindowRobust
from normalizers.series.windows.window_robust_arcsinh import WindowRobustArcsinh as WindowRobustArcsinh
from normalizers.series.windows.window_z_score import WindowZScore as WindowZScore
from normalizers.series.windows.window_z_score_arcsinh import WindowZScoreArcsinh as WindowZScoreArcsinh
from normalizers.versions.version import Version as Version

__all__ = ["Answer", "Normalizer", "Options", "Ragged", "Version", "load"]
__version__: str

@type_check_only
class _SupportsArray(Protocol):
    def __array__(self) -> Array: ...

@type_check_only
class _IdsScoresAnswer(Answer):
    @overload
    def __getitem__(self, name: Literal["ids"]) -> Array | Any: ...
    @overload
    def __getitem__(self, name: Literal["scores"]) -> Array | Any: ...
    @overload
    def __getitem__(self, name: str) -> Rendered: ...

@type_check_only
class _RunsAnswer(Answer):
    @overload
    def __getitem__(self, name: Literal["runs"]) -> tuple[Batch, ...]: ...
    @overload
    def __getitem__(self, name: str) -> Rendered: ...

def accuracy_curve(
    deltas: npt.ArrayLike,
    /,
    *,
    metric: Literal["bleu", "chrf", "spbleu101", "spbleu200", "bleurt-default", "bleurt20", "comet20", "comet22", "xcomet-xxl", "xcomet-xl", "cometkiwi-xxl", "cometkiwi23-xl-src", "cometkiwi22", "comet21qe", "bertscore", "metricx-23-large", "metricx-23-qe-large", "xcometxxl", "xcometxl", "cometkiwixxl"] | None = None,
    nan_policy: Literal["reject", "omit"] | None = "omit",
) -> Array:
    """Tell how often people agree with a difference of scores: a / (1 + exp(-b delta)) percent."""

def arithmetic_mean(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted mean of normalized scores, over all runs."""

def asinh(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
) -> Array:
    """Take inverse hyperbolic sines, ``ln(x + sqrt(x^2 + 1))``: a logarithm on both sides of 0."""

def autorank(
    x: npt.ArrayLike,
    /,
    *,
    variant: Literal["2024", "2025"] | None = "2025",
    higher_is_better: bool | Sequence[bool] | Mapping[str, bool] | None = None,
    worst_rank: Literal["n_systems_plus_1", "n_systems"] | None = None,
    nan_policy: Literal["reject", "omit"] | None = "omit",
) -> Array:
    """Rank the systems of one language pair by several metrics: 1 is the best."""

@overload
def banded_min_max(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    k: float | None = 60.0,
) -> Array:
    """Squeeze min-max onto the band that reciprocal rank fusion spans on the same list."""

@overload
def banded_min_max(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    k: float | None = 60.0,
) -> list[Array]:
    """Squeeze min-max onto the band that reciprocal rank fusion spans on the same list."""

@overload
def banded_min_max(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    k: float | None = 60.0,
) -> Ragged:
    """Squeeze min-max onto the band that reciprocal rank fusion spans on the same list."""

def baseline_rescale(
    x: npt.ArrayLike,
    /,
    *,
    lower: float | None = None,
    upper: float | None = None,
    clip: bool | None = False,
    nan_policy: Literal["reject", "omit"] | None = "omit",
) -> Array:
    """Measure scores from a baseline: y = (x - lower) / (upper - lower)."""

def beta_rewards(
    rewards: npt.ArrayLike,
    /,
    *,
    lower: float | None = 0.0,
    upper: float | None = 1.0,
    weight_cap: float | None = 1000000.0,
    moments: Sequence[float] | None = None,
    missing: Literal["skip", "zero", "error"] | None = "skip",
    on_few: Literal["baseline_zero", "zero", "error"] | None = "baseline_zero",
) -> Array:
    """Subtract the group's mean p and weight by one over a beta density of p."""

@overload
def boltzmann(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
    temperature: float | None = 0.5,
    beta: float | None = None,
) -> Array:
    """Weigh percentiles exponentially: ``value = exp((p - 1) / temperature)``."""

@overload
def boltzmann(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
    temperature: float | None = 0.5,
    beta: float | None = None,
) -> list[Array]:
    """Weigh percentiles exponentially: ``value = exp((p - 1) / temperature)``."""

@overload
def boltzmann(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
    temperature: float | None = 0.5,
    beta: float | None = None,
) -> Ragged:
    """Weigh percentiles exponentially: ``value = exp((p - 1) / temperature)``."""

def borda(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "error"] | None = "best",
    ties: Literal["position", "average", "min"] | None = "position",
    higher_is_better: bool | None = True,
) -> _RunsAnswer:
    """Replace the scores of runs by Borda values, documents that a run did not return included."""

def bordafuse(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
) -> _IdsScoresAnswer:
    """Fuse ranked lists: each run gives its best of C documents C points, the next C - 1, ..."""

def box_cox(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
    lam: float | Sequence[float] | None = None,
) -> Array:
    """Take powers of positive values: ``y = (x^lam - 1) / lam``, ``ln x`` where lam is 0."""

@overload
def choice_mass(
    loglikelihoods: Sequence[float | None] | _SupportsArray,
    /,
) -> Array:
    """Add up the probabilities of the choices of a question: M = sum of p."""

@overload
def choice_mass(
    loglikelihoods: Sequence[Sequence[float | None] | _SupportsArray],
    /,
) -> list[Array]:
    """Add up the probabilities of the choices of a question: M = sum of p."""

@overload
def choice_mass(
    loglikelihoods: Ragged,
    /,
) -> Ragged:
    """Add up the probabilities of the choices of a question: M = sum of p."""

@overload
def choice_scores(
    loglikelihoods: Sequence[float | None] | _SupportsArray,
    /,
    *,
    unit: Literal["none", "characters", "bytes", "tokens"] | None = None,
    baseline: Literal["none", "pmi"] | None = "none",
    softmax: bool | None = False,
    scope: Literal["fitted", "request"] | None = "request",
) -> Array:
    """Score the choices of a question by log-probability, by length or against a baseline."""

@overload
def choice_scores(
    loglikelihoods: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    unit: Literal["none", "characters", "bytes", "tokens"] | None = None,
    baseline: Literal["none", "pmi"] | None = "none",
    softmax: bool | None = False,
    scope: Literal["fitted", "request"] | None = "request",
) -> list[Array]:
    """Score the choices of a question by log-probability, by length or against a baseline."""

@overload
def choice_scores(
    loglikelihoods: Ragged,
    /,
    *,
    unit: Literal["none", "characters", "bytes", "tokens"] | None = None,
    baseline: Literal["none", "pmi"] | None = "none",
    softmax: bool | None = False,
    scope: Literal["fitted", "request"] | None = "request",
) -> Ragged:
    """Score the choices of a question by log-probability, by length or against a baseline."""

def combanz(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the mean of the normalized scores over the runs that found a document."""

def combmax(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the highest normalized score over the runs that found a document."""

def combmed(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the median normalized score over the runs that found a document."""

def combmin(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the lowest normalized score over the runs that found a document."""

def combmnz(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the sum of normalized scores, times the number of runs that found it."""

def combsum(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    missing: Literal["auto", "zero", "run_min", "skip"] | float | None = "auto",
) -> _IdsScoresAnswer:
    """Fuse scored lists: the score of a document is the sum of its normalized scores."""

def condorcet(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
) -> _IdsScoresAnswer:
    """Fuse ranked lists: documents are ordered by how many others the majority puts below them."""

def convex(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    missing: Literal["auto", "zero", "run_min", "skip"] | float | None = "auto",
    alpha: float | None = None,
    alpha_run: str | int | None = 0,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse two scored lists: ``alpha`` times one run's normalized score plus the rest of the other."""

@overload
def dbsf(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    n_sigma: float | None = 3.0,
    clip: bool | None = False,
) -> Array:
    """Put the mean minus and plus `n_sigma` deviations at 0 and 1."""

@overload
def dbsf(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    n_sigma: float | None = 3.0,
    clip: bool | None = False,
) -> list[Array]:
    """Put the mean minus and plus `n_sigma` deviations at 0 and 1."""

@overload
def dbsf(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    n_sigma: float | None = 3.0,
    clip: bool | None = False,
) -> Ragged:
    """Put the mean minus and plus `n_sigma` deviations at 0 and 1."""

def depth_log3(
    x: npt.ArrayLike,
    /,
    *,
    max_depth_c1: float | None = 100.0,
    max_depth_c2: float | None = 9.0,
    standardize: bool | None = False,
) -> Array:
    """Make three channels of depth maps ``x (n, h, w)`` in metres: ``y (n, h, w, 3)``."""

def dis_sim_local(
    query_embeddings: npt.ArrayLike,
    /,
    *,
    k: int | None = 10,
) -> Array:
    """Return ``|q - x|^2 - |q - c(q)|^2 - |x - c(x)|^2``, c the centre of the `k` nearest items."""

def dual_softmax(
    sims: npt.ArrayLike,
    /,
    *,
    temperature: float | None = 1.0,
    output: Literal["score", "log"] | None = "score",
    on_few: Literal["error", "identity"] | None = "error",
) -> Array:
    """Weight each score by the softmax over the queries of one item: ``q s softmax_q(s / T)``."""

@overload
def gamma_cdf(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> Array:
    """Replace a score by the share that a gamma distribution has below it."""

@overload
def gamma_cdf(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> list[Array]:
    """Replace a score by the share that a gamma distribution has below it."""

@overload
def gamma_cdf(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> Ragged:
    """Replace a score by the share that a gamma distribution has below it."""

def geometric_mean(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted geometric mean of normalized scores."""

def gmnz(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    gamma: float | None = 1.0,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the sum of normalized scores, times a power of the number of its runs."""

def group_average(
    x: npt.ArrayLike,
    /,
    *,
    missing: Literal["skip", "null", "common"] | None = "skip",
    weights: Mapping[str, float] | None = None,
    samples: int | None = 1000,
    seed: int | None = 0,
    confidence: float | None = 0.95,
    nan_policy: Literal["reject", "omit"] | None = "omit",
    inf_policy: Literal["reject"] | None = "reject",
) -> Array:
    """Average each system over its groups, and tell which groups it rests on."""

def group_min_max(
    x: npt.ArrayLike,
    /,
    *,
    group_by: Sequence[str] | None = None,
    unknown_group: Literal["error", "global", "median", "pass"] | None = "error",
    reference_kind: Literal["anchors", "self", "pooled", "human"] | None = "anchors",
    higher_is_better: bool | None = True,
    metric: str | None = None,
    anchor_set: str | None = None,
    flip: bool | None = False,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    on_few: Literal["scale_one", "zero", "identity", "error"] | None = "error",
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error"] | None = "scale_one",
    constant_value: float | None = None,
    scope: Literal["fitted", "request"] | None = "fitted",
    range: Sequence[float] | None = None,
    clip: bool | None = False,
) -> Array:
    """Map every group's range onto one interval: y = a + (b - a) (x - min_g) / (max_g - min_g)."""

def group_ratio(
    x: npt.ArrayLike,
    /,
    *,
    group_by: Sequence[str] | None = None,
    unknown_group: Literal["error", "global", "median", "pass"] | None = "error",
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    weight_kind: Literal["none", "frequency", "reliability"] | None = "none",
    scope: Literal["fitted", "request", "frozen", "batch"] | None = "fitted",
    zero_denominator: Literal["missing", "error"] | None = "missing",
) -> Array:
    """Divide every value by the mean of its cell: y = x / mean, by one key or several."""

def group_rewards(
    rewards: npt.ArrayLike,
    /,
    *,
    ddof: int | None = 1,
    eps: float | None = 0.0001,
    eps_mode: Literal["add_std", "floor"] | None = "add_std",
    center_scope: Literal["group", "batch", "leave_one_out", "none"] | None = "group",
    scale_scope: Literal["group", "batch", "none"] | None = "group",
    missing: Literal["skip", "zero", "error"] | None = "skip",
    on_few: Literal["zero", "identity", "error"] | None = "zero",
    on_constant: Literal["zero", "half", "keep", "error"] | None = "zero",
) -> Array:
    """Turn rewards into advantages: a = (r - center) / scale, by the group of each row."""

def hadamard_rotation(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit"] | None = "reject",
    seed: int | None = None,
    signs: Sequence[Literal[1, -1]] | None = None,
    inexact: Literal["refuse", "pad", "fallback"] | None = "refuse",
) -> Array:
    """Rotate vectors by a Hadamard matrix: y = x D H, with H H^T = I and |h_ij| = 1 / sqrt(d)."""

def harmonic_mean(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted harmonic mean of normalized scores."""

@overload
def identity(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Array:
    """Keep scores as they are; where lower ones are better they change their sign."""

@overload
def identity(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> list[Array]:
    """Keep scores as they are; where lower ones are better they change their sign."""

@overload
def identity(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Ragged:
    """Keep scores as they are; where lower ones are better they change their sign."""

def invgc(
    gallery_embeddings: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    local_adj: bool | None = False,
    pool_rate: float | None = 0.01,
    r_gallery: float | None = 0.1,
    r_query: float | None = 0.1,
) -> Array:
    """Subtract from each gallery item what banks of queries and of items add up to beside it."""

def isr(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
) -> _IdsScoresAnswer:
    """Fuse ranked lists: the sum of inverse square ranks, times the number of runs that agree."""

@overload
def l2(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Array:
    """Divide scores by the Euclidean length of their list."""

@overload
def l2(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> list[Array]:
    """Divide scores by the Euclidean length of their list."""

@overload
def l2(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Ragged:
    """Divide scores by the Euclidean length of their list."""

def layer_norm(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "reject",
    weight: Sequence[float] | None = None,
    bias: Sequence[float] | None = None,
    eps: float | None = 1e-05,
) -> Any:
    """Standardize each row: y = (x - mean(x)) / sqrt(var(x) + eps) [weight + bias]."""

def llmtime_serialize(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    base: int | None = 10,
    prec: int | None = 3,
    signed: bool | None = True,
    fixed_length: bool | None = False,
    max_val: float | None = 10000000.0,
    time_sep: str | None = " ,",
    bit_sep: str | None = " ",
    plus_sign: str | None = "",
    minus_sign: str | None = " -",
    decimal_point: str | None = "",
    missing_str: str | None = " Nan",
    half_bin_correction: bool | None = True,
) -> Array:
    """Write each series as text for a language model: ``" 3 5 2 , - 1 2 5 0 ,"``."""

def local_scaling(
    sims: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    unknown_item: Literal["mean_bias", "raw", "error"] | None = "mean_bias",
    score_type: Literal["similarity", "distance"] | None = "distance",
    nan_policy: Literal["reject", "omit"] | None = "reject",
    similarity: Literal["cosine", "dot", "euclidean"] | None = None,
    deduplicate: bool | None = False,
    symmetric: bool | None = False,
    k: int | None = 7,
) -> Array:
    """Measure a distance by the distances of both ends to their k-th neighbours."""

def log(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
    offset: float | None = 0.0,
) -> Array:
    """Take natural logarithms: ``y = ln(x + offset)``."""

def log1p(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
) -> Array:
    """Take logarithms of counts: ``y = ln(1 + x)``, exact for small x."""

def log_euclidean_mean(
    kernels: npt.ArrayLike,
    /,
    *,
    ridge: float | None = 0.001,
    target_norm: float | None = 1.0,
    weights: Sequence[float] | None = None,
) -> Array:
    """Fuse similarity matrices of the same items: the mean of their logarithms, each of one norm."""

def log_isr(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
) -> _IdsScoresAnswer:
    """Fuse ranked lists: the sum of inverse square ranks, times the log of the number of runs."""

def log_odds(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    missing: Literal["auto", "zero", "run_min", "skip"] | float | None = "auto",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
    variant: Literal["calibrated", "txtai"] | None = "calibrated",
    both_scale: float | None = None,
    dense_run: str | int | None = None,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted sum of the log odds of each score."""

def logit(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
    lower: float | None = 0.0,
    upper: float | None = 1.0,
) -> Array:
    """Take log-odds within bounds: ``y = ln((x - a) / (b - x))`` for bounds a and b."""

def logn_isr(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
    sigma: float | None = 0.01,
) -> _IdsScoresAnswer:
    """Fuse ranked lists: as `log_isr`, but documents of one run keep their order."""

@overload
def max(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    clip: bool | None = None,
) -> Array:
    """Divide scores by the largest one."""

@overload
def max(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    clip: bool | None = None,
) -> list[Array]:
    """Divide scores by the largest one."""

@overload
def max(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    clip: bool | None = None,
) -> Ragged:
    """Divide scores by the largest one."""

@overload
def milvus_map(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Array:
    """Map scores by a fixed function of their similarity."""

@overload
def milvus_map(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> list[Array]:
    """Map scores by a fixed function of their similarity."""

@overload
def milvus_map(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Ragged:
    """Map scores by a fixed function of their similarity."""

@overload
def min_max(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    bounds: Literal["observed", "percentile", "fixed"] | None = "observed",
    lower: float | None = None,
    upper: float | None = None,
    lower_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    upper_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    quantile_range: Sequence[float] | None = None,
    quantiles_exact_limit: int | None = None,
    floor_lifts: Literal["below", "zero"] | None = "below",
    clip: bool | None = None,
) -> Array:
    """Scale scores to 0..1 between a lower and an upper end."""

@overload
def min_max(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    bounds: Literal["observed", "percentile", "fixed"] | None = "observed",
    lower: float | None = None,
    upper: float | None = None,
    lower_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    upper_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    quantile_range: Sequence[float] | None = None,
    quantiles_exact_limit: int | None = None,
    floor_lifts: Literal["below", "zero"] | None = "below",
    clip: bool | None = None,
) -> list[Array]:
    """Scale scores to 0..1 between a lower and an upper end."""

@overload
def min_max(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    bounds: Literal["observed", "percentile", "fixed"] | None = "observed",
    lower: float | None = None,
    upper: float | None = None,
    lower_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    upper_mode: Literal["clip", "extend", "ignore", "apply"] | None = None,
    quantile_range: Sequence[float] | None = None,
    quantiles_exact_limit: int | None = None,
    floor_lifts: Literal["below", "zero"] | None = "below",
    clip: bool | None = None,
) -> Ragged:
    """Scale scores to 0..1 between a lower and an upper end."""

def mixed(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted sum of scores, times the root of the number of its runs."""

def multi_rewards(
    rewards: npt.ArrayLike,
    /,
    *,
    ddof: int | None = 1,
    eps: float | None = 0.0001,
    eps_mode: Literal["add_std", "floor"] | None = "add_std",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    component: Literal["z_score", "min_max", "coefficient"] | Sequence[Literal["z_score", "min_max", "coefficient"]] | None = "z_score",
    order: Literal["normalize_then_sum", "sum_then_normalize"] | None = "normalize_then_sum",
    scale_scope: Literal["group", "batch", "none"] | None = "group",
    final: Literal["batch_z_score", "group_z_score", "group_center", "none"] | None = "batch_z_score",
    final_ddof: int | None = 1,
    final_eps: float | None = 0.0001,
    final_eps_mode: Literal["add_std", "floor"] | None = "add_std",
    missing: Literal["skip", "zero", "error"] | None = "skip",
    on_few: Literal["zero", "identity", "error"] | None = "zero",
    on_constant: Literal["zero", "half", "keep", "error"] | None = None,
) -> Array:
    """Turn several rewards of a row into one advantage."""

def mutual_proximity(
    sims: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    unknown_item: Literal["mean_bias", "raw", "error"] | None = "mean_bias",
    score_type: Literal["similarity", "distance"] | None = "distance",
    nan_policy: Literal["reject", "omit"] | None = "reject",
    similarity: Literal["cosine", "dot", "euclidean"] | None = None,
    deduplicate: bool | None = False,
    symmetric: bool | None = False,
    variant: Literal["gauss", "empirical"] | None = "gauss",
) -> Array:
    """Turn a distance into the probability that neither end is nearest to the other."""

def nicdm(
    sims: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    unknown_item: Literal["mean_bias", "raw", "error"] | None = "mean_bias",
    score_type: Literal["similarity", "distance"] | None = "distance",
    nan_policy: Literal["reject", "omit"] | None = "reject",
    similarity: Literal["cosine", "dot", "euclidean"] | None = None,
    deduplicate: bool | None = False,
    symmetric: bool | None = False,
    k: int | None = 7,
    geomean_factor: bool | None = False,
) -> Array:
    """Divide a distance by the geometric mean of the neighbourhoods of both ends."""

@overload
def normal_cdf(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> Array:
    """Replace a score by the share that a normal distribution has below it."""

@overload
def normal_cdf(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> list[Array]:
    """Replace a score by the share that a normal distribution has below it."""

@overload
def normal_cdf(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> Ragged:
    """Replace a score by the share that a normal distribution has below it."""

@overload
def normal_exponential(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    pi: float | None = None,
    mu: float | None = None,
    sigma: float | None = None,
    rate: float | None = None,
    loc: float | None = None,
    monotone: bool | None = False,
    sample_limit: int | None = None,
) -> Array:
    """Turn scores into probabilities of relevance without labels."""

@overload
def normal_exponential(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    pi: float | None = None,
    mu: float | None = None,
    sigma: float | None = None,
    rate: float | None = None,
    loc: float | None = None,
    monotone: bool | None = False,
    sample_limit: int | None = None,
) -> list[Array]:
    """Turn scores into probabilities of relevance without labels."""

@overload
def normal_exponential(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    pi: float | None = None,
    mu: float | None = None,
    sigma: float | None = None,
    rate: float | None = None,
    loc: float | None = None,
    monotone: bool | None = False,
    sample_limit: int | None = None,
) -> Ragged:
    """Turn scores into probabilities of relevance without labels."""

def nsn(
    x: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    target_norm: Literal["sqrt_d"] | float | None = "sqrt_d",
    shift: Literal["fitted", "request"] | None = "fitted",
    rotation: Literal["none", "hadamard"] | None = "none",
    nan_policy: Literal["reject", "omit"] | None = "reject",
) -> Array:
    """Normalize, shift, normalize: a = x / s1, b = a - o, y = b / s2."""

@overload
def percentile(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
) -> Array:
    """Replace a score by the share of a sample that it is better than."""

@overload
def percentile(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
) -> list[Array]:
    """Replace a score by the share of a sample that it is better than."""

@overload
def percentile(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    kind: Literal["strict", "weak", "mean", "rank"] | None = "mean",
    finite_logs: bool | None = False,
    out_of_bounds: Literal["clip", "missing", "error"] | None = "clip",
    quantiles_exact_limit: int | None = None,
) -> Ragged:
    """Replace a score by the share of a sample that it is better than."""

@overload
def positive_map(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Array:
    """Map scores to positive ones, increasing everywhere."""

@overload
def positive_map(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> list[Array]:
    """Map scores to positive ones, increasing everywhere."""

@overload
def positive_map(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
) -> Ragged:
    """Map scores to positive ones, increasing everywhere."""

@overload
def process_rewards(
    step_scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    shift: float | None = 1.0,
    invalid_step: Literal["missing", "zero", "error"] | None = "missing",
) -> Array:
    """Combine the score of each step with the outcome of its trajectory."""

@overload
def process_rewards(
    step_scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    shift: float | None = 1.0,
    invalid_step: Literal["missing", "zero", "error"] | None = "missing",
) -> list[Array]:
    """Combine the score of each step with the outcome of its trajectory."""

@overload
def process_rewards(
    step_scores: Ragged,
    /,
    *,
    shift: float | None = 1.0,
    invalid_step: Literal["missing", "zero", "error"] | None = "missing",
) -> Ragged:
    """Combine the score of each step with the outcome of its trajectory."""

def quantization(
    x: npt.ArrayLike,
    /,
    *,
    source: str | None = None,
    precision: Literal["int8", "uint8", "binary", "ubinary"] | None = "int8",
    calibration: Literal["per_dim", "global"] | None = "per_dim",
    quantile: float | None = None,
) -> Array:
    """Give vectors as codes: floor((x - min) / step) with step = (max - min) / 255, or x > 0."""

def random_projection(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit"] | None = "reject",
    n_components: int | None = None,
    seed: int | None = 0,
) -> Array:
    """Project vectors by a Gaussian matrix: y = x R, R (d, k) with entries from N(0, 1 / k)."""

def random_rotation(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit"] | None = "reject",
    seed: int | None = 0,
) -> Array:
    """Rotate vectors by a random orthogonal matrix: y = x Q, Q^T Q = I."""

@overload
def rank(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
) -> Array:
    """Replace a score by one minus the share of its list that is ranked before it."""

@overload
def rank(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
) -> list[Array]:
    """Replace a score by one minus the share of its list that is ranked before it."""

@overload
def rank(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
) -> Ragged:
    """Replace a score by one minus the share of its list that is ranked before it."""

def rbc(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
    phi: float | None = None,
) -> _IdsScoresAnswer:
    """Fuse ranked lists: the sum of ``(1 - phi) phi^(rank - 1)`` over the runs."""

@overload
def reciprocal_rank(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
    k: float | None = 60.0,
) -> Array:
    """Replace a score by the reciprocal of its rank plus a constant."""

@overload
def reciprocal_rank(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
    k: float | None = 60.0,
) -> list[Array]:
    """Replace a score by the reciprocal of its rank plus a constant."""

@overload
def reciprocal_rank(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = None,
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    ties: Literal["position", "average", "min"] | None = "position",
    k: float | None = 60.0,
) -> Ragged:
    """Replace a score by the reciprocal of its rank plus a constant."""

def rms_norm(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "reject",
    weight: Sequence[float] | None = None,
    eps: float | None = 1e-06,
) -> Any:
    """Divide each row by its root mean square: y = x / sqrt(mean(x^2) + eps) [weight]."""

def rrf(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
    k: float | None = 60.0,
    weight_mode: Literal["multiply", "stretch"] | None = "multiply",
    rank_mode: Literal["absolute", "relative"] | None = "absolute",
    output: Literal["score", "unit"] | None = "score",
) -> _IdsScoresAnswer:
    """Fuse ranked lists: the score of a document is the sum of ``w / (k + rank)`` over the runs."""

def scale_norm(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "reject",
    g: float | None = None,
    eps: float | None = 1e-05,
) -> Any:
    """Bring each row to length g: y = g x / max(||x||, eps)."""

@overload
def sigmoid(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    slope: float | None = 1.0,
    intercept: float | None = 0.0,
) -> Array:
    """Map scores into (0, 1) by the logistic function of a line."""

@overload
def sigmoid(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    slope: float | None = 1.0,
    intercept: float | None = 0.0,
) -> list[Array]:
    """Map scores into (0, 1) by the logistic function of a line."""

@overload
def sigmoid(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    slope: float | None = 1.0,
    intercept: float | None = 0.0,
) -> Ragged:
    """Map scores into (0, 1) by the logistic function of a line."""

def sinkhorn_assignment(
    sims: npt.ArrayLike,
    /,
    *,
    beta: float | None = 10.0,
    iterations: int | None = 5,
    score_type: Literal["similarity", "distance"] | None = "distance",
) -> Array:
    """Assign queries to items by Sinkhorn's scaling: every item gets about equal mass."""

def sqrt(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
    offset: float | None = 0.0,
) -> Array:
    """Take square roots, of x and an offset: ``y^2 = x + offset``."""

def squash(
    x: npt.ArrayLike,
    /,
    *,
    variant: Literal["tanh", "erf", "log1p", "cos_sin"] | None = "tanh",
    alpha: float | None = None,
    gamma: float | None = None,
    beta: float | None = None,
    s: float | None = None,
    nan_policy: Literal["reject", "omit"] | None = "reject",
) -> Array:
    """Squash numbers: y = gamma tanh(alpha x) + beta."""

@overload
def sum(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> Array:
    """Give each score its share of the sum of its list, counted from the smallest score."""

@overload
def sum(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> list[Array]:
    """Give each score its share of the sum of its list, counted from the smallest score."""

@overload
def sum(
    scores: Ragged,
    /,
    *,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
) -> Ragged:
    """Give each score its share of the sum of its list, counted from the smallest score."""

@overload
def tmm(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    theoretical_min: float | None = None,
    clip: bool | None = True,
) -> Array:
    """Scale scores to 0..1 between the theoretically worst score and the best one of the list."""

@overload
def tmm(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    theoretical_min: float | None = None,
    clip: bool | None = True,
) -> list[Array]:
    """Scale scores to 0..1 between the theoretically worst score and the best one of the list."""

@overload
def tmm(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    theoretical_min: float | None = None,
    clip: bool | None = True,
) -> Ragged:
    """Scale scores to 0..1 between the theoretically worst score and the best one of the list."""

@overload
def truncated_softmax(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    form: Literal["logits", "log_probs", "probs"] | None = "logits",
    temperature: float | None = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    ties: Literal["keep_all", "index"] | None = "keep_all",
) -> Array:
    """Keep the most probable of a list and renormalize: q = p / Z, Z the mass that is kept."""

@overload
def truncated_softmax(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    form: Literal["logits", "log_probs", "probs"] | None = "logits",
    temperature: float | None = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    ties: Literal["keep_all", "index"] | None = "keep_all",
) -> list[Array]:
    """Keep the most probable of a list and renormalize: q = p / Z, Z the mass that is kept."""

@overload
def truncated_softmax(
    scores: Ragged,
    /,
    *,
    form: Literal["logits", "log_probs", "probs"] | None = "logits",
    temperature: float | None = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    ties: Literal["keep_all", "index"] | None = "keep_all",
) -> Ragged:
    """Keep the most probable of a list and renormalize: q = p / Z, Z the mass that is kept."""

def unit_norm(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "reject",
) -> Any:
    """Divide each row by its Euclidean length: y = x / ||x||."""

def w_bordafuse(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse ranked lists by the Borda count, each run's points times its weight."""

def w_condorcet(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = True,
    ties: Literal["position", "average", "min"] | None = "position",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse ranked lists by pairwise majority, each run's vote times its weight."""

def wmnz(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the sum of normalized scores, times the sum of its runs' weights."""

def wsum(
    runs: Sequence[Mapping[str, object]],
    /,
    *,
    source: str | None = None,
    duplicates: Literal["best", "first", "sum", "error"] | None = "best",
    higher_is_better: bool | None = None,
    normalizer: object = None,
    nan_policy: Literal["reject", "omit", "last"] | None = "reject",
    missing: Literal["auto", "zero", "run_min", "skip"] | float | None = "auto",
    weights: Sequence[float] | Mapping[str, float] | None = None,
    normalize_weights: bool | None = False,
    drop_zero_weight: bool | None = False,
) -> _IdsScoresAnswer:
    """Fuse scored lists: the weighted sum of normalized scores."""

def yeo_johnson(
    x: npt.ArrayLike,
    /,
    *,
    nan_policy: Literal["reject", "omit", "propagate"] | None = "omit",
    inf_policy: Literal["as_nan", "reject"] | None = "reject",
    bias_adjust: Literal["none", "lognormal", "delta"] | None = "none",
    lam: float | Sequence[float] | None = None,
) -> Array:
    """Take powers of values of either sign, each side of 0 with one of its own."""

@overload
def z_score(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    variant: Literal["standard", "opensearch"] | None = "standard",
) -> Array:
    """Centre scores and divide by their deviation."""

@overload
def z_score(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    variant: Literal["standard", "opensearch"] | None = "standard",
) -> list[Array]:
    """Centre scores and divide by their deviation."""

@overload
def z_score(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
    variant: Literal["standard", "opensearch"] | None = "standard",
) -> Ragged:
    """Centre scores and divide by their deviation."""

@overload
def z_sigmoid(
    scores: Sequence[float | None] | _SupportsArray,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> Array:
    """Map deviations from the mean into (0, 1) by the logistic function."""

@overload
def z_sigmoid(
    scores: Sequence[Sequence[float | None] | _SupportsArray],
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> list[Array]:
    """Map deviations from the mean into (0, 1) by the logistic function."""

@overload
def z_sigmoid(
    scores: Ragged,
    /,
    *,
    source: str | None = None,
    similarity: Literal["cosine", "dot", "bm25", "l2", "l1", "euclidean", "hamming", "cosine_distance", "negative_dot"] | None = None,
    higher_is_better: bool | None = True,
    nan_policy: Literal["reject", "omit", "propagate", "last"] | None = "reject",
    inf_policy: Literal["as_nan", "reject"] | None = "as_nan",
    floor: float | None = None,
    scope: Literal["query", "fitted", "list", "frozen"] | None = None,
    on_constant: Literal["scale_one", "value", "zero", "half", "keep", "error", "one_if_positive"] | None = None,
    constant_value: float | None = None,
    ddof: int | None = 0,
) -> Ragged:
    """Map deviations from the mean into (0, 1) by the logistic function."""
