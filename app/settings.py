"""All settings of the service: one class, read from ``NORMD_`` variables."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, ClassVar, TypeAlias

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.spelling import (
    make_absolute,
    make_absolute_if_given,
    require_bucket,
    require_database,
    require_device,
    require_path,
    require_rate,
    split_origins,
)
from normalizers.data.devices import CPU, DEVICE_NAMES

KEY_FILE = "keys.json"
KIBIBYTE = 1024
MEBIBYTE = 1024 * KIBIBYTE
PREFIX = "NORMD_"
# Options of `normd serve`.
OF_SERVE = ("NORMD_HOST", "NORMD_PORT", "NORMD_LOG", "NORMD_INSECURE")
# Read by the client.
OTHER_VARIABLES = frozenset({"NORMD_URL", "NORMD_KEY", *OF_SERVE})

# The standard decoder recurses once a level, and a default interpreter stops near 1,000 frames,
# of which a request's own take about a hundred.
DEEPEST_JSON = 256

Limits: TypeAlias = dict[str, dict[str, int | float | str]]


class SettingsError(ValueError):
    """Settings that cannot be used; names each variable and what it must be."""


class Settings(BaseSettings):
    """What an operator can set, each as ``NORMD_<NAME>``; an empty variable means the default.

    Creating it reads the environment and touches no disk.
    """

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="forbid"
    )

    SHOWN: ClassVar[tuple[str, ...]] = (
        "max_body_bytes",
        "max_compression_ratio",
        "max_json_depth",
        "max_values",
        "max_rows",
        "max_lists",
        "max_ids",
        "max_dims",
        "max_pairs",
        "max_parts",
        "max_parents",
        "max_page_size",
        "max_connections",
        "max_head_bytes",
        "max_headers",
        "max_requests",
        "max_bytes_in_work",
        "max_queue",
        "queue_seconds",
        "head_seconds",
        "body_seconds",
        "write_seconds",
        "worker_threads",
    )

    data: Annotated[Path, AfterValidator(make_absolute)] = Field(
        default=Path("data"),
        validate_default=True,
        description="Folder that holds the registry and the version files; created when missing.",
    )
    database: Annotated[SecretStr, AfterValidator(require_database)] = Field(
        default=SecretStr(""),
        description="PostgreSQL that keeps the registry for many machines, "
        "postgresql://user:password@host/name; empty keeps it in the data folder.",
    )
    blobs: Annotated[str, AfterValidator(require_bucket)] = Field(
        default="",
        description="Bucket of an S3-compatible store that keeps the version files, "
        "s3://bucket/prefix, with AWS_ variables for the rest; empty keeps them in the data "
        "folder.",
    )
    max_body_bytes: int = Field(
        default=64 * MEBIBYTE,
        ge=1,
        description="Largest request body, in bytes, as it is sent and as it is decoded.",
    )
    max_compression_ratio: int = Field(
        default=200,
        ge=1,
        description="Most decoded bytes for each byte of a compressed body, beyond the first MiB.",
    )
    max_json_depth: int = Field(
        default=64, ge=8, le=DEEPEST_JSON, description="Deepest nesting of a JSON body."
    )
    max_values: int = Field(
        default=16 * MEBIBYTE,
        ge=1,
        description="Most numbers and strings in the lists and arrays of one request; apart from "
        "them, as much of lists, each counted as 4, and of objects, each as 16.",
    )
    max_rows: int = Field(
        default=1_000_000, ge=1, description="Most rows (vectors, windows) in one field."
    )
    max_lists: int = Field(
        default=100_000, ge=1, description="Most lists (queries) in one ragged field."
    )
    max_ids: int = Field(default=4_000_000, ge=1, description="Most ids or labels in one field.")
    max_dims: int = Field(
        default=4096, ge=1, description="Most dims of the vectors of a fit; work grows as its cube."
    )
    max_pairs: int = Field(
        default=50_000,
        ge=1,
        description="Most kinds of queries times runs in one fusion; queries are of one kind "
        "where a run says the same of itself in all; 64 runs that a query lacks count as one.",
    )
    max_parts: int = Field(
        default=1_000_000, ge=1, description="Most runs times documents in one explained fusion."
    )
    max_parents: int = Field(
        default=10_000,
        ge=1,
        description="Most versions and statistics that a merged version adds up, each as often as "
        "it counts.",
    )
    device: Annotated[str, AfterValidator(require_device)] = Field(
        default=CPU,
        description="Where methods compute that can, unless a request says where: "
        f"{DEVICE_NAMES}; auto is the first GPU, if there is one.",
    )
    offload_bytes: int = Field(
        default=32 * KIBIBYTE,
        ge=0,
        description="Bodies above this many bytes are parsed and computed off the event loop.",
    )
    worker_threads: int = Field(
        default=8, ge=1, le=256, description="Threads that parse and compute, in each worker."
    )
    version_cache_bytes: int = Field(
        default=256 * MEBIBYTE,
        ge=0,
        description="Bytes of version files kept in memory, by hash, in each worker.",
    )
    compact_after: int = Field(
        default=16, ge=2, description="Partials of one level before they are merged into one."
    )
    busy_timeout_seconds: float = Field(
        default=10.0,
        gt=0,
        le=300,
        allow_inf_nan=False,
        description="Longest wait for the registry's write lock, in seconds, before a 503.",
    )
    key_days: float = Field(
        default=30.0,
        gt=0,
        le=36500,
        allow_inf_nan=False,
        description="How many days an Idempotency-Key is remembered; a retry after that is new.",
    )
    max_connections: int = Field(default=1000, ge=1, description="Most connections to each worker.")
    max_head_bytes: int = Field(
        default=64 * KIBIBYTE, ge=KIBIBYTE, description="Most bytes of the head of a request."
    )
    max_headers: int = Field(default=200, ge=20, description="Most headers of a request.")
    max_requests: int = Field(
        default=256, ge=1, description="Most requests in work in each worker; others wait."
    )
    max_bytes_in_work: int = Field(
        default=128 * MEBIBYTE,
        ge=1,
        description="Most bytes of the bodies in work in each worker, as they are announced; one "
        "request alone may have more. Others wait, unread.",
    )
    max_queue: int = Field(
        default=512,
        ge=0,
        description="Most requests that wait in each worker; others are answered 503 at once.",
    )
    queue_seconds: float = Field(
        default=30.0,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Longest wait for a place, in seconds, before a 503.",
    )
    head_seconds: float = Field(
        default=20.0,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Longest time that the head of a request may take, in seconds.",
    )
    body_seconds: float = Field(
        default=120.0,
        gt=0,
        le=86400,
        allow_inf_nan=False,
        description="Longest time that a body may take, in seconds while it is read.",
    )
    write_seconds: float = Field(
        default=60.0,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="Longest wait for a client that does not read its answer, in seconds.",
    )
    drain_seconds: float = Field(
        default=0.0,
        ge=0,
        le=600,
        allow_inf_nan=False,
        description="How long requests are still let in after SIGTERM, in seconds, while /readyz "
        "says 503: as long as a balancer takes to notice.",
    )
    keys: Annotated[Path | None, AfterValidator(make_absolute_if_given)] = Field(
        default=None,
        description="File of the keys that callers need, read anew when it changes; by default "
        "keys.json in the data folder. Where there is no such file nobody needs a key.",
    )
    pepper: SecretStr = Field(
        default=SecretStr(""),
        description="Secret under which the digests of keys are made; by default a file of random "
        "bytes beside the keys.",
    )
    key_rate: Annotated[str, AfterValidator(require_rate)] = Field(
        default="",
        description="How often each key may ask each worker, such as 100/second or 5000/minute; "
        "empty is without a bound.",
    )
    watch_drift: str = Field(
        default="",
        description="Names (hubs,search), with a comma between, whose live inputs are compared "
        "with their fits for /metrics, where these names are labels.",
    )
    audit_log: Annotated[Path | None, AfterValidator(make_absolute_if_given)] = Field(
        default=None,
        description="File that a line of JSON is appended to for each change: who, what, and the "
        "hashes before and after.",
    )
    tls_certificate: Annotated[Path | None, AfterValidator(make_absolute_if_given)] = Field(
        default=None,
        description="Certificate (PEM, with those between it and the root) by which `normd serve` "
        "speaks TLS alone.",
    )
    tls_key: Annotated[Path | None, AfterValidator(make_absolute_if_given)] = Field(
        default=None, description="Its private key (PEM)."
    )
    tls_client_ca: Annotated[Path | None, AfterValidator(make_absolute_if_given)] = Field(
        default=None,
        description="Certificates (PEM) of those who sign the certificates that callers must have.",
    )
    root_path: Annotated[str, AfterValidator(require_path)] = Field(
        default="",
        description="Path below which a proxy shows the service, such as /norm; requests may come "
        "with it or without.",
    )
    cors_origins: Annotated[str, AfterValidator(split_origins)] = Field(
        default="",
        description="Origins whose pages may call from a browser, with a comma between "
        "(https://example.org,http://localhost:3000), or '*' for every one; empty allows none.",
    )
    page_size: int = Field(default=50, ge=1, description="Items on a page when none are asked for.")
    max_page_size: int = Field(default=500, ge=1, description="Most items on a page.")

    @model_validator(mode="after")
    def _tls_is_whole(self) -> Settings:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError(
                f"{PREFIX}TLS_CERTIFICATE and {PREFIX}TLS_KEY are given together or not at all"
            )
        if self.tls_client_ca is not None and self.tls_key is None:
            raise ValueError(f"{PREFIX}TLS_CLIENT_CA needs {PREFIX}TLS_CERTIFICATE")
        return self

    @model_validator(mode="after")
    def _page_fits(self) -> Settings:
        if self.page_size > self.max_page_size:
            raise ValueError(
                f"{PREFIX}PAGE_SIZE ({self.page_size}) must not be above "
                f"{PREFIX}MAX_PAGE_SIZE ({self.max_page_size})"
            )
        return self

    @property
    def place(self) -> str:
        """Where the registry is kept, as an operator is told; a database may have a password.

        Examples
        --------
        >>> from app.settings import Settings
        >>> Settings(database="postgresql://user:secret@host/name").place
        'NORMD_DATABASE'
        """
        if self.database.get_secret_value():
            return variable("database")
        return f"{variable('data')} is {self.data}"

    @property
    def is_on_servers(self) -> bool:
        """Whether the registry, or a part of it, is kept elsewhere than in the data folder.

        Examples
        --------
        >>> from app.settings import Settings
        >>> Settings().is_on_servers, Settings(blobs="s3://bucket").is_on_servers
        (False, True)
        """
        return bool(self.database.get_secret_value() or self.blobs)

    @property
    def key_file(self) -> Path:
        """The file of keys.

        Examples
        --------
        >>> from pathlib import Path
        >>> from app.settings import Settings
        >>> Settings(data=Path("/data")).key_file.name
        'keys.json'
        """
        return self.keys or self.data / KEY_FILE

    @property
    def origins(self) -> list[str]:
        """Each origin that may call from a browser.

        Examples
        --------
        >>> from app.settings import Settings
        >>> Settings(cors_origins="https://a.org, https://b.org").origins
        ['https://a.org', 'https://b.org']
        """
        return self.cors_origins.split(",") if self.cors_origins else []

    def limits(self) -> Limits:
        """Return every limit a client can meet: its value, the variable that sets it, its meaning.

        Examples
        --------
        >>> from app.settings import Settings
        >>> Settings(max_rows=10).limits()["max_rows"]["value"]
        10
        """
        return {
            name: {
                "value": getattr(self, name),
                "setting": variable(name),
                "description": type(self).model_fields[name].description or "",
            }
            for name in self.SHOWN
        }


def variable(name: str) -> str:
    """Return the environment variable of the setting `name`."""
    return PREFIX + name.upper()


def read_settings() -> Settings:
    """Read the settings from the environment.

    Raises
    ------
    SettingsError
        When a variable cannot be used; the message names every one of them.
    """
    try:
        return Settings()
    except ValidationError as error:
        faults = error.errors(include_url=False, include_input=False, include_context=False)
        lines = [_told(fault["loc"], fault["msg"]) for fault in faults]
        raise SettingsError("unusable settings: " + "; ".join(lines)) from None


def unknown_variables() -> list[str]:
    """Return the ``NORMD_`` variables of the environment that set nothing."""
    known = {*map(variable, Settings.model_fields), *OTHER_VARIABLES}
    return sorted(name for name in os.environ if name.startswith(PREFIX) and name not in known)


def _told(place: tuple[int | str, ...], message: str) -> str:
    """Return what is wrong with a variable, without the validator's own words."""
    said = message.removeprefix("Value error, ")
    return f"{variable(str(place[0]))}: {said}" if place else said
