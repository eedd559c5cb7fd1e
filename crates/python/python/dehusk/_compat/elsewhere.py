"""What trafilatura has and this package has not: names with what to use in their place. A test compares the list with its modules."""

from __future__ import annotations

_FETCH = (
    "dehusk reads pages and fetches none: `urllib.request.urlopen(url)`, or a response of `requests` or `httpx`, can be handed to `extract` "
    "as it is; trafilatura's own `fetch_url` goes with it, too"
)
_FIND = "dehusk reads pages and finds none: trafilatura's own module goes with `dehusk.extract`, and so does a crawler such as Scrapy (`dehusk.scrapy`)"

#: Names that trafilatura itself hands out.
NAMES = {
    "fetch_response": _FETCH,
    "fetch_url": _FETCH,
}

#: Modules of trafilatura that are documented for users.
MODULES = {
    "downloads": _FETCH,
    "feeds": _FIND,
    "sitemaps": _FIND,
    "spider": _FIND,
}

#: Names of modules that are here.
SETTINGS = {
    "Extractor": "give the options as arguments of `extract`, or make a `dehusk.Extractor`",
    "Document": "results are `dehusk.core.ExtractedDocument`, which functions make",
}


def missing(name: str, remedy: str) -> ImportError:
    """The error of a name of trafilatura that is not here."""
    return ImportError(f"dehusk has no `{name}`: {remedy}", name=f"dehusk.{name}")
