"""The verbs, one after the other, and what a client is."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import anyio
import numpy as np
import pytest

from app.settings import Settings
from normalizers import MinMax, Percentile
from normalizers.data.ragged import Ragged
from normalizers.errors import DtypeError, InvalidInput, InvalidParams, NonFiniteError
from normalizers.normalizer import load
from normalizers.testing.compare import assert_identical
from normd.client import AsyncClient, Client
from normd.client.verb_table import VerbTable

SCORES = [12.7, 9.3, 8.0, 3.2, 0.4]


def test_names_and_versions(client: Client) -> None:
    made = client.fit("a", "percentile", SCORES, description="scores", tags=["t"])
    assert (made["version"], made["n"], made["tags"]) == (1, len(SCORES), ["t"])
    assert client.show("a")["description"] == "scores"
    opened = client.create("b", "percentile", params={"scope": "fitted"})
    assert opened["version"] is None
    trial = client.create("c", "percentile", fit={"scores": SCORES}, dry_run=True)
    assert trial["dry_run"] is True
    assert [item["name"] for item in client.names()] == ["a", "b"]
    client.delete("b")
    assert [item["name"] for item in client.names()] == ["a"]


def test_observations_and_merges(client: Client) -> None:
    client.fit("a", "percentile", SCORES)
    assert client.observe("a", [20.0, 21.0], key="monday")["counted"] is True
    assert client.observe("a", [20.0, 21.0], key="monday")["counted"] is False
    client.observe("a", statistics=client.observed("a"))
    assert client.merge("a", ["a@1", "a@open"])["n"] == len(SCORES) + 4
    assert client.add_version("a")["n"] == 4
    assert client.add_version("a", "params", params={"kind": "weak"})["version"] == 4
    assert [item["version"] for item in client.versions("a")] == [1, 2, 3, 4]
    client.discard("a")
    assert "n" not in client.observed("a")["quantiles"]


def test_what_was_merged_can_be_removed(client: Client) -> None:
    client.fit("a", "percentile", SCORES)
    client.fit("b", "percentile", [1.0, 2.0])
    assert client.merge("a", ["a@1", "b@1"])["n"] == len(SCORES) + 2
    assert client.merge("a", ["a@2"], minus=["b@1"])["n"] == len(SCORES)


def test_pages_are_followed(tmp_path: Path) -> None:
    with Client.local(Settings(data=tmp_path, page_size=2)) as client:
        client.fit("a", "percentile", SCORES)
        for _ in range(4):
            client.add_version("a", "params", params={})
        assert [item["version"] for item in client.versions("a")] == [1, 2, 3, 4, 5]


def test_contents(client: Client, tmp_path: Path) -> None:
    client.fit("a", "min_max", SCORES, params={"scope": "fitted"})
    expected = MinMax(scope="fitted").fit(SCORES)
    assert_identical(dict(client.fitted("a")), dict(expected.fitted_))
    assert client.report("a")["n"] == len(SCORES)
    file = tmp_path / "a.safetensors"
    assert client.save("a", file) == client.show("a")["hash"]
    assert file.read_bytes() == client.export("a")
    assert load(file).transform([3.0]).tolist() == expected.transform([3.0]).tolist()
    assert client.import_("b", file)["hash"] == client.show("a")["hash"]
    assert client.import_("c", client.export("a"))["version"] == 1
    assert [path.name for path in tmp_path.glob("*.safetensors*")] == ["a.safetensors"]
    fresh = client.create(
        "d", "min_max", params={"scope": "fitted"}, statistics=client.statistics("a")
    )
    assert fresh["n"] == len(SCORES)


def test_a_file_that_is_not_there_leaves_nothing(client: Client, tmp_path: Path) -> None:
    client.fit("a", "percentile", SCORES)
    with pytest.raises(FileNotFoundError):
        client.save("a", tmp_path / "missing" / "a.safetensors")
    with pytest.raises(FileNotFoundError):
        client.import_("b", tmp_path / "missing")


def test_aliases(client: Client) -> None:
    client.fit("a", "percentile", SCORES)
    client.add_version("a", "params", params={"kind": "weak"})
    first = client.alias("a", "prod", 1, only_create=True)
    assert client.alias("a", "prod", 2, if_match=first["hash"])["version"] == 2
    assert [pointer["alias"] for pointer in client.aliases("a")] == ["prod"]
    assert client.show("a@prod")["version"] == 2
    client.delete_alias("a", "prod")
    assert client.aliases("a") == []


def test_the_service_tells_of_itself(client: Client) -> None:
    assert client.ready() is True
    assert client.method("zca")["name"] == "whitening"
    assert "whitening" in [method["name"] for method in client.methods()]
    assert client.limits()["max_rows"] > 10**12


def test_fusions(client: Client) -> None:
    runs = [{"ids": ["a", "b"], "scores": np.array([2.0, 1.0])}, {"ids": ["b", "c"]}]
    answer = client.fuse(runs, "rrf", k=10.0, options={"top_k": 2})
    assert answer["ids"].tolist() == ["b", "a"]
    assert answer.extra["total"] == 3
    many = client.fuse([{"ids": [["a", "b"], ["c"]]}, {"ids": [["b"], ["c"]]}], "rrf")
    assert [part.tolist() for part in many["ids"]] == [["b", "a"], ["c"]]
    assert many.extra["total"] == [2, 1]


def test_a_word_is_a_method_unless_it_is_stored(client: Client) -> None:
    client.fit("min_max", "percentile", SCORES)
    assert client.transform("min_max", [1.0, 3.0]).tolist() == [0.0, 1.0]
    assert client.apply_to("min_max", [1.0, 3.0], stored=True).method == "percentile"
    assert client.apply_to("min_max@1", [1.0, 3.0]).method == "percentile"


def test_a_name_made_anew_is_asked_for_again(client: Client) -> None:
    client.fit("a", "percentile", SCORES)
    client.transform("a", [1.0])
    client.session.method_of["a"] = client.method("whitening")
    with pytest.raises(InvalidInput):
        client.transform("a", [1.0])
    assert client.transform("a", [1.0]).shape == (1,)


def test_steps_may_be_methods_of_the_library(client: Client) -> None:
    params = {"steps": [Percentile(), {"method": "min_max", "params": {"scope": "query"}}]}
    made = client.fit("a", "pipeline", SCORES, params=params)
    assert made["n"] == len(SCORES)
    assert client.transform("a", [1.0, 9.0]).tolist() == [0.0, 1.0]
    client.fit("b", "percentile", SCORES)
    stored = {"steps": [{"ref": "b"}, "min_max"]}
    assert client.transform("pipeline", [1.0, 9.0], params=stored).tolist() == [0.0, 1.0]


def test_values_of_every_kind_are_sent(client: Client) -> None:
    expected = MinMax().transform(SCORES)
    for values in (SCORES, tuple(SCORES), np.array(SCORES), np.array(SCORES, dtype=">f8")):
        assert_identical(client.transform("min_max", values), expected)
    answer = client.transform("min_max", Ragged.of([SCORES, [1.0]]))
    assert isinstance(answer, Ragged)
    half = client.transform("min_max", np.array([[1, 2]], dtype=np.float16))
    assert half.dtype == np.float16
    with pytest.raises(DtypeError, match="complex"):
        client.transform("min_max", np.array([1j]))
    with pytest.raises(NonFiniteError, match="as a NumPy array"):
        client.transform("min_max", [1.0, np.inf])
    omitted = {"nan_policy": "omit", "inf_policy": "as_nan"}
    infinite = np.array([1.0, 2.0, np.inf])
    assert_identical(
        client.transform("min_max", infinite, params=omitted),
        MinMax(**omitted).transform(infinite),
    )


def test_answers_can_be_written_to(client: Client) -> None:
    client.fit("a", "whitening", np.eye(4) + np.arange(4.0))
    for form in ("npy", "json", "safetensors", "arrow"):
        found = client.transform("a", np.eye(4), form=form)
        found += 1


def test_npy_is_for_one_array(client: Client) -> None:
    for call in (
        lambda: client.apply_to("min_max", np.array(SCORES), form="npy"),
        lambda: client.transform("min_max", SCORES, form="npy"),
        lambda: client.fuse([{"ids": ["a"]}], "rrf", form="npy"),
    ):
        with pytest.raises(InvalidInput, match="npy"):
            call()


@pytest.mark.parametrize("compress", ["zstd", "gzip"])
def test_bodies_are_compressed(compress, tmp_path: Path) -> None:
    rows = np.zeros((100, 100))
    with Client.local(Settings(data=tmp_path)) as plain:
        plain.fit("a", "whitening", rows + np.eye(100), params={"n_components": 3})
        expected = plain.transform("a", rows)
        plain.session.compress = compress
        sent: list[int] = []
        perform = plain.perform
        plain.perform = lambda call: (sent.append(len(call.content or b"")), perform(call))[1]  # type: ignore[method-assign]
        assert_identical(plain.transform("a", rows), expected)
    assert 0 < sent[-1] < rows.nbytes / 10


def test_help_is_that_of_the_verbs() -> None:
    shown = inspect.signature(Client.show)
    assert list(shown.parameters) == ["self", "ref"]
    assert list(inspect.signature(AsyncClient.versions).parameters) == ["self", "name"]
    for name in vars(VerbTable):
        if not name.startswith("_"):
            assert getattr(Client, name).__doc__
            assert inspect.signature(getattr(Client, name)) == inspect.signature(
                getattr(AsyncClient, name)
            )


def test_the_verbs_of_a_transform_show_the_same_parameters() -> None:
    shown = inspect.signature(Client.apply_to).parameters
    assert list(shown)[:3] == ["self", "ref_or_method", "x"]
    assert list(shown)[-1] == "fields"
    for verb in (Client.transform, Client.inverse, AsyncClient.transform):
        assert inspect.signature(verb).parameters == shown


def test_the_awaiting_client_has_the_same_verbs(tmp_path: Path) -> None:
    async def run() -> None:
        async with AsyncClient.local(Settings(data=tmp_path)) as client:
            await client.fit("a", "percentile", SCORES)
            await client.observe("a", [1.0])
            assert [item["version"] async for item in client.versions("a")] == [1]
            assert [item["name"] async for item in client.names()] == ["a"]
            assert (await client.transform("a", [9.0])).shape == (1,)
            with pytest.raises(InvalidInput):
                await client.transform("a", [["x"]])

    anyio.run(run)


def test_importing_the_client_loads_no_service() -> None:
    code = (
        "import sys, normd.client; "
        "print([m for m in ('app', 'fastapi', 'sqlalchemy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_masked_value_is_a_missing_one(client: Client) -> None:
    masked = np.ma.array([[1.0, 2.0, 3.0]], mask=[[False, True, False]])
    with pytest.raises(NonFiniteError, match=r"input\.scores\[0\]\[1\]"):
        client.transform("min_max", masked)


@pytest.mark.parametrize("value", [{1.0}, object(), (x for x in "a"), b"a", 1j, [1.0, {2.0}]])
def test_what_no_body_carries_is_refused_with_its_field(client: Client, value: object) -> None:
    with pytest.raises(DtypeError) as refused:
        client.transform("min_max", value)
    assert refused.value.path.startswith("input.scores")


def test_text_that_is_no_unicode_is_refused(client: Client) -> None:
    with pytest.raises(InvalidInput, match="Unicode"):
        client.fuse([{"ids": ["a", "\ud800"]}], "rrf")


def test_a_range_is_a_list(client: Client) -> None:
    assert client.transform("min_max", range(3)).tolist() == [0.0, 0.5, 1.0]


def test_choices_are_checked_at_once(client: Client) -> None:
    with pytest.raises(InvalidParams, match="json, safetensors"):
        Client("http://127.0.0.1:1", form="xml")  # type: ignore[arg-type]
    with pytest.raises(InvalidParams, match="zstd, gzip"):
        Client("http://127.0.0.1:1", compress="br")  # type: ignore[arg-type]
    with pytest.raises(InvalidParams, match="json, safetensors"):
        client.transform("min_max", SCORES, form="xml")  # type: ignore[arg-type]


def test_a_local_client_takes_the_path_of_its_data_folder(tmp_path: Path) -> None:
    for place in (tmp_path / "data", str(tmp_path / "data")):
        with Client.local(place) as client:
            assert [item["name"] for item in client.names()] == []
    assert (tmp_path / "data" / "registry.db").exists()


def test_data_in_the_place_of_the_method_are_told(client: Client) -> None:
    runs = [{"ids": ["a"], "scores": [1.0]}]
    with pytest.raises(InvalidInput, match="the method is a name, such as 'rrf'; got list"):
        client.fuse("rrf", runs)  # type: ignore[arg-type]
