from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.main import create_app
from app.settings import Settings, SettingsError, read_settings, unknown_variables


def test_defaults_touch_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = Settings()
    assert settings.data == tmp_path / "data"
    assert settings.max_body_bytes == 64 * 1024 * 1024
    assert list(tmp_path.iterdir()) == []


def test_variables_are_read_and_empty_ones_mean_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NORMD_DATA", "/srv/../srv/normd")
    monkeypatch.setenv("NORMD_MAX_ROWS", "7")
    monkeypatch.setenv("NORMD_MAX_IDS", "")
    settings = read_settings()
    assert settings.data == Path("/srv/normd")
    assert settings.max_rows == 7
    assert settings.max_ids == Settings.model_fields["max_ids"].default


def test_every_field_is_described() -> None:
    assert all(field.description for field in Settings.model_fields.values())


def test_limits_name_value_and_variable() -> None:
    limits = Settings(max_body_bytes=10).limits()
    assert limits["max_body_bytes"]["value"] == 10
    assert limits["max_body_bytes"]["setting"] == "NORMD_MAX_BODY_BYTES"
    assert {"max_rows", "max_lists", "max_ids", "max_values"} <= limits.keys()


@pytest.mark.parametrize(
    "variable, value",
    [
        ("NORMD_MAX_BODY_BYTES", "lots"),
        ("NORMD_MAX_BODY_BYTES", "0"),
        ("NORMD_MAX_JSON_DEPTH", "100000"),
        ("NORMD_BUSY_TIMEOUT_SECONDS", "nan"),
        ("NORMD_PAGE_SIZE", "501"),
    ],
)
def test_unusable_values_name_their_variable(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        read_settings()


def test_a_validator_is_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NORMD_DEVICE", "abacus")
    with pytest.raises(SettingsError, match="NORMD_DEVICE: unknown device 'abacus'"):
        read_settings()


def test_variables_that_set_nothing_are_warned_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("NORMD_DATA", str(tmp_path))
    monkeypatch.setenv("NORMD_URL", "http://127.0.0.1:8000")
    assert unknown_variables() == []
    monkeypatch.setenv("NORMD_MAX_ROW", "7")
    assert unknown_variables() == ["NORMD_MAX_ROW"]
    with TestClient(create_app()):
        pass
    assert "'NORMD_MAX_ROW' sets nothing; did you mean NORMD_MAX_ROWS?" in caplog.text
