"""Web pages to clean, unique documents.

>>> import dehusk
>>> document = dehusk.Extractor().document(b"<nav><a href=/>Home</a></nav><p>The river rose overnight.")
>>> print(document.text, end="")
The river rose overnight.

`extract`, `bare_extraction`, `extract_metadata`, `extract_with_metadata`, `baseline`, `html2txt` and `load_html` have the names and
arguments of trafilatura, and `find_date` those of htmldate:

>>> dehusk.extract("<nav><a href=/>Home</a></nav><p>The river rose overnight.")
'The river rose overnight.'
"""

from . import _signatures, sites
from ._compat import bare_extraction, extract, extract_metadata, extract_with_metadata, find_date, load_html
from ._compat import elsewhere as _elsewhere
from ._content import render_content
from ._dedup import Answer, Decision, Deduplicated, Index, IndexedDocument, Match, Pair, dedup
from ._document import Block, Cell, Comment, DataTable, Document, Note, Page, Row
from ._errors import (
    CompatibilityWarning,
    DehuskError,
    InputError,
    InputTypeError,
    MissingFieldError,
    OptionError,
    OutputError,
    SiteError,
    SkippedWarning,
)
from ._extractor import Documents, Explanation, Extractor, explain, methods, options
from ._lab import compare, generate
from ._native import Table, __version__
from ._passages import (
    DocumentPassages,
    FoundItems,
    FoundPassages,
    Item,
    ItemMatch,
    Occurrence,
    Passage,
    find_items,
    passages,
)
from ._reader import Pages, read_pages, read_warc
from ._text import Normalizer, Signature, Signer, Span
from .baseline import baseline, html2txt

__all__ = [
    "Answer",
    "Block",
    "Cell",
    "Comment",
    "CompatibilityWarning",
    "DataTable",
    "Decision",
    "Deduplicated",
    "DehuskError",
    "Document",
    "DocumentPassages",
    "Documents",
    "Explanation",
    "Extractor",
    "FoundItems",
    "FoundPassages",
    "Index",
    "IndexedDocument",
    "InputError",
    "InputTypeError",
    "Item",
    "ItemMatch",
    "Match",
    "MissingFieldError",
    "Normalizer",
    "Note",
    "Occurrence",
    "OptionError",
    "OutputError",
    "Page",
    "Pages",
    "Pair",
    "Passage",
    "Row",
    "Signature",
    "Signer",
    "SiteError",
    "SkippedWarning",
    "Span",
    "Table",
    "__version__",
    "bare_extraction",
    "baseline",
    "compare",
    "dedup",
    "explain",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "find_date",
    "find_items",
    "generate",
    "html2txt",
    "load_html",
    "methods",
    "options",
    "passages",
    "read_pages",
    "read_warc",
    "render_content",
    "sites",
]

_signatures.show()


def __getattr__(name: str) -> object:
    if name in _elsewhere.NAMES:
        raise _elsewhere.missing(name, _elsewhere.NAMES[name])
    raise AttributeError(f"module `dehusk` has no attribute `{name}`")
