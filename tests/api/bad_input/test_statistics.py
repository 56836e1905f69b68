"""Posted statistics that cannot be are refused with their place."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from tests.api.bad_input.statistics import extrema, groups, log_sum_exp, quantiles, scatter
from tests.api.problem import MARKER, paths_of, slug_of
from tests.api.samples import NAMES, post

STATISTICS = {
    "negative n": ("white", scatter(n=-4), "scatter.n"),
    "n of halves": ("white", scatter(n=4.5), "scatter.n"),
    "no n for a merge": ("white", scatter(n=None), "scatter.n"),
    "true n": ("white", scatter(n=True), "scatter.n"),
    "n in digits": ("white", scatter(n="4"), "scatter.n"),
    "n of a list": ("white", scatter(n=[4]), "scatter.n"),
    "n of 2**62": ("white", scatter(n=2**62), "scatter.n"),
    "n of 0 with a scatter": ("white", scatter(n=0), "scatter.n"),
    "n of 1 with a scatter": ("white", scatter(n=1), "scatter.n"),
    "indefinite": ("white", scatter(scatter=[[1.0, 2.0], [2.0, 1.0]]), "scatter.scatter"),
    "a negative variance": ("white", scatter(scatter=[[-1.0, 0], [0, 1.0]]), "scatter.scatter"),
    "asymmetric": ("white", scatter(scatter=[[1.0, 0.5], [0.4, 1.0]]), "scatter.scatter[0][1]"),
    "not square": ("white", scatter(scatter=[[1.0, 0.5, 0], [0.5, 1, 0]]), "scatter.scatter"),
    "flat": ("white", scatter(scatter=[1.0, 0.5, 0.5, 1.0]), "scatter.scatter"),
    "ragged": ("white", scatter(scatter=[[1.0, 0.5], [0.5]]), "scatter.scatter"),
    "a mean of another length": ("white", scatter(mean=[0.0] * 3), "scatter.scatter"),
    "null in a mean": ("white", scatter(mean=[0.0, None]), "scatter.mean[1]"),
    "text in a mean": ("white", scatter(mean=[0.0, MARKER]), "scatter.mean[1]"),
    "beyond 1e140": ("white", scatter(scatter=[[1e300, 0], [0, 1.0]]), "scatter.scatter"),
    "no mean": ("white", scatter(mean=...), "scatter"),
    "no scatter": ("white", scatter(scatter=...), "scatter"),
    "a member more": ("white", scatter(extra=MARKER), "scatter.extra"),
    "a list of members": ("white", {"scatter": [MARKER]}, "scatter"),
    "null for a statistic": ("white", {"scatter": None}, "scatter"),
    "another statistic": ("white", {"extrema": {"n": [1], "min": [0], "max": [1]}}, "extrema"),
    "a statistic misspelt": ("white", {"scater": {}}, "scater"),
    "a statistic more": ("white", {**scatter(), "moments": {}}, "moments"),
    "no statistic": ("white", {}, ""),
    "unsorted quantiles": ("percent", quantiles(values=[2.0, 1.0]), "quantiles.values"),
    "quantiles twice": ("percent", quantiles(values=[1.0, 1.0]), "quantiles.values"),
    "counts of another length": ("percent", quantiles(counts=[3]), "quantiles.counts"),
    "counts of 0": ("percent", quantiles(counts=[0, 3]), "quantiles.counts"),
    "counts below 0": ("percent", quantiles(counts=[-1, 4]), "quantiles.counts"),
    "counts of another sum": ("percent", quantiles(counts=[1, 1]), "quantiles.n[0]"),
    "offsets of another end": ("percent", quantiles(offsets=[0, 3]), "quantiles.offsets"),
    "quantiles of null": ("percent", quantiles(values=[1.0, None]), "quantiles.values"),
    "no offsets": ("percent", quantiles(offsets=...), "quantiles"),
    "negative bank rows": ("hubs", log_sum_exp(n=-3), "log_sum_exp.n"),
    "too few ids": ("hubs", log_sum_exp(item_ids=["a"]), "log_sum_exp.item_ids"),
    "ids twice": ("hubs", log_sum_exp(item_ids=[MARKER, MARKER]), "log_sum_exp.item_ids"),
    "beta 0": ("hubs", log_sum_exp(beta=0.0), "log_sum_exp.beta"),
    "no beta": ("hubs", log_sum_exp(beta=...), "log_sum_exp"),
    "lse of null": ("hubs", log_sum_exp(item_lse=[None, 1.0]), "log_sum_exp.item_lse"),
    "columns of another length": ("extrema", extrema(max=[1.0, 2.0]), "extrema.max"),
    "min above max": ("extrema", extrema(min=[2.0]), "extrema.min"),
    "a rank error above n": ("percent", quantiles(rank_error=[4.0]), "quantiles.rank_error[0]"),
    "a rank error below 0": ("percent", quantiles(rank_error=[-1.0]), "quantiles.rank_error[0]"),
    "other keys": ("groups", groups({"keys": [["a"], ["c"]]}), "extrema"),
    "other n": ("groups", groups({"n": [[2], [4]]}), "extrema.n"),
    "a mean below its range": ("groups", groups({"min": [[0.6], [0.75]]}), "moments"),
    "a mean above its range": ("groups", groups({"max": [[0.4], [1.5]]}), "moments"),
    "a spread beyond its range": ("groups", groups(m2=[[0.51], [0.375]]), "moments"),
    "min above max in a group": ("groups", groups({"min": [[2.0], [0.75]]}), "extrema[0].min[0]"),
    "other columns": (
        "groups",
        groups({"n": [[2, 2], [3, 3]], "min": [[0, 0], [0, 0]], "max": [[1, 1], [2, 2]]}),
        "extrema",
    ),
    "one mean for all": ("groups", groups(mean=0.5), "moments.mean"),
    "one m2 for all": ("groups", groups(m2=0.25), "moments.m2"),
    "one min for all": ("groups", groups({"min": 0.0}), "extrema.min"),
    "one max for all": ("groups", groups({"max": 1.0}), "extrema.max"),
    "no names of labels": ("groups", groups(group_by=[[]]), "moments.group_by"),
    "names of labels in lists": ("groups", groups(group_by=[["group"]]), "moments.group_by"),
    "keys without labels": ("groups", groups(keys=[[], []]), "moments"),
    "one key without labels": ("groups", groups(keys=[[]], group_by=[]), "moments.keys"),
    "keys too deep": ("groups", groups(keys=[[["a"]], [["b"]]]), "moments.keys[0][0]"),
    "keys of empty lists": ("groups", groups(keys=[[[]], [[]]]), "moments.keys[0][0]"),
    "n below 0": ("extrema", extrema(n=[-1]), "extrema.n"),
}
KEPT_BY = {
    "white": {"method": "whitening"},
    "percent": {"method": "percentile", "params": {"scope": "fitted"}},
    "hubs": {"method": "inverted_softmax", "params": {"beta": 20.0}},
    "groups": {"method": "group_z_score"},
    "extrema": {"method": "min_max", "params": {"scope": "fitted"}},
}


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics_that_cannot_be(client: TestClient, name: str) -> None:
    held, statistics, path = STATISTICS[name]
    place = f"statistics.{path}".rstrip(".")
    asked = [
        ("/v1/transform", {**KEPT_BY[held], "input": {}}),
        (NAMES, {"name": "new", **KEPT_BY[held]}),
        (f"{NAMES}?dry_run=true", {"name": "new", **KEPT_BY[held]}),
    ]
    if held not in ("extrema", "groups"):
        asked += [
            (f"{NAMES}/{held}/versions", {"from": "statistics"}),
            (f"{NAMES}/{held}/versions", {"from": "merge", "refs": [f"{held}@1"]}),
            (f"{NAMES}/{held}/observations", {}),
        ]
    for route, body in asked:
        response = post(client, route, {**body, "statistics": statistics})
        assert response.status_code == 422, (route, response.content)
        assert paths_of(response)[0].startswith(place), route


def test_statistics_of_another_beta(client: TestClient) -> None:
    for route, body in (
        (NAMES, {"name": "new", **KEPT_BY["hubs"]}),
        (f"{NAMES}/hubs/versions", {"from": "statistics"}),
        (f"{NAMES}/hubs/versions", {"from": "merge", "refs": ["hubs@1"]}),
        (f"{NAMES}/hubs/observations", {}),
    ):
        response = post(client, route, {**body, "statistics": log_sum_exp(beta=5.0)})
        assert slug_of(response) == "incompatible-statistics"
        assert paths_of(response) == ["statistics.log_sum_exp.beta"]
