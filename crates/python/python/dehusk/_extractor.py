"""Pages to documents."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Literal, Mapping, Sequence, overload

from . import _native
from ._document import Block, Document, Page
from ._errors import DehuskError, OptionError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import Table
    from ._options import ExtractorOptions

    #: What stands for a page: HTML, HTML with its address, the fields of a record, or a `Page`.
    PageLike = bytes | bytearray | memoryview | str | tuple[bytes | str, str | None] | Mapping[str, Any] | Page


class Extractor:
    """Finds the main text of pages.

    Options are those of `dehusk extract`, with `_` for `-`; `dehusk.options("Extractor")` lists them with their defaults.
    `templates` is the folder of templates of sites, as there, or templates themselves. An extractor can be used by many threads,
    and can be pickled.

    >>> extractor = Extractor(markdown=True)
    >>> page = "<title>Rivers</title><nav><a href=/>Home</a></nav><h1>Rivers</h1><p>The river rose overnight."
    >>> document = extractor.document(page, url="https://news.example/river")
    >>> document.title, document.text.splitlines()[-1]
    ('Rivers', 'The river rose overnight.')

    An option that does not exist is an error that names the one that was meant:

    >>> Extractor(markdwon=True)
    Traceback (most recent call last):
    ...
    dehusk._errors.OptionError: Extractor has no option `markdwon`
      did you mean `markdown`?
    """

    __slots__ = ("_native", "_options")

    def __init__(self, **options: Unpack[ExtractorOptions]) -> None:
        self._start(dict(options))

    def _start(self, options: dict[str, Any]) -> None:
        templates = options.get("templates")
        texts: list[str] = []
        given = {name: value for name, value in options.items() if value is not None}
        if templates is not None and not isinstance(templates, (str, os.PathLike)):
            try:
                texts = [template.to_toml() for template in templates]
            except (TypeError, AttributeError):
                raise OptionError(
                    "`templates` is neither a folder nor a list of templates", option="templates"
                ) from None
            del given["templates"]
        self._native = _native.Extractor(given, texts)
        self._options = options

    @property
    def options(self) -> dict[str, Any]:
        """The options that were given."""
        return dict(self._options)

    def document(
        self,
        html: bytes | bytearray | memoryview | str,
        url: str | None = None,
        *,
        id: str | None = None,
        content_type: str | None = None,
        charset: str | None = None,
        date: str | None = None,
        layout: Mapping[str, Any] | str | None = None,
    ) -> Document:
        """The document of a page. A page cannot fail: where nothing is found, the text is empty and a warning says why.

        `html` is as it came from the server, or decoded; `content_type` and `charset` are what is known of its bytes. `layout` is the record of
        the page that `dehusk render` wrote, as a line of JSON or as a mapping; without it, the option `layout` of the extractor names
        a file in which it is looked for by `id`, or by `url` if there is none. A layout that does not fit is a warning:

        >>> import json
        >>> rendered = json.dumps({"version": 1, "id": "a", "source_hash": "0", "viewport": [1280, 800], "page": [1280, 800],
        ...     "elements": 4, "tags_hash": 0, "styles": [], "texts": [], "boxes": []})
        >>> document = Extractor().document("<p>The river rose overnight.", layout=rendered)
        >>> [warning["code"] for warning in document.warnings]
        ['layout-mismatch']
        """
        if layout is not None and not isinstance(layout, str):
            layout = json.dumps(dict(layout))
        return Document(self._native.document(html, url, id, content_type, charset, date, layout))

    @overload
    def documents(
        self, pages: Iterable[PageLike], *, errors: Literal["return"] = "return"
    ) -> Iterator[Document | DehuskError]: ...

    @overload
    def documents(self, pages: Iterable[PageLike], *, errors: Literal["raise"]) -> Iterator[Document]: ...

    def documents(
        self, pages: Iterable[PageLike], *, errors: Literal["return", "raise"] = "return"
    ) -> Iterator[Document | DehuskError]:
        """The documents of pages, one by one and in their order, while threads work ahead.

        Each page gives one item: its document, or an exception of ours if it could not be used, which is handed out
        (`errors="return"`) or raised. Pages are asked for from the thread that asks for documents, at most four for each of
        the `threads` ahead. What the iterable itself raises is raised after the documents of the pages before.

        >>> pages = [b"<p>The river rose overnight.", None, ("<p>The bridge was closed.", "https://a.example/2")]
        >>> for item in Extractor(threads=2).documents(pages):
        ...     print(type(item).__name__, getattr(item, "id", ""), str(item).strip())
        Document 1 The river rose overnight.
        InputError None a page is HTML as `bytes` or `str`, not `NoneType`
        Document https://a.example/2 The bridge was closed.
        """
        if errors not in ("return", "raise"):
            raise OptionError(f"`errors`: `{errors}` is neither `return` nor `raise`", option="errors")
        return _items(self._native.documents(pages), errors == "raise")

    def batch(self, pages: object) -> Table:
        """The documents of a table of Arrow: anything with `__arrow_c_array__` or `__arrow_c_stream__`, such as a record batch of
        pyarrow or a data frame of Polars.

        Pages are in the column `html`, as text or bytes; `column={"html": "content"}` names another one. `url`, `id`,
        `content_type`, `charset`, `date` and `popularity` are read if they are there, and all other columns go to `extra`. The result has
        a row for each row, with the columns of `dehusk extract --output-format parquet`, and `error` with `reason` and `message`.
        It has the same interface: `pyarrow.table(result)`, `polars.DataFrame(result)`.
        """
        return self._native.batch(pages)

    def __reduce__(self) -> tuple[Any, ...]:
        return (extractor_of, (self._options,))

    def __repr__(self) -> str:
        shown = (f"{name}={value!r}" for name, value in self._options.items())
        return f"Extractor({', '.join(shown)})"


def extractor_of(options: dict[str, Any]) -> Extractor:
    """An extractor of options that come from elsewhere, and are checked when it is made."""
    extractor = Extractor.__new__(Extractor)
    extractor._start(options)
    return extractor


def _items(records: Iterator[dict[str, Any] | BaseException], raises: bool) -> Iterator[Any]:
    for item in records:
        if isinstance(item, dict):
            yield Document(item)
        elif raises or not isinstance(item, DehuskError):
            raise item
        else:
            yield item


@dataclass(frozen=True)
class Explanation:
    """What became of a page and why. A notebook shows it as the page with its blocks marked."""

    #: The document, with its blocks.
    document: Document
    #: A page of HTML that shows the page beside its text. It is complete in itself, and runs no script.
    html: str

    @property
    def blocks(self) -> list[Block]:
        """Every block, kept or dropped, with class, reason, scores and the votes of other methods."""
        return self.document.blocks

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page of HTML to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        # Its styles are for a page of its own.
        source = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe sandbox srcdoc="{source}" style="width: 100%; height: 40em; border: 0"></iframe>'


def explain(
    page: bytes | str, url: str | None = None, **options: Unpack[ExtractorOptions]
) -> Explanation:
    """What became of each block of a page, and why; `options` are those of `Extractor`.

    >>> for block in explain("<nav><a href=/>Home</a></nav><p>The river rose overnight.").blocks:
    ...     print(block["kept"], block["class"], block["text"])
    False other Home
    True body The river rose overnight.
    """
    record, shown = Extractor(**options)._native.explain(page, url)
    return Explanation(Document(record), shown)


def options(of: str) -> Sequence[Mapping[str, Any]]:
    """The options of `Extractor`, `Signer`, `dedup`, `Index`, `learn`, `read_pages` or `compare`: name, effect, range and default.

    >>> [option["name"] for option in options("Signer")][:3]
    ['column', 'threshold', 'candidates']
    """
    tables = _native.option_table()
    if of not in tables:
        raise OptionError(f"nothing called `{of}` has options", help=f"known: {', '.join(tables)}")
    return tables[of]


def methods() -> Sequence[Mapping[str, Any]]:
    """Every method that can be chosen by name, by family, with its parameters and their defaults.

    >>> [family["name"] for family in methods()][2:4]
    ['extractors', 'site extractors']
    """
    return _native.method_tables()
