"""Pages of files, in all formats of the command line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator, Literal, overload

from . import _native
from ._document import Page
from ._errors import InputError
from ._inputs import text_options
from ._records import Records

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from ._inputs import StrPath
    from ._options import ReadPagesOptions
    from ._records import Errors


class Pages(Records[Page]):
    """Pages of files, read ahead by a thread. As a context manager it ends the reading early.

    A record that could not be used is skipped, with a warning and a count in `skipped`, raised, or handed out, as `errors` says.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Pages, errors: str) -> None:
        super().__init__(errors)
        self._native = native

    def _take(self) -> Page | InputError:
        fields = next(self._native)
        if "reason" not in fields:
            return Page(**fields)
        return InputError(
            fields["message"],
            reason=fields["reason"],
            id=fields["id"],
            url=fields["url"],
            path=fields["input"],
            notes=[f"at byte {fields['offset']} of `{fields['input']}`"],
        )

    def close(self) -> None:
        """Ends the reading."""
        self._native.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.close()


@overload
def read_pages(
    *paths: StrPath, errors: Literal["skip", "raise"] = "skip", **options: Unpack[ReadPagesOptions]
) -> Pages: ...


@overload
def read_pages(
    *paths: StrPath, errors: Literal["return"], **options: Unpack[ReadPagesOptions]
) -> Iterator[Page | InputError]: ...


def read_pages(*paths: StrPath, errors: Errors = "skip", **options: Unpack[ReadPagesOptions]) -> Any:
    """The pages of files and folders: HTML, JSON Lines, Parquet, ROMIP, tar and WARC, plain or in gzip or zstd.

    Formats come from extensions and first bytes, else from `input_format`. A record that could not be used is skipped, with a
    `SkippedWarning` and a count in `skipped`; raised with `errors="raise"`, after which reading can go on; or handed out as an
    `InputError` with `errors="return"`.
    """
    names = [os.fspath(path) for path in paths]
    return Pages(_native.read_pages(names, text_options(options)), errors)


@overload
def read_warc(path: StrPath, *, errors: Literal["skip", "raise"] = "skip") -> Pages: ...


@overload
def read_warc(path: StrPath, *, errors: Literal["return"]) -> Iterator[Page | InputError]: ...


def read_warc(path: StrPath, *, errors: Errors = "skip") -> Any:
    """The pages of a WARC archive, plain or in gzip or zstd: HTML responses with status 200 to 299, and HTML resources.

    Bodies are decoded as HTTP says; requests, errors, revisits and the like are passed over. `errors` is that of `read_pages`.
    """
    if errors == "return":
        return read_pages(path, errors="return", input_format="warc")
    return read_pages(path, errors=errors, input_format="warc")
