"""Tables of results, as text and for notebooks."""

from __future__ import annotations

from html import escape
from typing import Iterable, Sequence

#: Rows of a table that are shown, and characters of a cell.
ROWS, WIDTH = 20, 40


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:.3f}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def _cells(rows: Iterable[Sequence[object]]) -> list[list[str]]:
    return [[_cell(value) for value in row] for row in rows]


def text_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table of the first rows, in columns of one width, and how many more there are."""
    shown = [list(names), *_cells(rows[:ROWS])]
    widths = [max(len(row[column]) for row in shown) for column in range(len(names))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in shown]
    if len(rows) > ROWS:
        lines.append(f"… and {len(rows) - ROWS} more")
    return "\n".join(lines)


def html_table(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """The same as HTML."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _cells(rows[:ROWS]))
    more = f"<p>… and {len(rows) - ROWS} more</p>" if len(rows) > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
