"""Runs of tokens that stand at several places of documents, by joins of equal keys.

A maximal run has no key that is equal at all of its places, since it is part of a longer run at some. But it begins where the token before its
first window differs between the places of that window, and ends where the token after its last window does. So documents ask for the counts
of runs between such places, by their hashes, until each knows how far its own reach. What is counted is counted where it lies first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ._batches import mapped, small
from ._extraction import POSITION
from ._passage_steps import Search, Step, beside, enough, longest_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from .. import _native
    from ._checkpoints import Checkpoints

#: Columns of samples of documents, and a row for each document.
SAMPLES = f"{POSITION} long, units long, sample long, places long, host string, error string"
_WINDOWS = (
    f"{POSITION} long, before long, after long, host string, window binary, starts array<long>, opens boolean, closes boolean"
)
_SEARCHED = f"{POSITION} long, start long, end long, run binary, window binary"
_PLACES = f"{POSITION} long, units long, places long, start long, host string, run binary"
_PLACED = (
    f"{POSITION} long, first long, last long, start long, end long, run binary, passage binary, text string, within binary"
)


@dataclass(frozen=True)
class Runs:
    """Runs that were found."""

    #: The runs that count: `run`, `length`, `places`, `documents`, `hosts`, `host`, `first` and `longest`.
    found: DataFrame
    #: Where no longer run contains them: `position`, `start` and `end` in tokens, `run`.
    occurrences: DataFrame
    #: The documents that have a run: `position`, `units`, `run`; runs inside of longer ones included.
    holders: DataFrame


def _counted(rows: DataFrame, key: str, *more: Column) -> DataFrame:
    """Rows of documents counted by a key: where they lie first, then by host, then as a whole."""
    of_host = rows.groupBy(key, "host").agg(F.sum("places").alias("places"), F.count("*").alias("documents"), *more)
    return of_host.groupBy(key).agg(
        F.sum("places").alias("places"),
        F.sum("documents").alias("documents"),
        F.count("host").alias("hosts"),
        F.max("host").alias("host"),
        *more,
    )


def _union(frames: list[DataFrame]) -> DataFrame:
    return reduce(lambda one, other: one.unionByName(other), frames)


def _windows(texts: DataFrame, samples: DataFrame, search: Search, rule: _native.PassageSearch, checkpoints: Checkpoints) -> DataFrame:
    """The windows of documents that count: `position`, `window`, `documents`, `starts`, `opens`, `closes`."""
    sampled = samples.where("sample is not null")
    frequent = _counted(sampled, "sample").where(enough(rule)).select("sample", "documents")
    frequent = checkpoints.save(frequent, "frequent")
    of_document = beside(sampled.select(POSITION, "sample"), frequent, "sample", "documents")
    of_document = of_document.groupBy(POSITION).agg(F.collect_list("sample").alias("samples"))
    windows = checkpoints.save(
        mapped(texts.join(of_document, POSITION).select(POSITION, "url", "text", "samples"), Step(search, "windows"), _WINDOWS), "windows"
    )
    flags = [F.bool_or(name).alias(name) for name in ("opens", "closes")]
    # The token beside a window, if it is the same at all places: both are equal then.
    sides = windows.select("*", F.size("starts").alias("places")).withColumns(
        {"low_before": F.col("before"), "high_before": F.col("before"), "low_after": F.col("after"), "high_after": F.col("after")}
    )
    low = [F.min(name).alias(name) for name in ("low_before", "low_after")]
    high = [F.max(name).alias(name) for name in ("high_before", "high_after")]
    classes = _counted(sides, "window", *flags, *low, *high).where(enough(rule))
    classes = classes.select(
        "window",
        "documents",
        (F.col("opens") | (F.col("low_before") != F.col("high_before"))).alias("opens"),
        (F.col("closes") | (F.col("low_after") != F.col("high_after"))).alias("closes"),
    )
    classes = checkpoints.save(classes, "window-classes")
    return checkpoints.save(beside(windows.select(POSITION, "window", "starts"), classes, "window", "documents"), "counted-windows")


def runs(texts: DataFrame, samples: DataFrame, search: Search, rule: _native.PassageSearch, checkpoints: Checkpoints) -> Runs:
    """The runs of texts, which have `position`, `url` and `text`, by their samples."""
    windows = _windows(texts, samples, search, rule, checkpoints)
    entry = F.struct("start", "opens", "closes")
    windows_of = windows.select(POSITION, F.explode("starts").alias("start"), "opens", "closes").groupBy(POSITION)
    lists = windows_of.agg(F.sort_array(F.collect_list(entry)).alias("all"))
    listed = checkpoints.save(
        lists.select(POSITION, *(F.col(f"all.{name}").alias(f"{name}s" if name == "start" else name) for name in ("start", "opens", "closes"))),
        "listed-windows",
    )
    # A run begins at a window that opens, at each of its places.
    index = windows.where("opens").select(POSITION, "window", "starts")
    classes = windows.where("opens").groupBy("window").agg(F.first("documents").alias("documents"))
    classes = checkpoints.save(classes, "opening-windows")

    pending = listed
    occurrences: list[DataFrame] = []
    known: list[DataFrame] = []
    verdicts: list[DataFrame] = []
    holders: list[DataFrame] = []
    while True:
        step = len(occurrences)
        asks = pending.join(texts.select(POSITION, "text"), POSITION)
        if known:
            answered = _union(known).groupBy(POSITION).agg(F.collect_list(F.struct("run", "counts")).alias("known"))
            asks = asks.join(answered, POSITION, "left")
            asks = asks.select("*", F.col("known.run").alias("runs"), F.col("known.counts").alias("counts")).drop("known")
        else:
            asks = asks.withColumns({"runs": F.lit(None).cast("array<binary>"), "counts": F.lit(None).cast("array<boolean>")})
        searched = checkpoints.save(mapped(asks, Step(search, "search"), _SEARCHED), f"searched-{step}")
        occurrences.append(searched.where("window is null").drop("window"))
        asking = searched.where("window is not null")
        if asking.isEmpty():
            break
        asked = asking.groupBy("run").agg(F.first("window").alias("window"), F.first(F.col("end") - F.col("start")).alias("length"))
        if verdicts:
            asked = asked.join(_union(verdicts).select("run"), "run", "left_anti")
        asked = checkpoints.save(asked.join(small(classes), "window"), f"asked-{step}")
        places = beside(index, asked, "window", "documents")
        places = places.select(POSITION, "run", "length", F.explode("starts").alias("start")).withColumn("end", F.col("start") + F.col("length"))
        places = places.groupBy(POSITION).agg(F.collect_list(F.struct("start", "end", "run")).alias("all"))
        looked = places.join(texts, POSITION).select(
            POSITION,
            "url",
            "text",
            F.col("all.start").alias("starts"),
            F.col("all.end").alias("ends"),
            F.col("all.run").alias("runs"),
        )
        of_documents = checkpoints.save(mapped(looked, Step(search, "places"), _PLACES), f"places-{step}")
        with_facts = of_documents.withColumns(
            {"first": F.struct(POSITION, "start"), "longest": F.struct("units", (-F.col(POSITION)).alias("before"))}
        )
        counted = _counted(with_facts, "run", F.min("first").alias("first"), F.max("longest").alias("longest"))
        counted = counted.withColumn("counts", enough(rule)).join(asked.select("run", "length"), "run")
        verdicts.append(checkpoints.save(counted, f"verdicts-{step}"))
        holders.append(of_documents.select(POSITION, "units", "run"))
        answers = _union(verdicts).select("run", "documents", "counts")
        known.append(checkpoints.save(beside(asking.select(POSITION, "run"), answers, "run", "documents").drop("documents"), f"known-{step}"))
        pending = listed.join(asking.select(POSITION).distinct(), POSITION, "left_semi")

    all_occurrences = _union(occurrences)
    if not verdicts:
        empty = all_occurrences.limit(0)
        nothing = F.lit(None)
        facts = {name: nothing.cast("long") for name in ("length", "places", "documents", "hosts")}
        first = F.struct(POSITION, "start")
        longest = F.struct(F.col("start").alias("units"), F.col(POSITION).alias("before"))
        found = empty.withColumns({**facts, "host": nothing.cast("string"), "first": first, "longest": longest})
        return Runs(found.drop(POSITION, "start", "end"), all_occurrences, empty.select(POSITION, F.col("start").alias("units"), "run"))
    named = checkpoints.save(all_occurrences.select("run").distinct(), "named-runs")
    found = _union(verdicts).where("counts").drop("counts").join(small(named), "run", "left_semi")
    return Runs(checkpoints.save(found, "found"), all_occurrences, _union(holders))


def placed(texts: DataFrame, done: Runs, search: Search, checkpoints: Checkpoints) -> DataFrame:
    """Occurrences and passages with their bytes. Rows of passages have their `run`, `text`, and the hash of the passage around them, `within`."""
    of_document = done.occurrences.groupBy(POSITION).agg(F.sort_array(F.collect_list(F.struct("start", "end"))).alias("all"))
    of_document = of_document.select(POSITION, F.col("all.start").alias("starts"), F.col("all.end").alias("ends"))
    start = F.col("first.start")
    first = done.found.select(F.col(f"first.{POSITION}").alias(POSITION), start.alias("start"), (start + F.col("length")).alias("end"), "run")
    firsts = first.groupBy(POSITION).agg(F.collect_list(F.struct("start", "end", "run")).alias("all"))
    firsts = firsts.select(
        POSITION, F.col("all.start").alias("first_starts"), F.col("all.end").alias("first_ends"), F.col("all.run").alias("firsts")
    )
    rows = texts.select(POSITION, "text").join(of_document, POSITION).join(firsts, POSITION, "left")
    return checkpoints.save(mapped(rows, Step(search, "placed"), _PLACED), "placed")


def contained(done: Runs, sizes: DataFrame, checkpoints: Checkpoints) -> DataFrame:
    """Documents and the tokens that they share with the two longest documents of each of their runs; `sizes` has the `units` of each."""
    witnesses = done.found.select("run", "documents", "longest")
    held = beside(done.holders, witnesses, "run", "documents")
    others = held.where(F.col(POSITION) != -F.col("longest.before"))
    second = others.groupBy("run").agg(longest_of().alias("second"), F.first("documents").alias("size"), F.first("longest").alias("longest"))
    # A run of one document alone contains nothing, and has no second one.
    second = checkpoints.save(second, "second")
    both = beside(done.occurrences, second, "run", "size")
    meetings = both.select(POSITION, "start", "end", F.explode(F.array("longest", "second")).alias("longer"))
    meetings = meetings.withColumn("other", -F.col("longer.before")).where(F.col("other") != F.col(POSITION))
    shared = meetings.groupBy(POSITION, "other").agg(
        F.sort_array(F.collect_list(F.struct("start", "end"))).alias("parts"), F.first("longer.units").alias("of_other")
    )
    # Runs of a document may overlap, and ascend at both ends: tokens of both count once.
    tokens = F.expr(
        "aggregate(parts, named_struct('tokens', 0L, 'end', 0L), (sum, part) -> named_struct("
        "'tokens', sum.tokens + greatest(0L, part.end - greatest(part.start, sum.end)), 'end', greatest(part.end, sum.end)),"
        " sum -> sum.tokens)"
    )
    pairs = shared.select(POSITION, "other", tokens.alias("tokens"), "of_other")
    return pairs.join(sizes.select(POSITION, F.col("units").alias("length")), POSITION)
