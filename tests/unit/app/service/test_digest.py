"""Digests of requests whose data name a method or a version."""

from __future__ import annotations

from app.service.requests.digest import request_digest
from normalizers import MinMax, Percentile
from normalizers.data.batch import MethodReference


def test_a_version_that_a_request_names_counts_by_what_it_holds() -> None:
    one, same, other = (Percentile().fit(scores) for scores in ([1.0, 2.0], [1.0, 2.0], [1.0, 3.0]))
    assert request_digest(MethodReference(one.version_)) == request_digest(
        MethodReference(same.version_)
    )
    assert request_digest(MethodReference(one.version_)) != request_digest(
        MethodReference(other.version_)
    )


def test_a_method_that_a_request_names_counts_by_its_parameters() -> None:
    assert request_digest(MethodReference(MinMax())) == request_digest(MethodReference(MinMax()))
    assert request_digest(MethodReference(MinMax())) != request_digest(
        MethodReference(MinMax(clip=True))
    )
