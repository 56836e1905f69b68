"""What completion shows of a normalizer: what its user may use."""

from __future__ import annotations

import pytest

from normalizers import Whitening
from normalizers.contract.method import Method

FITTED = Whitening(eps_rel=1.0).fit([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]])
SHOWN = {
    "fit", "partial_fit", "merge", "transform", "fit_transform", "inverse_transform", "apply_to",
    "save", "get_params", "set_params", "set_output", "variant", "eps_rel", "fitted_", "report_",
    "statistics_", "version_",
}  # fmt: skip


def test_completion_shows_what_a_user_may_use() -> None:
    assert set(dir(FITTED)) >= SHOWN
    for name in SHOWN:
        getattr(FITTED, name)


def test_completion_shows_no_word_of_the_contract() -> None:
    contract = {name for name in vars(Method) if not name.startswith("_")}
    contract -= {"parameters", *FITTED.parameters}  # which a user may look at
    assert not set(dir(FITTED)) & (contract | {"validated", "check", "with_values"})


def test_no_more_than_fifty_names_are_shown_beside_the_parameters() -> None:
    public = {name for name in dir(FITTED) if not name.startswith("_")}
    assert len(public - set(FITTED.parameters)) <= 50


@pytest.mark.parametrize("name", ["keeps", "solve"])
def test_what_is_not_shown_is_there(name: str) -> None:
    assert hasattr(FITTED, name)
