"""Options in signatures and texts of help, as interpreters show them: each with its effect, its values and its default.

The types are those of `_options.py`, which type checkers read.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable

from . import _dedup, _extractor, _lab, _native, _options, _passages, _reader, _text, sites

#: What takes options, and whose they are.
TAKERS: dict[Callable[..., Any], str] = {
    _extractor.Extractor: "Extractor",
    _extractor.explain: "Extractor",
    _text.Signer: "Signer",
    _dedup.dedup: "dedup",
    _dedup.Index: "Index",
    _lab.compare: "compare",
    _passages.passages: "passages",
    _passages.find_items: "find_items",
    _reader.read_pages: "read_pages",
    sites.learn: "learn",
}


def show() -> None:
    """Gives everything that takes options a signature that names them, and lists them in its text of help."""
    table = _native.option_table()
    for taker, name in TAKERS.items():
        rows = table[name]
        kind = "".join(part.capitalize() for part in name.split("_")) + "Options"
        types = getattr(_options, kind).__annotations__
        signature = inspect.signature(taker)
        others = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        own = [
            inspect.Parameter(
                row["name"],
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=getattr(types[row["name"]], "__forward_arg__", types[row["name"]]),
            )
            for row in rows
            if row["name"] not in signature.parameters
        ]
        taker.__signature__ = signature.replace(parameters=[*others, *own])  # type: ignore[attr-defined]
        taker.__doc__ = f"{inspect.cleandoc(taker.__doc__ or '')}\n\nOptions:\n{_listed(rows)}"


def _listed(rows: list[dict[str, Any]]) -> str:
    return "\n".join(f"    {row['name']}: {row['about']} [default: {row['default']}]" for row in rows)
