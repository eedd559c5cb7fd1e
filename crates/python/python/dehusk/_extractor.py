"""Pages to documents."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Literal, Mapping, Sequence, overload

from . import _native
from ._document import Block, Document, Page
from ._errors import DehuskError, InputError, InputTypeError, OptionError
from ._html import given
from ._inputs import is_table, values
from ._records import Records

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._native import Table
    from ._options import ExtractorOptions
    from ._records import Errors

    from ._html import HasContent, HasData, HasIterdescendants, HasRead

    #: What stands for a page: HTML, HTML with its address, the fields of a record, or a `Page`.
    PageLike = bytes | bytearray | memoryview | str | tuple[bytes | str, str | None] | Mapping[str, Any] | Page

    #: What stands for the HTML of a page: it itself, a file of it, an element of lxml, or a response of `requests`, `httpx`, `urllib3`
    #: or `urllib.request`.
    HtmlLike = bytes | bytearray | memoryview | str | os.PathLike[str] | HasIterdescendants | HasContent | HasData | HasRead


class Documents(Records[Document]):
    """Documents of pages, in their order. Pages that could not be used are skipped, raised or handed out, as `errors` says."""

    __slots__ = ("_native", "_taken", "_wrong")

    def __init__(self, native: _native.Extractor, pages: Iterable[object], errors: str) -> None:
        super().__init__(errors)
        # What is wrong with pages that were read ahead, by their number; each is a page of None to the threads.
        self._wrong: dict[int, InputError] = {}
        self._taken = 0
        self._native = native.documents(self._given(pages))

    def _given(self, pages: Iterable[object]) -> Iterator[object]:
        for number, page in enumerate(values(pages)):
            # Records and pairs are the rule of crawls, and are looked at by the threads alone.
            if isinstance(page, (bytes, tuple, dict, Page)):
                yield page
                continue
            try:
                yield _item(page)
            except (TypeError, ValueError) as error:
                self._wrong[number] = InputError(str(error), reason="missing-content")
                yield None

    def _take(self) -> Document | BaseException:
        item = next(self._native)
        wrong = self._wrong.pop(self._taken, None)
        self._taken += 1
        if wrong is not None:
            return wrong
        return Document(item) if isinstance(item, dict) else item


def _item(page: object) -> object:
    """A page of an iterable as the threads take it."""
    if isinstance(page, Mapping) or (hasattr(page, "html") and not hasattr(page, "iterdescendants")):
        return page
    html, url, content_type = given(page)
    if url is None and content_type is None:
        return html
    return {"html": html, "url": url, "content_type": content_type}


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
        html: HtmlLike,
        url: str | None = None,
        *,
        id: str | None = None,
        content_type: str | None = None,
        charset: str | None = None,
        date: str | None = None,
        layout: Mapping[str, Any] | str | None = None,
    ) -> Document:
        """The document of a page. A page cannot fail: where nothing is found, the text is empty and a warning says why.

        `html` is as it came from the server, or decoded; a file of it (`Path`), an element of lxml, or a response of `requests`, `httpx`,
        `urllib3` or `urllib.request`, which brings its address and content type. `content_type` and `charset` are what is known of its bytes. `layout` is the record of
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
        source, address, kind = given(html)
        record = self._native.document(source, url or address, id, content_type or kind, charset, date, layout)
        return Document(record)

    @overload
    def documents(
        self, pages: Iterable[PageLike | HtmlLike], *, errors: Literal["skip", "raise"] = "skip"
    ) -> Documents: ...

    @overload
    def documents(
        self, pages: Iterable[PageLike | HtmlLike], *, errors: Literal["return"]
    ) -> Iterator[Document | DehuskError]: ...

    def documents(self, pages: Iterable[PageLike | HtmlLike], *, errors: Errors = "skip") -> Any:
        """The documents of pages, one by one and in their order, while threads work ahead.

        A page that could not be used is skipped, with a `SkippedWarning` and a count in `skipped` of what is returned; with
        `errors="raise"` it is raised; and with `errors="return"` each page gives one item, its document or an exception of ours.
        Pages are asked for from the thread that asks for documents, at most four for each of the `threads` ahead. What the iterable itself
        raises is raised after the documents of the pages before.

        >>> pages = [b"<p>The river rose overnight.", None, ("<p>The bridge was closed.", "https://a.example/2")]
        >>> for item in Extractor(threads=2).documents(pages, errors="return"):
        ...     print(type(item).__name__, getattr(item, "id", ""), str(item).strip())
        Document 1 The river rose overnight.
        InputError None a page is HTML as `bytes` or `str`, a file (`Path`), an element of lxml or a response, not `NoneType`
        Document https://a.example/2 The bridge was closed.
        """
        if isinstance(pages, (str, bytes, bytearray, memoryview, Mapping, Page, os.PathLike)):
            raise InputTypeError(
                f"`documents` takes pages, and `{type(pages).__name__}` is one",
                help="call `document` for one page, give a list of pages, or read files with `dehusk.read_pages`",
            )
        if is_table(pages):
            raise InputTypeError(
                f"`documents` takes pages, and `{type(pages).__name__}` gives the names of its columns",
                help='call `batch`, or give its rows: `zip(frame["html"], frame["url"])`',
            )
        iter(pages)  # what is no iterable is told at once
        return Documents(self._native, pages, errors)

    def batch(self, pages: object) -> Table:
        """The documents of a table of Arrow: anything with `__arrow_c_array__` or `__arrow_c_stream__`, such as a record batch of
        pyarrow or a data frame of Polars.

        Pages are in the column `html`, as text or bytes; `column={"html": "content"}` names another one. `url`, `id`,
        `content_type`, `charset`, `date` and `popularity` are read if they are there, and all other columns go to `extra`. The result has
        a row for each row, with the columns of `dehusk extract --output-format parquet`, and `error` with `reason` and `message`.
        It has the same interface: `pandas.DataFrame.from_arrow(result)`, `polars.DataFrame(result)`, `pyarrow.table(result)`.
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
    page: HtmlLike, url: str | None = None, **options: Unpack[ExtractorOptions]
) -> Explanation:
    """What became of each block of a page, and why; `options` are those of `Extractor`.

    >>> for block in explain("<nav><a href=/>Home</a></nav><p>The river rose overnight.").blocks:
    ...     print(block["kept"], block["class"], block["text"])
    False other Home
    True body The river rose overnight.
    """
    source, address, _ = given(page)
    record, shown = Extractor(**options)._native.explain(source, url or address)
    return Explanation(Document(record), shown)


def options(of: str) -> Sequence[Mapping[str, Any]]:
    """The options of `Extractor`, `Signer`, `dedup`, `Index`, `learn`, `read_pages`, `compare`, `passages`, `spark_passages` or `find_items`: name, effect, range and default.

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
