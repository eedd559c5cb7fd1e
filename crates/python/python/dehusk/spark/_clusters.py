"""Pairs to clusters and to the documents that stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _native
from ._batches import grouped, mapped, small, stepwise
from ._checkpoints import Checkpoints
from ._components import components
from ._extraction import POSITION, positioned
from ._options import column_of, one_thread
from ._pair_rows import pair_rows
from ._pairs import Texts, of_texts
from ._signing import sign
from ._staying import Settled, settled

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from .._options import SparkOptions
    from ._batches import Batches

#: Columns of decisions on documents.
DECISION = (
    "id string, cluster string, representative string, similarity double, cluster_size long, kept boolean, reason string"
)

#: Documents that one task decides about, because one of them stands for the others or pairs connect them: more are an error that says
#: what to do.
MAX_CONNECTED = 5_000_000


@dataclass(frozen=True)
class Found:
    """What came of a search for duplicates: rows as `dehusk run` writes them, in no order.

    Decisions have the `position` of their document.
    """

    #: Verified pairs by ids: `a`, `b`, `similarity`, `estimate`, `method`, `link`, `contained`.
    pairs: DataFrame
    #: A decision for each document: `id`, `cluster`, `representative`, `similarity`, `cluster_size`, `kept`, `reason`.
    clusters: DataFrame
    #: The documents that stay, with `cluster_size` and `copies`: the documents of their cluster and those with their text, themselves
    #: included.
    kept: DataFrame


@dataclass(frozen=True)
class _Decide:
    options: dict[str, Any]
    most: int

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).deciding(self.most), rows)


def _documents(documents: DataFrame) -> DataFrame:
    none = F.lit(None)
    return documents.select(
        "group",
        F.col(POSITION).alias("a"),
        none.cast("long").alias("b"),
        "kind",
        "content",
        "exact",
        "facts",
        none.cast("double").alias("similarity"),
    )


def _groups(texts: Texts, found: Settled) -> tuple[DataFrame, DataFrame]:
    """The texts in pairs that are decided together, `text` and `group`; and their pairs `a`, `b` with `similarity` and `group`.

    Where clusters follow the keeper, a text that stays is decided with those that it stands for, whatever else pairs connect.
    """
    if _native.Search(texts.options).follows_keeper:
        leads = found.leads
        of_others = leads.select("text", F.col("lead").alias("group"))
        groups = of_others.unionByName(leads.select(F.col("lead").alias("text"), F.col("lead").alias("group")).distinct())
        of_leads = leads.select(F.col("text").alias("loser"), F.col("lead").alias("winner"))
        pairs = found.edges.join(of_leads, ["loser", "winner"]).withColumn("group", F.col("winner"))
    else:
        edges = found.edges.select(F.col("b").alias("u"), F.col("a").alias("v"))
        labels = components(edges, texts.checkpoints, "components")
        groups = labels.select(F.col(POSITION).alias("text"), F.col("component").alias("group"))
        pairs = found.edges.join(small(groups.withColumnRenamed("text", "a")), "a")
    return texts.checkpoints.save(groups, "groups"), pairs.select("group", "a", "b", "similarity")


def _decided(texts: Texts, found: Settled, most: int) -> DataFrame:
    """The decisions on all documents."""
    groups, pairs = _groups(texts, found)
    of_first = groups.withColumnRenamed("text", "first")
    copies = texts.copies.join(small(of_first), "first", "left").select(POSITION, F.coalesce("group", "first").alias("group"))
    of_texts = groups.withColumnRenamed("text", POSITION).join(small(texts.copies.select(POSITION)), POSITION, "left_anti")
    placed = texts.checkpoints.save(copies.unionByName(of_texts.select(POSITION, "group")), "placed")
    together = _documents(texts.signed.join(small(placed), POSITION))
    none = F.lit(None)
    of_pairs = pairs.select(
        "group",
        "a",
        "b",
        none.cast("int").alias("kind"),
        none.cast("binary").alias("content"),
        none.cast("long").alias("exact"),
        none.cast("binary").alias("facts"),
        "similarity",
    )
    alone = texts.signed.join(small(placed.select(POSITION)), POSITION, "left_anti").withColumn("group", F.col(POSITION))
    decide = _Decide(texts.options, most)
    rows = f"{POSITION} long, {DECISION}"
    ordered = grouped(together.unionByName(of_pairs), "group", F.col("b").asc_nulls_first(), "a")
    decided = mapped(ordered, decide, rows).unionByName(mapped(_documents(alone), decide, rows))
    return texts.checkpoints.save(decided, "decided")


def _folded(signed: DataFrame, options: dict[str, Any], checkpoints: Checkpoints) -> tuple[DataFrame, DataFrame | None]:
    """The documents that are compared, and decisions on those for which another one of their address is: by the option `same_url`."""
    rule = options.get("same_url") or "keep"
    if rule == "keep":
        return signed, None
    # Of equal or unknown dates the last one was seen last.
    newest = [F.col("date").desc_nulls_last(), F.col(POSITION).desc()]
    of_address = Window.partitionBy("address").orderBy(*(newest if rule == "newest" else [F.col(POSITION)]))
    chosen = signed.where("address is not null").select(
        POSITION, "id", F.first("id").over(of_address).alias("representative"), F.row_number().over(of_address).alias("place")
    )
    gone = chosen.where("place > 1").select(
        POSITION,
        "id",
        F.col("id").alias("cluster"),
        "representative",
        F.lit(None).cast("double").alias("similarity"),
        F.lit(1).cast("long").alias("cluster_size"),
        F.lit(False).alias("kept"),
        F.lit("same-url").alias("reason"),
    )
    folded = checkpoints.save(gone, "same-url")
    return checkpoints.save(signed.join(small(folded.select(POSITION)), POSITION, "left_anti"), "compared"), folded


def deduplicate(
    documents: DataFrame, *, work: str | None = None, most_connected: int = MAX_CONNECTED, **options: Unpack[SparkOptions]
) -> Found:
    """Finds documents that say the same, and decides which of them stay: what `dehusk run` does after extraction.

    `documents` have `text`, and `id` or `url`; `position` is their order, by which the first one is the first. They are read several
    times, and must give the same rows each time: data frames that lie in files do. `work` is a folder that all machines see, for
    what steps leave to each other. A document that stays is decided by one task with those that it stands for, at about 1 KB each; more
    than `most_connected` are an error. By another clustering than the default, `cover`, these are all documents that pairs connect,
    directly or by others. Options are those of `dehusk dedup`; a few that look at all documents at once are refused by name.
    """
    checkpoints = Checkpoints(documents.sparkSession, work)
    if POSITION not in documents.columns:
        documents = checkpoints.save(positioned(documents), "documents")
    all_signed = checkpoints.save(sign(documents, **options), "signed")
    return of_signed(documents, all_signed, checkpoints, one_thread(options), most_connected)


def of_signed(documents: DataFrame, all_signed: DataFrame, checkpoints: Checkpoints, given: dict[str, Any], most_connected: int) -> Found:
    """The same of documents that were signed."""
    signed, folded = _folded(all_signed.where("kind is not null"), given, checkpoints)
    texts = of_texts(signed, with_text(documents, given), given, checkpoints)
    found = settled(texts)
    decisions = _decided(texts, found, most_connected)
    if folded is not None:
        decisions = decisions.unionByName(folded)
    # What has no text, or cannot be signed, is no document.
    none = with_text(documents, given).where("text is null").select(POSITION)
    unsigned = all_signed.where("kind is null").select(POSITION)
    dropped = decisions.where("not kept").select(POSITION)
    gone = checkpoints.save(dropped.unionByName(unsigned).unionByName(none).distinct(), "gone")
    return Found(
        pairs=checkpoints.save(pair_rows(texts, found, decisions), "pairs"),
        clusters=decisions,
        kept=_with_counts(texts, decisions, documents.join(small(gone), POSITION, "left_anti")),
    )


def _with_counts(texts: Texts, decisions: DataFrame, kept: DataFrame) -> DataFrame:
    """The documents that stay, with how many they stand beside, in the place of columns of the same names."""
    numbers = texts.copies.groupBy("first", "exact").agg(F.count("*").alias("copies"))
    copies = texts.copies.join(small(numbers), ["first", "exact"]).select(POSITION, "copies")
    of_clusters = decisions.where("kept and cluster_size > 1").select(POSITION, "cluster_size")
    counts = texts.checkpoints.save(of_clusters.join(copies, POSITION, "left"), "counts")
    one = F.lit(1).cast("long")
    names = ("cluster_size", "copies")
    counted = kept.drop(*names).join(small(counts), POSITION, "left")
    columns = [*kept.columns, *(name for name in names if name not in kept.columns)]
    return counted.select(*(F.coalesce(name, one).alias(name) if name in names else name for name in columns))


def with_text(documents: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Positions and texts of documents."""
    return documents.select(POSITION, F.col(column_of(options, "text")).alias("text"))


def pairs(documents: DataFrame, threshold: float = 0.8, *, work: str | None = None, **options: Any) -> DataFrame:
    """The pairs of `deduplicate` alone."""
    return deduplicate(documents, work=work, threshold=threshold, **options).pairs


def clusters(documents: DataFrame, *, work: str | None = None, **options: Unpack[SparkOptions]) -> DataFrame:
    """The decisions of `deduplicate` alone."""
    return deduplicate(documents, work=work, **options).clusters


def kept(documents: DataFrame, *, work: str | None = None, **options: Unpack[SparkOptions]) -> DataFrame:
    """The documents that stay by `deduplicate`."""
    return deduplicate(documents, work=work, **options).kept
