"""Functions of trafilatura's module of this name."""

from ._compat import ExtractedDocument, bare_extraction, extract, extract_with_metadata

__all__ = ["ExtractedDocument", "bare_extraction", "extract", "extract_with_metadata"]
