"""Documents that have a word in common to candidates: all pairs of a group, or those that the rule for large groups chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _native
from ._batches import beside, grouped, mapped, small, stepwise
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._batches import Batches
    from ._pairs import Texts

#: Columns of candidates: pairs with equal cells are compared together. In rows of members of large groups, `b` is null, and the cell is the word.
CANDIDATES = "a long, b long, cell long"

#: Columns of members of large groups.
_RANKED = f"word long, {POSITION} long, row long, lead binary, rank binary"

#: Members of a group that may well meet in one task. Groups that are larger by a sample never do.
HOT = 1_000_000

#: Members of a large group whose pairs have a cell in common, about.
_CELL = 1000


@dataclass(frozen=True)
class _Group:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Search(self.options).grouping(), rows)


@dataclass(frozen=True)
class _Rank:
    options: dict[str, Any]
    search: int

    def __call__(self, rows: Batches) -> Batches:
        search = _native.Search(self.options)
        for batch in rows:
            ranks = search.ranked(batch, self.search)
            if ranks is not None:
                yield beside(["word", POSITION, "row"], batch, ranks)


def candidates(texts: Texts, among: DataFrame, number: int) -> tuple[DataFrame, DataFrame]:
    """Candidates among texts, and the positions of those in groups that are too large for all pairs. `among` has columns of signed
    documents, of which the `order` is that of the best document with a text; `number` is the number of searches before."""
    members = among.select(POSITION, F.explode("words").alias("word"))
    hot = _hot(texts, members, number)
    rest = members if hot is None else members.join(F.broadcast(hot), "word", "left_anti")
    step = _Group(texts.options)
    found = texts.checkpoints.save(mapped(grouped(rest, "word"), step, CANDIDATES), f"candidates-{number}")
    large = found.where("b is null").select(F.col("a").alias(POSITION), F.col("cell").alias("word"))
    if hot is not None:
        large = large.unionByName(members.join(F.broadcast(hot), "word", "left_semi").select(POSITION, "word"))
    pairs = found.where("b is not null")
    if not large.isEmpty():
        known = among.select(POSITION, "content", "row", "order")
        pairs = pairs.unionByName(_of_large_groups(texts, known.join(large, POSITION), number))
    return pairs, large.select(POSITION).distinct()


def _hot(texts: Texts, members: DataFrame, number: int) -> DataFrame | None:
    """The words of groups that must not meet in one task, if there are any: what a sample finds is counted where it lies."""
    if texts.signed.count() < HOT:
        return None
    every = max(HOT // 1000, 1)
    sample = members.where(F.pmod(F.xxhash64(POSITION), F.lit(every)) == 0)
    counted = sample.groupBy("word").count().where(F.col("count") >= HOT // every)
    maybe = texts.checkpoints.save(counted.select("word"), f"maybe-hot-{number}")
    if maybe.isEmpty():
        return None
    sizes = members.join(F.broadcast(maybe), "word", "left_semi").groupBy("word").count()
    # The others have all of their pairs compared.
    limit = _native.Search(texts.options).group_limit
    capped = sizes.where(F.col("count") > min(limit, (1 << 63) - 1))
    return texts.checkpoints.save(capped.select("word"), f"hot-{number}")


def _of_large_groups(texts: Texts, members: DataFrame, number: int) -> DataFrame:
    """The pairs that the rule for large groups chooses. No task sees a group as a whole: leaders and partners are found among members
    where these lie, then among what was found, and all others meet them there.

    Of members of equal rows the first one is compared with the others; in the first search these are left out then. In further ones the
    best of all comes first. In that order each is compared with those of the first few that come before it.
    """
    rank = _Rank(texts.options, number)
    ranked = texts.checkpoints.save(mapped(members, rank, _RANKED), f"ranked-{number}")
    least = F.min(F.struct("lead", POSITION))
    leaders = ranked.groupBy("word", "row").agg(least.alias("first"), F.count("*").alias("n")).where("n > 1")
    leads = texts.checkpoints.save(leaders.select("word", "row", F.col(f"first.{POSITION}").alias("leader")), f"leaders-{number}")
    led = ranked.join(small(leads), ["word", "row"]).where(F.col("leader") != F.col(POSITION))
    copies = led.select("word", F.col("leader").alias("u"), F.col(POSITION).alias("v"))
    if number == 0:
        others = copies.select("word", F.col("v").alias(POSITION))
        rest = ranked.join(others, ["word", POSITION], "left_anti").withColumn("order", F.col("rank"))
    else:
        best = ranked.groupBy("word").agg(least.alias("best"))
        best = texts.checkpoints.save(best.select("word", F.col(f"best.{POSITION}").alias("best")), f"best-{number}")
        first = F.when(F.col("best") == F.col(POSITION), F.lit(b"\0")).otherwise(F.lit(b"\1"))
        rest = ranked.join(small(best), "word").withColumn("order", F.concat(first, "rank"))
    place = F.row_number().over(Window.partitionBy("word").orderBy("order"))
    first_of_all = rest.withColumn("n", place).where(F.col("n") <= _native.Search.PARTNERS)
    partners = texts.checkpoints.save(
        first_of_all.select("word", F.col(POSITION).alias("u"), F.col("order").alias("before")), f"partners-{number}"
    )
    with_partners = rest.join(small(partners), "word").where(F.col("before") < F.col("order"))
    chosen = with_partners.select("word", "u", F.col(POSITION).alias("v")).unionByName(copies)
    sizes = texts.checkpoints.save(ranked.groupBy("word").agg(F.count("*").alias("members")), f"sizes-{number}")
    # The second one is compared with a few, which come into many cells.
    part = F.pmod(F.xxhash64("v"), F.greatest(F.floor(F.col("members") / _CELL), F.lit(1)))
    cells = chosen.join(small(sizes), "word").withColumn("cell", F.xxhash64("word", part))
    return cells.select(F.least("u", "v").alias("a"), F.greatest("u", "v").alias("b"), "cell")
