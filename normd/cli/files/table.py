"""Some rows of a file, or all of it: columns by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from normalizers.messages import did_you_mean, printable_name, quoted
from normd.cli.errors import BadFile, Misuse
from normd.cli.files.column import Column


@dataclass(frozen=True)
class Table:
    """Columns by name.

    Parameters
    ----------
    file : str
        Where they come from, for messages.
    columns : mapping
        By name, in order; the array of an npy file is called ``""``.
    named : bool
        Whether the names are the file's own.
    aligned : bool
        Whether all columns have the same rows; the arrays of an npz file need not.
    index : frozenset of str
        Columns that number or name the rows of the data frame that was written.
    """

    file: str
    columns: Mapping[str, Column]
    named: bool = True
    aligned: bool = True
    index: frozenset[str] = frozenset()

    def __len__(self) -> int:
        return max((len(column) for column in self.columns.values()), default=0)

    def column(self, name: str) -> Column:
        """Return a column, or say which there are."""
        if name not in self.columns:
            raise BadFile(
                self.file,
                f"there is no column {quoted(name)}{did_you_mean(name, self.columns)}; "
                f"{self.known}",
            )
        return self.columns[name]

    @property
    def known(self) -> str:
        """The columns there are, in words."""
        if list(self.columns) == [""]:
            return "the file holds one array without a name"
        return (
            f"its columns are {', '.join(printable_name(name) for name in self.columns) or 'none'}"
        )

    def part(self, start: int, stop: int) -> Table:
        """Return some of the rows."""
        parts = {name: column.part(start, stop) for name, column in self.columns.items()}
        return Table(self.file, parts, self.named, self.aligned, self.index)


def joined(tables: Iterable[Table]) -> Table:
    """Return the rows of several tables of one file."""
    first, *others = tables
    if not others:
        return first
    columns = {
        name: column.joined([other.columns[name] for other in others])
        for name, column in first.columns.items()
    }
    return Table(first.file, columns, first.named, first.aligned, first.index)


def require_names(table: Table, left: Iterable[str], used: Collection[str]) -> None:
    """Refuse numbers beside an index without a name, which only the caller can tell from them.

    Raises
    ------
    BadFile
        The first column has no name and counts up.
    """
    if "" in table.index and "" not in used:
        raise BadFile(
            table.file,
            "the first column has no name and counts up, as the row index of a data frame does; "
            f"say --columns {','.join(left)} to leave it out, or write the file without it",
        )


def whole_lists(tables: Iterable[Table], name: str) -> Iterator[Table]:
    """Yield the same rows so that no list, the rows of one value in column `name`, is cut.

    Raises
    ------
    Misuse
        The rows of a list do not stand together.
    """
    finished: set[str] = set()
    rest: Table | None = None
    for table in tables:
        whole = table if rest is None else joined([rest, table])
        start = _start_of_last(whole, name, finished)
        if start:
            yield whole.part(0, start)
        rest = whole.part(start, len(whole))
    if rest is not None:
        yield rest


def _start_of_last(table: Table, name: str, finished: set[str]) -> int:
    """Return where the last list starts; those before it are `finished`."""
    labels, start = table.column(name).texts(), 0
    for row in range(1, len(labels)):
        if labels[row] != labels[row - 1]:
            finished.add(labels[row - 1])
            start = row
        if labels[row] in finished:
            raise Misuse(
                f"{table.file}: the rows of the list {quoted(labels[row])} in column "
                f"{quoted(name)} do not stand together; sort the file by that column"
            )
    return start
