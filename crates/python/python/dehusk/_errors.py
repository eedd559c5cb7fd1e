"""Exceptions and warnings of this package."""

from __future__ import annotations

from typing import Any, Sequence


class DehuskError(Exception):
    """What went wrong, with its place and what to do about it.

    All exceptions of this package are of this class. They can be pickled.
    """

    #: What went wrong, in a sentence without a full stop.
    message: str
    #: The option it is about, as it is named in Python.
    option: str | None
    #: The file or folder it is about.
    path: str | None
    #: The line of that file, from 1.
    line: int | None
    #: Details, one each.
    notes: list[str]
    #: What to do about it.
    help: str | None

    def __init__(
        self,
        message: str,
        *,
        option: str | None = None,
        path: str | None = None,
        line: int | None = None,
        notes: Sequence[str] = (),
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.option = option
        self.path = path
        self.line = line
        self.notes = list(notes)
        self.help = help

    def __str__(self) -> str:
        lines = [self.message, *self.notes]
        if self.help:
            lines.append(self.help)
        return "\n  ".join(lines)

    def _fields(self) -> dict[str, Any]:
        names = ("option", "path", "line", "notes", "help")
        return {name: getattr(self, name) for name in names}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restored, (type(self), self.message, self._fields()))


def _restored(kind: type[DehuskError], message: str, fields: dict[str, Any]) -> DehuskError:
    return kind(message, **fields)


class OptionError(DehuskError, ValueError):
    """An option does not exist, or has a value that it cannot have, or does not go with another one."""


class MissingFieldError(OptionError, AttributeError):
    """A field of a document was not asked for by the options of its extractor."""


class SiteError(DehuskError):
    """A file of rules or templates of sites is missing or wrong."""


class OutputError(DehuskError):
    """A folder cannot be written to, or another process is writing to it."""


class InputError(DehuskError):
    """An input is missing, or a record of it could not be used.

    Of a record, `reason` is a short name such as `missing-content`, and `id` and `url` are its own as far as they are known.
    """

    reason: str | None
    id: str | None
    url: str | None

    def __init__(
        self,
        message: str,
        *,
        reason: str | None = None,
        id: str | None = None,
        url: str | None = None,
        option: str | None = None,
        path: str | None = None,
        line: int | None = None,
        notes: Sequence[str] = (),
        help: str | None = None,
    ) -> None:
        super().__init__(message, option=option, path=path, line=line, notes=notes, help=help)
        self.reason = reason
        self.id = id
        self.url = url

    def _fields(self) -> dict[str, Any]:
        return {**super()._fields(), "reason": self.reason, "id": self.id, "url": self.url}


class InputTypeError(InputError, TypeError):
    """One page or document stands where many are wanted, or the other way round."""


class SkippedWarning(UserWarning):
    """Records that could not be used were skipped. The first is told with its message, and at the end how many there were."""


class CompatibilityWarning(UserWarning):
    """An argument of trafilatura that means nothing here, with what to use in its place. Each is told once."""
