"""Mean linking: scores of every group moved to the mean of a reference."""

from __future__ import annotations

from normalizers.contract import Example
from normalizers.metrics.base.linked_groups import LinkedGroups


class LinkMean(LinkedGroups):
    """Move every group to the mean of a reference: y = x - mu_g + mu_r.

    The reference is rows in the field ``reference``, or the group that `reference_group` names.
    Scores keep the units of their own group: where those differ, `link_mean_sigma` moves the
    deviation too.

    Notes
    -----
    Missing scores are left out of the means and missing in their place; a group without scores is
    refused. Rows beyond the scores of their group are flagged ``out_of_range`` and moved alike,
    rows of a group that the fit does not know ``unknown_group``. Groups without spread are moved
    as any other, and flagged ``constant``. Equal references of parts are kept once, different
    ones are refused. Ties stay ties. Cost O(n log n) for a fit, O(m) for a transform.

    See Also
    --------
    LinkMeanSigma : The deviation too.

    References
    ----------
    Kolen and Brennan: Test Equating, Scaling, and Linking, 3rd edition, section 2.2 (mean
    equating).

    Examples
    --------
    >>> from normalizers import LinkMean
    >>> groups = ["fr", "fr", "si", "si"]
    >>> linked = LinkMean(reference_group="fr").fit([1.0, 3.0, 50.0, 70.0], groups=groups)
    >>> linked.transform([2.0, 61.0], groups=["fr", "si"]).tolist()
    [2.0, 3.0]
    """

    name = "link_mean"
    example = Example(
        {"reference_group": "fr"},
        fit={"x": [86.5, 80.4, 74.5, 92.5, 89.3, 85.9], "groups": ["fr"] * 3 + ["si"] * 3},
        input={"x": [80.4, 89.3], "groups": ["fr", "si"]},
    )
