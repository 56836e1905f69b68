"""Rows with axes of their own, in every form of bodies."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from app.settings import Settings
from normalizers import Standardization
from normd.client import Client
from normd.client.forms import FormName

WINDOWS = np.random.default_rng(2).normal(size=(4, 3, 2))


@pytest.mark.parametrize("form", get_args(FormName))
def test_k4_windows_come_back_as_windows(form: FormName, tmp_path) -> None:  # type: ignore[no-untyped-def]
    expected = Standardization().fit(WINDOWS).transform(WINDOWS)
    with Client.local(Settings(data=tmp_path)) as client:
        client.fit("columns", "standardization", WINDOWS)
        found = client.transform("columns", WINDOWS, form=form)
        back = client.inverse("columns", found, form=form)
    assert np.array_equal(found, expected)
    np.testing.assert_allclose(back, WINDOWS, rtol=1e-12)
