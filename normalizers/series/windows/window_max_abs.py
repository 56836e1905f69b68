"""Windows divided by their largest size: every window and channel by its own max |x|."""

from __future__ import annotations

import numpy as np

from normalizers.contract import Example
from normalizers.data.ragged import Ragged
from normalizers.kernels import segments
from normalizers.series.base.window import WindowNormalizer
from normalizers.series.base.window_statistics import WindowStatistics


class WindowMaxAbs(WindowNormalizer):
    """Scale windows to [-1, 1]: ``y = x / max |x|`` over the observed values of each channel.

    Nothing is subtracted, so zeros and signs stay; `eps` and `eps_mode` reproduce a peer's epsilon.

    Notes
    -----
    A window's answer depends on that window alone, and the values of early steps on later ones
    of the same window. Missing and masked values are left out of the maximum and missing in the
    answer. Ties need no rule. A window that is zero throughout has spread 0: it comes out as
    exact zeros with scale 1, or as `on_constant` says. A constant other than 0 has a spread and
    comes out as 1 or -1. Both are flagged ``constant``. A window without observed values gets
    loc 0, scale 1 and the flag ``empty``; one value is enough. There is no epsilon: windows of
    1e-200 or 1e300 are as exact as any other. Cost O(N).

    The inverse takes values or a forecast of any length with the returned ``loc``, which is 0,
    and ``scale``: points and quantiles ``loc + scale q``, ``std`` times scale, ``variance``
    times scale squared.

    References
    ----------
    scikit-learn, ``sklearn.preprocessing.maxabs_scale``, applied to each window by itself.

    Examples
    --------
    >>> import numpy as np
    >>> from normalizers import WindowMaxAbs
    >>> method = WindowMaxAbs()
    >>> answer = method.apply_to(x=[[1.0, -4.0, 2.0], [0.0, 0.0, 0.0]], layout="NT")
    >>> answer["y"].tolist(), answer["scale"].tolist()
    ([[0.25, -1.0, 0.5], [0.0, 0.0, 0.0]], [[4.0], [1.0]])
    >>> forecast = np.array([[1.5], [2.0]])
    >>> method.inverse_transform(
    ...     forecast, loc=answer["loc"], scale=answer["scale"], layout="NT"
    ... ).tolist()
    [[6.0], [2.0]]
    """

    name = "window_max_abs"
    example = Example(
        input={"x": [[[1.0, 9.0], [-2.0, 10.0], [4.0, 5.0]], [[0.5, 3.0], [0.0, -5.0], [1.0, 4.0]]]}
    )

    on_few = None  # one value has a size

    def measured(self, observed: Ragged) -> WindowStatistics:
        """Return the largest size of the values of every list."""
        sizes = observed.with_values(np.abs(observed.values))
        return WindowStatistics(
            n=observed.lengths,
            loc=np.zeros(len(observed)),
            spread=segments.maxima(sizes),
            constant=segments.constant(observed),
        )
