"""The tables, and the number by which a database says which ones it has."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
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

NUMBER = 2

metadata = MetaData()

# Of any size in SQLite; sorted by code point, as SQLite does, whatever the server's language is.
Whole = Integer().with_variant(BigInteger(), "postgresql")
Text = String().with_variant(String(collation="POSIX"), "postgresql")
# PostgreSQL's own texts cannot hold every character.
Free = String().with_variant(JSON(), "postgresql")

schema = Table("schema", metadata, Column("number", Whole, nullable=False))

# Outlives its name, so that no version number is used twice.
counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("last_version", Whole, nullable=False),
    Column("generation", Whole, nullable=False),
)

names = Table(
    "names",
    metadata,
    Column("name", Text, primary_key=True),
    Column("method", Text, nullable=False),
    Column("given", JSON, nullable=False),
    Column("statistics_params", JSON, nullable=False),
    Column("binding", JSON, nullable=False),
    Column("description", Free, nullable=False),
    Column("tags", JSON, nullable=False),
    Column("digest", Text, nullable=False),
    Column("first_version", Whole),
    Column("generation", Whole, nullable=False),
    Column("created", Text, nullable=False),
)

versions = Table(
    "versions",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("number", Whole, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("size", Whole, nullable=False),
    Column("method", Text, nullable=False),
    Column("given", JSON, nullable=False),
    Column("resolved", JSON, nullable=False),
    Column("statistics_params", JSON, nullable=False),
    Column("n", Whole, nullable=False),
    Column("report", JSON, nullable=False),
    Column("parents", JSON, nullable=False),
    Column("origin", Text, nullable=False),
    Column("library_version", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("created", Text, nullable=False),
    Index("versions_by_hash", "hash"),
)

aliases = Table(
    "aliases",
    metadata,
    Column("name", Text, primary_key=True),
    Column("alias", Text, primary_key=True),
    Column("version", Whole, nullable=False),
    Column("updated", Text, nullable=False),
    ForeignKeyConstraint(["name", "version"], ["versions.name", "versions.number"]),
)

keys = Table(
    "idempotency_keys",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("scope", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("version", Whole),
    Column("created", Text, nullable=False),
    Index("keys_by_age", "created"),
)

openings = Table(
    "openings",
    metadata,
    Column("name", ForeignKey("names.name"), primary_key=True),
    Column("begun", JSON, nullable=False),
    Column("created", Text, nullable=False),
)

# A row is never changed, and its id never used again.
observations = Table(
    "observations",
    metadata,
    Column("id", Whole, primary_key=True),
    Column("name", ForeignKey("names.name"), nullable=False),
    Column("level", Whole, nullable=False),
    Column("position", Whole, nullable=False),
    Column("n", Whole, nullable=False),
    Column("content", LargeBinary, nullable=False),
    Index("observations_in_order", "name", "position", unique=True),
    sqlite_autoincrement=True,
)


def prepare(connection: Connection) -> None:
    """Create the tables in an empty database; bring those of earlier releases up to date.

    All of it is one transaction: a migration that fails leaves the tables of before.

    Raises
    ------
    UnknownSchema
        When a later release wrote the database.
    """
    if not inspect(connection).has_table(schema.name):
        metadata.create_all(connection)
        connection.execute(schema.insert().values(number=NUMBER))
    found = connection.execute(select(schema.c.number)).scalar() or 0
    if found not in range(1, NUMBER + 1):
        raise UnknownSchema(
            f"the registry has schema {found}, and this release reads schemas up to {NUMBER}; "
            "start the release that wrote it, or another data folder"
        )
    if found < NUMBER:
        # Inside: it loads a library that only an upgrade needs.
        from app.registry.migration import migrate

        migrate(connection, found, NUMBER)
        connection.execute(schema.update().values(number=NUMBER))
