"""Documents of equal contents, and pairs of similar ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .. import _native
from ._batches import grouped, mapped, small, stepwise
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._batches import Batches
    from ._checkpoints import Checkpoints

#: Columns of pairs.
PAIRS = "a long, b long, similarity double, estimate float"


@dataclass(frozen=True)
class Texts:
    """What pairs are sought among."""

    #: Documents as `sign` gives them.
    signed: DataFrame
    #: The documents of equal contents: `position`, the `first` of them, and `exact`, the hash of the text.
    copies: DataFrame
    #: The `order` of each `text`, which is that of the best document with it. The position of the first document names a text.
    orders: DataFrame
    #: Positions with `text`, to be read again.
    documents: DataFrame
    options: dict[str, Any] = field(repr=False)
    checkpoints: Checkpoints = field(repr=False)


@dataclass(frozen=True)
class _Compare:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).comparing(), rows)


def of_texts(signed: DataFrame, documents: DataFrame, options: dict[str, Any], checkpoints: Checkpoints) -> Texts:
    """Brings documents of equal contents together: the first of them stands for all."""
    alike = signed.where("kind > 0").groupBy("content").agg(F.min(POSITION).alias("first"), F.count("*").alias("n"))
    repeated = checkpoints.save(alike.where("n > 1").select("content", "first"), "repeated")
    equal = signed.where("kind > 0").select(POSITION, "content", "exact", "order").join(small(repeated), "content")
    copies = checkpoints.save(equal.select(POSITION, "first", "exact", "order"), "copies")
    of_copies = copies.groupBy(F.col("first").alias("text")).agg(F.min("order").alias("order"))
    alone = signed.where("kind = 2").join(small(copies.select(POSITION)), POSITION, "left_anti")
    orders = of_copies.unionByName(alone.select(F.col(POSITION).alias("text"), "order"))
    return Texts(
        signed, copies.select(POSITION, "first", "exact"), checkpoints.save(orders, "orders"), documents, options, checkpoints
    )


def similar(texts: Texts, candidates: DataFrame, name: str) -> DataFrame:
    """The candidates that are similar enough, in files of that name. Pairs with documents in common are compared together, so that texts
    travel little."""
    once = candidates.groupBy("a", "b").agg(F.min("cell").alias("cell"))
    waiting = texts.checkpoints.save(once, f"waiting-{name}")
    ends = waiting.select("cell", F.col("a").alias(POSITION)).unionByName(
        waiting.select("cell", F.col("b").alias(POSITION))
    )
    wanted = texts.checkpoints.save(ends.distinct(), f"wanted-{name}")
    read = texts.documents.select(POSITION, "text").join(small(wanted), POSITION)
    rows = read.select("cell", F.col(POSITION).alias("a"), F.lit(None).cast("long").alias("b"), "text").unionByName(
        waiting.select("cell", "a", "b", F.lit(None).cast("string").alias("text"))
    )
    ordered = grouped(rows, "cell", F.col("b").asc_nulls_first())
    return texts.checkpoints.save(mapped(ordered, _Compare(texts.options), PAIRS), f"similar-{name}")
