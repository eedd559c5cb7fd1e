"""Documents of equal contents, and pairs of similar ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .. import _native
from ._batches import grouped, mapped, stepwise
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._batches import Batches
    from ._checkpoints import Checkpoints

#: Rows of a data frame up to which all of it goes to every executor, so that the other one need not be shuffled.
BROADCAST = 2_000_000

#: Columns of pairs.
PAIRS = "a long, b long, similarity double, estimate float"

#: Columns of candidates: `b` is null in rows of members of groups that are too large for all of their pairs.
CANDIDATES = "a long, b long, cell long"


@dataclass(frozen=True)
class Texts:
    """What pairs are sought among."""

    #: Documents as `sign` gives them.
    signed: DataFrame
    #: The documents of equal contents: `position`, and the `first` of them.
    copies: DataFrame
    #: Positions with `text`, to be read again.
    documents: DataFrame
    options: dict[str, Any] = field(repr=False)
    checkpoints: Checkpoints = field(repr=False)


@dataclass(frozen=True)
class _Group:
    options: dict[str, Any]
    search: int

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).grouping(self.search), rows)


@dataclass(frozen=True)
class _Compare:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).comparing(), rows)


def small(frame: DataFrame) -> DataFrame:
    """The data frame, which goes to all executors if it is small. It should be one that lies in files."""
    return F.broadcast(frame) if frame.count() <= BROADCAST else frame


def of_texts(signed: DataFrame, documents: DataFrame, options: dict[str, Any], checkpoints: Checkpoints) -> Texts:
    """Brings documents of equal contents together: the first of them stands for all."""
    alike = signed.where("kind > 0").groupBy("content").agg(F.min(POSITION).alias("first"), F.count("*").alias("n"))
    repeated = checkpoints.save(alike.where("n > 1").select("content", "first"), "repeated")
    copies = signed.where("kind > 0").select(POSITION, "content").join(small(repeated), "content")
    return Texts(
        signed, checkpoints.save(copies.select(POSITION, "first"), "copies"), documents, options, checkpoints
    )


def first_search(texts: Texts) -> tuple[DataFrame, DataFrame]:
    """The candidates among all texts, and the positions of those in groups that were too large."""
    others = texts.copies.where(F.col(POSITION) != F.col("first")).select(POSITION)
    full = texts.signed.where("kind = 2").join(small(others), POSITION, "left_anti")
    # Contents are of use to large groups alone: those come again.
    members = grouped(full.select(POSITION, F.explode("words").alias("word")), "word")
    found = texts.checkpoints.save(
        mapped(members, _Group(texts.options, 0), CANDIDATES), "candidates-0"
    )
    large = found.where("b is null").select(F.col("a").alias(POSITION), F.col("cell").alias("word"))
    candidates = found.where("b is not null")
    if not large.isEmpty():
        known = texts.signed.select(POSITION, "content", "row")
        again = mapped(grouped(known.join(small(large), POSITION), "word"), _Group(texts.options, 0), CANDIDATES)
        candidates = candidates.unionByName(again.where("b is not null"))
    return candidates, large.select(POSITION).distinct()


def further_search(texts: Texts, stay: DataFrame, number: int) -> tuple[DataFrame, DataFrame]:
    """The same among documents that would stay: `stay` has the `position` of the text and its `place` in the order of those who stay."""
    members = texts.signed.join(small(stay), POSITION).select(
        POSITION, "place", F.explode("words").alias("word"), "content", "row"
    )
    found = texts.checkpoints.save(
        mapped(grouped(members, "word"), _Group(texts.options, number), CANDIDATES), f"candidates-{number}"
    )
    capped = found.where("b is null").select(F.col("a").alias(POSITION)).distinct()
    return found.where("b is not null"), capped


def similar(texts: Texts, candidates: DataFrame, number: int) -> DataFrame:
    """The candidates that are similar enough. Pairs with documents in common are compared together, so that texts travel little."""
    once = candidates.groupBy("a", "b").agg(F.min("cell").alias("cell"))
    waiting = texts.checkpoints.save(once, f"waiting-{number}")
    ends = waiting.select("cell", F.col("a").alias(POSITION)).unionByName(
        waiting.select("cell", F.col("b").alias(POSITION))
    )
    wanted = texts.checkpoints.save(ends.distinct(), f"wanted-{number}")
    read = texts.documents.select(POSITION, "text").join(small(wanted), POSITION)
    rows = read.select("cell", F.col(POSITION).alias("a"), F.lit(None).cast("long").alias("b"), "text").unionByName(
        waiting.select("cell", "a", "b", F.lit(None).cast("string").alias("text"))
    )
    ordered = grouped(rows, "cell", F.col("b").asc_nulls_first())
    return mapped(ordered, _Compare(texts.options), PAIRS).withColumn("search", F.lit(number))
