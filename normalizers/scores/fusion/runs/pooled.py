"""What normalizers share that need all runs of a query: they know how many documents there are."""

from __future__ import annotations

from abc import abstractmethod

from normalizers.data.arrays import Array
from normalizers.normalizer import Normalizer
from normalizers.scores.fusion.runs.run import Run


class PooledNormalizer(Normalizer):
    """Base of the normalizers whose values depend on the documents of all runs."""

    @abstractmethod
    def normalize_in_pool(self, run: Run, totals: Array) -> tuple[Array, Array]:
        """Return the value of each hit of a run, and by query that of documents it lacks.

        Parameters
        ----------
        run : Run
            Its lists, best first.
        totals : array of shape (q,)
            The number of documents of each query.

        Returns
        -------
        values : array of shape (N,)
        absent : array of shape (q,)
            NaN where the run has no opinion.
        """
