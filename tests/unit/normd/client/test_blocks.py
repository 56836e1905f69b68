"""Requests above a limit go out in blocks and come back as one answer."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.settings import Settings
from normalizers import GroupZScore, Percentile, Whitening
from normalizers.data.ragged import Ragged
from normalizers.errors import InvalidInput, NonFiniteError
from normalizers.testing.compare import assert_close, assert_identical
from normd.client import Client
from normd.client.errors import ClientError, PreconditionFailed, TooLarge
from tests.unit.normd.client.conftest import Limited

ROWS, LISTS, VALUES = 70, 13, 5_000
RANDOM = np.random.default_rng(3)
X = RANDOM.normal(size=(500, 4))
LABELS = ["a", "b"] * 250
UNEVEN = [RANDOM.normal(size=k % 6) for k in range(60)]
STEPS = {"steps": ["min_max", {"method": "percentile", "params": {"scope": "query"}}]}
BOUND = 1e-9

REQUESTS = {
    "dense": ("whitening-500", X, {}),
    "dense float32": ("whitening-500", np.asfortranarray(X.astype(np.float32)), {}),
    "leading axes": ("columns-4", X.reshape(50, 10, 4), {}),
    "labels in a list": ("groups-500", X, {"groups": LABELS}),
    "one column": ("column-500", X[:, 0], {"groups": np.array(LABELS)}),
    "nested arrays": ("min_max", UNEVEN, {}),
    "nested lists": ("min_max", [part.tolist() for part in UNEVEN], {}),
    "ragged": ("min_max", Ragged.of(UNEVEN), {}),
    "matrix": ("min_max", RANDOM.normal(size=(200, 30)), {}),
    "steps": ("pipeline", RANDOM.normal(size=(100, 30)), {"params": STEPS}),
    "windows": ("window_z_score", RANDOM.normal(size=(300, 2, 20)), {"layout": "NCT"}),
    "time": ("rolling_z_score", RANDOM.normal(size=(3, 3000, 2)), {"params": {"window": 5}}),
    "one series": ("rolling_z_score", RANDOM.normal(size=9000), {"params": {"window": 5}}),
}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Client, Client]]:
    """Return a client of a service with low limits, and one of a service without."""
    folder = tmp_path_factory.mktemp("both")
    limits = {"max_values": VALUES, "max_rows": ROWS, "max_lists": LISTS}
    low = Settings.model_validate({"data": folder / "small", **limits})
    with Client.local(low) as small, Client.local(Settings(data=folder / "large")) as large:
        for each in (small, large):
            each.fit("whitening-500", "whitening", X[:50])
            each.fit("columns-4", "standardization", X[:50] * [1, 1, 0, 1])
            each.fit("groups-500", "group_z_score", X[:50], groups=LABELS[:50])
            each.fit("column-500", "group_z_score", X[:50, 0], groups=LABELS[:50])
        yield small, large


@pytest.mark.parametrize("name", REQUESTS)
def test_blocks_answer_as_one_request(name: str, both: tuple[Client, Client]) -> None:
    method, values, more = REQUESTS[name]
    progress: list[tuple[int, int]] = []
    small, large = both
    answer = small.apply_to(
        method, values, progress=lambda done, units: progress.append((done, units)), **more
    )
    expected = large.apply_to(method, values, **more)
    assert len(progress) > 1
    assert [done for done, _ in progress] == sorted({done for done, _ in progress})
    assert progress[-1][0] == progress[-1][1]
    assert_close(dict(answer.output), dict(expected.output), BOUND)
    assert_identical(dict(answer.flags), dict(expected.flags))
    assert answer.warnings == expected.warnings
    assert answer.effective_params == expected.effective_params


@pytest.mark.parametrize("form", ["npy", "safetensors", "json"])
def test_blocks_are_all_of_one_version_while_an_alias_moves(
    form: str, both: tuple[Client, Client]
) -> None:
    small, _ = both
    name = f"moving-{form}"
    small.fit(name, "centering", X[:50])
    small.add_version(name, "fit", fit=X[:50] + 9.0)
    small.alias(name, "prod", 1)
    first = small.transform(f"{name}@1", X)
    moved = small.transform(
        f"{name}@prod", X, form=form, progress=lambda *_: small.alias(name, "prod", 2)
    )
    np.testing.assert_allclose(moved, first, atol=BOUND)
    hash = small.show(f"{name}@1")["hash"]
    with pytest.raises(PreconditionFailed, match="this is version 2"):
        small.transform(f"{name}@prod", X, form=form, if_match=hash)
    with pytest.raises(InvalidInput, match="only stored versions have a hash"):
        small.transform("min_max", [1.0, 2.0], if_match=hash)


def test_flags_are_counted_in_the_whole(both: tuple[Client, Client]) -> None:
    lists = [[1.0, 2.0]] * 40 + [[3.0]] + [[1.0, 2.0]] * 9
    answer = both[0].apply_to("min_max", lists)
    assert answer.flags["constant"].tolist() == [40]
    series = np.concatenate([np.zeros(6000), np.arange(3000.0)])
    small, large = (each.apply_to("rolling_z_score", series, params={"window": 5}) for each in both)
    assert_identical(dict(small.flags), dict(large.flags))


def test_errors_name_places_in_the_whole(both: tuple[Client, Client]) -> None:
    rows = X.copy()
    rows[400, 2] = np.nan
    with pytest.raises(NonFiniteError, match=r"input\.x\[400\]\[2\]") as caught:
        both[0].transform("whitening-500", rows)
    assert caught.value.path == "input.x[400][2]"
    assert caught.value.positions == [(400, 2)]


def test_state_goes_on_where_the_blocks_ended(both: tuple[Client, Client]) -> None:
    series, params = RANDOM.normal(size=(2, 6000, 1)), {"window": 5}
    small, large = both
    first = small.apply_to("rolling_z_score", series[:, :5500], params=params)
    then = small.transform("rolling_z_score", series[:, 5500:], params=params, state=first["state"])
    whole = large.transform("rolling_z_score", series, params=params)
    assert_identical(then, whole[:, 5500:])


def test_labels_of_steps_are_cut_with_the_steps(both: tuple[Client, Client]) -> None:
    series, params = RANDOM.normal(size=(1, 6000, 1)), {"n_sessions": 2}
    days = [f"day {step // 700}" for step in range(6000)]
    small, large = (
        each.transform("session_z_score", series, params=params, sessions=days) for each in both
    )
    assert_identical(small, large)


def test_what_depends_on_the_whole_is_not_cut(both: tuple[Client, Client]) -> None:
    small, _ = both
    with pytest.raises(TooLarge, match="NORMD_MAX_ROWS"):
        small.transform("whitening-500", X, explain=True)
    with pytest.raises(TooLarge, match="NORMD_MAX_ROWS"):
        small.transform("whitening", X, fit=X[:50])
    runs = [{"ids": [[str(k)] for k in range(LISTS + 1)]}]
    with pytest.raises(TooLarge, match="NORMD_MAX_LISTS"):
        small.fuse(runs, "rrf")


def test_a_row_above_the_limit_is_refused(limited: Limited) -> None:
    client = limited(max_values=10)
    with pytest.raises(TooLarge, match="NORMD_MAX_VALUES"):
        client.transform("min_max", [[1.0] * 11, [2.0] * 11])


def test_bodies_are_cut_by_bytes(limited: Limited) -> None:
    client = limited(max_body_bytes=300_000)
    lists = RANDOM.normal(size=(200, 1000))
    progress: list[int] = []
    found = client.transform("min_max", lists, progress=lambda done, _: progress.append(done))
    assert found.shape == lists.shape
    assert len(progress) > 4


FITS = {
    "whitening": (Whitening, X, {}, {"eps": 0.0}),
    "group_z_score": (GroupZScore, X, {"groups": LABELS}, {}),
    "percentile": (Percentile, RANDOM.normal(size=12_000).round(2), {}, {}),
}


@pytest.mark.parametrize("method", FITS)
def test_a_fit_above_the_limit_is_observed_in_blocks(method: str, limited: Limited) -> None:
    kind, values, more, params = FITS[method]
    client = limited(max_values=VALUES, max_rows=ROWS)
    progress: list[tuple[int, int]] = []
    made = client.fit(
        "a", method, values, params=params, description="all", **more,
        progress=lambda done, units: progress.append((done, units)),
    )  # fmt: skip
    assert (made["version"], made["n"], made["description"]) == (1, len(values), "all")
    assert len(progress) > 1
    assert progress[-1] == (len(values), len(values))
    part = {name: labels[:9] for name, labels in more.items()}
    expected = kind(**params).fit(values, **more).transform(values[:9], **part)
    assert_close(client.transform("a", values[:9], **part), expected, BOUND)
    again = client.fit("a", method, values, params=params, description="all", **more)
    assert again["version"] == 1


def test_a_fit_that_broke_goes_on(limited: Limited, monkeypatch: pytest.MonkeyPatch) -> None:
    client = limited(max_values=VALUES, max_rows=ROWS)

    def stop(done: int, units: int) -> None:
        if done > units / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        client.fit("a", "whitening", X, progress=stop)
    assert client.show("a")["version"] is None
    assert client.fit("a", "whitening", X)["n"] == len(X)


def test_a_fit_that_was_discarded_is_not_taken_for_done(limited: Limited) -> None:
    client = limited(max_values=VALUES, max_rows=ROWS)
    client.fit("a", "whitening", X)
    client.discard("a")
    with pytest.raises(ClientError, match="another name"):
        client.fit("a", "whitening", X)


def test_a_fit_that_needs_the_whole_says_so(limited: Limited) -> None:
    client = limited(max_rows=ROWS)
    with pytest.raises(TooLarge, match="NORMD_MAX_ROWS"):
        client.create("a", "whitening", fit=X, dry_run=True)
