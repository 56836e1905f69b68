"""Mergeable statistics: one a file, each a value with an identity."""

from normalizers.statistics.base.statistic import Statistic
from normalizers.statistics.base.statistics_set import Statistics
from normalizers.statistics.counts import Counts
from normalizers.statistics.extrema import Extrema
from normalizers.statistics.grouped import Grouped
from normalizers.statistics.item_bias import ItemBias
from normalizers.statistics.item_counts import ItemCounts
from normalizers.statistics.item_moments import ItemMoments
from normalizers.statistics.item_quantiles import ItemQuantiles
from normalizers.statistics.knots import Knots
from normalizers.statistics.log_sum_exp import LogSumExp
from normalizers.statistics.moments import Moments
from normalizers.statistics.once import Once
from normalizers.statistics.quantiles import Quantiles
from normalizers.statistics.running import Running
from normalizers.statistics.sample import Sample
from normalizers.statistics.scatter import Scatter
from normalizers.statistics.top_k import TopK
from normalizers.statistics.trials import Trials

__all__ = [
    "Counts",
    "Extrema",
    "Grouped",
    "ItemBias",
    "ItemCounts",
    "ItemMoments",
    "ItemQuantiles",
    "Knots",
    "LogSumExp",
    "Moments",
    "Once",
    "Quantiles",
    "Running",
    "Sample",
    "Scatter",
    "Statistic",
    "Statistics",
    "TopK",
    "Trials",
]
