"""Pages of files as a data frame: tasks are files, or parts of large archives, read as the command line reads them."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
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

#: Most bytes of files that one task reads, unless a file that cannot be split is larger.
TASK = 64 << 20

#: Bytes of the smallest part of an archive that is worth a task.
SMALLEST = 8 << 20

#: Columns of tasks: files by their numbers, or a part of one file, with its number and its bytes.
TASKS = "first long, end long, part long, begin long, until long"


@dataclass(frozen=True)
class _Read:
    inputs: tuple[str, ...]
    options: dict[str, Any]

    def __call__(self, tasks: Batches) -> Batches:
        for batch in tasks:
            for task in batch.to_pylist():
                part = None if task["part"] is None else (task["part"], task["begin"], task["until"])
                reader = _native.page_batches(list(self.inputs), self.options, task["first"], task["end"], part)
                try:
                    for table in reader:
                        yield from batches(table)
                finally:
                    reader.close()


@dataclass(frozen=True)
class _Task:
    first: int
    end: int
    part: int | None = None
    begin: int | None = None
    until: int | None = None


def _tasks(files: list[tuple[int, list[int]]], most: int) -> list[_Task]:
    """Files that follow each other until they make up `most` bytes, and each part of a file that is split."""
    tasks: list[_Task] = []
    first, size = 0, 0
    for number, (bytes_, cuts) in enumerate(files):
        if number > first and (cuts or size + bytes_ > most):
            tasks.append(_Task(first, number))
            first, size = number, 0
        if cuts:
            ends = [*cuts, bytes_]
            parts = zip([0, *cuts], ends, strict=True)
            tasks.extend(_Task(number, number + 1, part, begin, until) for part, (begin, until) in enumerate(parts))
            first = number + 1
        else:
            size += bytes_
    if first < len(files):
        tasks.append(_Task(first, len(files)))
    return tasks


def pages(session: SparkSession, *paths: StrPath, split: bool = True, **options: Unpack[ReadPagesOptions]) -> DataFrame:
    """The pages of files and folders, in all formats that `dehusk run` reads.

    Executors open the files themselves, under the names given: they must lie where all machines see them. Large WARC files, plain or of
    gzip members, are split between records, so that several tasks share one; with `split=False`, and in other formats, a file is read by one
    task. `plain_offset` is known only of documents of the first part. Options are those of `dehusk.read_pages`.
    """
    names = [os.fspath(path) for path in paths]
    given = {name: value for name, value in options.items() if value is not None}
    wanted = 2 * session.sparkContext.defaultParallelism
    files = _native.file_parts(names, given, 1 << 62)
    most = min(TASK, sum(size for size, _ in files) // max(wanted, 1))
    if split and any(size > max(most, SMALLEST) for size, _ in files):
        files = _native.file_parts(names, given, max(most, SMALLEST))
    rows = [asdict(task) for task in _tasks(files, most)]
    frame = session.createDataFrame(rows, TASKS).repartitionByRange(max(len(rows), 1), "first", "part")
    return mapped(frame, _Read(tuple(names), given), SCHEMA)
