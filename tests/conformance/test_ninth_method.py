"""A method that the product does not know: one class, and everything else follows from it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from app.main import create_app
from normalizers.catalogue import catalogue as built_in
from normalizers.catalogue.catalogue import Catalogue
from normalizers.catalogue.third_party import ENTRY_POINTS
from normalizers.contract.answer import Answer, Options
from normalizers.contract.example import Example
from normalizers.contract.fields import Fields, floats
from normalizers.contract.fitted import Fitted
from normalizers.contract.parameters import param, unwrap
from normalizers.data.batch import Batch
from normalizers.normalizer import Normalizer
from normalizers.statistics import Extrema, Statistics
from tests.conformance.cases import cases_of
from tests.conformance.running import name_of, named, pairs, perform
from tests.conformance.service import Service, serving


class ColumnMaxAbs(Normalizer):
    """Divide every column by the largest size it had in the fit: y = limit x / max |x|.

    The largest size comes from the smallest and largest value of each column, which merge.

    Notes
    -----
    Missing values are refused. Ties keep equal values. A column of zeros is divided by 1.
    Cost O(n d).

    References
    ----------
    Written for this test.

    Examples
    --------
    >>> from tests.conformance.test_ninth_method import ColumnMaxAbs
    >>> ColumnMaxAbs().fit([[1.0, -4.0], [2.0, 1.0]]).transform([[1.0, 1.0]]).tolist()
    [[0.5, 0.25]]
    """

    name = "column_max_abs"
    family = "embeddings"
    kinds = ("fitted",)
    aliases = {"max_abs_columns": {}}
    fits = Fields(x=floats("n d", flat="row", leading=True, help="rows"))
    takes = Fields(x=floats("m d", flat="row", leading=True, help="rows"))
    gives = Fields(y=floats("m d", flat="row", leading=True, help="rows between -limit and limit"))
    inverse_takes = gives
    keeps = {"extrema": Extrema()}
    example = Example(fit={"x": [[1.0, -4.0], [2.0, 1.0]]}, input={"x": [[1.0, 1.0]]})

    limit: float | None = param(
        default=None,
        default_value=1.0,
        gt=0,
        affects="answer",
        help="what the largest size becomes",
    )

    def accumulate(self, statistics: Statistics, batch: Batch) -> Statistics:
        """Add the rows to the extrema."""
        extrema = cast(Extrema, statistics["extrema"])
        return statistics.replace(extrema=extrema.update(batch.array("x")))

    def solve(self, statistics: Statistics) -> Fitted:
        """Return the largest size of each column."""
        extrema = cast(Extrema, statistics["extrema"])
        largest = np.maximum(np.abs(extrema.min), np.abs(extrema.max))
        return Fitted({"largest": np.where(largest > 0, largest, 1.0)}, {"d": len(largest)})

    def apply(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the rows divided."""
        with np.errstate(over="ignore"):
            answer = Answer({"y": given.array("x") / fitted["largest"] * unwrap(self.limit)})
        parts = {"largest": fitted["largest"].tolist()}
        return replace(answer, explain=parts) if options.explain else answer

    def undo(self, fitted: Fitted, given: Batch, options: Options) -> Answer:
        """Return the rows multiplied."""
        with np.errstate(over="ignore"):
            return Answer({"x": given.array("y") / unwrap(self.limit) * fitted["largest"]})


NINTH = built_in.CATALOGUE.with_methods(ColumnMaxAbs)
LEFT_OUT = {"golden_cases_exist"}  # no independent implementation
PAIRS = [
    (case, check)
    for case, check in pairs(cases_of(NINTH, [ColumnMaxAbs]))
    if name_of(check) not in LEFT_OUT
]
FIT = {"x": [[1.0, -4.0], [2.0, 1.0]]}
MORE = {"x": [[-8.0, 2.0]]}
GIVEN = {"input": {"x": [[1.0, 1.0]]}}
DISTRIBUTION = "Metadata-Version: 2.1\nName: ninth\nVersion: 0.1\n"
PATH = "/v1/normalizers"


@pytest.fixture(scope="module")
def service(tmp_path_factory) -> Iterator[Service]:
    with serving(tmp_path_factory.mktemp("service"), NINTH) as started:
        yield started


@pytest.mark.parametrize("case, check", named(PAIRS))
def test_it_passes_the_conformance_checks(case, check, service: Service, tmp_path) -> None:
    perform(case, check, service, tmp_path)


def test_the_catalogue_lists_it(service: Service) -> None:
    listed = {item["name"]: item for item in service.json("GET", "/v1/methods")["items"]}
    shown = listed["column_max_abs"]
    assert shown == service.json("GET", "/v1/methods/Max-Abs-Columns")
    assert shown["summary"].startswith("Divide every column")
    assert shown["affects"] == {"limit": "answer", "source": "statistics"}
    assert shown["statistics"] == ["extrema"]
    assert shown["capabilities"]["invertible"] is True
    assert "column_max_abs" not in built_in.CATALOGUE


def test_the_openapi_document_describes_it(service: Service) -> None:
    document = service.json("GET", "/openapi.json")
    limit = document["components"]["schemas"]["column_max_abs.params"]["properties"]["limit"]
    assert limit["default"] == 1.0
    assert limit["description"] == "what the largest size becomes"
    assert {"type": "number", "exclusiveMinimum": 0} in [
        {key: choice[key] for key in ("type", "exclusiveMinimum") if key in choice}
        for choice in limit["anyOf"]
    ]
    body = document["paths"]["/v1/transform"]["post"]["requestBody"]["content"]
    example = body["application/json"]["examples"]["column_max_abs"]["value"]
    assert example["fit"] == FIT
    assert json.dumps(document).count("column_max_abs.transform") >= 2


def test_one_request_transforms(service: Service) -> None:
    body = {"method": "column_max_abs", "params": {"limit": 2.0}, "fit": FIT, **GIVEN}
    answered = service.json("POST", "/v1/transform", body)
    assert answered["output"] == {"y": [[1.0, 0.5]]}
    assert answered["effective_params"] == {"limit": 2.0}
    back = {**body, "input": {"y": [[1.0, 0.5]]}}
    assert service.json("POST", "/v1/inverse", back)["output"] == {"x": [[1.0, 1.0]]}


def test_a_wrong_parameter_is_named(service: Service) -> None:
    body = {"method": "column_max_abs", "params": {"limits": 2.0}, "fit": FIT, **GIVEN}
    status, problem = service.ask("POST", "/v1/transform", body)
    assert status == 422
    assert problem["errors"][0]["path"] == "params.limits"
    assert "did you mean 'limit'" in problem["detail"]


def test_it_lives_as_a_name_with_versions(service: Service) -> None:
    described = {"name": "ninth", "method": "max_abs_columns"}
    assert service.json("POST", PATH, described)["version"] is None
    for part in (FIT, MORE):
        service.json("POST", f"{PATH}/ninth/observations", {"fit": part})
    observed = service.json("GET", f"{PATH}/ninth/observations")["statistics"]
    assert observed["extrema"]["max"] == [2.0, 2.0]
    made = service.json("POST", f"{PATH}/ninth/versions", {"from": "observations"})
    assert (made["version"], made["n"]) == (1, 3)
    assert service.json("GET", f"{PATH}/ninth@1/fitted")["fitted"] == {"largest": [8.0, 4.0]}
    wider = {"from": "params", "params": {"limit": 8.0}}
    assert service.json("POST", f"{PATH}/ninth/versions", wider)["version"] == 2
    answered = service.json("POST", f"{PATH}/ninth/transform", GIVEN)
    assert answered["output"] == {"y": [[1.0, 2.0]]}
    doubled = {"from": "merge", "refs": ["ninth@1", "ninth@2"]}
    assert service.json("POST", f"{PATH}/ninth/versions", doubled)["n"] == 6


def test_its_file_travels(service: Service) -> None:
    created = service.json("POST", PATH, {"name": "here", "method": "column_max_abs", "fit": FIT})
    content = service.bytes("GET", f"{PATH}/here/export", b"", {})
    sent = {"content-type": "application/vnd.safetensors"}
    imported = json.loads(service.bytes("POST", f"{PATH}/import?name=there", content, sent))
    assert imported["hash"] == created["hash"]
    answered = service.json("POST", f"{PATH}/there/transform", GIVEN)
    assert answered["output"] == {"y": [[0.5, 0.25]]}


def test_a_service_without_it_refuses_its_file(service: Service, tmp_path) -> None:
    service.json("POST", PATH, {"name": "sent", "method": "column_max_abs", "fit": FIT})
    content = service.bytes("GET", f"{PATH}/sent/export", b"", {})
    with serving(tmp_path) as other:
        sent = {"content-type": "application/vnd.safetensors"}
        status, answered = other.ask_bytes("POST", f"{PATH}/import?name=x", content, sent)
    assert status == 422
    assert json.loads(answered)["type"].endswith("corrupt-version")


def test_it_is_an_estimator() -> None:
    from sklearn.base import clone
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MaxAbsScaler

    x = np.random.default_rng(0).normal(size=(20, 3))
    expected = MaxAbsScaler().fit_transform(x)
    np.testing.assert_allclose(clone(ColumnMaxAbs()).fit_transform(x), expected, rtol=1e-15)
    pipeline = make_pipeline(ColumnMaxAbs(limit=3.0), ColumnMaxAbs())
    np.testing.assert_allclose(pipeline.fit(x).transform(x), expected, rtol=1e-15)


def test_an_installed_package_contributes_it(tmp_path, monkeypatch) -> None:
    _install(tmp_path, monkeypatch, f"{__name__}:{ColumnMaxAbs.__name__}")
    catalogue = built_in.CATALOGUE
    assert catalogue["column_max_abs"] is ColumnMaxAbs
    assert set(catalogue) > {"column_max_abs", "whitening"}
    app = create_app()
    assert "column_max_abs.params" in app.openapi()["components"]["schemas"]


def test_two_methods_of_one_name_are_refused(monkeypatch, tmp_path) -> None:
    class MinMax(ColumnMaxAbs):
        name = "other"
        aliases = {"Min-Max": {}}

    with pytest.raises(ValueError, match="min_max"):
        built_in.CATALOGUE.with_methods(MinMax)


def _install(folder, monkeypatch, target: str) -> None:
    """Put a package on the path that names a method, and let the catalogue be built again."""
    described = folder / "ninth-0.1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(DISTRIBUTION)
    (described / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\ncolumn_max_abs = {target}\n")
    assert isinstance(built_in.CATALOGUE, Catalogue)
    monkeypatch.delattr(built_in, "CATALOGUE")
    monkeypatch.syspath_prepend(folder)


def test_k4_rows_may_have_axes_of_their_own_in_every_form(service: Service) -> None:
    windows = np.arange(12.0).reshape(2, 3, 2)
    flat = windows.reshape(6, 2)
    body = {"method": "column_max_abs", "fit": {"x": windows.tolist()}}
    answer = service.json("POST", "/v1/transform", {**body, "input": {"x": windows.tolist()}})
    plain = service.json("POST", "/v1/transform", {**body, "input": {"x": flat.tolist()}})
    expected = np.array(plain["output"]["y"]).reshape(windows.shape)
    assert np.array_equal(answer["output"]["y"], expected)
    returned = {"input": {"y": answer["output"]["y"]}}
    back = service.json("POST", "/v1/inverse", {**body, **returned})
    assert np.array_equal(back["output"]["x"], windows)
    described = service.json("GET", "/v1/methods/column_max_abs")
    assert described["takes"]["x"]["leading"] is True
