"""The function of htmldate, and the settings of dates that trafilatura hands on to it."""

from __future__ import annotations

import re
from datetime import datetime, time
from typing import TYPE_CHECKING, Any

from .._document import Document
from .._errors import OptionError
from .differences import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

#: Settings of htmldate that decide which date is given. `url` is the address of the page, if the function has none.
_USED = ("original_date", "outputformat", "url", "min_date", "max_date")

#: Settings that do nothing here, with their defaults. Another value gives a warning.
_UNUSED = {"extensive_search": True, "verbose": False, "deferred_url_extractor": False}

_PARTS = re.compile(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d)(?::(\d\d))?)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?")


def moment(date: str) -> datetime | None:
    """The first moment of a date of ours, which may lack day, time or zone; nothing if the calendar has no such day."""
    found = _PARTS.match(date)
    if found is None:
        return None
    year, month, day, hour, minute, second, zone = found.groups()
    text = f"{year}-{month or '01'}-{day or '01'}T{hour or '00'}:{minute or '00'}:{second or '00'}"
    try:
        return datetime.fromisoformat(text + (zone or "").replace("Z", "+00:00"))
    except ValueError:
        return None


def _bound(name: str, value: datetime | str | None) -> datetime | None:
    """The first or last moment of a range; a day as the last one ends it."""
    if value is None:
        return None
    found = value if isinstance(value, datetime) else moment(value)
    if found is None:
        raise OptionError(f"`{name}`: `{value}` is no date", option=name, help="write it as `2020-03-05`, or give a `datetime`")
    found = found.replace(tzinfo=None)
    is_day = found.time() == time() and name == "max_date"
    return datetime.combine(found, time.max) if is_day else found


def chosen(document: Document, settings: Mapping[str, Any]) -> str | None:
    """The date of a document that settings of htmldate ask for; those that are not given have its defaults."""
    unknown = sorted(set(settings) - {*_USED, *_UNUSED})
    if unknown:
        raise OptionError(
            f"no setting of dates `{unknown[0]}`", option=unknown[0], help=f"known: {', '.join(sorted((*_USED, *_UNUSED)))}"
        )
    for name, default in _UNUSED.items():
        tell(name, settings.get(name, default), default)
    form = settings.get("outputformat", "%Y-%m-%d")
    first, last = (_bound(name, settings.get(name)) for name in ("min_date", "max_date"))
    for date in _candidates(document, settings.get("original_date", False)):
        found = moment(date)
        if found is None:
            continue
        at = found.replace(tzinfo=None)
        if (first is None or first <= at) and (last is None or at <= last):
            return found.strftime(form)
    return None


def _candidates(document: Document, original: bool) -> Iterator[str]:
    """The dates of a document: that of publication first, or that of its last change."""
    dates = (document.date, document.modified)
    for date in dates if original else reversed(dates):
        if date:
            yield date
