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

#: Columns of candidates: pairs with equal cells are compared together.
CANDIDATES = "a long, b long, cell long"

#: Columns of members of large groups.
_RANKED = f"word long, {POSITION} long, row long, lead binary, rank binary, kin binary"

#: Members of a large group whose pairs have a cell in common, about.
_CELL = 1000

#: The largest number of a column.
_MOST = (1 << 63) - 1


def _group(rows: Batches) -> Batches:
    return stepwise(_native.Search.grouping(), rows)


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


def candidates(texts: Texts, among: DataFrame, number: int, of: DataFrame | None = None) -> tuple[DataFrame, DataFrame]:
    """Candidates among texts, and the members of groups that are too large for all pairs: their `word` and position. `among` has columns
    of signed documents, of which the `order` is that of the best document with a text; `number` is the number of searches before. Only
    groups with a `word` in `of` are read, if it is given."""
    members = among.select(POSITION, F.explode("words").alias("word"))
    if of is not None:
        members = members.join(small(of), "word", "left_semi")
    search = _native.Search(texts.options)
    always = search.always(number)
    sizes = members.groupBy("word").agg(F.count("*").alias("members")).where(F.col("members") > min(always, _MOST))
    sizes = texts.checkpoints.save(sizes, f"group-sizes-{number}")
    counts = sizes.groupBy("members").agg(F.count("*").alias("groups")).collect()
    share = search.shared([(row["members"], row["groups"]) for row in counts], among.count(), number)
    capped = texts.checkpoints.save(sizes.where(F.col("members") > min(share[2], _MOST)), f"capped-{number}")
    if capped.isEmpty():
        pairs = texts.checkpoints.save(mapped(grouped(members, "word"), _group, CANDIDATES), f"candidates-{number}")
        return pairs, capped.select("word", F.lit(None).cast("long").alias(POSITION))
    rest = members.join(small(capped.select("word")), "word", "left_anti")
    pairs = texts.checkpoints.save(mapped(grouped(rest, "word"), _group, CANDIDATES), f"candidates-{number}")
    large = texts.checkpoints.save(members.join(small(capped.select("word")), "word", "left_semi").select("word", POSITION), f"members-{number}")
    known = among.select(POSITION, "content", "row", "order")
    return pairs.unionByName(_of_large_groups(texts, known.join(large, POSITION), number, share[:2])), large


def _of_large_groups(texts: Texts, members: DataFrame, number: int, share: tuple[int, int]) -> DataFrame:
    """The pairs that the rule for large groups chooses. No task sees a group as a whole: leaders and partners are found among members
    where these lie, then among what was found, and all others meet them there.

    Of members of equal rows the first one is compared with the others; in the first search these are left out then. In further ones the
    best of all comes first. In that order each is compared with those of the first few that come before it, and in the order of kin with
    the few right before it. `share` has both numbers.
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
    leading, neighbors = share
    place = F.row_number().over(Window.partitionBy("word").orderBy("order"))
    first_of_all = rest.withColumn("n", place).where(F.col("n") <= leading)
    partners = texts.checkpoints.save(
        first_of_all.select("word", F.col(POSITION).alias("u"), F.col("order").alias("before")), f"partners-{number}"
    )
    with_partners = rest.join(small(partners), "word").where(F.col("before") < F.col("order"))
    before = Window.partitionBy("word").orderBy("kin").rowsBetween(-neighbors, -1)
    beside = rest.select("word", POSITION, F.collect_list(POSITION).over(before).alias("kindred"))
    beside_kin = beside.select("word", F.explode("kindred").alias("u"), F.col(POSITION).alias("v"))
    chosen = with_partners.select("word", "u", F.col(POSITION).alias("v")).unionByName(copies).unionByName(beside_kin)
    sizes = texts.checkpoints.save(ranked.groupBy("word").agg(F.count("*").alias("members")), f"sizes-{number}")
    # The second one is compared with a few, which come into many cells.
    part = F.pmod(F.xxhash64("v"), F.greatest(F.floor(F.col("members") / _CELL), F.lit(1)))
    cells = chosen.join(small(sizes), "word").withColumn("cell", F.xxhash64("word", part))
    return cells.select(F.least("u", "v").alias("a"), F.greatest("u", "v").alias("b"), "cell")
