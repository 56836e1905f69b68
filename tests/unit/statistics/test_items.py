"""Statistics of items: whose they are, merging over banks, joining over galleries."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers.bases.bank_statistics import log_sum_exp_of, top_k_of
from normalizers.bases.embedded_bank import EmbeddedBank
from normalizers.data.arrays import string_array
from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.kernels.digests import digest_of_rows
from normalizers.statistics import LogSumExp, TopK

RNG = np.random.default_rng(4)
BANK, GALLERY = RNG.normal(size=(12, 5)), RNG.normal(size=(7, 5))
IDS = string_array("abcdefg")
KINDS = {
    "top_k": lambda bank, ids: top_k_of(bank, 3, ids),
    "log_sum_exp": lambda bank, ids: log_sum_exp_of(bank, 20.0, ids),
}
every_kind = pytest.mark.parametrize("of", KINDS.values(), ids=KINDS)


def embedded(bank: np.ndarray, chosen: object = slice(None)) -> EmbeddedBank:
    return EmbeddedBank(bank, GALLERY[chosen])


@every_kind
def test_k18_items_are_joined_over_the_same_bank(of) -> None:  # type: ignore[no-untyped-def]
    old, new = slice(0, 4), slice(4, 7)
    joined = of(embedded(BANK, old), IDS[old]).join(of(embedded(BANK, new), IDS[new]))
    whole = of(embedded(BANK), IDS)
    assert joined.item_ids.tolist() == IDS.tolist()
    assert joined.identity() == whole.identity()
    for name, array in whole.to_arrays().items():
        if array.dtype.kind == "f":
            np.testing.assert_allclose(joined.to_arrays()[name], array, rtol=1e-14)
        else:
            assert joined.to_arrays()[name].tolist() == array.tolist()


@every_kind
def test_k18_what_joins_merges_with_another_shard_of_the_bank(of) -> None:  # type: ignore[no-untyped-def]
    old, new = slice(0, 4), slice(4, 7)
    shards = [
        of(embedded(rows, old), IDS[old]).join(of(embedded(rows, new), IDS[new]))
        for rows in (BANK[:5], BANK[5:])
    ]
    merged, whole = shards[0].merge(shards[1]), of(embedded(BANK), IDS)
    assert (merged.n, merged.bank_digest) == (whole.n, whole.bank_digest)


@every_kind
@pytest.mark.parametrize(
    "bank, ids, message",
    [
        (BANK[:11], IDS[4:], "12 rows here and 11 there"),
        (BANK + 1, IDS[4:], "other queries"),
        (BANK, string_array("axy"), "item 'a' is in both"),
        (BANK, None, "by their ids"),
    ],
)
def test_k18_items_that_do_not_join(of, bank, ids, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(IncompatibleStatistics, match=message):
        of(embedded(BANK, slice(0, 4)), IDS[:4]).join(of(embedded(bank, slice(4, 7)), ids))


def test_k18_a_bank_that_nobody_knows_is_not_joined() -> None:
    mine = TopK(k=2).update(np.eye(3), string_array("abc"))
    theirs = TopK(k=2).update(np.eye(3), string_array("def"))
    with pytest.raises(IncompatibleStatistics, match="not known that the banks"):
        mine.join(theirs)


@every_kind
def test_k15_another_gallery_of_the_same_names_is_refused(of) -> None:  # type: ignore[no-untyped-def]
    mine = of(EmbeddedBank(BANK, GALLERY), IDS)
    theirs = of(EmbeddedBank(BANK, GALLERY * [1, 1, 1, 1, 2]), IDS)
    with pytest.raises(IncompatibleStatistics, match="other vectors"):
        mine.merge(theirs)


def test_k15_sums_of_normalized_rows_are_other_sums() -> None:
    plain = LogSumExp(beta=2.0).update(np.eye(3))
    rows = LogSumExp(beta=2.0, normalized=True)
    with pytest.raises(IncompatibleStatistics, match="row_normalization"):
        rows.from_arrays(plain.to_arrays(), "s")
    normalized = rows.update(np.eye(3))
    assert rows.from_arrays(normalized.to_arrays(), "s").identity() == normalized.identity()
    with pytest.raises(IncompatibleStatistics) as caught:
        LogSumExp(beta=2.0).from_arrays(normalized.to_arrays(), "s")
    assert caught.value.path == "s.row_normalization"
    with pytest.raises(IncompatibleStatistics, match="whole gallery"):
        normalized.with_values(n=3, item_lse=np.zeros(1), item_ids=string_array("a")).beside(rows)


def test_a_digest_is_of_rows_with_their_names_in_any_order_and_type() -> None:
    rows, order = GALLERY.astype(np.float32), RNG.permutation(7)
    assert digest_of_rows(rows, IDS) == digest_of_rows(rows[order].astype(float), IDS[order])
    assert digest_of_rows(rows, IDS) != digest_of_rows(rows, IDS[::-1])
    assert digest_of_rows(np.zeros((1, 2))) == digest_of_rows(-np.zeros((1, 2)))
    assert digest_of_rows(np.zeros((1, 2))) != digest_of_rows(np.zeros((2, 2)))


@pytest.mark.parametrize(
    "members, message, path",
    [
        ({"n": 3, "values": [[1.0, 0.5], [1.0, 2.0]]}, "rise", "s.values[1][0]"),
        ({"n": 1, "values": [[1.0, 0.5]]}, "of 1 bank rows 1 are kept", "s.values"),
        ({"n": 0, "values": [[1.0, 0.5]]}, "n is 0", "s.n"),
        ({"values": [[1.0, 0.5]]}, "'n' is missing", "s"),
        ({"n": 2, "values": [1.0]}, "shape", "s.values"),
        ({"n": 2, "values": [[1.0, 0.5]], "bank_digest": ["x"]}, "digest", "s.bank_digest"),
    ],
)
def test_wrong_members_are_refused(members, message, path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidInput, match=message) as caught:
        TopK(k=2).from_arrays(members, "s")
    assert caught.value.path == path


def test_the_largest_are_kept_as_float32_where_they_came_so() -> None:
    bank = EmbeddedBank(BANK.astype(np.float32), GALLERY.astype(np.float32))
    kept = top_k_of(bank, 3, IDS)
    assert kept.values.dtype == np.float32
    assert TopK(k=3).from_arrays(kept.to_arrays(), "s").values.dtype == np.float32
