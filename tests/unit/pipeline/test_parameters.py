"""Parameters of steps, and which of them the data settle."""

from __future__ import annotations

import numpy as np
import pytest

from normalizers import InvertedSoftmax
from normalizers.contract.resolution import given_statistics_params, params_affecting
from normalizers.errors import InvalidParams
from tests.unit.pipeline.samples import BANK, ROWS, array, pipeline, through_a_file


def test_parameters_of_a_step_affect_what_they_affect_in_their_method() -> None:
    chain = pipeline({"method": "whitening", "params": {"pre": "l2", "eps_rel": 1.0}}).fit(ROWS)
    worker = chain.version_.resolved_method
    assert params_affecting(worker, "statistics") == {
        "steps": [{"pre": "l2", "weight_kind": "none", "moments": 2, "scope": "fitted"}]
    }
    assert params_affecting(worker, "answer")["steps"][0]["post"] == "none"  # type: ignore[index]
    assert params_affecting(worker, "solution")["steps"][0]["eps_rel"] == 1.0  # type: ignore[index]
    given = given_statistics_params(chain.validated())
    again = pipeline({"method": "whitening", "params": {"pre": "l2", "eps_rel": 2.0}}).validated()
    other = pipeline({"method": "whitening", "params": {"eps_rel": 1.0}}).validated()
    assert given_statistics_params(again) == given
    assert given_statistics_params(other) != given


def test_a_first_step_settles_its_parameter_from_the_data() -> None:
    chain = pipeline("inverted_softmax").fit(bank_sims=BANK)
    alone = InvertedSoftmax().fit(BANK)
    np.testing.assert_array_equal(chain.transform(BANK), alone.transform(BANK))
    resolved = chain.version_.resolved_method.parts[0].method  # type: ignore[attr-defined]
    assert resolved.beta == alone.version_.resolved_method.beta  # type: ignore[attr-defined]
    again = through_a_file(chain.version_)
    np.testing.assert_array_equal(
        array(again.transform({"sims": BANK})["scores"]), alone.transform(BANK)
    )


def test_a_stream_needs_the_parameter_that_the_data_would_decide() -> None:
    with pytest.raises(InvalidParams, match="fit once with auto, then use this value"):
        pipeline("inverted_softmax").partial_fit(bank_sims=BANK)
    step = {"method": "inverted_softmax", "params": {"beta": 5.0}}
    chain = pipeline(step).partial_fit(bank_sims=BANK[:4]).partial_fit(bank_sims=BANK[4:])
    whole = pipeline(step).fit(bank_sims=BANK)
    np.testing.assert_allclose(chain.transform(BANK), whole.transform(BANK), rtol=1e-12)
