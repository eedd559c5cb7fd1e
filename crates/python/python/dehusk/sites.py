"""Templates of sites: what the pages of a site have in common, learnt from a few of them.

>>> from dehusk import sites
>>> pages = [(f"<div class=top>The Ledra Valley Herald</div><p>Story {n} of this day, told in some words of its own.</p>"
...           f"<div class=end>Written by people of the valley</div>", f"https://herald.example/{n}") for n in range(8)]
>>> templates = sites.learn(pages)
>>> [(template.site, template.pages) for template in templates]
[('https://herald.example/', 8)]
>>> templates[0].apply(pages[0][0], pages[0][1]).method
'site'
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Iterable

from . import _native
from ._document import Document
from ._extractor import extractor_of
from ._inputs import pages_as_files, text_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._inputs import PagesLike, StrPath
    from ._options import LearnOptions

__all__ = ["Template", "export", "learn", "load", "save"]


class Template:
    """The template of one layout of a site. It can be pickled, and is equal to another one if their files are."""

    __slots__ = ("_facts", "_text")

    def __init__(self, toml: str) -> None:
        """The template of the text of a file that `dehusk site learn` wrote."""
        self._facts = _native.template_facts(toml)
        self._text = toml

    @property
    def site(self) -> str:
        """The part of the site that it was learnt from."""
        return str(self._facts["site"])

    @property
    def layout(self) -> int:
        """Number of the layout within that part, from 1."""
        return int(self._facts["layout"])

    @property
    def pages(self) -> int:
        """Pages that it was learnt from."""
        return int(self._facts["pages"])

    @property
    def newest(self) -> str | None:
        """Date of the newest of them, if they tell dates."""
        newest = self._facts["newest"]
        return None if newest is None else str(newest)

    @property
    def fields(self) -> list[dict[str, Any]]:
        """Where its pages have `title`, `authors`, `date` and `modified`, as far as that is known.

        Each has `field`, `css` and `attribute` (`None` if the text has the value), `pages` with a value there, `values` that differ, pages whose
        machine-readable data `agree` and say `against` it, `confidence` (0 to 1) and an `example`.
        """
        return [dict(field) for field in self._facts["fields"]]

    def to_toml(self) -> str:
        """The text of its file."""
        return self._text

    def show(self) -> str:
        """What it keeps and what it cuts, for people to read."""
        return _native.template_shown(self._text)

    def diff(self, newer: Template) -> str:
        """What another one does otherwise, for people to read."""
        return _native.template_diff(self._text, newer._text)

    def rules(self) -> str:
        """The same as rules by hand, to be edited: the text of a file for the option `rules`."""
        return _native.template_rules([self._text])

    def apply(self, html: bytes | str, url: str, **options: Any) -> Document:
        """The document of a page by this template; by the extractor alone if the template does not fit it (see `method`).

        For many pages make an extractor: `Extractor(templates=[template])`.
        """
        extractor = extractor_of({**options, "templates": [self]})
        return extractor.document(html, url)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Template) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Template, (self._text,))

    def __repr__(self) -> str:
        return f"<Template of {self.site}, layout {self.layout}, learnt from {self.pages} pages>"


def learn(pages: PagesLike, **options: Unpack[LearnOptions]) -> list[Template]:
    """Learns templates from pages of one or more sites.

    `pages` are files and folders, or an iterable of pages with their addresses. Options are those of `dehusk site learn`. A page
    that could not be used is passed over.
    """
    with pages_as_files(pages) as inputs, tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
        report = _native.learn(inputs, folder, text_options(options))
        return load(folder) if report["files"] else []


def load(path: StrPath) -> list[Template]:
    """The templates of a folder, or of one file."""
    return [Template(text) for text in _native.read_templates(os.fspath(path))]


def save(templates: Iterable[Template], folder: StrPath) -> list[str]:
    """Writes templates to a folder, for `load`, for the option `templates` and for the command line. Returns the files."""
    return _native.write_templates([template.to_toml() for template in templates], os.fspath(folder))


def export(templates: Iterable[Template], folder: StrPath) -> dict[str, int]:
    """Writes templates as rules by hand, a file for each part of a site, to be edited. Returns the number of rules by file."""
    with tempfile.TemporaryDirectory(prefix="dehusk-") as place:
        save(templates, place)
        return dict(_native.export_rules(place, os.fspath(folder)))

