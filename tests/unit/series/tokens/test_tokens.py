from __future__ import annotations

import numpy as np
import pytest

from normalizers import ChronosBins, LlmtimeScale, LlmtimeSerialize, TokenInteger
from normalizers.errors import InvalidInput, InvalidParams

SERIES = np.array([0.5, 3.52, -12.5, 0.0])


def test_text_of_a_language_model_reads_back_to_the_digit() -> None:
    method = LlmtimeSerialize(prec=2, half_bin_correction=False)
    text = method.apply_to(SERIES, layout="T")["text"]
    assert text.tolist() == [" 5 0 , 3 5 2 , - 1 2 5 0 , 0 ,"]
    np.testing.assert_allclose(method.inverse_to(text)["x"].values, SERIES, atol=0.01)


def test_a_gap_is_a_word_and_comes_back_as_a_gap() -> None:
    method = LlmtimeSerialize(prec=1)
    text = method.apply_to([1.5, None, 2.5], layout="T")["text"]
    assert "Nan" in text[0]
    np.testing.assert_array_equal(np.isnan(method.inverse_to(text)["x"].values), [0, 1, 0])


def test_a_word_that_is_no_number_is_told_with_its_place() -> None:
    with pytest.raises(InvalidInput, match=r"number 1, is no number"):
        LlmtimeSerialize().inverse_to(["5 0 , x ,"])
    with pytest.raises(InvalidInput):
        LlmtimeSerialize(max_val=10.0).transform([11.0], layout="T")
    with pytest.raises(InvalidInput):
        LlmtimeSerialize(signed=False).transform([-1.0], layout="T")


def test_tokon_numbers_of_three_digits_are_one_token_each() -> None:
    method = TokenInteger()
    answer = method.apply_to([17.3, 17.5, 18.1, 19.0, 1e9], layout="T")
    found = answer["y"]
    assert ((found >= 0) & (found <= 999) & (found == np.rint(found))).all()
    small = method.apply_to([17.3, 17.5, 18.1, 19.0], layout="T")
    back = method.inverse_transform(small["y"], loc=small["loc"], scale=small["scale"], layout="T")
    np.testing.assert_allclose(
        back, [17.3, 17.5, 18.1, 19.0], atol=float(np.ravel(small["scale"])[0]) / 200
    )


def test_a_value_far_away_is_clipped_flagged_and_counted() -> None:
    answer = TokenInteger(target_std=1000.0).apply_to([0.0, 0.0, 0.0, 9.0], layout="T")
    assert answer.flags["clipped"].tolist() == [[0, 0]]
    assert answer.report["clipped"] >= 1


def test_bins_of_chronos_pad_gaps_and_end_where_asked() -> None:
    answer = ChronosBins(append_eos=True).apply_to([1.0, None, 3.0], layout="T")
    assert answer["token_ids"][1] == 0
    assert answer["token_ids"][-1] == 1
    with pytest.raises(InvalidParams):
        ChronosBins(low=2.0, high=1.0).transform([1.0], layout="T")


def test_a_scale_of_llmtime_is_stored_and_used_for_a_forecast() -> None:
    method = LlmtimeScale().fit([1.0, 2.0, 3.0, 50.0], layout="T")
    y = method.transform([4.0, 100.0], layout="T")
    np.testing.assert_allclose(method.inverse_transform(y, layout="T"), [4.0, 100.0], rtol=1e-12)
