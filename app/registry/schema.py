"""The tables, and the number by which a database says which ones it has."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    inspect,
    select,
)

from app.registry.errors import UnknownSchema

NUMBER = 1

metadata = MetaData()

schema = Table("schema", metadata, Column("number", Integer, nullable=False))

# Outlives its name, so that no version number is used twice.
counters = Table(
    "counters",
    metadata,
    Column("name", String, primary_key=True),
    Column("last_version", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
)

names = Table(
    "names",
    metadata,
    Column("name", String, primary_key=True),
    Column("method", String, nullable=False),
    Column("given", JSON, nullable=False),
    Column("statistics_params", JSON, nullable=False),
    Column("binding", JSON, nullable=False),
    Column("description", String, nullable=False),
    Column("tags", JSON, nullable=False),
    Column("digest", String, nullable=False),
    Column("first_version", Integer),
    Column("generation", Integer, nullable=False),
    Column("created", String, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("hash", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("method", String, nullable=False),
    Column("given", JSON, nullable=False),
    Column("resolved", JSON, nullable=False),
    Column("statistics_params", JSON, nullable=False),
    Column("n", Integer, nullable=False),
    Column("report", JSON, nullable=False),
    Column("parents", JSON, nullable=False),
    Column("origin", String, nullable=False),
    Column("library_version", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("created", String, nullable=False),
    Index("versions_by_hash", "hash"),
)

aliases = Table(
    "aliases",
    metadata,
    Column("name", String, primary_key=True),
    Column("alias", String, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("updated", String, nullable=False),
    ForeignKeyConstraint(["name", "version"], ["versions.name", "versions.number"]),
)

keys = Table(
    "idempotency_keys",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("scope", String, primary_key=True),
    Column("key", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("version", Integer),
    Column("created", String, nullable=False),
)

openings = Table(
    "openings",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("begun", JSON, nullable=False),
    Column("created", String, nullable=False),
)

# A row is never changed, and its id never used again.
observations = Table(
    "observations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", ForeignKey("names.name"), nullable=False),
    Column("level", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("observations_in_order", "name", "position", unique=True),
    sqlite_autoincrement=True,
)


def prepare(connection: Connection) -> None:
    """Create the tables in an empty database; accept one of this schema.

    Raises
    ------
    UnknownSchema
        When the database has another schema number.
    """
    if not inspect(connection).has_table(schema.name):
        metadata.create_all(connection)
        connection.execute(schema.insert().values(number=NUMBER))
    found = connection.execute(select(schema.c.number)).scalar()
    if found != NUMBER:
        raise UnknownSchema(
            f"the registry has schema {found}, and this release reads schema {NUMBER}; "
            "start the release that wrote it, or another data folder"
        )
