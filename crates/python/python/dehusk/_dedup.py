"""Near-duplicates among documents, and documents that are there already."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Iterable, Iterator, Literal, Mapping, NamedTuple

from . import _native
from ._errors import OptionError
from ._inputs import documents_as_files, text_options
from ._show import Tabled, counted

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._inputs import DocumentsLike, StrPath
    from ._options import DedupOptions, IndexOptions


class Pair(NamedTuple):
    """Two documents that are duplicates."""

    #: The smaller id.
    a: str
    #: The larger id.
    b: str
    #: Similarity, 0 to 1.
    similarity: float
    #: `exact` for the same text by `exact_profile`, else the similarity measured, such as `jaccard`.
    method: str
    #: What signatures said of it, if they say anything.
    estimate: float | None = None
    #: The pairs of documents that this one stands for: copies of its texts, and texts of a cluster of more than 100. With
    #: `all_pairs=True` each stands for itself alone.
    link: int = 1
    #: By similarity `containment`, the id of the document that lies inside the other one; None if neither is the smaller one.
    contained: str | None = None


class Decision(NamedTuple):
    """What was decided about a document."""

    id: str
    #: The smallest id of its cluster; its own if it is alone.
    cluster: str
    #: The member of the cluster that stands for it.
    representative: str
    #: Whether the document stays.
    kept: bool
    #: Why: `unique`, `representative`, `exact-duplicate`, `near-duplicate`, `short`, `empty` and so on.
    reason: str
    #: Its similarity to the representative, 0 to 1; None if it is its own, or went for one of the same address.
    similarity: float | None = None
    #: Documents of its cluster, itself included.
    cluster_size: int = 1


class Match(NamedTuple):
    """A document that is similar to another one."""

    id: str
    similarity: float
    method: str
    estimate: float | None = None
    shared_shingles: int | None = None
    #: By similarity `containment`, the id of the document that lies inside the other one; None if neither is the smaller one.
    contained: str | None = None


#: Columns of the table that shows decisions.


@dataclass(frozen=True, repr=False)
class Deduplicated(Tabled):
    """What came of a search for duplicates: what `dehusk dedup` writes."""

    #: Verified pairs, by ids.
    pairs: list[Pair]
    #: A decision for each document, in their order.
    clusters: list[Decision]
    #: For documents that are in the index `against`, which of its documents they are like.
    matches: dict[str, list[Match]]
    #: Records that could not be used: `reason`, `message` and the line, as `offset`.
    rejected: list[dict[str, Any]]
    #: Counts and settings: `summary.json`.
    summary: dict[str, Any] = field(repr=False)

    _columns: ClassVar[tuple[str, ...]] = ("id", "kept", "reason", "representative", "similarity")

    @property
    def kept(self) -> list[str]:
        """Ids of the documents that stay, in their order. Where two documents have an id, the second is called `id#2`."""
        return [decision.id for decision in self.clusters if decision.kept]

    def _head(self) -> str:
        rejected = f", {len(self.rejected)} rejected" if self.rejected else ""
        return f"{counted(len(self.clusters), 'documents')}, {len(self.kept)} kept, {counted(len(self.pairs), 'pairs')}{rejected}"

    def _rows(self) -> list[tuple[object, ...]]:
        return [(row.id, row.kept, row.reason, row.representative, row.similarity) for row in self.clusters]


def dedup(
    documents: DocumentsLike, *, out: StrPath | None = None, **options: Unpack[DedupOptions]
) -> Deduplicated:
    """Finds documents that say the same, and decides which of them stay.

    `documents` are files (`"documents.jsonl"`, a list of `Path`), a table of Arrow with the columns `text` and `id`, or an iterable of
    texts, of pairs of id and text, of records with `text`, or of documents. Options are those of `dehusk dedup`. With `out`, the files of
    the command line are written to that folder, too.

    >>> river = "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill " \\
    ...         "and back in the rain, twice a day."
    >>> found = dedup({"a": river, "b": river.replace("milkman", "postman"), "c": river.upper()}.items(), threshold=0.5)
    >>> found.kept, [(pair.a, pair.b, pair.method) for pair in found.pairs]
    (['a'], [('a', 'b', 'jaccard'), ('a', 'c', 'jaccard')])
    """
    given = text_options(options)
    folder = given.get("temp_dir")
    kept_by = _native.field_of_keep(given)
    with documents_as_files(documents, os.fspath(folder) if folder else None, kept_by) as inputs:
        if out is not None:
            return _read(os.fspath(out), _native.dedup(inputs, os.fspath(out), given))
        with tempfile.TemporaryDirectory(prefix="dehusk-", dir=folder) as place:
            # A folder that is there and empty is taken.
            return _read(place, _native.dedup(inputs, place, given))


def rows_of(folder: str, name: str, summary: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a list of an output folder."""
    files = sorted(file for file in summary["files"] if file.split(".")[0].split("-")[0] == name)
    for file in files:
        with open(os.path.join(folder, file), encoding="utf-8") as lines:
            for line in lines:
                yield json.loads(line)


def _match(row: Mapping[str, Any], name: str) -> Match:
    return Match(
        row[name],
        row["similarity"],
        row["method"],
        row.get("estimate"),
        row.get("shared_shingles"),
        row.get("contained"),
    )


def _read(folder: str, summary: dict[str, Any]) -> Deduplicated:
    pairs = [
        Pair(
            row["a"],
            row["b"],
            row["similarity"],
            row["method"],
            row.get("estimate"),
            row.get("link", 1),
            row.get("contained"),
        )
        for row in rows_of(folder, "pairs", summary)
    ]
    clusters = [Decision(**row) for row in rows_of(folder, "clusters", summary)]
    matches: dict[str, list[Match]] = {}
    for row in rows_of(folder, "matches", summary):
        matches.setdefault(row["a"], []).append(_match(row, "b"))
    return Deduplicated(pairs, clusters, matches, list(rows_of(folder, "quarantine", summary)), summary)


class Answer(NamedTuple):
    """What an index has of a document."""

    id: str
    #: The most similar first.
    matches: list[Match]
    #: Keys that more documents of the index have than were compared, so that matches may be missing.
    capped: int = 0


class IndexedDocument(NamedTuple):
    """A document of an index."""

    #: Its id.
    id: str
    #: Documents that it stands for, itself included: those that were not added for it count.
    cluster_size: int
    #: Those of them that have its text.
    copies: int


class Index:
    """A folder of documents that later ones are compared with; `dehusk index` works on the same.

    With `passages`, an index that is made holds passages of that unit, for `passages(..., against_index=folder)`.

    Options are fixed when the first documents are added, and those that differ later are refused. As a context manager it removes what
    is left of a change that was interrupted, by compacting, if documents were removed. Every change is whole or has not happened, so
    nothing needs to be closed.

    >>> import tempfile
    >>> river = "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill " \\
    ...         "and back in the rain, twice a day."
    >>> with tempfile.TemporaryDirectory() as folder, Index(folder, threshold=0.5) as index:
    ...     added = index.add([("a", river)])
    ...     [answer] = index.query([("b", river.replace("milkman", "postman"))])
    ...     print(added["added"], answer.id, [match.id for match in answer.matches])
    1 b ['a']
    """

    __slots__ = ("_folder", "_options", "_passages", "_removed")

    def __init__(
        self,
        folder: StrPath,
        *,
        passages: Literal["line", "sentence", "paragraph", "tokens"] | None = None,
        **options: Unpack[IndexOptions],
    ) -> None:
        self._folder = os.fspath(folder)
        self._passages = passages
        self._options = text_options(options)
        self._removed = 0
        _native.index_options(self._options)

    @property
    def folder(self) -> str:
        """The folder."""
        return self._folder

    def add(self, documents: DocumentsLike) -> dict[str, int]:
        """Adds documents, and makes the index if it is not there. Returns counts: an index holds each text and each id once."""
        with documents_as_files(documents) as inputs:
            counts, rejected = _native.index_add(self._folder, inputs, self._passages, self._options)
        return {**counts, "rejected": len(rejected)}

    def query(self, documents: DocumentsLike) -> list[Answer]:
        """Which documents of the index each document is like, in their order. Records that cannot be used have no answer."""
        with documents_as_files(documents) as inputs:
            _, lines, _ = _native.index_query(self._folder, inputs, self._options)
        return [_answer(json.loads(line)) for line in lines.splitlines()]

    def remove(self, ids: Iterable[str]) -> int:
        """Removes documents, and what the index knows of the duplicates that they stood for. Returns how many of them there were."""
        if isinstance(ids, str):
            raise OptionError("`ids` is one text, not a list of them", option="ids")
        removed = _native.index_remove(self._folder, list(ids))
        self._removed += removed
        return removed

    def merge(self, *others: StrPath) -> tuple[int, int]:
        """Takes over the documents of other indexes. Returns how many were added, and how many were there already."""
        return _native.index_merge(self._folder, [os.fspath(other) for other in others], self._options)

    def compact(self) -> None:
        """Writes the documents anew without those that were removed, which take room until then."""
        _native.index_compact(self._folder, self._options)
        self._removed = 0

    def documents(self) -> list[IndexedDocument]:
        """Its documents, with how many each stands for."""
        return [IndexedDocument(*row) for row in _native.index_rows(self._folder, self._options)]

    def stats(self) -> dict[str, Any]:
        """Figures: documents, segments, bytes, settings."""
        return _native.index_stats(self._folder, self._options)

    def __len__(self) -> int:
        return int(self.stats()["documents"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None and self._removed:
            self.compact()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_opened, (self._folder, self._options))

    def __repr__(self) -> str:
        return f"Index({self._folder!r})"


def _answer(row: Mapping[str, Any]) -> Answer:
    return Answer(row["id"], [_match(match, "id") for match in row["matches"]], row.get("capped", 0))


def _opened(folder: str, options: dict[str, Any]) -> Index:
    index = Index.__new__(Index)
    index._folder, index._options, index._removed = folder, options, 0
    return index
