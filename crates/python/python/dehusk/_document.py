"""Pages that go in, and documents that come out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Mapping, TypedDict, cast

from ._errors import InputError, MissingFieldError

if TYPE_CHECKING:
    from typing_extensions import NotRequired


@dataclass(frozen=True)
class Page:
    """A page with what is known of it.

    >>> Page(b"<p>The river rose", url="https://news.example/river").url
    'https://news.example/river'
    """

    #: HTML as it came from the server, or decoded.
    html: bytes | str
    #: Address. Without one, the page is asked for its own.
    url: str | None = None
    #: Name of the page; its address unless given.
    id: str | None = None
    #: HTTP header `Content-Type`.
    content_type: str | None = None
    #: Charset known from elsewhere.
    charset: str | None = None
    #: Date of the page or of the visit.
    date: str | None = None
    #: Popularity, in a unit of your own; larger is more popular.
    popularity: float | None = None
    #: What is wrong with the bytes of the page, if something is.
    damage: str | None = None
    #: File that holds the page, as it was named; `None` for a page from memory.
    source: str | None = None
    #: Offset of its record in that file as stored, in bytes; in a compressed file that of its member; of a row of a table its number from 0.
    offset: int | None = None
    #: Offset of its record in the file as inflated, if the file is compressed.
    plain_offset: int | None = None
    #: Other fields, which the document carries along.
    extra: Mapping[str, Any] = field(default_factory=dict)


class Note(TypedDict):
    """A limit that was hit, a fallback that was taken, damage that was seen."""

    code: str
    message: str


# `class` is a word of Python: `title`, `byline`, `date`, `caption`, `credit`, `related`, `promotion`, `comment`, `body` or `other`.
_Classified = TypedDict("_Classified", {"class": str})


class Block(_Classified):
    """A block of the page: what it is, whether it was kept, and why.

    `start` and `end` are bytes of the decoded source in UTF-8.
    """

    i: int
    kind: str
    path: str
    start: int | None
    end: int | None
    text: str
    kept: bool
    reason: str
    scores: dict[str, float]
    votes: dict[str, bool]


class Cell(TypedDict):
    """A cell of a table."""

    text: str
    header: NotRequired[bool]
    colspan: NotRequired[int]
    rowspan: NotRequired[int]
    elements: NotRequired[list[dict[str, Any]]]


class Row(TypedDict):
    """A row of a table."""

    cells: list[Cell]


class DataTable(TypedDict):
    """A table of data."""

    caption: NotRequired[str]
    rows: list[Row]


class Comment(TypedDict):
    """A reader's comment, or a post of a thread.

    `depth` is missing where it is 0. `reply_to` is the place in the list of the comment that this one answers, and `first` marks the post that
    opens a thread.
    """

    author: NotRequired[str]
    date: NotRequired[str]
    depth: NotRequired[int]
    reply_to: NotRequired[int]
    first: NotRequired[bool]
    text: str


class Document:
    """The main text of a page with what is known about it.

    It is the record that `dehusk extract` writes as a line of JSON: `to_dict` gives that record, and `Document(record)` or
    `Document.from_json(line)` makes a document of one. Documents can be pickled, and are equal if their records are.

    Fields that options ask for, such as `markdown`, raise `MissingFieldError` where they were not asked for; `getattr` with a
    default and `hasattr` see that they are missing.
    """

    __slots__ = ("_record",)
    _record: dict[str, Any]

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record if isinstance(record, dict) else dict(record)
        if not isinstance(self._record.get("text"), str):
            raise InputError("a record without `text` is no document", reason="missing-content")

    @classmethod
    def from_json(cls, line: str | bytes) -> Document:
        """The document of a line of JSON, such as `dehusk extract` and `dehusk run` write them."""
        try:
            record = json.loads(line)
        except ValueError as error:
            raise InputError(f"no JSON: {error}", reason="bad-json") from error
        if not isinstance(record, dict):
            raise InputError("a record is an object of JSON", reason="bad-json")
        return cls(record)

    def to_dict(self) -> dict[str, Any]:
        """The record: a dictionary with the names and values of the JSON that the command line writes."""
        return dict(self._record)

    def to_json(self) -> str:
        """The record as a line of JSON, without the line feed."""
        return json.dumps(self._record, ensure_ascii=False, separators=(",", ":"))

    def _asked(self, name: str, option: str) -> Any:
        try:
            return self._record[name]
        except KeyError:
            raise MissingFieldError(
                f"the document has no `{name}`: it was not asked for",
                option=name,
                help=f"make the extractor with `{option}`",
            ) from None

    @property
    def id(self) -> str:
        """Name of the document: that of its page, else its address, else in `documents` its number from 1, else empty."""
        return str(self._record.get("id") or "")

    @property
    def url(self) -> str | None:
        """Address of the page, or the one it states."""
        return cast("str | None", self._record.get("url"))

    @property
    def url_source(self) -> str | None:
        """What tells the address, if the page came without one: `canonical`, `mirrored` and so on."""
        return cast("str | None", self._record.get("url_source"))

    @property
    def text(self) -> str:
        """Main text; an empty line between blocks."""
        return cast(str, self._record["text"])

    @property
    def title(self) -> str | None:
        """Title."""
        return cast("str | None", self._record.get("title"))

    @property
    def author(self) -> str | None:
        """Author or authors."""
        return cast("str | None", self._record.get("author"))

    @property
    def authors(self) -> list[str]:
        """The authors one by one: persons; an organization if no person is named."""
        return list(self._record.get("authors", ()))

    @property
    def date(self) -> str | None:
        """Date given with the page, else the one that it states, as exactly as it does: `2024`, `2024-03-05`, `2024-03-05T10:30+03:00`."""
        return cast("str | None", self._record.get("date"))

    @property
    def date_precision(self) -> str | None:
        """How much of `date` is known: `year`, `month`, `day`, `minute` or `second`."""
        return cast("str | None", self._record.get("date_precision"))

    @property
    def modified(self) -> str | None:
        """Date of the last change that the page states, or its server, in the forms of `date`."""
        return cast("str | None", self._record.get("modified"))

    @property
    def language(self) -> str | None:
        """Language as a code such as `en`."""
        return cast("str | None", self._record.get("language"))

    @property
    def site_name(self) -> str | None:
        """Name of the site."""
        return cast("str | None", self._record.get("site_name"))

    @property
    def description(self) -> str | None:
        """Description of the page by its author."""
        return cast("str | None", self._record.get("description"))

    @property
    def canonical_url(self) -> str | None:
        """Address that the page calls its own."""
        return cast("str | None", self._record.get("canonical_url"))

    @property
    def image(self) -> str | None:
        """Address of the image that stands for the page."""
        return cast("str | None", self._record.get("image"))

    @property
    def tags(self) -> list[str]:
        """Subjects that the page names."""
        return list(self._record.get("tags", ()))

    @property
    def categories(self) -> list[str]:
        """Sections and categories of the site that the page is filed under."""
        return list(self._record.get("categories", ()))

    @property
    def publisher(self) -> str | None:
        """Who publishes the page, if it says so."""
        return cast("str | None", self._record.get("publisher"))

    @property
    def licence(self) -> str | None:
        """Licence of the text: `CC BY-SA 4.0` and the like, else an identifier of SPDX."""
        return cast("str | None", self._record.get("licence"))

    @property
    def metadata_sources(self) -> dict[str, str]:
        """The source of each field by its name, with the member or mark that gives it, such as `json-ld: datePublished`."""
        return dict(self._record.get("metadata_sources", {}))

    @property
    def kind(self) -> str | None:
        """What kind of page it says it is, such as `article`."""
        return cast("str | None", self._record.get("kind"))

    @property
    def charset(self) -> str | None:
        """Charset that the bytes were decoded from."""
        return cast("str | None", self._record.get("charset"))

    @property
    def method(self) -> str | None:
        """Extractor that gave the text; `site` is a template."""
        return cast("str | None", self._record.get("method"))

    @property
    def confidence(self) -> float | None:
        """Estimated quality of the text: the F1 of its words, 0 to 1."""
        return cast("float | None", self._record.get("confidence"))

    @property
    def kept_chars(self) -> int | None:
        """Characters of the page that were kept."""
        return cast("int | None", self._record.get("kept_chars"))

    @property
    def all_chars(self) -> int | None:
        """Characters of the page."""
        return cast("int | None", self._record.get("all_chars"))

    @property
    def warnings(self) -> list[Note]:
        """Limits that were hit, fallbacks that were taken, damage that was seen."""
        return list(self._record.get("warnings", ()))

    @property
    def popularity(self) -> float | None:
        """Popularity given with the page."""
        return cast("float | None", self._record.get("popularity"))

    @property
    def source(self) -> str | None:
        """File that holds the page; `None` for a page from memory."""
        return cast("str | None", self._record.get("source"))

    @property
    def offset(self) -> int | None:
        """Offset of the record in that file as stored, in bytes; in a compressed file that of its member; of a row of a table its number from 0."""
        return cast("int | None", self._record.get("offset"))

    @property
    def plain_offset(self) -> int | None:
        """Offset of the record in the file as inflated, if the file is compressed."""
        return cast("int | None", self._record.get("plain_offset"))

    @property
    def extra(self) -> dict[str, Any]:
        """Other fields of the page."""
        return dict(self._record.get("extra", {}))

    @property
    def markdown(self) -> str:
        """Main text as Markdown, with the option `markdown=True`."""
        return cast(str, self._asked("markdown", "markdown=True"))

    @property
    def html(self) -> str:
        """Main text as HTML of structure, links and images alone, with the option `html=True`."""
        return cast(str, self._asked("html", "html=True"))

    @property
    def content(self) -> dict[str, Any]:
        """Main content as typed blocks, with the option `content=True`: a `version`, `blocks`, and `notes` if there are some."""
        return cast("dict[str, Any]", self._asked("content", "content=True"))

    @property
    def tables(self) -> list[DataTable]:
        """Data tables, with the option `tables="field"`."""
        return cast("list[DataTable]", self._asked("tables", 'tables="field"'))

    @property
    def comments(self) -> list[Comment]:
        """Readers' comments, with the option `comments="field"`."""
        return cast("list[Comment]", self._asked("comments", 'comments="field"'))

    @property
    def structured(self) -> dict[str, Any]:
        """What the page says in JSON-LD, microdata and RDFa, with the option `structured=True`: `items`, and `rating`, `price` and
        `identifiers` if there are some."""
        return cast("dict[str, Any]", self._asked("structured", "structured=True"))

    @property
    def blocks(self) -> list[Block]:
        """Every block of the page, kept or dropped, with class and reason, with the option `blocks=True`."""
        return cast("list[Block]", self._asked("blocks", "blocks=True"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self._record == other._record

    def __hash__(self) -> int:
        return hash((self.id, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return (Document, (self._record,))

    def __repr__(self) -> str:
        name = self.url or self.id
        of = f" of {name}" if name else ""
        return f"<Document{of}: {self.title!r}, {len(self.text)} characters by {self.method}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """What a notebook shows: title, metadata, and the text in paragraphs."""
        facts = [
            ("address", self.url),
            ("authors", ", ".join(self.authors) or self.author),
            ("date", self.date),
            ("language", self.language),
            ("method", self.method),
            ("confidence", None if self.confidence is None else f"{self.confidence:.2f}"),
            ("warnings", ", ".join(warning["code"] for warning in self.warnings)),
        ]
        rows = "".join(f"<tr><th>{name}</th><td>{escape(value)}</td></tr>" for name, value in facts if value)
        paragraphs = "".join(f"<p>{escape(part)}</p>" for part in self.text.strip().split("\n\n") if part)
        title = f"<h3>{escape(self.title)}</h3>" if self.title else ""
        return f'{title}<table>{rows}</table><div style="max-width: 50em; white-space: pre-line">{paragraphs}</div>'
