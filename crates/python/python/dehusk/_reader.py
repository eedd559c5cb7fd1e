"""Pages of files, in all formats of the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Literal, cast, overload

from . import _native
from ._document import Page
from ._errors import InputError, OptionError
from ._inputs import text_options

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._inputs import StrPath
    from ._options import ReadPagesOptions


class Pages(Iterator[Page]):
    """Pages of files, read ahead by a thread. As a context manager it ends the reading early.

    A record that could not be used raises an `InputError`, or is handed out as one with `errors="return"`.
    """

    __slots__ = ("_native", "_raises")

    def __init__(self, native: _native.Pages, raises: bool) -> None:
        self._native = native
        self._raises = raises

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Page:
        fields = next(self._native)
        if "reason" not in fields:
            return Page(**fields)
        error = InputError(
            fields["message"],
            reason=fields["reason"],
            id=fields["id"],
            url=fields["url"],
            path=fields["input"],
            notes=[f"at byte {fields['offset']} of `{fields['input']}`"],
        )
        if self._raises:
            raise error
        # With `errors="return"` the type says so where it is asked for.
        return cast("Page", error)

    def close(self) -> None:
        """Ends the reading."""
        self._native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()


@overload
def read_pages(
    *paths: StrPath, errors: Literal["raise"] = "raise", **options: Unpack[ReadPagesOptions]
) -> Pages: ...


@overload
def read_pages(
    *paths: StrPath, errors: Literal["return"], **options: Unpack[ReadPagesOptions]
) -> Iterator[Page | InputError]: ...


def read_pages(*paths: StrPath, errors: str = "raise", **options: Unpack[ReadPagesOptions]) -> Any:
    """The pages of files and folders: HTML, JSON Lines, Parquet, ROMIP, MHTML, tar, WARC, ARC and WACZ, plain or in gzip or zstd.

    Formats come from extensions and first bytes, else from `input_format`. A record that could not be used is raised, after which reading
    can go on, or handed out with `errors="return"`.
    """
    if errors not in ("raise", "return"):
        raise OptionError(f"`errors`: `{errors}` is neither `raise` nor `return`", option="errors")
    names = [os.fspath(path) for path in paths]
    return Pages(_native.read_pages(names, text_options(options)), errors == "raise")


@overload
def read_warc(path: StrPath, *, errors: Literal["raise"] = "raise") -> Pages: ...


@overload
def read_warc(path: StrPath, *, errors: Literal["return"]) -> Iterator[Page | InputError]: ...


def read_warc(path: StrPath, *, errors: Literal["raise", "return"] = "raise") -> Any:
    """The pages of a WARC archive, plain or in gzip or zstd: HTML responses with status 200 to 299, and HTML resources.

    Bodies are decoded as HTTP says; requests, errors, revisits and the like are passed over.
    """
    if errors == "return":
        return read_pages(path, errors="return", input_format="warc")
    return read_pages(path, errors=errors, input_format="warc")
