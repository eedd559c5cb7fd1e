"""Pages of files as a data frame: whole files are tasks, read as the command line reads them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _native
from ._batches import batches, mapped

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from typing_extensions import Unpack

    from .._inputs import StrPath
    from .._options import ReadPagesOptions
    from ._batches import Batches

#: Columns of pages. `position` increases in the order of the inputs, `dehusk_page` is a serialized page, and `reason` and `message` say why a record
#: could not be used.
SCHEMA = "position long, id string, url string, dehusk_page binary, reason string, message string"

#: Most bytes of files that one task reads, unless one file is larger.
TASK = 64 << 20


@dataclass(frozen=True)
class _Read:
    inputs: tuple[str, ...]
    options: dict[str, Any]

    def __call__(self, tasks: Batches) -> Batches:
        for batch in tasks:
            for task in batch.to_pylist():
                reader = _native.page_batches(list(self.inputs), self.options, task["first"], task["end"])
                try:
                    for table in reader:
                        yield from batches(table)
                finally:
                    reader.close()


def _tasks(sizes: list[int], wanted: int) -> list[tuple[int, int]]:
    """Files that follow each other, as many as make up a task; about so many tasks as are wanted at least, if there are files enough."""
    most = min(TASK, sum(sizes) // max(wanted, 1))
    tasks: list[tuple[int, int]] = []
    first, size = 0, 0
    for number, more in enumerate(sizes):
        if number > first and size + more > most:
            tasks.append((first, number))
            first, size = number, 0
        size += more
    if sizes:
        tasks.append((first, len(sizes)))
    return tasks


def pages(session: SparkSession, *paths: StrPath, **options: Unpack[ReadPagesOptions]) -> DataFrame:
    """The pages of files and folders, in all formats that `dehusk run` reads.

    Executors open the files themselves, under the names given: they must lie where all machines see them. A file is read by one task,
    so that a crawl of many files is spread well, and one large file is not. Options are those of `dehusk.read_pages`.
    """
    names = [os.fspath(path) for path in paths]
    given = {name: value for name, value in options.items() if value is not None}
    tasks = _tasks(_native.file_sizes(names, given), 2 * session.sparkContext.defaultParallelism)
    rows = [{"first": first, "end": end} for first, end in tasks]
    frame = session.createDataFrame(rows, "first long, end long").repartitionByRange(max(len(rows), 1), "first")
    return mapped(frame, _Read(tuple(names), given), SCHEMA)
