"""Options by what takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from .._errors import OptionError
from .._extractor import options as option_table

if TYPE_CHECKING:
    from .._options import ExtractorOptions, SparkOptions

    class RunOptions(ExtractorOptions, SparkOptions, total=False):
        """Options of extraction, and those of the search for duplicates."""


def one_thread(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that were given. A task has one thread unless it was given more, since executors work on many tasks."""
    return {"threads": 1, **{name: value for name, value in options.items() if value is not None}}


def parted(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of extraction, and those of the search for duplicates; some are both."""
    extraction = {row["name"] for row in option_table("Extractor")}
    search = {row["name"] for row in option_table("spark")}
    unknown = [name for name in options if name not in extraction and name not in search]
    if unknown:
        names = ", ".join(sorted(extraction | search))
        raise OptionError(f"`run` has no option `{unknown[0]}`", option=unknown[0], help=f"known: {names}")
    return (
        {name: value for name, value in options.items() if name in extraction},
        {name: value for name, value in options.items() if name in search},
    )


def column_of(options: Mapping[str, Any], name: str) -> str:
    """The column that is read as a field, by the option `column`."""
    given = options.get("column") or {}
    pairs = given.items() if isinstance(given, Mapping) else (tuple(part.split("=", 1)) for part in given.split(","))
    theirs: str = dict(pairs).get(name, name)
    return theirs
