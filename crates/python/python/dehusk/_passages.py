"""What stands in several documents, and items of test sets in documents."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Iterable, Iterator, Literal, Mapping, NamedTuple

from . import _native
from ._dedup import rows_of
from ._inputs import documents_as_files, text_options
from ._show import Tabled, counted

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._inputs import DocumentsLike, StrPath
    from ._options import FindItemsOptions, PassagesOptions

    #: What stands for a test set: files, or an iterable of texts or of records with the fields that are items.
    ItemsLike = StrPath | Iterable[StrPath] | Iterable[Mapping[str, Any]]


class Passage(NamedTuple):
    """A passage that stands at several places. Places are bytes of the text as UTF-8: `text.encode()[start:end]`."""

    #: Depends on its normalized text alone.
    id: str
    #: `line`, `sentence`, `paragraph` or `tokens`.
    unit: str
    #: Its text at the first place, up to 10,000 characters.
    text: str
    #: Its tokens; 1 for other units.
    tokens: int
    #: Places, those inside longer passages included.
    places: int
    #: Documents that have it.
    documents: int
    #: Hosts that have it.
    hosts: int
    #: `document`, `host`, `hosts`, or `unknown` where no document has an address.
    scope: str
    #: The document of its first place, and the place.
    document: str
    start: int
    end: int
    #: A longer passage that the first place is a part of, if there is one.
    within: str | None = None
    #: Places in documents of the index; `None` without `against_index`.
    known: int | None = None


class Occurrence(NamedTuple):
    """A passage in a document, as bytes of its text."""

    document: str
    start: int
    end: int
    #: The id of the passage.
    passage: str


class DocumentPassages(NamedTuple):
    """What of a document is repeated, and what became of it."""

    id: str
    #: Characters of its text.
    chars: int
    #: Share of them in passages, 0 to 1.
    repeated_share: float
    #: Shares of characters that repeat other parts of the same text, by name.
    repetition: dict[str, float]
    #: Parts in passages, as bytes of the text: first, and the one after the last.
    repeated: list[tuple[int, int]]
    #: Parts that were cut.
    cut: list[tuple[int, int]]
    #: Whether the document stays.
    kept: bool
    #: `unique`, `repeated`, `cut` or `too-much-repeated`.
    reason: str


#: Columns of the tables that show results.
#: Characters of a passage in such a table.
_SHOWN = 60


@dataclass(frozen=True, repr=False)
class FoundPassages(Tabled):
    """The result of a search for passages: the lists that `dehusk passages` writes."""

    #: By first place.
    passages: list[Passage]
    #: By document and place.
    occurrences: list[Occurrence]
    #: A row for each document, in their order.
    documents: list[DocumentPassages]
    #: Records of the documents that stay, with the texts that are left; empty unless `repeat` is `first`, `drop` or `mark`.
    kept: list[dict[str, Any]] = field(repr=False)
    #: Records that could not be used: `reason`, `message` and the line, as `offset`.
    rejected: list[dict[str, Any]]
    #: Counts and settings: `summary.json`.
    summary: dict[str, Any] = field(repr=False)

    _columns: ClassVar[tuple[str, ...]] = ("documents", "hosts", "tokens", "text")

    def _head(self) -> str:
        rejected = f", {len(self.rejected)} rejected" if self.rejected else ""
        documents, passages = counted(len(self.documents), "documents"), counted(len(self.passages), "passages")
        return f"{documents}, {passages} at {counted(len(self.occurrences), 'places')}{rejected}"

    def _rows(self) -> list[tuple[object, ...]]:
        often = sorted(self.passages, key=lambda row: -row.documents)
        return [(row.documents, row.hosts, row.tokens, " ".join(row.text.split())[:_SHOWN]) for row in often]


def passages(
    documents: DocumentsLike,
    *,
    unit: Literal["line", "sentence", "paragraph", "tokens"] = "tokens",
    profile: StrPath = "near",
    out: StrPath | None = None,
    against_index: StrPath | None = None,
    **options: Unpack[PassagesOptions],
) -> FoundPassages:
    """Finds what stands at several places of documents: lines, sentences, paragraphs, or runs of tokens.

    `documents` are what `dedup` takes. `profile` is the normalization before texts are compared: a name, or a file of your own that ends
    in `.toml`. Options are those of `dehusk passages`. With `out`, the files of the command line are written to that folder, too. `against_index` is the folder of an
    `Index` that holds passages: what a document has in common with one of the index is a passage, too.

    >>> licence = "Anybody may copy this page and hand it on to others without asking us first, as long as they say where it is from."
    >>> texts = {"a": f"The river rose overnight. {licence}", "b": f"{licence} Wool is dear this year."}
    >>> found = passages(texts.items(), min_run=10, repeat="first")
    >>> [(row.documents, row.tokens) for row in found.passages]
    [(2, 24)]
    >>> found.kept[1]["text"]
    'Wool is dear this year.'
    """
    given = text_options(options)
    with _folder(out, given) as place, _files(documents, given) as inputs:
        index = None if against_index is None else os.fspath(against_index)
        summary = _native.passages(inputs, place, unit, os.fspath(profile), index, given)

        def spans(row: Mapping[str, Any], name: str) -> list[tuple[int, int]]:
            return [(start, end) for start, end in row[name]]

        return FoundPassages(
            [Passage(**row) for row in rows_of(place, "passages", summary)],
            [Occurrence(**row) for row in rows_of(place, "occurrences", summary)],
            [
                DocumentPassages(**{**row, "repeated": spans(row, "repeated"), "cut": spans(row, "cut")})
                for row in rows_of(place, "documents", summary)
            ],
            list(rows_of(place, "kept", summary)),
            list(rows_of(place, "quarantine", summary)),
            summary,
        )


class ItemMatch(NamedTuple):
    """An item of a test set in a document."""

    document: str
    #: The id of the item.
    item: str
    #: Its field.
    field: str
    #: Bytes of the text of the document: the first run of the item.
    start: int
    end: int
    #: Tokens of the item that the document has in runs that are long enough.
    tokens: int
    #: Their part of the item, 0 to 1.
    share: float


class Item(NamedTuple):
    """An item of a test set."""

    id: str
    field: str
    tokens: int
    #: Documents that hold it, or a part of it.
    documents: int
    #: Whether it was looked for: not if it has fewer tokens than `min_item`.
    searched: bool


@dataclass(frozen=True, repr=False)
class FoundItems(Tabled):
    """The result of a search for items of a test set: the lists that `dehusk passages --against` writes."""

    #: By document.
    matches: list[ItemMatch]
    #: In the order of the test set.
    items: list[Item]
    #: Records of the documents that stay.
    kept: list[dict[str, Any]] = field(repr=False)
    #: Records that could not be used: `reason`, `message` and the line, as `offset`.
    rejected: list[dict[str, Any]]
    #: Counts and settings: `summary.json`.
    summary: dict[str, Any] = field(repr=False)

    _columns: ClassVar[tuple[str, ...]] = ("document", "item", "tokens", "share")

    def _head(self) -> str:
        found = sum(item.documents > 0 for item in self.items)
        return f"{counted(len(self.items), 'items')}, {found} found, {counted(len(self.matches), 'places')}"

    def _rows(self) -> list[tuple[object, ...]]:
        return [(row.document, row.item, row.tokens, row.share) for row in self.matches]


def find_items(
    documents: DocumentsLike,
    against: ItemsLike,
    *,
    item_field: str | Iterable[str] = "text",
    min_item: int = 3,
    on_match: Literal["mark", "cut", "drop"] = "mark",
    profile: StrPath = "near",
    out: StrPath | None = None,
    **options: Unpack[FindItemsOptions],
) -> FoundItems:
    """Finds the documents that hold items of a test set.

    `against` are files of a test set, or its items: texts, or records whose fields `item_field` are items. A document holds an item if it
    has `min_run` tokens of it in a row (13), or all tokens of an item that has fewer; items of fewer than `min_item` tokens are not looked
    for. `on_match` says what becomes of such documents.

    >>> question = "How long must willow be soaked before it can be woven?"
    >>> found = find_items({"a": f"He asked: {question}", "b": "Wool is dear."}.items(), [{"text": question}], on_match="drop")
    >>> [(row.document, row.share) for row in found.matches], [row["id"] for row in found.kept]
    ([('a', 1.0)], ['b'])
    """
    given = text_options(options)
    fields = [item_field] if isinstance(item_field, str) else list(item_field)
    with _folder(out, given) as place, _files(documents, given) as inputs, _items(against, fields[0], given) as files:
        summary = _native.passages_against(
            inputs, place, files, fields, min_item, on_match, os.fspath(profile), given
        )
        return FoundItems(
            [ItemMatch(**row) for row in rows_of(place, "matches", summary)],
            [Item(**row) for row in rows_of(place, "items", summary)],
            list(rows_of(place, "kept", summary)),
            list(rows_of(place, "quarantine", summary)),
            summary,
        )


@contextmanager
def _folder(out: StrPath | None, given: Mapping[str, Any]) -> Iterator[str]:
    if out is not None:
        yield os.fspath(out)
        return
    with tempfile.TemporaryDirectory(prefix="dehusk-", dir=given.get("temp_dir")) as place:
        # A folder that is there and empty is taken.
        yield place


def _files(documents: object, given: Mapping[str, Any]) -> Any:
    folder = given.get("temp_dir")
    return documents_as_files(documents, os.fspath(folder) if folder else None)


@contextmanager
def _items(against: Any, name: str, given: Mapping[str, Any]) -> Iterator[list[str]]:
    if isinstance(against, (str, os.PathLike)):
        yield [os.fspath(against)]
        return
    items = list(against)
    if items and all(isinstance(item, os.PathLike) for item in items):
        yield [os.fspath(item) for item in items]
        return
    with tempfile.TemporaryDirectory(prefix="dehusk-", dir=given.get("temp_dir")) as place:
        path = os.path.join(place, "items.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            for item in items:
                record = item if isinstance(item, Mapping) else {name: str(item)}
                file.write(json.dumps(record, default=str) + "\n")
        yield [path]
