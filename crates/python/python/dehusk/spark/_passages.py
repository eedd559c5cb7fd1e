"""Lines, sentences, paragraphs and runs of tokens that several documents have: `dehusk passages` on a cluster."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from .. import _native
from .._errors import InputError
from . import _runs
from ._batches import beside, mapped, small
from ._checkpoints import Checkpoints
from ._extraction import POSITION, positioned
from ._ids import named
from ._options import column_of
from ._passage_steps import Search, Step, enough, longest_of
from ._passage_steps import beside as beside_keys

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType
    from typing_extensions import Unpack

    from .._inputs import StrPath
    from .._options import SparkPassagesOptions
    from ._batches import Batches

#: Columns of units of documents.
_UNITS = f"{POSITION} long, host string, units long, unit binary, starts array<long>, ends array<long>, error string"


@dataclass(frozen=True)
class Passages:
    """Passages of documents: rows as `dehusk passages` writes them, in no order. `position` is the order of the inputs."""

    #: The passages; their `position` is that of the document that has them first.
    passages: DataFrame
    #: Each of their places.
    occurrences: DataFrame
    #: Documents that stand in another one for the most part.
    contained: DataFrame
    #: A row for each document.
    documents: DataFrame
    #: The documents that stay, with the texts that are left; with `repeat="mark"`, their places are in `repeated`.
    kept: DataFrame
    #: Documents that could not be used: `position`, `id`, `url`, `reason`, `message`.
    rejected: DataFrame


@dataclass(frozen=True)
class _Treat:
    search: Search

    def __call__(self, rows: Batches) -> Batches:
        native = self.search.native()
        for batch in rows:
            yield beside([POSITION], batch, native.treated(batch))


def _gone(rows: Batches) -> Batches:
    """Documents that go for one that contains them and stays. Rows come from the longest document to the shortest, so that what becomes of
    a container is known; of equal documents, rows come from the container that has most of them to the one that has least."""
    gone: set[int] = set()
    for batch in rows:
        found: list[int] = []
        for document, within in zip(batch.column(POSITION).to_pylist(), batch.column("other").to_pylist()):
            if document not in gone and within not in gone:
                gone.add(document)
                found.append(document)
        yield pa.record_batch([pa.array(found, pa.int64())], names=[POSITION])


def _read(documents: DataFrame, options: dict[str, Any]) -> DataFrame:
    """Documents with the columns that are looked at: `id`, `url` and `text`."""

    def column(name: str) -> Column:
        theirs = column_of(options, name)
        is_there = theirs.partition(".")[0] in documents.columns
        return (F.col(theirs) if is_there else F.lit(None)).cast("string").alias(name)

    text = column_of(options, "text")
    if text.partition(".")[0] not in documents.columns:
        help = None if text != "text" else "name the column to read as `text` by the option `column`"
        raise InputError(f"there is no column `{text}`; columns: {', '.join(documents.columns)}", help=help)
    read = documents.select(POSITION, column("id"), column("url"), column("text"))
    return read.withColumn("id", F.coalesce("id", "url", F.col(POSITION).cast("string")))


def passages(
    documents: DataFrame,
    *,
    unit: Literal["line", "sentence", "paragraph", "tokens"],
    profile: StrPath = "near",
    work: str | None = None,
    **options: Unpack[SparkPassagesOptions],
) -> Passages:
    """Finds the lines, sentences, paragraphs or runs of tokens that stand at several places of documents, and what texts are without them.

    `documents` have `text`, and `id` or `url`; `position` is their order, by which the first one is the first. They are read several times,
    and must give the same rows each time: data frames that lie in files do. `work` is a folder that all machines see, for what steps leave
    to each other. `profile` is the normalization before texts are compared: a name, or a file that all machines see. Options are those of
    `dehusk passages`.
    """
    given = {name: value for name, value in options.items() if value is not None}
    search = Search(unit, os.fspath(profile), given)
    rule = search.native()  # what is wrong is told here, and not by a task
    checkpoints = Checkpoints(documents.sparkSession, work)
    if POSITION not in documents.columns:
        documents = checkpoints.save(positioned(documents), "documents")
    read = _read(documents, given)
    are_runs = unit == "tokens"
    step, columns = ("samples", _runs.SAMPLES) if are_runs else ("units", _UNITS)
    cut = checkpoints.save(mapped(read.where("text is not null"), Step(search, step), columns), "units")
    failed = checkpoints.save(cut.where("error is not null").select(POSITION, "error"), "failed")
    good = read.where("text is not null").join(small(failed), POSITION, "left_anti")
    texts = checkpoints.save(named(good, checkpoints), "texts")
    made = (_of_runs if are_runs else _of_units)(texts, cut, search, checkpoints)

    places = made.places
    ids = texts.select(POSITION, "id")
    occurrences = places.join(ids, POSITION).select(
        POSITION, F.col("id").alias("document"), "start", "end", _hex("unit").alias("passage")
    )
    entry = F.struct("start", "end", F.when(F.col("is_first"), F.col("unit")).alias("first"), "share")
    lists = places.groupBy(POSITION).agg(F.sort_array(F.collect_list(entry)).alias("places"))
    listed = texts.join(lists, POSITION, "left").select(
        POSITION,
        "id",
        "text",
        F.col("places.start").alias("starts"),
        F.col("places.end").alias("ends"),
        F.col("places.first").alias("firsts"),
        F.col("places.share").alias("host_shares"),
    )
    treated = checkpoints.save(mapped(listed, _Treat(search), _treated(search)), "treated")

    passage_rows = _passage_rows(unit, made, treated, ids)
    pairs = _within_larger(made.shared, rule.min_contained, checkpoints)
    decided = _decided(treated.drop("passages", "passage_texts"), pairs, rule.on_contained, checkpoints)
    missing = read.where("text is null").select(
        POSITION, "id", "url", F.lit("missing-content").alias("reason"), F.lit("there is no text in this row").alias("message")
    )
    panicked = read.join(small(failed), POSITION).select(
        POSITION, "id", "url", F.lit("panic").alias("reason"), F.col("error").alias("message")
    )
    within = ids.select(F.col(POSITION).alias("other"), F.col("id").alias("within"))
    return Passages(
        passages=passage_rows,
        occurrences=occurrences,
        contained=pairs.join(ids, POSITION)
        .join(within, "other")
        .select(POSITION, F.col("id").alias("document"), "within", "tokens", (F.round(F.col("share") * 1e4) / 1e4).alias("share")),
        documents=decided.drop("rest"),
        kept=_kept(documents, decided.where("kept"), given, rule.repeat),
        rejected=missing.unionByName(panicked),
    )


@dataclass(frozen=True)
class _Made:
    """What was found, by both ways."""

    #: `key`, `tokens`, `places`, `documents`, `hosts`, `first`; `start` and `end` of `first` are bytes.
    found: DataFrame
    #: `position`, `unit` (the hash of the passage), `is_first`, `share`, `start`, `end`.
    places: DataFrame
    #: Pairs of documents with what they have in common: `position`, `other`, `tokens`, `length`, `of_other`.
    shared: DataFrame


def _hex(name: str) -> Column:
    """The id of a passage, by its hash."""
    return F.lower(F.hex(F.substring(name, 1, 8)))


def _of_units(texts: DataFrame, cut: DataFrame, search: Search, checkpoints: Checkpoints) -> _Made:
    """Lines, sentences or paragraphs."""
    rule = search.native()
    units = cut.where("unit is not null").drop("error")
    found = _with_shares(_found(units, rule, checkpoints), cut.where("unit is null and error is null"), rule, checkpoints)
    occurring = checkpoints.save(beside_keys(units, found.drop("host"), "unit", "documents"), "occurring")
    # A document without an address has no host that could have a share.
    of_host = F.when(F.col("host").isNotNull(), F.col("share")).otherwise(0.0).alias("share")
    zipped = occurring.select(POSITION, "unit", "first", of_host, F.explode(F.arrays_zip("starts", "ends")).alias("place"))
    start, end = F.col("place.starts").alias("start"), F.col("place.ends").alias("end")
    is_first = (F.col(f"first.{POSITION}") == F.col(POSITION)) & (F.col("first.start") == F.col("place.starts"))
    return _Made(
        found=found.withColumns({"key": F.col("unit"), "tokens": F.lit(1).cast("long")}),
        places=zipped.select(POSITION, "unit", is_first.alias("is_first"), "share", start, end),
        shared=_shared(occurring, checkpoints),
    )


def _of_runs(texts: DataFrame, samples: DataFrame, search: Search, checkpoints: Checkpoints) -> _Made:
    """Runs of tokens."""
    rule = search.native()
    done = _runs.runs(texts, samples, search, rule, checkpoints)
    sizes = samples.where("sample is null and error is null")
    found = _with_shares(done.found, sizes, rule, checkpoints)
    placed = _runs.placed(texts, done, search, checkpoints)
    facts = beside_keys(done.occurrences, found.select("run", "documents", "first", "share"), "run", "documents")
    hosts = sizes.where("host is not null").select(POSITION, "host")
    of_host = F.when(F.col("host").isNotNull(), F.col("share")).otherwise(0.0).alias("share")
    is_first = (F.col(f"first.{POSITION}") == F.col(POSITION)) & (F.col("first.start") == F.col("start"))
    facts = facts.join(hosts, POSITION, "left").select(POSITION, F.col("start").alias("token"), is_first.alias("is_first"), of_host)
    at = placed.where("run is null").withColumnsRenamed({"first": "token", "passage": "unit"}).select(POSITION, "token", "unit", "start", "end")
    firsts = placed.where("run is not null").select("run", "passage", "text", "start", "end", "within")
    first = F.struct(F.col(f"first.{POSITION}").alias(POSITION), F.col("start"), F.col("end"))
    return _Made(
        found=found.join(firsts, "run").withColumns({"key": F.col("passage"), "tokens": F.col("length"), "first": first}).drop("start", "end"),
        places=checkpoints.save(at.join(facts, [POSITION, "token"]).drop("token"), "run-places"),
        shared=_runs.contained(done, sizes, checkpoints),
    )


def _passage_rows(unit: str, made: _Made, treated: DataFrame, ids: DataFrame) -> DataFrame:
    """The rows of passages. Texts of runs were cut with their places, those of units where they stand first."""
    found = made.found
    if unit == "tokens":
        rows = found.withColumn(POSITION, F.col(f"first.{POSITION}")).join(ids, POSITION).withColumnRenamed("id", "document")
        within = _hex("within")
    else:
        firsts = treated.select("id", F.explode(F.arrays_zip("passages", "passage_texts")).alias("one"))
        texts = firsts.select(F.col("id").alias("document"), F.col("one.passages").alias("key"), F.col("one.passage_texts").alias("text"))
        rows = texts.join(found, "key")
        within = F.lit(None).cast("string")
    scope = F.when(F.col("documents") == 1, "document").when(F.col("hosts") == 0, "unknown").when(F.col("hosts") == 1, "host")
    return rows.select(
        F.col(f"first.{POSITION}").alias(POSITION),
        _hex("key").alias("id"),
        F.lit(unit).alias("unit"),
        "text",
        "tokens",
        "places",
        "documents",
        "hosts",
        scope.otherwise("hosts").alias("scope"),
        "document",
        F.col("first.start").alias("start"),
        F.col("first.end").alias("end"),
        within.alias("within"),
    )


def _treated(search: Search) -> StructType:
    """The columns of documents that are treated."""
    places = {"starts": pa.int64(), "ends": pa.int64(), "firsts": pa.binary(), "host_shares": pa.float64()}
    types = {"id": pa.string(), "text": pa.string(), **{name: pa.list_(of) for name, of in places.items()}}
    empty = pa.record_batch([pa.array([], of) for of in types.values()], names=list(types))
    made = pa.table(search.native().treated(empty))
    schema: StructType = from_arrow_schema(pa.schema([(POSITION, pa.int64()), *made.schema]))
    return schema


def _found(units: DataFrame, rule: _native.PassageSearch, checkpoints: Checkpoints) -> DataFrame:
    """The units that count as passages. They are counted where they lie, then by host, so that no task sees the places of a unit."""
    of_host = units.groupBy("unit", "host").agg(
        F.sum(F.size("starts")).alias("places"),
        F.count("*").alias("documents"),
        F.min(F.struct(POSITION, F.col("starts")[0].alias("start"), F.col("ends")[0].alias("end"))).alias("first"),
        F.max(F.struct("units", (-F.col(POSITION)).alias("before"))).alias("longest"),
    )
    counted = of_host.groupBy("unit").agg(
        F.sum("places").alias("places"),
        F.sum("documents").alias("documents"),
        F.count("host").alias("hosts"),
        F.min("first").alias("first"),
        F.max("longest").alias("longest"),
        F.max("host").alias("host"),
    )
    return checkpoints.save(counted.where(enough(rule)), "found")


def _with_shares(found: DataFrame, documents: DataFrame, rule: _native.PassageSearch, checkpoints: Checkpoints) -> DataFrame:
    """Passages with the share of the documents of their host that have them; 0 for passages of several hosts, and if none is asked for."""
    if rule.min_host_share <= 0:
        return found.withColumn("share", F.lit(0.0))
    sizes = documents.where("host is not null").groupBy("host").agg(F.count("*").alias("of_host"))
    known = small(checkpoints.save(sizes, "hosts"))
    share = F.when(F.col("hosts") == 1, F.col("documents") / F.col("of_host")).otherwise(0.0)
    return checkpoints.save(found.join(known, "host", "left").withColumn("share", share).drop("of_host"), "shares")


def _shared(occurring: DataFrame, checkpoints: Checkpoints) -> DataFrame:
    """Documents and the units that they share with the two longest documents of each of their passages."""
    others = occurring.where(F.col(POSITION) != -F.col("longest.before"))
    of_second = others.groupBy("unit").agg(longest_of().alias("second"), F.first("documents").alias("size"))
    # A passage of one document alone contains nothing, and has no second one.
    second = checkpoints.save(of_second, "second")
    both = beside_keys(occurring.select(POSITION, "unit", "units", "starts", "longest"), second, "unit", "size")
    other = F.explode(F.array("longest", "second")).alias("longer")
    meetings = both.select(POSITION, "units", F.size("starts").alias("n"), other)
    meetings = meetings.withColumn("other", -F.col("longer.before")).where(F.col("other") != F.col(POSITION))
    return meetings.groupBy(POSITION, "other").agg(
        F.sum("n").cast("long").alias("tokens"), F.first("units").alias("length"), F.first("longer.units").alias("of_other")
    )


def _within_larger(shared: DataFrame, least: float, checkpoints: Checkpoints) -> DataFrame:
    """Documents and those that contain them: longer ones, or earlier ones of the same length."""
    share = F.col("tokens") / F.col("length")
    is_larger = (F.col("of_other") > F.col("length")) | ((F.col("of_other") == F.col("length")) & (F.col(POSITION) > F.col("other")))
    return checkpoints.save(shared.withColumn("share", share).where((F.col("share") >= least) & is_larger), "contained")


def _decided(treated: DataFrame, pairs: DataFrame, policy: str, checkpoints: Checkpoints) -> DataFrame:
    """Documents with the decisions on those that others contain."""
    if policy == "keep":
        return treated
    one = pairs.repartition(1).sortWithinPartitions(F.desc("length"), POSITION, F.desc("tokens"), "other")
    gone = checkpoints.save(mapped(one.select(POSITION, "other"), _gone, f"{POSITION} long"), "inside")
    told = treated.join(small(gone.withColumn("inside", F.lit(True))), POSITION, "left")
    goes = F.col("kept") & F.col("inside").isNotNull()
    reason = F.when(goes, "contained" if policy == "delete" else "demoted").otherwise(F.col("reason"))
    stays = F.when(goes, F.lit(policy != "delete")).otherwise(F.col("kept"))
    others = [name for name in treated.columns if name not in ("kept", "reason")]
    decided = told.select(*others, stays.alias("kept"), reason.alias("reason"))
    return decided.select(*treated.columns)


def _kept(documents: DataFrame, decided: DataFrame, options: dict[str, Any], repeat: str) -> DataFrame:
    """The documents that stay, with their ids and the texts that are left."""
    theirs = column_of(options, "text")
    # A text in a nested field stays there, and the remaining text becomes the column `text`.
    column = theirs if theirs in documents.columns else "text"
    ours = decided.select(POSITION, F.col("id").alias("_id"), F.col("rest").alias("_rest"), F.col("repeated").alias("_repeated"))
    kept = documents.join(ours, POSITION).withColumn(column, F.coalesce("_rest", F.col(theirs)))
    types = dict(documents.dtypes)
    if column_of(options, "id") == "id" and types.get("id", "string") == "string":
        kept = kept.withColumn("id", F.col("_id"))
    if repeat == "mark":
        kept = kept.withColumn("repeated", F.col("_repeated"))
    return kept.drop("_id", "_rest", "_repeated")
