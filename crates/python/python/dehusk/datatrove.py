"""Blocks for pipelines of datatrove.

```python
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.readers import WarcReader
from datatrove.pipeline.writers import JsonlWriter
from dehusk.datatrove import DehuskExtractor, DropDuplicates, FindDuplicates, QualityFilter, TextsToCompare

LocalPipelineExecutor([
    WarcReader("crawl/"), DehuskExtractor(), QualityFilter(least_confidence=0.5), TextsToCompare("texts/"), JsonlWriter("documents/"),
], tasks=8).run()
LocalPipelineExecutor([FindDuplicates("texts/", "duplicates/", threshold=0.8)]).run()          # one task
LocalPipelineExecutor([JsonlReader("documents/"), DropDuplicates("duplicates/"), JsonlWriter("unique/")], tasks=8).run()
```

`DropDuplicates` must see the documents that `TextsToCompare` saw, with as many tasks and in the same order.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import tempfile
from itertools import groupby
from typing import Any, Iterator, Mapping, Sequence

from datatrove.data import Document as Passing
from datatrove.io import DataFolder, DataFolderLike, get_datafolder
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor
from datatrove.pipeline.filters.base_filter import BaseFilter
from datatrove.pipeline.writers.disk_base import DiskWriter
from datatrove.utils.typeshelper import StatHints

from . import _native
from ._dedup import rows_of
from ._document import Document
from ._errors import DehuskError, InputError
from ._extractor import extractor_of
from ._inputs import text_options

__all__ = ["DehuskExtractor", "DropDuplicates", "FindDuplicates", "QualityFilter", "TextsToCompare"]


class DehuskExtractor(BaseExtractor):  # type: ignore[misc]
    """Puts the main text of each page in the place of its HTML, and what is known of it into `metadata`.

    Options are those of `dehusk.Extractor`. Pages are worked on in the process of the task, `threads` of them at once (1 unless given,
    since tasks are many): the work of a page is bounded, so that it needs no time limit and no process of its own. A page without main
    text is dropped.
    """

    name = "⛏ dehusk"

    #: Fields of documents that go to `metadata`.
    FIELDS = (
        "title",
        "author",
        "authors",
        "date",
        "date_precision",
        "modified",
        "language",
        "site_name",
        "description",
        "tags",
        "categories",
        "publisher",
        "licence",
        "kind",
        "method",
        "confidence",
        "kept_chars",
        "all_chars",
        "warnings",
    )

    def __init__(self, fields: Sequence[str] = FIELDS, **options: Any) -> None:
        super().__init__(timeout=1)
        self.fields = tuple(fields)
        self.extractor = extractor_of({"threads": 1, **options})

    def extract(self, text: str) -> str:
        """The main text of a page."""
        return self.extractor.document(text).text

    def _pages(self, data: Iterator[Passing], waiting: list[Passing]) -> Iterator[Mapping[str, Any]]:
        for passing in data:
            waiting.append(passing)
            known = {"url": passing.metadata.get("url"), "date": passing.metadata.get("date")}
            yield {"html": passing.text, "id": passing.id, **known}

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """Extracts page after page, in their order."""
        waiting: list[Passing] = []
        for item in self.extractor.documents(self._pages(iter(data), waiting), errors="return"):
            passing = waiting.pop(0)
            self.stat_update(StatHints.total)
            if isinstance(item, DehuskError):
                self.stat_update("clean_error", f"dropped_{getattr(item, 'reason', None) or 'error'}")
                continue
            with self.track_time():
                record = item.to_dict()
                passing.text = item.text.strip()
                found = {name: record[name] for name in self.fields if record.get(name) not in (None, [])}
                passing.metadata.update(found)
            if not passing.text:
                self.stat_update(StatHints.dropped, f"dropped_{_why_empty(item)}")
                continue
            self.stat_update("extracted", StatHints.forwarded)
            self.update_doc_stats(passing)
            yield passing


def _why_empty(document: Document) -> str:
    codes = [warning["code"] for warning in document.warnings]
    return next((code for code in codes if code in ("no-text", "no-main-text")), "empty")


class QualityFilter(BaseFilter):  # type: ignore[misc]
    """Drops documents of `DehuskExtractor` by what it says of them. The reason goes to `metadata["filter_reason"]` and to the counts.

    `least_confidence` is the estimated F1 of the text, 0 to 1; `least_chars` are characters of the text; `least_share` is the kept
    share of the characters of the page; `languages` are codes such as `en`, of which an unknown language is none;
    `without_warnings` are codes of warnings, such as `truncated`.
    """

    name = "⚖ dehusk quality"

    def __init__(
        self,
        least_confidence: float = 0.0,
        least_chars: int = 1,
        least_share: float = 0.0,
        languages: Sequence[str] | None = None,
        without_warnings: Sequence[str] = (),
        exclusion_writer: Any = None,
    ) -> None:
        super().__init__(exclusion_writer)
        self.least_confidence = least_confidence
        self.least_chars = least_chars
        self.least_share = least_share
        self.languages = None if languages is None else frozenset(languages)
        self.without_warnings = frozenset(without_warnings)

    def filter(self, doc: Passing) -> bool | tuple[bool, str]:
        """Whether a document stays, or the reason why not."""
        known = doc.metadata
        kept, everything = known.get("kept_chars"), known.get("all_chars")
        if len(doc.text) < self.least_chars:
            return False, "short"
        if known.get("confidence", 1.0) < self.least_confidence:
            return False, "low-confidence"
        if kept is not None and everything and kept / everything < self.least_share:
            return False, "low-share"
        if self.languages is not None and known.get("language") not in self.languages:
            return False, f"language-{known.get('language') or 'unknown'}"
        for warning in known.get("warnings", ()):
            if warning["code"] in self.without_warnings:
                return False, f"warning-{warning['code']}"
        return True


class TextsToCompare(PipelineStep):  # type: ignore[misc]
    """Writes the texts that pass by to a folder, a file for each task, and hands them on: the first step of deduplication."""

    type = "🫂 - DEDUP"
    name = "🎯 dehusk stage 1"

    def __init__(self, output_folder: DataFolderLike) -> None:
        super().__init__()
        self.output_folder: DataFolder = get_datafolder(output_folder)

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """Writes and hands on."""
        with self.output_folder.open(f"{rank:06d}.jsonl", mode="wt") as file:
            for number, passing in enumerate(data):
                self.stat_update(StatHints.total)
                with self.track_time():
                    file.write(json.dumps(_compared(passing, rank, number)) + "\n")
                self.stat_update(StatHints.forwarded)
                yield passing


def _compared(passing: Passing, rank: int, number: int) -> dict[str, Any]:
    """The record of a document. Its id sorts as documents do."""
    facts = {name: passing.metadata.get(name) for name in ("url", "date", "popularity", "kept_chars", "all_chars")}
    known = {name: value if isinstance(value, (int, float, str)) else str(value) for name, value in facts.items() if value is not None}
    return {"id": f"{rank:06d}/{number:010d}", "text": passing.text, **known}


class FindDuplicates(PipelineStep):  # type: ignore[misc]
    """Finds duplicates among the texts of a folder of `TextsToCompare`: the second step, for one task.

    Options are those of `dehusk.dedup`. For each task of the first step it writes `decisions.jsonl`, which `DropDuplicates` reads, and
    the files `.remove`, `.clusters` and `.sizes`, which datatrove's `MinhashDedupFilter` reads.
    """

    type = "🫂 - DEDUP"
    name = "🎯 dehusk stage 2"

    def __init__(self, input_folder: DataFolderLike, output_folder: DataFolderLike, **options: Any) -> None:
        super().__init__()
        self.input_folder: DataFolder = get_datafolder(input_folder)
        self.output_folder: DataFolder = get_datafolder(output_folder)
        self.options = text_options(options)

    def run(self, data: Any = None, rank: int = 0, world_size: int = 1) -> Any:
        """Finds them; hands on nothing."""
        if world_size != 1:
            raise InputError("duplicates are found by one task", help="run this step in an executor with `tasks=1`")
        with self.track_time("run"), tempfile.TemporaryDirectory(prefix="dehusk-") as place:
            inputs = self._inputs(place)
            out = os.path.join(place, "out")
            summary = _native.dedup(inputs, out, self.options)
            sizes: dict[str, int] = {}
            for row in rows_of(out, "clusters", summary):
                sizes[row["cluster"]] = sizes.get(row["cluster"], 0) + 1
            self._write(rows_of(out, "clusters", summary), sizes)
        yield from data or ()

    def _inputs(self, place: str) -> list[str]:
        """The files, copied if they lie elsewhere."""
        names = sorted(self.input_folder.list_files(glob_pattern="*.jsonl"))
        if not names:
            raise InputError(f"`{self.input_folder.path}` holds no texts", help="run `TextsToCompare` before")
        if self.input_folder.is_local():
            return [str(path) for path in self.input_folder.resolve_paths(names)]
        copies = []
        for name in names:
            copies.append(os.path.join(place, name))
            with self.input_folder.open(name, "rb") as theirs, open(copies[-1], "wb") as ours:
                while block := theirs.read(1 << 20):
                    ours.write(block)
        return copies

    def _write(self, rows: Iterator[dict[str, Any]], sizes: Mapping[str, int]) -> None:
        """Writes the decisions, task by task: rows come in the order of tasks and documents."""
        numbers: dict[str, int] = {}
        for task, decisions in groupby(rows, lambda row: row["id"].partition("/")[0]):
            with contextlib.ExitStack() as files:

                def opened(end: str, mode: str, task: str = task, files: contextlib.ExitStack = files) -> Any:
                    return files.enter_context(self.output_folder.open(f"{task}.{end}", mode))

                lines, removed = opened("decisions.jsonl", "wt"), opened("remove", "wb")
                clusters, counts = opened("clusters", "wb"), opened("sizes", "wb")
                for row in decisions:
                    number, size = int(row["id"].partition("/")[2]), sizes[row["cluster"]]
                    lines.write(json.dumps(row) + "\n")
                    if not row["kept"]:
                        self.stat_update("to_remove")
                        removed.write(struct.pack("<I", number))
                    if size > 1:
                        cluster = numbers.setdefault(row["cluster"], len(numbers))
                        clusters.write(struct.pack("<II", number, cluster))
                        counts.write(struct.pack("<II", number, size))
        self.stat_update("clusters", value=len(numbers))


class DropDuplicates(PipelineStep):  # type: ignore[misc]
    """Drops the documents that `FindDuplicates` decided against: the third step.

    `metadata` gets `dedup_reason`, and of a duplicate `dedup_of`, the place of the document that stays, as `TASK/NUMBER`. What is
    dropped goes to the `exclusion_writer`, with the reason as `filter_reason`.
    """

    type = "🫂 - DEDUP"
    name = "🎯 dehusk stage 3"

    def __init__(self, input_folder: DataFolderLike, exclusion_writer: DiskWriter | None = None) -> None:
        super().__init__()
        self.input_folder: DataFolder = get_datafolder(input_folder)
        self.exclusion_writer = exclusion_writer

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
        """Hands on what stays."""
        name = f"{rank:06d}.decisions.jsonl"
        there = self.input_folder.isfile(name)
        with contextlib.ExitStack() as files:
            lines = files.enter_context(self.input_folder.open(name, "rt")) if there else iter(())
            writer = files.enter_context(self.exclusion_writer) if self.exclusion_writer else None
            for passing in data:
                line = next(lines, None)
                if line is None:
                    raise InputError(
                        f"`{name}` has fewer decisions than there are documents",
                        help="documents must come in the order, and in as many tasks, as when their texts were written",
                    )
                decision = json.loads(line)
                self.stat_update(StatHints.total)
                passing.metadata["dedup_reason"] = decision["reason"]
                if decision["representative"] != decision["id"]:
                    passing.metadata["dedup_of"] = decision["representative"]
                if decision["kept"]:
                    self.stat_update(StatHints.forwarded)
                    self.update_doc_stats(passing)
                    yield passing
                    continue
                self.stat_update(StatHints.dropped, f"dropped_{decision['reason']}")
                if writer is not None:
                    passing.metadata["filter_reason"] = decision["reason"]
                    writer.write(passing, rank)
