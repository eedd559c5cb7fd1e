"""Functions with the names, arguments and results of trafilatura 2: changing the import is all there is to do.

What differs is listed in `differences.DIFFERENCES`, with reasons.
"""

from ._functions import bare_extraction, baseline, extract, extract_with_metadata, html2txt
from ._result import ExtractedDocument

__all__ = [
    "ExtractedDocument",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_with_metadata",
    "html2txt",
]
