"""What all calibrators that are fitted on labels do alike."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import (
    BetaCalibration,
    Isotonic,
    Logistic,
    Normalizer,
    Platt,
    TemperatureScaling,
    errors,
    load,
)
from tests.unit.scores.calibration.samples import LABELS, NAN, SCORES, codes, log_loss

EVERY = [Platt, Logistic, Isotonic, BetaCalibration, TemperatureScaling]
every_calibrator = pytest.mark.parametrize("cls", EVERY, ids=lambda cls: cls.name)


def sent(cls: type[Normalizer], scores: object) -> np.ndarray:
    """Return scores as what a calibrator takes."""
    values = np.asarray(scores, dtype=np.float64)
    return 1 / (1 + np.exp(3 - values)) if cls is BetaCalibration else values - 3


def fitted(cls: type[Normalizer], scores=SCORES, labels=LABELS, **params):
    rest = {name: params.pop(name) for name in ("sample_weights",) if name in params}
    return cls(**params).fit(sent(cls, scores), labels=labels, **rest)


@every_calibrator
def test_the_fit_reports_what_it_saw(cls) -> None:
    calibrator = fitted(cls)
    report, x = calibrator.report_, sent(cls, SCORES)
    assert report["n"] == 300
    assert report["positives"] == LABELS.sum()
    assert report["range"] == [x.min(), x.max()]
    probabilities = np.clip(calibrator.transform(x), 1e-300, 1 - 1e-16)
    assert report["log_loss"] == pytest.approx(log_loss(probabilities, LABELS), rel=1e-12)
    base = np.full(300, LABELS.mean())
    assert report["base_log_loss"] == pytest.approx(log_loss(base, LABELS), rel=1e-12)
    assert report["log_loss"] < report["base_log_loss"]
    assert codes(calibrator) == set()


@every_calibrator
def test_shards_add_up_to_one_fit(cls) -> None:
    whole, x = fitted(cls), sent(cls, SCORES)
    merged = fitted(cls, SCORES[:70], LABELS[:70]).merge(fitted(cls, SCORES[70:], LABELS[70:]))
    streamed = cls().partial_fit(x[:200], labels=LABELS[:200])
    streamed = streamed.partial_fit(x[200:], labels=LABELS[200:])
    for other in (merged, streamed):
        np.testing.assert_allclose(other.transform(x), whole.transform(x), rtol=1e-12)


@every_calibrator
def test_weights_are_repeated_rows(cls) -> None:
    times = np.random.default_rng(1).integers(0, 4, size=300)
    weighted = fitted(cls, sample_weights=times.astype(float))
    repeated = fitted(cls, np.repeat(SCORES, times), np.repeat(LABELS, times))
    x = sent(cls, SCORES)
    np.testing.assert_allclose(weighted.transform(x), repeated.transform(x), rtol=1e-9)
    assert weighted.report_["positives"] == repeated.report_["positives"]


@every_calibrator
def test_one_class_only_is_refused(cls) -> None:
    for label in (0.0, 1.0):
        with pytest.raises(errors.FitError, match=f"one class only: no label is {1 - int(label)}"):
            fitted(cls, [1.0, 2.0], [label, label])
    with pytest.raises(errors.NotEnoughData):
        fitted(cls, [], [])


@every_calibrator
def test_fewer_than_thirty_positives_are_few(cls) -> None:
    few = fitted(cls, SCORES[:60], LABELS[:60])
    assert LABELS[:60].sum() < 30
    assert "few_positives" in codes(few)


@every_calibrator
def test_labels_are_0_or_1_and_weights_not_negative(cls) -> None:
    with pytest.raises(errors.InvalidInput) as caught:
        fitted(cls, [1.0, 2.0, 3.0], [0, 2, 1])
    assert caught.value.path == "fit.labels[1]"
    with pytest.raises(errors.InvalidInput):
        fitted(cls, [1.0, 2.0], [0, 0.5])
    with pytest.raises(errors.InvalidInput) as caught:
        fitted(cls, [1.0, 2.0], [0, 1], sample_weights=[1.0, -1.0])
    assert caught.value.path == "fit.sample_weights[1]"
    with pytest.raises(errors.ShapeError):
        fitted(cls, [1.0, 2.0], [0, 1, 1])


@every_calibrator
def test_posted_knots_are_those_of_labels(cls) -> None:
    x = sent(cls, [2.0, 3.5, 5.0]).tolist()
    knots = {"x": x, "n": [4, 4, 4], "weight": [4.0] * 3, "mean": [0.25, 0.5, 0.75]}
    labels = [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1]
    posted = cls().fit_statistics(knots={**knots, "m2": [0.75, 1.0, 0.75]})
    expected = fitted(cls, np.repeat([2.0, 3.5, 5.0], 4), labels)
    np.testing.assert_allclose(posted.transform(x), expected.transform(x), rtol=1e-12)
    with pytest.raises(errors.InvalidInput) as caught:
        cls().fit_statistics(knots={**knots, "mean": [0.25, 1.5, 0.75], "m2": [0.75, 1.0, 0.75]})
    assert caught.value.path == "statistics.knots.mean[1]"


@every_calibrator
def test_a_missing_score_is_left_out_and_missing_in_its_place(cls) -> None:
    scores, labels = [NAN, *SCORES], [1.0, *LABELS]
    with pytest.raises(errors.NonFiniteError) as caught:
        fitted(cls, scores, labels)
    assert caught.value.path == f"fit.{cls.sent}[0]"
    calibrator = fitted(cls, scores, labels, nan_policy="omit")
    asked = sent(cls, [2.0, NAN, 4.0])
    answer = calibrator.apply_to(asked)
    assert answer["probabilities"][[0, 2]].tolist() == fitted(cls).transform(asked[[0, 2]]).tolist()
    assert answer.flags["missing"].tolist() == [[0, 1]]


@every_calibrator
def test_scores_beyond_the_fitted_ones_are_flagged(cls) -> None:
    answer = fitted(cls).apply_to([sent(cls, [-30.0, 2.0]), sent(cls, [4.0, 25.0])])
    assert answer.flags["out_of_range"].tolist() == [[0, 0], [1, 1]]
    assert answer.report == {"out_of_range": 0.5}
    assert np.isfinite(np.concatenate(answer["probabilities"])).all()


@every_calibrator
def test_one_distinct_score_gives_the_share_of_positives(cls) -> None:
    if cls is TemperatureScaling:
        return
    calibrator = fitted(cls, [4.0] * 4, [0, 1, 1, 1])
    assert "constant_scores" in codes(calibrator)
    share = (3 * 4 / 5 + 1 / 3) / 4 if cls is Platt else 3 / 4
    np.testing.assert_allclose(calibrator.transform(sent(cls, [4.0, 4.5])), share, rtol=1e-14)


@every_calibrator
def test_the_bits_depend_on_no_neighbour_and_come_back_from_a_file(cls, tmp_path) -> None:
    calibrator, x = fitted(cls), sent(cls, SCORES)
    alone = [calibrator.transform(x[i : i + 1])[0] for i in range(40)]
    assert calibrator.transform(x)[:40].tolist() == alone
    calibrator.save(tmp_path / "fit")
    assert load(tmp_path / "fit").transform(x).tolist() == calibrator.transform(x).tolist()


def test_a_calibrated_threshold_holds_across_queries() -> None:
    """weaviate/weaviate#4315: a weak query's best hits stay below those of a strong one."""
    calibrator = Platt().fit(
        [22.0, 19.0, 17.0, 15.0, 6.0, 4.0, 2.0, 1.5, 1.2, 0.5],
        labels=[1, 1, 1, 0, 1, 0, 0, 0, 0, 0],
    )
    strong, nonsense = calibrator.transform([[20.0, 18.0, 3.0], [1.1, 1.0, 0.9]])
    assert strong[:2].min() > nonsense.max()
    assert strong[1] > 0.5 > nonsense[0]


@pytest.mark.parametrize("cls", [Platt, Logistic, Isotonic], ids=lambda cls: cls.name)
def test_a_distance_is_calibrated_in_its_own_direction(cls) -> None:
    similar = fitted(cls)
    distant = cls(higher_is_better=False).fit(-sent(cls, SCORES), labels=LABELS)
    np.testing.assert_allclose(
        distant.transform(-sent(cls, SCORES)), similar.transform(sent(cls, SCORES)), rtol=1e-11
    )
    assert "negative_slope" not in codes(distant)


@pytest.mark.parametrize("cls", [Platt, Logistic], ids=lambda cls: cls.name)
def test_a_slope_against_the_direction_is_told(cls) -> None:
    assert "negative_slope" in codes(fitted(cls, -SCORES))
    assert "negative_slope" in codes(fitted(cls, higher_is_better=False))


@pytest.mark.parametrize("cls", [Platt, Logistic, Isotonic], ids=lambda cls: cls.name)
def test_a_similarity_says_the_direction(cls) -> None:
    x = -sent(cls, SCORES)
    named = cls(similarity="l2").fit(x, labels=LABELS)
    told = cls(higher_is_better=False).fit(x, labels=LABELS)
    assert named.transform(x).tolist() == told.transform(x).tolist()
    assert named.version_.resolved["higher_is_better"] is False
    with pytest.raises(errors.InvalidParams, match="'l2' means higher_is_better false"):
        fitted(cls, similarity="l2", higher_is_better=True)
