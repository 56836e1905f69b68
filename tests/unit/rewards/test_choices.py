"""Answer choices: scores by length and baseline, mass of valid choices, truncated softmax."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import ChoiceMass, ChoiceScores, TruncatedSoftmax
from normalizers.catalogue.catalogue import CATALOGUE
from normalizers.errors import InvalidInput, InvalidParams, NonFiniteError, UnsupportedOperation

CHOICES, LOGS = ["猫咪", "кот", "cat"], [-9.6, -8.7, -8.4]


def best(**params: object) -> int:
    given = {"texts": CHOICES} if params.get("unit") != "none" else {}
    return int(ChoiceScores(**params).apply_to(LOGS, **given).output["argmax"][0])  # type: ignore[index, arg-type]


def test_harness_3278_characters_and_bytes_pick_other_choices_and_the_unit_is_required() -> None:
    assert (best(unit="none"), best(unit="characters"), best(unit="bytes")) == (2, 2, 1)
    with pytest.raises(InvalidParams, match="name the unit"):
        ChoiceScores().transform(LOGS, texts=CHOICES)


def test_the_leading_space_is_not_counted() -> None:
    spaced = ChoiceScores(unit="characters").transform([-4.0], texts=[" yes"])
    np.testing.assert_allclose(spaced, [-4.0 / 3])


def test_tokens_come_as_choice_lengths() -> None:
    found = ChoiceScores(unit="tokens").transform([-4.0, -6.0], choice_lengths=[2, 3])
    assert found.tolist() == [-2.0, -2.0]
    with pytest.raises(InvalidInput, match="needs choice_lengths"):
        ChoiceScores(unit="tokens").transform([-4.0], texts=["yes"])


def test_the_first_of_equal_best_choices_wins_and_the_tie_is_told() -> None:
    answer = ChoiceScores(unit="none").apply_to([[-1.0, -1.0], [-2.0, -1.0], [-3.0]])
    assert answer.output["argmax"].tolist() == [0, 1, 0]  # type: ignore[union-attr]
    assert answer.output["tie"].tolist() == [1, 0, 0]  # type: ignore[union-attr]


def test_an_empty_choice_is_refused_where_its_length_divides() -> None:
    with pytest.raises(InvalidInput) as refused:
        ChoiceScores(unit="bytes").transform([[-1.0, -2.0]], texts=[["a", ""]])
    assert refused.value.path == "input.texts[0][1]"
    assert ChoiceScores(unit="none").transform([[-1.0]], texts=[[""]])[0].tolist() == [-1.0]
    with pytest.raises(InvalidInput):
        ChoiceScores(unit="tokens").transform([[-1.0]], choice_lengths=[[0]])


def test_an_impossible_choice_has_probability_0_and_no_score() -> None:
    answer = ChoiceScores(unit="none", softmax=True).apply_to(probs=[[0.5, 0.0, 0.25]])
    assert np.isnan(answer.output["scores"][0][1])  # type: ignore[index]
    assert answer.flags["missing"].tolist() == [[0, 1]]
    np.testing.assert_allclose(answer.output["probabilities"][0], [2 / 3, 0.0, 1 / 3])  # type: ignore[index]
    in_python = ChoiceScores(unit="none").apply_to([-np.inf, -1.0])
    assert in_python.output["argmax"].tolist() == [1]  # type: ignore[union-attr]
    nothing = ChoiceScores(unit="none").apply_to([-np.inf])
    assert nothing.output["argmax"].tolist() == [-1]  # type: ignore[union-attr]


def test_pmi_is_less_the_baseline_and_undefined_without_a_possible_one() -> None:
    pmi = CATALOGUE.create("pmi_dc", {})
    answer = pmi.apply_to(  # type: ignore[attr-defined]
        [-4.0, -6.0, -5.0], baseline_loglikelihoods=[-3.0, -9.0, -np.inf]
    )
    np.testing.assert_allclose(answer.output["scores"], [-1.0, 3.0, np.nan])
    assert answer.flags["degenerate"].tolist() == [[0, 2]]
    assert answer.output["argmax"].tolist() == [1]
    with pytest.raises(InvalidInput, match="without the context"):
        pmi.apply_to([-4.0])  # type: ignore[attr-defined]


def test_baselines_are_stored_by_choice_and_a_transform_needs_the_rest() -> None:
    made = ChoiceScores(unit="none", baseline="pmi", scope="fitted")
    made.fit([-3.0, -9.0], choice_ids=["yes", "no"])
    found = made.transform([[-4.0, -6.0], [-1.0]], choice_ids=[["yes", "no"], ["no"]])
    assert [part.tolist() for part in found] == [[-1.0, 3.0], [8.0]]
    made.partial_fit([-5.0], choice_ids=["yes"])
    assert made.transform([-4.0], choice_ids=["yes"]).tolist() == [0.0]
    with pytest.raises(InvalidInput) as refused:
        made.transform([[-4.0]], choice_ids=[["perhaps"]])
    assert refused.value.path == "input.choice_ids[0][0]"
    with pytest.raises(InvalidParams, match="pmi"):
        ChoiceScores(unit="none", scope="fitted").fit([-3.0], choice_ids=["yes"])


def test_a_missing_log_probability_is_refused_with_its_place() -> None:
    with pytest.raises(NonFiniteError) as refused:
        ChoiceScores(unit="none").transform([[-1.0], [None, -2.0]])
    assert refused.value.path == "input.loglikelihoods[1][0]"


def test_a_prediction_is_safe_where_the_rest_cannot_change_it() -> None:
    answer = ChoiceMass().apply_to(probs=[[0.6, 0.3], [0.4, 0.3], [0.5, 0.5]])
    assert answer.output["safe"].tolist() == [1, 0, 0]  # type: ignore[union-attr]
    np.testing.assert_allclose(answer.output["margin"], [0.3, 0.1, 0.0], atol=1e-15)
    tiny = ChoiceMass().apply_to([-800.0, -801.0])
    assert tiny.output["mass"][0] == pytest.approx(0.0, abs=1e-300)  # type: ignore[index]


def test_choices_of_one_name_count_once_and_two_are_needed() -> None:
    answer = ChoiceMass().apply_to(probs=[[0.3, 0.3, 0.4]], choice_ids=[["a", "a", "b"]])
    np.testing.assert_allclose(answer.output["mass"], [0.7])
    with pytest.raises(InvalidInput, match="two distinct"):
        ChoiceMass().apply_to(probs=[[0.3, 0.3]], choice_ids=[["a", "a"]])
    with pytest.raises(InvalidInput, match="above 1"):
        ChoiceMass().apply_to(probs=[[0.75, 0.5]])
    rounded = ChoiceMass().apply_to(probs=[[0.5, 0.5 + 1e-10]])
    assert rounded.output["mass"][0] == pytest.approx(1.0)  # type: ignore[index]


def kept(scores: object, **params: object) -> list[float]:
    return np.asarray(TruncatedSoftmax(**params).transform(scores)).tolist()  # type: ignore[arg-type]


def test_large_logits_do_not_overflow() -> None:
    assert kept([1e4, -1e4, 1e4], top_k=1, ties="index") == [1.0, 0.0, 0.0]
    assert kept([-1e4, -1e4]) == [0.5, 0.5]


def test_ties_at_the_cut_are_all_kept_or_the_earlier() -> None:
    assert kept([0.25, 0.25, 0.5], form="probs", top_k=2) == [0.25, 0.25, 0.5]
    found = kept([0.25, 0.25, 0.5], form="probs", top_k=2, ties="index")
    np.testing.assert_allclose(found, [1 / 3, 0.0, 2 / 3])


def test_top_p_of_1_keeps_all_and_at_least_one_is_kept() -> None:
    assert kept([0.1] * 10, form="probs", top_p=1.0) == pytest.approx([0.1] * 10)
    assert kept([0.9, 0.1], form="probs", top_p=1e-9) == [1.0, 0.0]


def test_impossible_entries_get_0_and_a_list_of_none_but_those_is_refused() -> None:
    assert kept([0.0, 1.0, 3.0], form="probs") == [0.0, 0.25, 0.75]
    assert kept([-np.inf, 0.0]) == [0.0, 1.0]
    for scores, form in (([0.0, 0.0], "probs"), ([-np.inf], "logits")):
        with pytest.raises(InvalidInput, match="impossible"):
            kept(scores, form=form)
    with pytest.raises(NonFiniteError):
        kept([1.0, None])
    with pytest.raises(InvalidParams):
        kept([1.0], temperature=0.0)


def test_log_masses_of_steps_add_up_and_p_comes_back() -> None:
    method = TruncatedSoftmax(form="probs", top_k=2)
    answer = method.apply_to([[0.5, 0.3, 0.2], [0.6, 0.4, 0.0]])
    total = np.sum(answer.output["log_kept_mass"])  # type: ignore[arg-type]
    np.testing.assert_allclose(np.exp(total), 0.8)
    back = method.inverse_transform(
        answer.output["probabilities"], kept_mass=answer.output["kept_mass"]
    )
    np.testing.assert_allclose(back[0], [0.5, 0.3, 0.0])
    with pytest.raises(UnsupportedOperation):
        TruncatedSoftmax(temperature=2.0).inverse_transform([[1.0]], kept_mass=[1.0])
