"""HTML of what programs hold in its place: files, elements of lxml, responses of HTTP libraries."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Iterator, Protocol

if TYPE_CHECKING:

    class HasIterdescendants(Protocol):
        """An element of lxml."""

        def iterdescendants(self) -> Iterator[Any]:
            """The elements in it."""
            ...

    class HasContent(Protocol):
        """A response of `requests` or `httpx`."""

        @property
        def content(self) -> bytes | Any:
            """Its body."""
            ...

    class HasData(Protocol):
        """A response of `urllib3`, or of trafilatura."""

        @property
        def data(self) -> bytes | Any:
            """Its body."""
            ...

    class HasRead(Protocol):
        """A response of `urllib.request`, or an open file."""

        def read(self) -> bytes | str:
            """What is left of it."""
            ...


def given(content: object) -> tuple[object, str | None, str | None]:
    """HTML of what is given, and the address and content type that it brings. What is neither text nor brings any is left as it is.

    Raises a `ValueError` for an address or a file name in the place of a page.
    """
    if isinstance(content, str):
        remedy = _in_place_of_html(content)
        if remedy:
            raise ValueError(f"`{content.strip()}` is no page: {remedy}")
        return content, None, None
    if isinstance(content, (bytes, bytearray, memoryview)):
        return content, None, None
    return html_of(content)


def _in_place_of_html(text: str) -> str | None:
    """The remedy, if a text is surely the address or the file name of a page: a word without a tag."""
    if len(text) > 2000:
        return None
    word = text.strip()
    if not word or "<" in word or len(word.split()) > 1:
        return None
    if word.startswith(("http://", "https://")):
        return "give the HTML behind the address, such as `urllib.request.urlopen(address)`"
    if word.lower().endswith((".html", ".htm")):
        return "give the file itself, as `pathlib.Path(name)`"
    return None


def html_of(content: object) -> tuple[bytes | str, str | None, str | None]:
    """HTML, address and content type of an object that is no text itself."""
    if isinstance(content, os.PathLike):
        with open(content, "rb") as file:
            return file.read(), None, None
    if hasattr(content, "iterdescendants"):
        etree = import_module("lxml.etree")  # whoever hands in an element has it
        html: str = etree.tostring(content, encoding="unicode", method="html")
        return html, None, None
    bodies = (getattr(content, name, None) for name in ("data", "html", "content", "text"))
    found: list[bytes | str] = [body for body in bodies if isinstance(body, (bytes, str))]
    if found:
        return _answered(content, next((body for body in found if body), found[0]))
    read = getattr(content, "read", None)
    body = read() if callable(read) else None
    if isinstance(body, (bytes, str)):
        return _answered(content, body)
    raise TypeError(
        f"a page is HTML as `bytes` or `str`, a file (`Path`), an element of lxml or a response, not `{type(content).__name__}`"
    )


def _answered(response: object, data: bytes | str) -> tuple[bytes | str, str | None, str | None]:
    url = getattr(response, "url", None)
    headers = getattr(response, "headers", None)
    get = getattr(headers, "get", None)
    kind = get("content-type") if callable(get) and isinstance(data, bytes) else None
    # Addresses of httpx are objects.
    address = str(url) if url is not None and not callable(url) else None
    return data, address, kind if isinstance(kind, str) else None
