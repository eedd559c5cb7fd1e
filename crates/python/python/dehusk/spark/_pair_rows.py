"""Pairs of texts to rows of pairs of documents: every one, or as many as there are documents, in which one stands for others.

The rule is that of `dehusk_dedup::PairLists`, whose documentation has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _native
from ._batches import small
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._pairs import Texts
    from ._staying import Settled

#: The estimate of rows has four decimals.
_DECIMALS = 10_000.0


def pair_rows(texts: Texts, found: Settled, decisions: DataFrame) -> DataFrame:
    """Rows of pairs by ids. No task sees a cluster, or all copies of a text but for numbering them."""
    ids = decisions.select(POSITION, "id")
    copies = texts.copies.join(ids, POSITION).select(F.col("first").alias("text"), "id", "exact")
    edges = found.edges.select("a", "b", "similarity", "estimate")
    ends = edges.select(F.col("a").alias("text")).unionByName(edges.select(F.col("b").alias("text"))).distinct()
    ends = texts.checkpoints.save(ends, "ends")
    alone = ids.withColumnRenamed(POSITION, "text").join(small(ends), "text", "left_semi")
    of_texts = alone.join(small(copies.select("text").distinct()), "text", "left_anti").select("text", "id")
    of_texts = of_texts.unionByName(copies.select("text", "id"))
    named = texts.checkpoints.save(of_texts, "ids-of-texts")
    if _native.Search(texts.options).every_pair:
        equal, near = _every_copy(copies), _every_pair(named, edges)
    else:
        equal, near = _each_copy(copies), _listed(texts, found, edges, named, ends, decisions)
    estimate = F.floor(F.col("estimate").cast("double") * _DECIMALS + 0.5).cast("double") / _DECIMALS
    one = F.lit(1.0)
    measure = F.lit(_native.Search(texts.options).measure)
    # Of the same words are also texts that differ in what the profile drops.
    method = F.when(F.col("exact"), F.lit("exact")).otherwise(measure)
    same = equal.select("a", "b", one.alias("similarity"), one.alias("estimate"), method.alias("method"), "link")
    others = near.select("a", "b", "similarity", estimate.alias("estimate"), measure.alias("method"), "link")
    # Similarities that say which text lies inside the other are refused.
    rows = same.unionByName(others).withColumn("contained", F.lit(None).cast("string"))
    return rows.withColumn("link", F.when(F.col("link") > 1, F.col("link")))


def _every_copy(copies: DataFrame) -> DataFrame:
    one, other = (
        copies.select("text", F.col("id").alias(end), F.col("exact").alias(f"exact_{end}")) for end in ("a", "b")
    )
    exact = F.col("exact_a") == F.col("exact_b")
    return one.join(other, "text").where("a < b").select("a", "b", exact.alias("exact"), F.lit(1).cast("long").alias("link"))


def _each_copy(copies: DataFrame) -> DataFrame:
    """Each copy with the first of its text, by id; it stands for its pairs with the copies before it."""
    firsts = copies.groupBy("text").agg(F.min(F.struct("id", "exact")).alias("of"))
    firsts = firsts.select("text", F.col("of.id").alias("a"), F.col("of.exact").alias("exact_a"))
    number = F.row_number().over(Window.partitionBy("text").orderBy("id")).cast("long") - 1
    numbered = copies.withColumn("link", number).where("link > 0")
    exact = F.col("exact_a") == F.col("exact")
    return numbered.join(firsts, "text").select("a", F.col("id").alias("b"), exact.alias("exact"), "link")


def _every_pair(named: DataFrame, edges: DataFrame) -> DataFrame:
    of_a, of_b = (named.select(F.col("text").alias(end), F.col("id").alias(f"id_{end}")) for end in ("a", "b"))
    both = edges.join(of_a, "a").join(of_b, "b")
    return both.select(
        F.least("id_a", "id_b").alias("a"),
        F.greatest("id_a", "id_b").alias("b"),
        "similarity",
        "estimate",
        F.lit(1).cast("long").alias("link"),
    )


def _listed(
    texts: Texts, found: Settled, edges: DataFrame, named: DataFrame, ends: DataFrame, decisions: DataFrame
) -> DataFrame:
    """Two texts once, by their first documents; texts that are in many pairs, or in large clusters, by few pairs."""
    both = edges.select(F.col("a").alias("text")).unionByName(edges.select(F.col("b").alias("text")))
    degrees = both.groupBy("text").agg(F.count("*").alias("degree"))
    clusters = decisions.select(F.col(POSITION).alias("text"), "cluster").join(small(ends), "text")
    sizes = clusters.groupBy("cluster").agg(F.count("*").alias("texts"))
    of_clusters = clusters.join(sizes, "cluster")
    firsts = named.groupBy("text").agg(F.min("id").alias("id"), F.count("*").alias("copies"))
    most = _native.Search.MANY
    many = (F.col("degree") > most) | (F.col("texts") > most)
    known = firsts.join(degrees, "text").join(of_clusters, "text").select("text", "id", "copies", many.alias("many"))
    known = texts.checkpoints.save(known, "texts-in-pairs")
    of_a, of_b = (
        known.select(F.col("text").alias(end), *(F.col(name).alias(f"{name}_{end}") for name in ("id", "copies", "many")))
        for end in ("a", "b")
    )
    pairs = edges.join(small(of_a), "a").join(small(of_b), "b").withColumn("link", F.col("copies_a") * F.col("copies_b"))
    pairs = texts.checkpoints.save(pairs, "pairs-of-texts")
    over = pairs.where("many_a and many_b")
    if not over.isEmpty():
        links = _links(texts, found, pairs, over)
        rest = pairs.where("not (many_a and many_b)").select("a", "b", "link")
        sums = rest.unionByName(links).groupBy("a", "b").agg(F.sum("link").alias("link"))
        pairs = pairs.drop("link").join(sums, ["a", "b"])
    return pairs.select(
        F.least("id_a", "id_b").alias("a"), F.greatest("id_a", "id_b").alias("b"), "similarity", "estimate", "link"
    )


def _links(texts: Texts, found: Settled, pairs: DataFrame, over: DataFrame) -> DataFrame:
    """The pairs `a`, `b` by which pairs that are passed over are listed, with how many pairs of documents they stand for, `link`."""
    passed = over.select(F.col("a").alias("text")).unionByName(over.select(F.col("b").alias("text"))).distinct()
    both = pairs.select(F.col("a").alias("text"), F.col("b").alias("other"), "similarity", F.col("id_b").alias("id"))
    both = both.unionByName(
        pairs.select(F.col("b").alias("text"), F.col("a").alias("other"), "similarity", F.col("id_a").alias("id"))
    )
    led = both.join(passed, "text").join(found.leads, "text", "left")
    # A text is listed with the one that stands for it, or else with the most similar one, of these the first.
    no_lead = F.coalesce(F.col("other") != F.col("lead"), F.lit(True)).alias("no_lead")
    best = F.min(F.struct(no_lead, (-F.col("similarity")).alias("far"), "id", "other")).alias("best")
    rows = led.groupBy("text").agg(best).select("text", F.col("best.other").alias("other"))
    rows = texts.checkpoints.save(rows, "rows-of-texts")
    of_a, of_b = (rows.select(F.col("text").alias(end), F.col("other").alias(f"other_{end}")) for end in ("a", "b"))
    known = over.join(small(of_a), "a").join(small(of_b), "b")
    own = (F.col("other_a") == F.col("b")) | (F.col("other_b") == F.col("a"))
    a_is_later = F.col("id_a") > F.col("id_b")
    later = F.when(a_is_later, F.col("a")).otherwise(F.col("b"))
    other = F.when(a_is_later, F.col("other_a")).otherwise(F.col("other_b"))
    rows_of = known.select(
        F.when(own, F.col("a")).otherwise(F.least(later, other)).alias("u"),
        F.when(own, F.col("b")).otherwise(F.greatest(later, other)).alias("v"),
        "link",
    )
    return rows_of.select(F.col("u").alias("a"), F.col("v").alias("b"), "link")
