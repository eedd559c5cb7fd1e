"""Pairs to clusters and to the documents that stay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .. import _native
from ._batches import batches, grouped, mapped, small, stepwise
from ._checkpoints import Checkpoints
from ._components import components
from ._extraction import POSITION, positioned
from ._groups import candidates
from ._options import one_thread
from ._pairs import Texts, of_texts, similar
from ._signing import sign

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from .._options import SparkOptions
    from ._batches import Batches

#: Columns of decisions on documents.
DECISION = "id string, cluster string, representative string, kept boolean, reason string"

#: Columns of pairs of documents, as they are written.
PAIR = "a string, b string, similarity double, estimate double, method string, link long"

#: Rows of both kinds; of the other kind all columns are null.
_ROWS = f"{POSITION} long, {DECISION}, {PAIR}"

_STAY = f"{POSITION} long, text long, facts binary"

#: Documents that one task decides about, because pairs connect them: more are an error that says what to do.
MOST_CONNECTED = 5_000_000


@dataclass(frozen=True)
class Found:
    """What came of a search for duplicates: rows as `dehusk run` writes them, in no order.

    Decisions have the `position` of their document.
    """

    #: Verified pairs by ids: `a`, `b`, `similarity`, `estimate`, `method`, `link`.
    pairs: DataFrame
    #: A decision for each document: `id`, `cluster`, `representative`, `kept`, `reason`.
    clusters: DataFrame
    #: The documents that stay.
    kept: DataFrame


@dataclass(frozen=True)
class _Decide:
    options: dict[str, Any]
    rows: bool
    most: int
    #: Searches after the first one.
    further: int

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).deciding(self.rows, self.most, self.further), rows)


@dataclass(frozen=True)
class _Places:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        import pyarrow as pa

        documents = pa.Table.from_batches(list(rows), pa.schema([(POSITION, pa.int64()), ("facts", pa.binary())]))
        return iter(batches(_native.Search(self.options).places(documents)))


@dataclass(frozen=True)
class _Connected:
    """Similar pairs, and what they and equal contents connect."""

    texts: Texts
    #: Searches before the last one.
    number: int
    pairs: DataFrame
    #: `position` and `component` of texts in pairs.
    labels: DataFrame
    #: The same of all documents that are connected with another one.
    placed: DataFrame

    def rows(self, only: DataFrame | None = None) -> DataFrame:
        """Documents and pairs, component by component; those of the components `only`, if given."""
        placed, labels = self.placed, self.labels
        if only is not None:
            placed, labels = (frame.join(only, "component", "left_semi") for frame in (placed, labels))
        documents = self.texts.signed.join(small(placed), POSITION)
        none = F.lit(None)
        rows = _documents(documents).unionByName(
            self.pairs.join(labels.withColumnRenamed(POSITION, "a"), "a").select(
                "component",
                "a",
                "b",
                none.cast("int").alias("kind"),
                none.cast("binary").alias("content"),
                none.cast("long").alias("exact"),
                none.cast("binary").alias("facts"),
                "similarity",
                "estimate",
                "search",
            )
        )
        return grouped(rows, "component", F.col("b").asc_nulls_first(), "a")


def _documents(documents: DataFrame) -> DataFrame:
    none = F.lit(None)
    return documents.select(
        "component",
        F.col(POSITION).alias("a"),
        none.cast("long").alias("b"),
        "kind",
        "content",
        "exact",
        "facts",
        none.cast("double").alias("similarity"),
        none.cast("float").alias("estimate"),
        none.cast("int").alias("search"),
    )


def _connect(texts: Texts, pairs: DataFrame, number: int, before: DataFrame | None) -> _Connected:
    checkpoints = texts.checkpoints
    fresh = pairs.where(F.col("search") == number).select(F.col("b").alias("u"), F.col("a").alias("v"))
    edges = fresh if before is None else fresh.unionByName(before)
    labels = components(edges, checkpoints, f"components-{number}")
    of_first = labels.withColumnRenamed(POSITION, "first")
    copies = texts.copies.join(of_first, "first", "left").select(
        POSITION, F.coalesce("component", "first").alias("component")
    )
    placed = copies.unionByName(labels.join(texts.copies, POSITION, "left_anti"))
    return _Connected(texts, number, pairs, labels, checkpoints.save(placed, f"placed-{number}"))


def _staying(connected: _Connected, capped: DataFrame, options: dict[str, Any], most: int) -> tuple[DataFrame, int]:
    """The documents that stay so far whose texts are in large groups, and how many have gone by the last search."""
    texts = connected.texts
    number = connected.number
    # Beside those of large groups, all that the last search may have taken documents of.
    touched = connected.pairs.where(F.col("search") == number).select(F.col("a").alias(POSITION)).unionByName(capped)
    components_of = connected.placed.join(touched, POSITION, "left_semi").select("component").distinct()
    asked = mapped(connected.rows(components_of), _Decide(options, False, most, number), _STAY)
    answer = texts.checkpoints.save(asked, f"staying-{number}")
    gone = answer.where(f"{POSITION} is null").agg(F.sum("text")).first()
    alone = texts.signed.join(capped, POSITION, "left_semi").join(connected.placed, POSITION, "left_anti")
    stay = answer.where(f"{POSITION} is not null").unionByName(
        alone.select(POSITION, F.col(POSITION).alias("text"), "facts")
    )
    asked_for = capped.withColumnRenamed(POSITION, "text")
    found = texts.checkpoints.save(stay.join(asked_for, "text", "left_semi").select(POSITION, "text", "facts"), f"stay-{number}")
    return found, int(gone[0] or 0) if gone else 0


def _settled(texts: Texts, options: dict[str, Any], most: int) -> _Connected:
    """All pairs: those of the first search, and of as many further ones as let documents go that would stay."""
    checkpoints = texts.checkpoints
    others = texts.copies.where(F.col(POSITION) != F.col("first")).select(POSITION)
    full = texts.signed.where("kind = 2").join(small(others), POSITION, "left_anti")
    found, large = candidates(texts, full, 0)
    pairs = checkpoints.save(similar(texts, found, 0), "pairs-0")
    capped = checkpoints.save(large, "large-0")
    connected = _connect(texts, pairs, 0, None)
    for number in range(1, _native.Search.MOST_SEARCHES + 1):
        if capped.isEmpty():
            break
        stay, gone = _staying(connected, capped, options, most)
        if (number > 1 and gone == 0) or stay.count() < 2:
            break
        order = mapped(stay.select(POSITION, "facts").coalesce(1), _Places(options), f"{POSITION} long, place long")
        placed = stay.join(order, POSITION).select(F.col("text").alias(POSITION), "place")
        order_of_all = checkpoints.save(placed, f"order-{number}")
        found, large = candidates(texts, texts.signed.join(small(order_of_all), POSITION), number)
        fresh = found.join(pairs.select("a", "b"), ["a", "b"], "left_anti")
        similar_ones = checkpoints.save(similar(texts, fresh, number), f"pairs-{number}")
        capped = checkpoints.save(large, f"large-{number}")
        pairs = pairs.unionByName(similar_ones)
        before = connected.labels.where(f"{POSITION} <> component").select(
            F.col(POSITION).alias("u"), F.col("component").alias("v")
        )
        connected = _connect(texts, pairs, number, before)
    return connected


def deduplicate(
    documents: DataFrame, *, work: str | None = None, most_connected: int = MOST_CONNECTED, **options: Unpack[SparkOptions]
) -> Found:
    """Finds documents that say the same, and decides which of them stay: what `dehusk run` does after extraction.

    `documents` have `text`, and `id` or `url`; `position` is their order, by which the first one is the first. They are read several
    times, and must give the same rows each time: data frames that lie in files do. `work` is a folder that all machines see, for
    what steps leave to each other. Documents that pairs connect, directly or by others, are decided by one task, at about 1 KB each;
    more than `most_connected` are an error. Options are those of `dehusk dedup`.
    """
    checkpoints = Checkpoints(documents.sparkSession, work)
    if POSITION not in documents.columns:
        documents = checkpoints.save(positioned(documents), "documents")
    all_signed = checkpoints.save(sign(documents, **options), "signed")
    return of_signed(documents, all_signed, checkpoints, one_thread(options), most_connected)


def of_signed(documents: DataFrame, all_signed: DataFrame, checkpoints: Checkpoints, given: dict[str, Any], most_connected: int) -> Found:
    """The same of documents that were signed."""
    signed = all_signed.where("kind is not null")
    texts = of_texts(signed, with_text(documents, given), given, checkpoints)
    connected = _settled(texts, given, most_connected)
    alone = signed.join(small(connected.placed.select(POSITION)), POSITION, "left_anti")
    decide = _Decide(given, True, most_connected, connected.number)
    decided = mapped(connected.rows(), decide, _ROWS).unionByName(
        mapped(_documents(alone.withColumn("component", F.col(POSITION))), decide, _ROWS)
    )
    rows = checkpoints.save(decided, "decided")
    decisions = rows.where(f"{POSITION} is not null").select(POSITION, *_names(DECISION))
    # What has no text, or cannot be signed, is no document.
    none = with_text(documents, given).where("text is null").select(POSITION)
    unsigned = all_signed.where("kind is null").select(POSITION)
    dropped = decisions.where("not kept").select(POSITION)
    gone = checkpoints.save(dropped.unionByName(unsigned).unionByName(none).distinct(), "gone")
    return Found(
        pairs=rows.where(f"{POSITION} is null").select(*_names(PAIR)),
        clusters=decisions,
        kept=documents.join(small(gone), POSITION, "left_anti"),
    )


def _names(columns: str) -> list[str]:
    return [column.split(" ")[0] for column in columns.split(", ")]


def with_text(documents: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Positions and texts of documents."""
    named = options.get("column") or {}
    pairs = named.items() if isinstance(named, dict) else (tuple(part.split("=", 1)) for part in named.split(","))
    theirs = dict(pairs).get("text", "text")
    return documents.select(POSITION, F.col(theirs).alias("text"))


def pairs(documents: DataFrame, threshold: float = 0.8, *, work: str | None = None, **options: Any) -> DataFrame:
    """The pairs of `deduplicate` alone."""
    return deduplicate(documents, work=work, threshold=threshold, **options).pairs


def clusters(documents: DataFrame, *, work: str | None = None, **options: Unpack[SparkOptions]) -> DataFrame:
    """The decisions of `deduplicate` alone."""
    return deduplicate(documents, work=work, **options).clusters


def kept(documents: DataFrame, *, work: str | None = None, **options: Unpack[SparkOptions]) -> DataFrame:
    """The documents that stay by `deduplicate`."""
    return deduplicate(documents, work=work, **options).kept
