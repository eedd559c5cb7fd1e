"""Tables of results, as text and for notebooks."""

from __future__ import annotations

from html import escape
from typing import ClassVar, Iterable, Sequence

#: Rows of a table that are shown, and characters of a cell.
ROWS, WIDTH = 20, 40


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:.3f}" if isinstance(value, float) else " ".join(str(value).split())
    return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"


def counted(count: int, nouns: str) -> str:
    """A number with its noun: `1 pair`, `2 pairs`."""
    return f"1 {nouns.removesuffix('s')}" if count == 1 else f"{count} {nouns}"


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
    """The first rows as a table in HTML, and how many more there are."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in _cells(rows[:ROWS]))
    more = f"<p>… and {len(rows) - ROWS} more</p>" if len(rows) > ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


class Tabled:
    """A result that prints as a line of counts with a table, also in notebooks."""

    #: Names of the columns of the table.
    _columns: ClassVar[tuple[str, ...]] = ()

    def _head(self) -> str:
        """The line of counts."""
        raise NotImplementedError

    def _rows(self) -> Sequence[Sequence[object]]:
        """The rows of the table."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._head()}>"

    def __str__(self) -> str:
        return f"{self._head()}\n{text_table(self._columns, self._rows())}"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self._head())}</p>{html_table(self._columns, self._rows())}"
