"""Who stays: by the pairs of texts that are known, and by further searches among those that stay.

The rounds are those of `dehusk_dedup::VerifiedPairs::settle`, and so are their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _native
from ._batches import mapped, small, stepwise
from ._extraction import POSITION
from ._groups import candidates
from ._pairs import Texts, similar

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ._batches import Batches

#: Pairs of texts that are not decided, up to which one task goes through them. It keeps 16 bytes of each text that goes.
MAX_UNDECIDED = 10_000_000

#: Rounds that decide pairs where they lie. Pairs that are left then, as those of long chains in the keeper's order, go to that task.
MAX_ROUNDS = 32

#: Candidates of a text that are compared together, about.
_CELL = 1000


@dataclass(frozen=True)
class Settled:
    """What all searches have found."""

    #: Similar texts `a` < `b` with `similarity` and `estimate`. By the keeper's order one is the `winner`, the other one the `loser`.
    edges: DataFrame
    #: The texts that go, `text`, each with the one that stays for it, `lead`.
    leads: DataFrame


def _cover(rows: Batches) -> Batches:
    return stepwise(_native.Covering(), rows)


def _edges(texts: Texts, pairs: DataFrame, name: str) -> DataFrame:
    """Pairs with the places of both texts in the keeper's order."""
    orders = texts.orders
    of_a = orders.select(F.col("text").alias("a"), F.col("order").alias("order_a"))
    of_b = orders.select(F.col("text").alias("b"), F.col("order").alias("order_b"))
    both = pairs.join(of_a, "a").join(of_b, "b")
    wins = F.col("order_a") < F.col("order_b")
    edges = both.select(
        "a",
        "b",
        "similarity",
        "estimate",
        F.when(wins, F.col("b")).otherwise(F.col("a")).alias("loser"),
        F.when(wins, F.col("a")).otherwise(F.col("b")).alias("winner"),
        F.greatest("order_a", "order_b").alias("loser_order"),
        F.least("order_a", "order_b").alias("winner_order"),
    )
    return texts.checkpoints.save(edges, f"pairs-{name}")


def _gone(texts: Texts, edges: DataFrame, name: str) -> DataFrame:
    """The texts that go: of the keeper's order, those that are a pair of an earlier one that stays."""
    checkpoints = texts.checkpoints
    rest = edges.select("loser", "winner", "loser_order")
    decided: list[DataFrame] = []
    for number in range(MAX_ROUNDS):
        if rest.count() <= MAX_UNDECIDED:
            break
        # A text that loses to none that may stay stays, and those that lose to it go. The best of all is such a text.
        stay = rest.join(rest.select(F.col("loser").alias("winner")), "winner", "left_anti").select("loser").distinct()
        go = checkpoints.save(stay.withColumnRenamed("loser", "text"), f"gone-{name}-{number}")
        decided.append(go)
        loses, wins = (go.withColumnRenamed("text", column) for column in ("loser", "winner"))
        undecided = rest.join(small(loses), "loser", "left_anti").join(small(wins), "winner", "left_anti")
        rest = checkpoints.save(undecided.select("loser", "winner", "loser_order"), f"undecided-{name}-{number}")
    # Rows are sorted in files where they are many.
    one = rest.repartition(1).sortWithinPartitions("loser_order").select("loser", "winner")
    gone = mapped(one, _cover, "text long")
    for go in decided:
        gone = gone.unionByName(go)
    return checkpoints.save(gone, f"gone-{name}")


def _leads(texts: Texts, edges: DataFrame, name: str) -> DataFrame:
    """The texts that go, each with the most similar one that stays and is better; of equally similar ones the best."""
    gone = _gone(texts, edges, name)
    loses, wins = (small(gone.withColumnRenamed("text", column)) for column in ("loser", "winner"))
    covered = edges.join(loses, "loser", "left_semi").join(wins, "winner", "left_anti")
    best = F.min(F.struct((-F.col("similarity")).alias("far"), F.col("winner_order"), F.col("winner"))).alias("best")
    leads = covered.groupBy(F.col("loser").alias("text")).agg(best)
    return texts.checkpoints.save(leads.select("text", F.col("best.winner").alias("lead")), f"leads-{name}")


def _near(texts: Texts, edges: DataFrame, leads: DataFrame, before: DataFrame | None, asked: DataFrame | None, name: str) -> DataFrame:
    """Pairs of texts that may be similar without having been compared: one that stays and the one that stays for a neighbor; and one whose
    representative of `before` is gone, and the one that stays for that now."""
    of_a, of_b = (leads.select(F.col("text").alias(end), F.col("lead").alias(f"lead_{end}")) for end in ("a", "b"))
    led = edges.select("a", "b").join(small(of_a), "a", "left").join(small(of_b), "b", "left")
    one_goes = F.col("lead_a").isNull() != F.col("lead_b").isNull()
    found = led.where(one_goes).select(F.coalesce("lead_a", "a").alias("u"), F.coalesce("lead_b", "b").alias("v"))
    if before is not None:
        now = leads.select(F.col("text").alias("stayed"), F.col("lead").alias("v"))
        found = found.unionByName(before.select(F.col("text").alias("u"), F.col("lead").alias("stayed")).join(now, "stayed").select("u", "v"))
    near = found.where("u <> v").select(F.least("u", "v").alias("a"), F.greatest("u", "v").alias("b")).distinct()
    near = near.join(edges.select("a", "b"), ["a", "b"], "left_anti")
    if asked is not None:
        near = near.join(asked, ["a", "b"], "left_anti")
    part = F.pmod(F.xxhash64("b"), F.floor(F.count("*").over(Window.partitionBy("a")) / _CELL) + 1)
    return texts.checkpoints.save(near.withColumn("cell", F.xxhash64("a", part)), f"near-{name}")


def settled(texts: Texts) -> Settled:
    """All pairs: those of the first search, and of further rounds for as long as these let texts go that would stay."""
    checkpoints = texts.checkpoints
    search = _native.Search
    orders = texts.orders.withColumnRenamed("text", POSITION)
    # The first document of a text takes part with the order of the best one.
    full = texts.signed.where("kind = 2").drop("order").join(orders, POSITION)
    found, large = candidates(texts, full, 0)
    edges = _edges(texts, similar(texts, found, "0"), "0")
    capped = checkpoints.save(large.select(POSITION).distinct(), "large-0")
    capped_words = large.select("word").distinct()
    asked: DataFrame | None = None
    before: DataFrame | None = None
    rounds = searches = fruitless = 0
    leads = _leads(texts, edges, "0")
    found_some = changed = True
    while True:
        # Cheap pairs that are nearly certain to be found come first. If nothing has changed since, the search ends.
        if changed and rounds < search.MAX_NEAR:
            name = f"near-{rounds + 1}"
            near = _near(texts, edges, leads, before, asked, name)
            before = leads
            if not near.isEmpty():
                rounds += 1
                pairs = near.select("a", "b")
                asked = pairs if asked is None else asked.unionByName(pairs)
                # No key has found these pairs, so that there is no estimate.
                fresh = similar(texts, near, name).withColumn("estimate", F.lit(None).cast("float"))
                changed = not fresh.isEmpty()
                if changed:
                    found_some = True
                    edges = edges.unionByName(_edges(texts, fresh, name))
                    leads = _leads(texts, edges, name)
                continue
        changed = False
        fruitless = fruitless + 1 if searches and not found_some else 0
        if fruitless and large.isEmpty() or search.MAX_FRUITLESS <= fruitless or searches == search.MAX_SEARCHES:
            break
        stay = checkpoints.save(
            capped.join(small(leads.select(F.col("text").alias(POSITION))), POSITION, "left_anti"), f"stay-{searches + 1}"
        )
        if stay.count() < 2:
            break
        searches += 1
        found, large = candidates(texts, full.join(small(stay), POSITION, "left_semi"), searches, capped_words)
        fresh = similar(texts, found, str(searches))
        before = leads
        found_some = changed = not fresh.isEmpty()
        if changed:
            edges = edges.unionByName(_edges(texts, fresh, str(searches)))
            leads = _leads(texts, edges, str(searches))
    return Settled(edges, leads)
