"""Functions of trafilatura's module of this name."""

from ._compat import ExtractedDocument, extract_metadata

__all__ = ["ExtractedDocument", "extract_metadata"]
