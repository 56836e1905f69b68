import numpy as np
import pytest
from scipy.special import logsumexp

from normalizers.data.arrays import string_array
from normalizers.errors import FitError, IncompatibleStatistics, InvalidInput, NonFiniteError
from normalizers.statistics import LogSumExp, log_sum_exp


@pytest.fixture
def sims():
    return np.random.default_rng(2).uniform(-1, 1, size=(300, 4))


@pytest.mark.parametrize("beta", [0.5, 20.0, 1e5])
def test_sums_agree_with_scipy_at_any_beta(sims, beta):
    statistic = LogSumExp(beta=beta).update(sims)
    np.testing.assert_allclose(statistic.item_lse, logsumexp(beta * sims, axis=0), rtol=1e-13)
    np.testing.assert_allclose(statistic.bias, statistic.item_lse / beta)


def test_the_block_size_does_not_matter(sims, monkeypatch):
    whole = LogSumExp(beta=150.0).update(sims)
    monkeypatch.setattr(log_sum_exp, "BLOCK_SIZE", 7)
    np.testing.assert_allclose(
        LogSumExp(beta=150.0).update(sims).item_lse, whole.item_lse, rtol=1e-14
    )


def test_items_are_aligned_by_id_in_the_first_order(sims):
    ids = string_array(["d", "b", "c", "a"])
    turned = [3, 1, 0, 2]
    first = LogSumExp(beta=20.0).update(sims[:100], ids)
    merged = first.merge(LogSumExp(beta=20.0).update(sims[100:, turned], ids[turned]))
    assert merged.item_ids.tolist() == ids.tolist()
    np.testing.assert_allclose(
        merged.item_lse, LogSumExp(beta=20.0).update(sims).item_lse, rtol=1e-14
    )
    assert merged.n == 300


@pytest.mark.parametrize(
    "other, message",
    [
        (
            lambda s: LogSumExp(beta=10.0).update(s, string_array("abcd")),
            "beta is 20.0 here and 10.0 there",
        ),
        (
            lambda s: LogSumExp(beta=20.0).update(s, string_array("abce")),
            "item 'd' is in one part only",
        ),
        (lambda s: LogSumExp(beta=20.0).update(s), "only one part names its items"),
        (lambda s: LogSumExp(beta=20.0).update(s[:, :3]), "4 items here and 3 there"),
    ],
)
def test_parts_that_do_not_merge(sims, other, message):
    with pytest.raises(IncompatibleStatistics, match=message):
        LogSumExp(beta=20.0).update(sims, string_array("abcd")).merge(other(sims))


def test_another_beta_is_refused_even_while_empty():
    with pytest.raises(IncompatibleStatistics, match="beta"):
        LogSumExp(beta=20.0).merge(LogSumExp(beta=10.0))


def test_parts_from_embeddings_need_ids(sims):
    nameless = LogSumExp(beta=20.0, from_embeddings=True).update(sims[:9]).update(sims[9:])
    with pytest.raises(IncompatibleStatistics, match="from embeddings"):
        nameless.merge(LogSumExp(beta=20.0, from_embeddings=True).update(sims))
    positional = LogSumExp(beta=20.0).update(sims)
    assert positional.merge(positional).n == 600


def test_members_round_trip(sims):
    statistic = LogSumExp(beta=20.0).update(sims, string_array("abcd"))
    again = LogSumExp(beta=20.0).from_arrays(statistic.to_arrays(), "s")
    assert again.item_lse.tolist() == statistic.item_lse.tolist()
    assert again.identity() == statistic.identity()
    assert LogSumExp(beta=20.0).to_arrays() == {}


def test_a_posted_bias_fits_but_does_not_merge(sims):
    posted = LogSumExp().from_arrays({"beta": 20, "item_bias": [0.1, 0.2, 0.3, 0.4]}, "s")
    assert posted.bias.tolist() == [0.1, 0.2, 0.3, 0.4]
    assert posted.summary()["bias_max"] == 0.4
    assert sorted(posted.to_arrays()) == ["beta", "item_bias"]
    with pytest.raises(IncompatibleStatistics, match="item_bias"):
        posted.merge(LogSumExp(beta=20.0).update(sims))


@pytest.mark.parametrize(
    "members, message, path",
    [
        ({"n": 1, "beta": 0.0, "item_lse": [1.0]}, "above 0", "s.beta"),
        ({"n": 0, "beta": 1.0, "item_lse": [1.0]}, "n is 0", "s.n"),
        ({"n": 1, "beta": 1.0, "item_lse": [1.0], "item_ids": ["a", "b"]}, "shape", "s.item_ids"),
        ({"n": 1, "beta": 1.0, "item_lse": [1.0], "item_ids": [""]}, "empty", "s.item_ids[0]"),
        ({"n": 1, "beta": 1.0, "item_lse": [1.0], "item_ids": [3]}, "string", "s.item_ids[0]"),
        ({"n": 1, "beta": 1.0, "item_lse": [1, 2], "item_ids": ["a", "a"]}, "twice", "s.item_ids"),
        ({"n": 1, "beta": 1.0}, "exactly one of", "s"),
    ],
)
def test_wrong_members_are_refused(members, message, path):
    with pytest.raises(InvalidInput, match=message) as caught:
        LogSumExp().from_arrays(members, "s")
    assert caught.value.path == path


def test_posted_beta_must_be_the_fits():
    with pytest.raises(IncompatibleStatistics, match=r"beta 10\.0, this fit has 20\.0"):
        LogSumExp(beta=20.0).from_arrays({"n": 1, "beta": 10, "item_lse": [1.0]}, "s")


def test_rows_need_a_beta_and_finite_similarities():
    with pytest.raises(FitError, match="number for 'beta'"):
        LogSumExp().update(np.zeros((1, 1)))
    for sim in (np.nan, 1e308):
        with pytest.raises(NonFiniteError):
            LogSumExp(beta=20.0).update(np.array([[sim]]))
