"""Web pages to clean, unique documents.

>>> import dehusk
>>> document = dehusk.Extractor().document(b"<nav><a href=/>Home</a></nav><p>The river rose overnight.")
>>> print(document.text, end="")
The river rose overnight.

`extract`, `bare_extraction`, `extract_with_metadata`, `baseline` and `html2txt` have the names and arguments of trafilatura:

>>> dehusk.extract("<nav><a href=/>Home</a></nav><p>The river rose overnight.")
'The river rose overnight.'
"""

from . import sites
from ._compat import baseline, bare_extraction, extract, extract_with_metadata, html2txt
from ._content import render_content
from ._dedup import Answer, Decision, Deduplicated, Index, IndexedDocument, Match, Pair, dedup
from ._document import Block, Cell, Comment, DataTable, Document, Note, Page, Row
from ._errors import (
    CompatibilityWarning,
    DehuskError,
    InputError,
    MissingFieldError,
    OptionError,
    OutputError,
    SiteError,
)
from ._extractor import Explanation, Extractor, explain, methods, options
from ._lab import compare, generate
from ._native import Table, __version__
from ._reader import Pages, read_pages, read_warc
from ._text import Normalizer, Signature, Signer, Span

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
    "Explanation",
    "Extractor",
    "Index",
    "IndexedDocument",
    "InputError",
    "Match",
    "MissingFieldError",
    "Normalizer",
    "Note",
    "OptionError",
    "OutputError",
    "Page",
    "Pages",
    "Pair",
    "Row",
    "Signature",
    "Signer",
    "SiteError",
    "Span",
    "Table",
    "__version__",
    "bare_extraction",
    "baseline",
    "compare",
    "dedup",
    "explain",
    "extract",
    "extract_with_metadata",
    "generate",
    "html2txt",
    "methods",
    "options",
    "read_pages",
    "read_warc",
    "render_content",
    "sites",
]
