"""Ids that no two documents have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .. import _native
from ._batches import grouped, mapped, small, stepwise
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._batches import Batches
    from ._checkpoints import Checkpoints


def _rename(rows: Batches) -> Batches:
    return stepwise(_native.Renaming(), rows)


def named(documents: DataFrame, checkpoints: Checkpoints) -> DataFrame:
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
