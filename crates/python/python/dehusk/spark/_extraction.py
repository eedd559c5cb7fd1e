"""Pages to documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema

from .._extractor import Extractor, extractor_of
from ..sites import Template
from ._batches import beside, mapped
from ._options import one_thread

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType
    from typing_extensions import Unpack

    from .._options import ExtractorOptions
    from ._batches import Batches

#: The order of documents: that of the inputs. What is decided "first in the input" is decided by it.
POSITION = "position"


@dataclass(frozen=True)
class _Extract:
    extractor: Extractor

    def __call__(self, rows: Batches) -> Batches:
        for batch in rows:
            pages = batch.select([name for name in batch.schema.names if name != POSITION])
            yield beside([POSITION], batch, self.extractor.batch(pages))


def positioned(frame: DataFrame) -> DataFrame:
    """Rows with their position; where they have none, it is that of the partitions, which files of Spark keep in order."""
    if POSITION in frame.columns:
        return frame.withColumn(POSITION, F.col(POSITION).cast("long"))
    return frame.withColumn(POSITION, F.monotonically_increasing_id())


def _schema(extractor: Extractor) -> StructType:
    empty = pa.table(extractor.batch(pa.table({"html": pa.array([], pa.binary())})))
    schema: StructType = from_arrow_schema(pa.schema([(POSITION, pa.int64()), *empty.schema]))
    return schema


def extract(pages: DataFrame, **options: Unpack[ExtractorOptions]) -> DataFrame:
    """The documents of pages: of `pages`, or of any data frame with HTML in a column `html` (or `column={"html": "content"}`).

    A row comes out for each row, with its `position`, the columns of documents, and `error`, which says why a row has no document.
    Options are those of `dehusk.Extractor`; `templates` may be templates themselves, or a folder that all machines see.
    """
    extractor = extractor_of(one_thread(options))
    return mapped(positioned(pages), _Extract(extractor), _schema(extractor))


def templates_of(learnt: DataFrame) -> list[Template]:
    """The templates that `learn_sites` gave, on the driver: for `extract(pages, templates=...)`, and for files by `sites.save`."""
    return [Template(row["template"]) for row in learnt.orderBy("site", "layout").collect()]


def apply_templates(pages: DataFrame, learnt: DataFrame, **options: Unpack[ExtractorOptions]) -> DataFrame:
    """The documents of pages by the templates that `learn_sites` gave. All of them go to every executor: about 10 KB a layout."""
    templates = templates_of(learnt)
    given: ExtractorOptions = {**options, "templates": templates or None}
    return extract(pages, **given)
