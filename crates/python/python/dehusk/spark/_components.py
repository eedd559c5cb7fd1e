"""What pairs connect, by rounds of joins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from .._errors import DehuskError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._checkpoints import Checkpoints

#: Rounds end in about the square of the logarithm of the longest chain; that many are never seen.
MAX_ROUNDS = 64


def _large_star(edges: DataFrame) -> DataFrame:
    """Every larger neighbor of a document becomes one of its smallest neighbor."""
    both = edges.unionByName(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = F.least("u", F.min("v").over(Window.partitionBy("u")))
    return both.withColumn("m", least).where("v > u").select(F.col("v").alias("u"), F.col("m").alias("v"))


def _small_star(edges: DataFrame) -> DataFrame:
    """Every smaller neighbor of a document, and the document itself, become neighbors of the smallest one."""
    down = edges.select(F.greatest("u", "v").alias("u"), F.least("u", "v").alias("v"))
    starred = down.withColumn("m", F.min("v").over(Window.partitionBy("u")))
    others = starred.where("v <> m").select(F.col("v").alias("u"), F.col("m").alias("v"))
    return others.unionByName(starred.select("u", F.col("m").alias("v"))).distinct()


def _marks(edges: DataFrame) -> tuple[int, int]:
    row = edges.agg(F.count("*").alias("n"), F.bit_xor(F.xxhash64("u", "v")).alias("x")).first()
    return (0, 0) if row is None else (int(row["n"]), int(row["x"] or 0))


def components(edges: DataFrame, checkpoints: Checkpoints, name: str) -> DataFrame:
    """The component of each position that edges `u`, `v` connect: `position`, and `component`, which is its smallest position.

    Large-star and small-star (Kiveris, Lattanzi, Mirrokni, Rastogi, Vassilvitskii, *Connected Components in MapReduce and Beyond*,
    2014), alternated until nothing changes; each round is written to files, so that no round grows by those before it.
    """
    edges = checkpoints.save(_small_star(edges), f"{name}/0")
    before = _marks(edges)
    for number in range(1, MAX_ROUNDS):
        edges = checkpoints.save(_small_star(_large_star(edges)), f"{name}/{number}")
        now = _marks(edges)
        if now == before:
            labels = edges.select(F.col("u").alias("position"), F.col("v").alias("component"))
            roots = edges.select(F.col("v").alias("position"), F.col("v").alias("component")).distinct()
            return labels.unionByName(roots)
        before = now
    raise DehuskError(f"components did not settle within {MAX_ROUNDS} rounds: a defect of this program")
