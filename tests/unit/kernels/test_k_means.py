"""Clusters that are the same for the same rows and seed."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import KMeans

from normalizers.kernels.k_means import k_means, nearest

BLOBS = np.concatenate(
    [np.random.default_rng(k).normal(4.0 * k, 1.0, size=(40, 3)) for k in range(4)]
)


def test_it_is_as_tight_as_a_peer() -> None:
    found = k_means(BLOBS, 4, seed=0)
    peer = KMeans(4, n_init=10, random_state=0).fit(BLOBS)
    assert found.inertia <= peer.inertia_ * (1 + 1e-9)
    np.testing.assert_allclose(
        np.sort(found.centres, axis=0), np.sort(peer.cluster_centers_, axis=0), rtol=1e-9
    )


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_rows_of_any_magnitude_have_the_same_clusters(size: float) -> None:
    np.testing.assert_array_equal(
        k_means(BLOBS * size, 4, seed=1).labels, k_means(BLOBS, 4, seed=1).labels
    )


def test_far_from_the_origin_distances_keep_their_digits() -> None:
    moved = k_means(BLOBS + 1e8, 4, seed=0)
    np.testing.assert_array_equal(moved.labels, k_means(BLOBS, 4, seed=0).labels)


def test_as_many_clusters_as_rows_leave_nothing() -> None:
    assert k_means(BLOBS[:7], 7, seed=0).inertia == pytest.approx(0.0, abs=1e-20)


def test_one_distance_from_two_centres_is_the_first() -> None:
    index, distance = nearest(np.array([[1.0]]), np.array([[0.0], [2.0]]))
    assert (index.tolist(), distance.tolist()) == ([0], [1.0])
