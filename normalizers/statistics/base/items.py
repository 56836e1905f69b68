"""Statistics of items over a bank of queries: whose they are, and how parts are put together."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from normalizers.data.arrays import Array, string_array
from normalizers.errors import IncompatibleStatistics, InvalidInput
from normalizers.kernels.digests import add_digests, digest_of_names, is_digest
from normalizers.statistics.base import posted
from normalizers.statistics.base.statistic import Members, Statistic

ITEM_MEMBERS = ("n", "item_ids", "gallery_digest", "bank_digest")


@dataclass(frozen=True, eq=False)
class ItemStatistic(Statistic):
    """A statistic with numbers for each item of a gallery, taken over the rows of a bank.

    Parameters
    ----------
    from_embeddings : bool
        Whether similarities are computed from embeddings. A position says nothing about another
        gallery: such parts merge by item ids, or where the gallery is known to be the same.
    n : int
        Bank rows seen.
    item_ids : object array of str, shape (g,), optional
        The items, in the order of the first fit; without ids a position is an item's name.
    gallery_digest : str, optional
        Digest of the gallery's vectors with their names, where there were vectors.
    bank_digest : str, optional
        Digest of the bank's vectors, where there were vectors.
    """

    from_embeddings: bool = False
    n: int = 0
    item_ids: Array | None = None
    gallery_digest: str | None = None
    bank_digest: str | None = None

    @property
    @abstractmethod
    def items(self) -> int:
        """Number of items."""

    @abstractmethod
    def configuration(self) -> Mapping[str, object]:
        """Return what a fit settles before the first row, where it is known."""

    @abstractmethod
    def configured(self, other: Self) -> Self:
        """Return this statistic, empty, with what `other` knows of the configuration."""

    @abstractmethod
    def added(self, other: Self, order: Array | None) -> Self:
        """Return the numbers of both banks together.

        `order` are the places of the items in `other`, None where they are in this order. The
        members that all of these statistics have are those of this part.
        """

    @abstractmethod
    def beside(self, other: Self) -> Self:
        """Return the numbers of the items of this part and, after them, of the other's."""

    @cached_property
    def item_set(self) -> str | None:
        """Digest of the ids; None where items have none."""
        return None if self.item_ids is None else digest_of_names(self.item_ids)

    def identity(self) -> Mapping[str, object]:
        """Return the configuration and, when not empty, the items: count and digests."""
        known = dict(self.configuration())
        if self.is_empty:
            return known
        told = {} if self.gallery_digest is None else {"gallery": self.gallery_digest}
        return {**known, "items": self.items, "item_set": self.item_set, **told}

    def merge(self, other: Self) -> Self:
        """Return the statistic of both banks together, items aligned by id.

        Raises
        ------
        IncompatibleStatistics
            Another configuration, other items, or parts whose items are not known to be the same.
        """
        self.require_same_configuration(other)
        if other.is_empty:
            return self.configured(other) if self.is_empty else self
        if self.is_empty:
            return other
        self.require_mergeable(other)
        merged = self.added(other, self.order_in(other))
        gallery = self.gallery_digest if other.gallery_digest is not None else None
        return replace(
            merged,
            n=self.n + other.n,
            gallery_digest=gallery,
            bank_digest=_both(self.bank_digest, other.bank_digest),
        )

    def join(self, other: Self) -> Self:
        """Return the statistic of the items of both parts, which no item is in twice.

        Raises
        ------
        IncompatibleStatistics
            Another configuration, another bank or one that is not known, or an item twice.
        """
        self.require_same_configuration(other)
        if other.is_empty or self.is_empty:
            return self if other.is_empty else other
        self.require_same_bank(other)
        mine, theirs = self.item_ids, other.item_ids
        if mine is None or theirs is None:
            raise self.refused("items are joined by their ids; name the gallery in every fit")
        twice = set(mine) & set(theirs)
        if twice:
            raise self.refused(f"item '{min(twice)}' is in both parts", "join")
        return replace(
            self.beside(other),
            item_ids=np.concatenate([mine, theirs]),
            gallery_digest=_both(self.gallery_digest, other.gallery_digest),
        )

    def require_mergeable(self, other: Self) -> None:
        """Refuse parts whose numbers cannot be added up."""

    def require_same_configuration(self, other: Self) -> None:
        """Refuse a part that was kept in another way."""
        mine, theirs = self.configuration(), other.configuration()
        for key in sorted(mine.keys() & theirs.keys()):
            if mine[key] != theirs[key]:
                raise self.refused(f"{key} is {mine[key]} here and {theirs[key]} there")

    def require_same_bank(self, other: Self) -> None:
        """Refuse to join items that met another bank."""
        if self.n != other.n:
            raise self.refused(
                f"the bank has {self.n} rows here and {other.n} there; fit the same bank on the "
                "new items",
                "join",
            )
        if None in (self.bank_digest, other.bank_digest):
            raise self.refused(
                "it is not known that the banks are the same; fit both from embeddings", "join"
            )
        if self.bank_digest != other.bank_digest:
            raise self.refused("the banks hold other queries", "join")

    def refused(self, reason: str, verb: str = "merge") -> IncompatibleStatistics:
        """Return the error that says why parts are not put together."""
        return IncompatibleStatistics(f"'{self.name}' statistics do not {verb}: {reason}")

    def item_arrays(self) -> dict[str, Array]:
        """Return the members that say whose numbers these are."""
        members: dict[str, Array] = {"n": np.asarray(self.n, dtype=np.int64)}
        if self.item_ids is not None:
            members["item_ids"] = self.item_ids
        for name in ("gallery_digest", "bank_digest"):
            text = getattr(self, name)
            if text is not None:
                members[name] = string_array([text])
        return members

    def order_in(self, other: Self) -> Array | None:
        """Return where the items of this part are in `other`; None where they are in its order."""
        self._require_same_gallery(other)
        mine, theirs = self.item_ids, other.item_ids
        if mine is None or theirs is None:
            self._require_positions(other)
            return None
        if mine is theirs or np.array_equal(mine, theirs):
            return None
        position = {item: index for index, item in enumerate(theirs.tolist())}
        strangers = set(mine.tolist()) ^ position.keys()
        if strangers:
            raise self.refused(f"item '{min(strangers)}' is in one part only")
        return np.fromiter((position[item] for item in mine.tolist()), np.int64, len(mine))

    def _require_same_gallery(self, other: Self) -> None:
        known = self.gallery_digest is not None and other.gallery_digest is not None
        named = self.item_ids is not None and other.item_ids is not None
        differ = known and named and self.gallery_digest != other.gallery_digest
        if differ and self.items == other.items and self.item_set == other.item_set:
            raise self.refused("the items have other vectors there; fit one gallery")

    def _require_positions(self, other: Self) -> None:
        if self.items != other.items:
            raise self.refused(f"{self.items} items here and {other.items} there")
        if (self.item_ids is None) != (other.item_ids is None):
            raise self.refused("only one part names its items")
        if not (self.from_embeddings or other.from_embeddings):
            return
        if self.gallery_digest is None or self.gallery_digest != other.gallery_digest:
            raise IncompatibleStatistics(
                f"'{self.name}' statistics from embeddings do not merge without item ids; name the "
                "gallery in every fit"
            )


def read_items(members: Members, items: int, path: str) -> dict[str, object]:
    """Return the posted members that say whose the numbers of `items` items are, but for ``n``."""
    told: dict[str, object] = {"item_ids": _posted_ids(members, items, path)}
    for name in ("gallery_digest", "bank_digest"):
        told[name] = _posted_digest(members, name, path)
    return told


def read_bank_rows(members: Members, path: str) -> int:
    """Return the posted number of bank rows, at least one."""
    n = posted.count(members, "n", path)
    if n == 0:
        raise InvalidInput("n is 0; an empty statistic is {}", path=f"{path}.n")
    return n


def require_ids(item_ids: Array, items: int, path: str) -> None:
    """Refuse ids of another number, an empty one and one that occurs twice."""
    posted.require_shape(item_ids, (items,), path)
    posted.refuse_where(item_ids == "", "an item id is empty", path)
    if len(set(item_ids.tolist())) < items:
        raise InvalidInput("an item id occurs twice", path=path)


def _posted_ids(members: Members, items: int, path: str) -> Array | None:
    if "item_ids" not in members:
        return None
    item_ids = posted.texts(members, "item_ids", path)
    require_ids(item_ids, items, f"{path}.item_ids")
    return item_ids


def _posted_digest(members: Members, name: str, path: str) -> str | None:
    if name not in members:
        return None
    text = posted.texts(members, name, path, levels=1)
    posted.require_shape(text, (1,), f"{path}.{name}")
    if not is_digest(text[0]):
        raise InvalidInput("this is no digest: 16 digits, 0 to 9 and a to f", path=f"{path}.{name}")
    return str(text[0])


def _both(mine: str | None, theirs: str | None) -> str | None:
    return None if mine is None or theirs is None else add_digests(mine, theirs)
