from __future__ import annotations

import pytest

from normalizers import MinMax, Percentile
from normalizers.errors import InvalidParams
from normalizers.scores.lists.base.scoped import ScopedScoreMethod


@pytest.mark.parametrize("method", [MinMax, Percentile])
@pytest.mark.parametrize(
    ("scope", "named"), [("group", "group_"), ("window", "window_"), ("channel", "channel_")]
)
def test_another_scope_names_the_method_that_has_it(
    method: type[ScopedScoreMethod], scope: str, named: str
) -> None:
    with pytest.raises(InvalidParams, match=f"{named}{method.name}") as caught:
        method(scope=scope).transform([1.0, 2.0])  # type: ignore[arg-type]
    assert caught.value.path == "params.scope"


@pytest.mark.parametrize(("alias", "canonical"), [("list", "query"), ("frozen", "fitted")])
def test_other_words_for_a_scope_are_stored_by_the_canonical_one(
    alias: str, canonical: str
) -> None:
    assert MinMax(scope=alias).validated().scope == canonical  # type: ignore[arg-type]
    assert MinMax(scope=alias).fit([1.0, 2.0]).version_.resolved["scope"] == canonical  # type: ignore[arg-type]
