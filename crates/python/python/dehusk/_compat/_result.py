"""The document of a page in the form that trafilatura gives it."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

_NAMES = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "sitename",
    "date",
    "categories",
    "tags",
    "fingerprint",
    "id",
    "license",
    "body",
    "comments",
    "commentsbody",
    "raw_text",
    "text",
    "language",
    "image",
    "pagetype",
    "filedate",
)


class ExtractedDocument:
    """Text and metadata of a page, with the names of trafilatura. What is not known is `None`."""

    __slots__ = _NAMES

    title: str | None
    author: str | None
    url: str | None
    hostname: str | None
    description: str | None
    sitename: str | None
    date: str | None
    categories: list[str]
    tags: list[str]
    fingerprint: str | None
    id: str | None
    license: str | None
    body: Element
    comments: str
    commentsbody: Element
    raw_text: str
    text: str
    language: str | None
    image: str | None
    pagetype: str | None
    filedate: str | None

    def __init__(self, **fields: Any) -> None:
        for name in _NAMES:
            setattr(self, name, fields.get(name))

    def as_dict(self) -> dict[str, Any]:
        """All fields by name."""
        return {name: getattr(self, name) for name in _NAMES}

    def __repr__(self) -> str:
        return f"<ExtractedDocument: {self.title!r}, {len(self.text or '')} characters>"
