"""Steps of Rust as functions of batches, which Spark calls in the processes of its executors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Protocol

import pyarrow as pa
from pyspark.sql import functions as F

from ._ready import check

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .._native import Table

    Batches = Iterator[pa.RecordBatch]


#: Rows of a data frame up to which all of it goes to every executor, so that the other one need not be shuffled.
BROADCAST = 2_000_000


class Step(Protocol):
    """What takes sorted rows, and may keep some of them for the next batch."""

    def push(self, rows: object) -> Table | None:
        """What came of these rows and earlier ones."""
        ...


def batches(table: Table | None) -> Iterable[pa.RecordBatch]:
    """The batches of a table of ours."""
    return () if table is None else pa.table(table).to_batches()


def beside(names: list[str], taken: pa.RecordBatch, made: Table) -> pa.RecordBatch:
    """What was made of each row of a batch, with columns of that row before it."""
    rows = pa.table(made).combine_chunks()
    columns = {name: taken.column(name) for name in names}
    for name in rows.column_names:
        columns[name] = rows.column(name).combine_chunks()
    return pa.RecordBatch.from_arrays(
        [column.chunk(0) if isinstance(column, pa.ChunkedArray) else column for column in columns.values()],
        names=list(columns),
    )


def stepwise(step: Step, rows: Batches) -> Batches:
    """What a step makes of the rows of a partition."""
    for batch in rows:
        yield from batches(step.push(batch))
    finish = getattr(step, "finish", None)
    if finish is not None:
        yield from batches(finish())


def mapped(frame: DataFrame, function: Callable[[Any], Any], schema: Any) -> DataFrame:
    """The data frame of what a function makes of batches of Arrow."""
    check(frame.sparkSession)
    made: DataFrame = frame.mapInArrow(function, schema)
    return made


def grouped(frame: DataFrame, by: str, *then: Any) -> DataFrame:
    """The rows of a group side by side in one partition, in that order."""
    return frame.repartition(by).sortWithinPartitions(by, *then)


def small(frame: DataFrame) -> DataFrame:
    """The data frame, which goes to all executors if it is small. It should be one that lies in files."""
    return F.broadcast(frame) if frame.count() <= BROADCAST else frame
