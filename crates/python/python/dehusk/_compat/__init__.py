"""Functions with the names, arguments and results of trafilatura 2, and that of htmldate.

What differs is listed in `differences`, with reasons, and what is not here in `elsewhere`, with what to use in its place.
"""

from ._functions import (
    bare_extraction,
    baseline,
    extract,
    extract_metadata,
    extract_with_metadata,
    find_date,
    html2txt,
    load_html,
)
from ._result import ExtractedDocument

__all__ = [
    "ExtractedDocument",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "find_date",
    "html2txt",
    "load_html",
]
