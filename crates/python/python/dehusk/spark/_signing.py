"""Documents to what duplicates are joined by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .. import _native
from .._errors import InputError
from .._inputs import may_hold
from ._batches import beside, mapped
from ._extraction import POSITION, positioned
from ._options import one_thread

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from .._options import SparkOptions
    from ._batches import Batches

#: Columns of signed documents as tasks give them: see `sign`.
SCHEMA = (
    f"{POSITION} long, kind int, content binary, exact long, words array<long>, row long, facts binary, key binary, "
    "id string, address string, date long, error string"
)

#: Columns that are useful for comparing documents.
COMPARED = ("id", "url", "text", "date", "popularity", "kept_chars", "all_chars")


@dataclass(frozen=True)
class _Sign:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        search = _native.Search(self.options)
        for batch in rows:
            documents = batch.select([name for name in batch.schema.names if name != POSITION])
            yield beside([POSITION], batch, search.keyed(documents))


def compared(documents: DataFrame, options: Any) -> DataFrame:
    """The columns that are compared, and the one by which documents are kept."""
    named = options.get("column") or {}
    theirs = set(named.values() if isinstance(named, dict) else [part.partition("=")[2] for part in named.split(",")])
    field = _native.Search(options).field_of_keep
    kept_by = {name for name in documents.columns if may_hold(name, field)}
    columns = [name for name in documents.columns if name in COMPARED or name in theirs or name in kept_by]
    if field is not None and not kept_by:
        raise InputError(
            f"documents have no column that `keep={options['keep']!r}` names; columns: {', '.join(documents.columns)}"
        )
    if not {"id", "url"} & {*columns} and not theirs:
        raise InputError("documents have neither `id` nor `url`, by which pairs could name them")
    return positioned(documents).select(POSITION, *columns)


def sign(documents: DataFrame, **options: Unpack[SparkOptions]) -> DataFrame:
    """What documents are joined by: a data frame with `text`, and `id` or `url`.

    `kind` is 0 for documents without tokens, 1 for short ones, which only have duplicates of the same words, and 2 for all others;
    `content` is a hash of 128 bits of the tokens, which duplicates of similarity 1 have in common, and `exact` one of 64 bits of the
    text, by which some of these are exact duplicates; `words` are numbers of 64 bits, a column and a key
    of it, of which candidates share one; `row` is equal for documents whose words all are. `facts` are what decides who stays, and
    `order` are bytes that compare as documents stay, the best first. With the option `same_url`, `address` is equal for documents of one
    address, `date` is in seconds, and `id` names the document.
    `error` says why a document cannot be signed, a defect of ours that costs the document; its other columns are null.
    """
    given = one_thread(options)
    _native.Search(given)  # what is wrong is told here, and not by a task
    rows = compared(documents, given).where(F.col("text").isNotNull()) if "text" in documents.columns else compared(documents, given)
    # The order of the input ends that of the keeper. No key is the beginning of another one.
    place = F.unhex(F.lpad(F.hex(POSITION), 16, "0"))
    return mapped(rows, _Sign(given), SCHEMA).withColumn("order", F.concat("key", place)).drop("key")
