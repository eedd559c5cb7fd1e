"""What the searches for units and for runs of tokens on a cluster have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .. import _native
from ._batches import BROADCAST, batches

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ._batches import Batches

#: Documents of a passage from which on its places stay where they are, and the passage comes to them.
HOT = 1_000_000


@dataclass(frozen=True)
class Search:
    """A search, as tasks make it anew."""

    unit: str
    profile: str
    options: dict[str, Any]

    def native(self) -> _native.PassageSearch:
        """The search in Rust."""
        return _native.PassageSearch(self.unit, self.profile, self.options)


@dataclass(frozen=True)
class Step:
    """A step of a search by its name, as a function of batches."""

    search: Search
    name: str

    def __call__(self, rows: Batches) -> Batches:
        step = getattr(self.search.native(), self.name)
        for batch in rows:
            yield from batches(step(batch))


def beside(places: DataFrame, found: DataFrame, key: str, count: str) -> DataFrame:
    """Rows of places with what was found for their keys. `count` is the number of documents of a key; places of keys that very many
    documents have stay where they are, so that no task sees all of them."""
    if found.count() <= BROADCAST:
        return places.join(F.broadcast(found), key)
    hot = found.where(F.col(count) >= HOT)
    others = places.join(F.broadcast(hot.select(key).distinct()), key, "left_anti")
    of_others = others.join(found.where(F.col(count) < HOT), key)
    return places.join(F.broadcast(hot), key).unionByName(of_others)


def enough(rule: _native.PassageSearch) -> Column:
    """Whether what was counted is a passage."""
    return (F.col("places") > 1) & (F.col("documents") >= rule.min_documents) & (F.col("hosts") >= rule.min_hosts)


def longest_of() -> Column:
    """The longest document of a group, of equally long ones the first: `units`, and `before`, the negative of its position."""
    return F.max(F.struct("units", (-F.col("position")).alias("before")))
