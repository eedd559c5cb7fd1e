"""Functions of trafilatura's module of this name."""

from ._compat import baseline, html2txt

__all__ = ["baseline", "html2txt"]
