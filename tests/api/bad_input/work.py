"""One-shot work that must fail: each with its problem and place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.api.problem import MARKER
from tests.api.samples import BANK, HUBS, ITEMS, ROWS, RUNS, SCORES

Body = Mapping[str, object]


class Bad(NamedTuple):
    """One-shot work that must fail: the problem's slug and where."""

    slug: str
    path: str
    method: str
    given: Body
    params: Body = {}
    fit: Body | None = None
    options: Body | None = None

    @property
    def body(self) -> dict[str, object]:
        body = {"method": self.method, "params": self.params, "input": self.given}
        for name in ("fit", "options"):
            if getattr(self, name) is not None:
                body[name] = getattr(self, name)
        return body


def _white(slug: str, path: str, x: object, fit: object = ROWS, **params: object) -> Bad:
    return Bad(slug, path, "whitening", {"x": x}, params, {"x": fit})


def _scores(slug: str, path: str, given: Body, **params: object) -> Bad:
    return Bad(slug, path, "min_max", given, params)


def _hubs(slug: str, path: str, given: Body, fit: Body = HUBS["fit"], **params: object) -> Bad:  # type: ignore[assignment]
    return Bad(slug, path, "inverted_softmax", given, {"beta": 20.0, **params}, fit)


def _groups(slug: str, path: str, given: Body, fit: Body | None = None) -> Bad:
    known = {"x": [1.0, 2.0, 4.0, 8.0], "groups": ["a", "a", "b", "b"]}
    return Bad(slug, path, "group_z_score", given, {}, fit or known)


def _window(slug: str, path: str, given: Body, **options: object) -> Bad:
    return Bad(slug, path, "window_z_score", given, {}, None, options or None)


def _steps(slug: str, path: str, steps: object) -> Bad:
    return Bad(slug, path, "pipeline", {"scores": SCORES}, {"steps": steps})


CANDIDATES = {"candidate_ids": [["a", "b"]], "candidate_scores": [[0.5, 0.4]]}
BAD = {
    "ragged rows": _white("shape-error", "input.x[1]", [[1, 2, 3], [1, 2]]),
    "ragged rows in a fit": _white("shape-error", "fit.x[2]", [[1, 2]], [[1, 2], [3, 4], [5]]),
    "a row that is a number": _white("shape-error", "input.x[1]", [[1, 2, 3], 5]),
    "three axes": _white("shape-error", "input.x", [[[[1, 2], [3, 4]]]]),
    "a scalar": _white("shape-error", "input.x", 1.0),
    "an object": _white("dtype-error", "input.x", {"a": 1}),
    "a string": _white("dtype-error", "input.x", MARKER),
    "another dimension": _white("shape-error", "input.x", [[1, 2]]),
    "another dimension, flat": _white("shape-error", "input.x", [1, 2]),
    "rows of nothing": _white("shape-error", "input.x", [[]]),
    "null for a field": _white("invalid-input", "input.x", None),
    "null for a row": _white("shape-error", "input.x", [None]),
    "null for a number": _white("non-finite", "input.x[0][1]", [[1, None, 2]]),
    "null in a fit": _white("non-finite", "fit.x[1][0]", [[1, 2]], [[1, 2], [None, 1], [3, 4]]),
    "a fit of nothing": _white("not-enough-data", "fit", [[1, 2, 3]], []),
    "a fit of rows of nothing": _white("rank-deficient", "fit", [[1, 2, 3]], [[], []]),
    "a fit of one row": _white("not-enough-data", "fit", [[1, 2, 3]], [[1, 2, 3]]),
    "a fit of rank 0": _white("rank-deficient", "fit", [[1, 2, 3]], [[1, 2, 3]] * 4),
    "a fit beyond 1e140": _white("invalid-input", "fit", [[1, 2]], [[1e200, 1], [1, 2], [2, 1]]),
    "no components": _white("invalid-params", "params.n_components", [[1, 2, 3]], n_components=0),
    "true components": _white(
        "invalid-params", "params.n_components", [[1, 2, 3]], n_components=True
    ),
    "components of a string": _white(
        "invalid-params", "params.n_components", [[1, 2, 3]], n_components="2"
    ),
    "a negative eps": _white("invalid-params", "params.eps", [[1, 2, 3]], eps=-1.0),
    "eps of a list": _white("invalid-params", "params.eps", [[1, 2, 3]], eps=[MARKER]),
    "two of one group": _white("invalid-params", "params.eps_rel", [[1, 2, 3]], eps=1, eps_rel=1),
    "an unknown variant": _white("invalid-params", "params.variant", [[1, 2, 3]], variant=MARKER),
    "an unknown preset": _white("invalid-params", "params.preset", [[1, 2, 3]], preset=MARKER),
    "a list beside a number": _scores("shape-error", "input.scores[1]", {"scores": [[1.0], 2.0]}),
    "lists in lists": _scores("shape-error", "input.scores[0]", {"scores": [[[1.0]]]}),
    "no field": _scores("invalid-input", "input.scores", {}),
    "a field misspelt": _scores("invalid-input", "input.score", {"score": [MARKER]}),
    "offsets beyond": _scores(
        "shape-error", "input.scores", {"scores": [1.0, 2.0], "offsets": [0, 3]}
    ),
    "offsets that fall": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [0, 2, 1, 2]}
    ),
    "offsets not from 0": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [1, 2]}
    ),
    "offsets of halves": _scores(
        "invalid-input", "input.offsets", {"scores": [1.0, 2.0], "offsets": [0, 0.5, 2]}
    ),
    "no offsets": _scores("shape-error", "input.offsets", {"scores": [1.0], "offsets": []}),
    "offsets and nested lists": _scores(
        "shape-error", "input.scores", {"scores": [[1.0]], "offsets": [0, 1]}
    ),
    "bounds the wrong way": _scores(
        "invalid-params", "params.lower", {"scores": SCORES}, bounds="fixed", lower=5, upper=1
    ),
    "a fit of no scores": Bad(
        "not-enough-data", "fit", "percentile", {"scores": SCORES}, {}, {"scores": []}
    ),
    "a fit where none belongs": Bad(
        "unsupported-operation", "fit", "isr", {"runs": RUNS}, {}, {"scores": SCORES}
    ),
    "ids and scores of other lengths": _hubs(
        "shape-error", "input.candidate_ids", {**CANDIDATES, "candidate_scores": [[0.5]]}
    ),
    "null for an id": _hubs(
        "dtype-error", "input.candidate_ids[0][1]", {**CANDIDATES, "candidate_ids": [["a", None]]}
    ),
    "a number with a fraction for an id": _hubs(
        "dtype-error", "input.candidate_ids[0][1]", {**CANDIDATES, "candidate_ids": [["a", 1.5]]}
    ),
    "an item nobody knows": _hubs(
        "invalid-input",
        "input.candidate_ids[0][1]",
        {**CANDIDATES, "candidate_ids": [["a", "zz"]]},
        unknown_item="error",
    ),
    "an item twice": _hubs(
        "invalid-input",
        "fit.gallery_ids[2]",
        CANDIDATES,
        {"bank_sims": BANK, "gallery_ids": ["a", MARKER, MARKER]},
    ),
    "too few items": _hubs(
        "shape-error", "fit.gallery_ids", CANDIDATES, {"bank_sims": BANK, "gallery_ids": ["a"]}
    ),
    "a bank of nothing": _hubs(
        "not-enough-data", "fit", CANDIDATES, {"bank_sims": [], "gallery_ids": ITEMS}
    ),
    "beta 0": _hubs("invalid-params", "params.beta", CANDIDATES, beta=0.0),
    "beta in words": _hubs("invalid-params", "params.beta", CANDIDATES, beta=MARKER),
    "too few groups": _groups("shape-error", "input.groups", {"x": [1.0, 2.0], "groups": ["a"]}),
    "null for a group": _groups(
        "dtype-error", "input.groups[1]", {"x": [1.0, 2.0], "groups": ["a", None]}
    ),
    "a group nobody knows": _groups(
        "invalid-input", "input.groups[1]", {"x": [1.0, 2.0], "groups": ["a", "zz"]}
    ),
    "one row of a group": _groups(
        "not-enough-data",
        "fit.groups",
        {"x": [1.0], "groups": ["a"]},
        {"x": [1.0, 2.0, 3.0], "groups": ["a", "a", "b"]},
    ),
    "ragged windows": _window("shape-error", "input.x[0][1]", {"x": [[[1, 2], [3]]]}),
    "text in a window": _window("dtype-error", "input.x[0][1][0]", {"x": [[[1.0], [MARKER]]]}),
    "an unknown layout": _window(
        "invalid-params", "options.layout", {"x": [[1.0, 2.0]]}, layout=MARKER[:3]
    ),
    "a mask of twos": _window(
        "invalid-input", "input.mask[0][1]", {"x": [[1.0, 2.0]], "mask": [[1, 2]]}, layout="NT"
    ),
    "a mask of another shape": _window(
        "shape-error", "input.mask", {"x": [[1.0, 2.0]], "mask": [[1]]}, layout="NT"
    ),
    "an unknown option": Bad(
        "invalid-params",
        "options.explian",
        "min_max",
        {"scores": SCORES},
        options={"explian": MARKER},
    ),
    "an option of another type": Bad(
        "invalid-params", "options.explain", "min_max", {"scores": SCORES}, options={"explain": 1}
    ),
    "an option without meaning": Bad(
        "invalid-params", "options.depth", "min_max", {"scores": SCORES}, options={"depth": 3}
    ),
    "no steps": _steps("invalid-params", "params.steps", []),
    "steps of a string": _steps("invalid-params", "params.steps", "min_max"),
    "steps of an object": _steps("invalid-params", "params.steps", {"method": "min_max"}),
    "a step of a number": _steps("invalid-params", "params.steps[1]", ["min_max", 5]),
    "a step of null": _steps("invalid-params", "params.steps[0]", [None]),
    "an unknown step": _steps("unknown-method", "params.steps[0]", ["min_mx"]),
    "an unknown method of a step": _steps(
        "unknown-method", "params.steps[0].method", [{"method": "min_mx"}]
    ),
    "an unknown parameter of a step": _steps(
        "invalid-params",
        "params.steps[0].params.bound",
        [{"method": "min_max", "params": {"bound": MARKER}}],
    ),
    "a step more": _steps(
        "invalid-params", "params.steps[0]", [{"method": "min_max", "x": MARKER}]
    ),
    "a reference more": _steps("invalid-input", "params.steps[0]", [{"ref": "white", "x": MARKER}]),
    "a reference that is none": _steps("invalid-input", "params.steps[0].ref", [{"ref": "../x"}]),
    "a reference to nothing": _steps("not-found", "params.steps[0].ref", [{"ref": "nothing"}]),
    "a reference to no version": _steps("not-found", "params.steps[0].ref", [{"ref": "white@9"}]),
    "a reference to an open name": _steps("conflict", "params.steps[0].ref", [{"ref": "opened"}]),
    "steps that do not follow": _steps(
        "invalid-params", "params.steps[1]", ["min_max", {"ref": "white"}]
    ),
}
