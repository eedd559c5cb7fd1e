"""Pages to unique documents: `dehusk run` on as many machines as there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .. import _native
from ._batches import grouped, mapped, stepwise
from ._checkpoints import Checkpoints
from ._clusters import MOST_CONNECTED, Found, deduplicate
from ._extraction import POSITION, extract
from ._options import parted
from ._pairs import small

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from ._batches import Batches
    from ._options import RunOptions


@dataclass(frozen=True)
class Run:
    """What came of a run: rows as `dehusk run` writes them, in no order. `position` is the order of the inputs."""

    #: All documents.
    documents: DataFrame
    #: Verified pairs by ids.
    pairs: DataFrame
    #: A decision for each document.
    clusters: DataFrame
    #: The documents that stay.
    kept: DataFrame
    #: Records that could not be used: `position`, `id`, `url`, `reason`, `message`.
    rejected: DataFrame


def _rename(rows: Batches) -> Batches:
    return stepwise(_native.Renaming(), rows)


def _named(documents: DataFrame, checkpoints: Checkpoints) -> DataFrame:
    """The documents, with a number behind ids that an earlier one has."""
    root = F.regexp_replace("id", "(#[0-9]+)+$", "")
    ids = documents.select(POSITION, "id", F.xxhash64("id").alias("hash"), F.xxhash64(root).alias("family"))
    twice = ids.groupBy("hash").agg(F.count("*").alias("n"), F.first("family").alias("family")).where("n > 1")
    families = checkpoints.save(twice.select("family").distinct(), "families")
    if families.isEmpty():
        return documents
    members = ids.join(small(families), "family", "left_semi").select(POSITION, "id", "family")
    renamed = checkpoints.save(
        mapped(grouped(members, "family", POSITION), _rename, f"{POSITION} long, id string"), "renamed"
    )
    new = small(renamed.withColumnRenamed("id", "_id"))
    named = documents.join(new, POSITION, "left").withColumn("id", F.coalesce("_id", "id"))
    return checkpoints.save(named.select(*documents.columns), "named")


def run(
    pages: DataFrame, *, work: str | None = None, most_connected: int = MOST_CONNECTED, **options: Unpack[RunOptions]
) -> Run:
    """The unique documents of pages: of `dehusk.spark.pages`, or of any data frame with HTML in a column `html`.

    Rows are those of `dehusk run` on the same pages, however many executors and partitions there are. Options are those of
    `dehusk run`; `work` and `most_connected` are those of `deduplicate`.
    """
    of_pages, of_documents = parted(options)
    checkpoints = Checkpoints(pages.sparkSession, work)
    extracted = checkpoints.save(extract(pages, **of_pages), "extracted")
    documents = _named(extracted.where("error is null").drop("error"), checkpoints)
    found: Found = deduplicate(documents, work=checkpoints, most_connected=most_connected, **of_documents)
    rejected = extracted.where("error is not null").select(POSITION, "id", "url", "error.reason", "error.message")
    return Run(documents, found.pairs, found.clusters, found.kept, rejected)
