"""Documents and pages of a program as files, which is what the verbs of the command line read.

A file is read in as little memory as its verb takes, and twice where that is needed; so what is in memory is written down first, to a
temporary folder.
"""

from __future__ import annotations

import base64
import json
import numbers
import os
import tempfile
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, Protocol, Union

from . import _native
from ._document import Document, Page
from ._errors import InputError, InputTypeError

if TYPE_CHECKING:
    StrPath = str | os.PathLike[str]
    #: What stands for documents: files, a table of Arrow, or an iterable of documents, of records with `text`, of texts, or of pairs
    #: of id and text.
    DocumentsLike = (
        StrPath | Iterable[os.PathLike[str]] | Iterable[Document | Mapping[str, Any] | str | tuple[str, str]]
    )
    #: What stands for pages in files or in memory.
    PagesLike = StrPath | Iterable[os.PathLike[str]] | Iterable[Page | Mapping[str, Any] | tuple[bytes | str, str]]


class TemplateLike(Protocol):
    """What stands for the template of a site, such as `sites.Template`."""

    def to_toml(self) -> str:
        """The text of its file."""
        ...


def is_table(source: object) -> bool:
    """Whether something is a table of Arrow, whose iteration gives columns or their names."""
    exports = hasattr(source, "__arrow_c_array__") or hasattr(source, "__arrow_c_stream__")
    return (exports or hasattr(source, "__dataframe__")) and not is_column(source)


def is_column(source: object) -> bool:
    """Whether something is a single column, whose iteration gives values: a series of pandas or Polars, or an array of Arrow.

    Columns export data of Arrow as tables do, and only tables have names of columns or a schema.
    """
    if any(hasattr(source, name) for name in ("columns", "column_names", "schema")):
        return False
    exports = hasattr(source, "__arrow_c_array__") or hasattr(source, "__arrow_c_stream__")
    return exports and (hasattr(source, "dtype") or hasattr(source, "type"))


def values(source: Iterable[Any]) -> Iterable[Any]:
    """The items of an iterable; scalars of Arrow, which arrays of it give, as values of Python."""
    if is_column(source):
        return (item.as_py() if hasattr(item, "as_py") else item for item in source)
    return source


def is_missing(value: object) -> bool:
    """Whether a value is what an empty cell of a data frame holds: None, a number that is not one, or `NA` or `NaT` of pandas."""
    if value is None or isinstance(value, (str, bytes, int)):
        return value is None
    return value != value if isinstance(value, float) else type(value).__name__ in ("NAType", "NaTType")


#: Fields of a document that are useful for comparing documents.
_COMPARED = ("id", "url", "title", "text", "date", "popularity", "kept_chars", "all_chars", "cluster_size", "copies")


def paths_of(source: object) -> list[str] | None:
    """The files that are named, if files are named."""
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    if isinstance(source, (list, tuple)) and source and all(isinstance(item, os.PathLike) for item in source):
        return [os.fspath(item) for item in source]
    return None


def may_hold(name: str, field: str | None) -> bool:
    """Whether a member of a record may hold a field: it has its name, or is an object on the way to it."""
    return field is not None and (name in (field, "extra") or field.startswith(f"{name}."))


def _plain(value: object) -> object:
    """Numbers of other libraries as those of Python."""
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    return float(value) if isinstance(value, numbers.Real) else value


def for_json(value: object) -> object:
    """A value that JSON does not have, in a form that it has: values and arrays of numpy as those of Python, others as texts."""
    if is_missing(value):
        return None
    listed = getattr(value, "tolist", None)
    if callable(listed):
        result: object = listed()
        return result
    number = _plain(value)
    return number if isinstance(number, (int, float)) else str(value)


def _document(item: object, field: str | None = None) -> Mapping[str, Any]:
    if isinstance(item, Document):
        record: Mapping[str, Any] = item._record
    elif isinstance(item, str):
        return {"text": item}
    elif isinstance(item, Mapping):
        record = item
    elif isinstance(item, tuple) and len(item) == 2:
        record = {"id": str(item[0]), "text": item[1]}
    elif is_missing(item):
        # A record without a text, which is counted as one that could not be used.
        return {}
    else:
        raise InputError(
            f"`{type(item).__name__}` is no document", help="a document is a text, a pair of id and text, or a record with `text`"
        )
    fields = {name: record[name] for name in _COMPARED if not is_missing(record.get(name))}
    made: dict[str, object] = {name: value if isinstance(value, (str, int, float)) else str(value) for name, value in fields.items()}
    made.update((name, _plain(value)) for name, value in record.items() if name not in made and may_hold(name, field))
    return made


def _page(item: object) -> Mapping[str, Any]:
    if isinstance(item, Page):
        named = ("url", "id", "content_type", "charset", "date", "popularity")
        record: dict[str, Any] = {name: getattr(item, name) for name in named}
        html: object = item.html
    elif isinstance(item, Mapping):
        record = {name: value for name, value in item.items() if name != "html"}
        html = item.get("html")
    elif isinstance(item, tuple) and len(item) == 2:
        html, url = item
        record = {"url": url}
    else:
        raise InputError(
            f"`{type(item).__name__}` is no page with an address",
            help="a page is a `Page`, a pair of HTML and address, or a record with `html` and `url`",
        )
    record = {name: value for name, value in record.items() if not is_missing(value)}
    if isinstance(html, str):
        record["html"] = html
    elif isinstance(html, (bytes, bytearray, memoryview)):
        record["html_base64"] = base64.b64encode(html).decode("ascii")
    return record


@contextmanager
def as_files(
    source: object, make: Callable[[object], Mapping[str, Any]], folder: Union[str, None] = None
) -> Iterator[list[str]]:
    """Files of what is given, gone when the context ends."""
    paths = paths_of(source)
    if paths is not None:
        yield paths
        return
    with tempfile.TemporaryDirectory(prefix="dehusk-", dir=folder) as place:
        path = os.path.join(place, "input.jsonl")
        if is_table(source):
            _native.write_rows(source, path)
        else:
            if isinstance(source, (Mapping, Document, Page)):
                raise InputTypeError(
                    f"`{type(source).__name__}` is one record, where many are wanted",
                    help="give a list of them; `texts.items()` of a dictionary of texts by id",
                )
            if not isinstance(source, Iterable):
                raise InputTypeError(f"`{type(source).__name__}` is neither a file nor an iterable")
            with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
                for item in values(source):
                    file.write(json.dumps(make(item), ensure_ascii=True, default=for_json))
                    file.write("\n")
        yield [path]


def documents_as_files(source: object, folder: str | None = None, field: str | None = None) -> Any:
    """Files of documents, with what is compared of them and a field that is asked for."""
    return as_files(source, partial(_document, field=field), folder)


def pages_as_files(source: object) -> Any:
    """Files of pages."""
    return as_files(source, _page)


def text_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that were given."""
    return {name: value for name, value in options.items() if value is not None}
