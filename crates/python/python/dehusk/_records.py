"""Items of a source one by one, and what becomes of those that could not be used."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Generic, Iterator, Literal, TypeVar

from ._errors import DehuskError, OptionError, SkippedWarning

if TYPE_CHECKING:
    from typing_extensions import Self

    #: What becomes of an item that could not be used: it is skipped, with a warning and a count; raised; or handed out in its place.
    Errors = Literal["skip", "raise", "return"]

T = TypeVar("T")

#: The values of `errors`.
_ERRORS = ("skip", "raise", "return")


def checked(errors: str) -> str:
    """A value of `errors`, if there is one of this name."""
    if errors not in _ERRORS:
        raise OptionError(f"`errors`: `{errors}` is none of `skip`, `raise` and `return`", option="errors")
    return errors


class Records(Iterator[T], Generic[T]):
    """Items of a source, in their order. Those that could not be used are skipped, raised or handed out, as `errors` says.

    The first that is skipped is told by a `SkippedWarning`, and their number at the end; `skipped` counts them by reason at any time.
    """

    __slots__ = ("_errors", "_read", "_told", "skipped")

    #: Items that were skipped, by reason.
    skipped: dict[str, int]

    def __init__(self, errors: str) -> None:
        self._errors = checked(errors)
        self._read = 0
        self._told = False
        self.skipped = {}

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> T:
        while True:
            try:
                item = self._take()
            except StopIteration:
                self._tell()
                raise
            self._read += 1
            if not isinstance(item, BaseException):
                return item
            if self._errors == "raise" or not isinstance(item, DehuskError):
                raise item
            if self._errors == "return":
                # The types say so where it is asked for.
                return item  # type: ignore[return-value]  # pyright: ignore[reportReturnType]
            self._skip(item)

    def _take(self) -> T | BaseException:
        """The next item, or what is wrong with it."""
        raise NotImplementedError

    def _skip(self, error: DehuskError) -> None:
        if not self.skipped:
            message = f"skipped: {error.message} (`errors=\"raise\"` or `\"return\"` hands it out)"
            warnings.warn(message, SkippedWarning, stacklevel=3)
        reason = str(getattr(error, "reason", None) or "unusable")
        self.skipped[reason] = self.skipped.get(reason, 0) + 1

    def _tell(self) -> None:
        total = sum(self.skipped.values())
        if total > 1:
            by_reason = ", ".join(f"{count} {reason}" for reason, count in sorted(self.skipped.items()))
            # Warned of once, even if the end of the iterator is requested again.
            if not self._told:
                self._told = True
                warnings.warn(f"{total} of {self._read} items were skipped: {by_reason}", SkippedWarning, stacklevel=3)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._read} read, {sum(self.skipped.values())} skipped>"
