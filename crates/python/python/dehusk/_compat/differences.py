"""What differs from trafilatura 2, with reasons: a test compares this list with its signatures and its results.

Arguments in `ARGUMENTS` are taken and do nothing; each is told once, as a `CompatibilityWarning`.
"""

from __future__ import annotations

import warnings
from typing import Any

from .._errors import CompatibilityWarning

#: Arguments that mean nothing here, with what to use in their place.
ARGUMENTS = {
    "deduplicate": "templates of the site find repeated segments (`dehusk.sites.learn`), and `dehusk.dedup` repeated documents",
    "max_tree_size": "pages of any size are bounded in work and memory; set `max_bytes` or `max_depth` of `dehusk.Extractor`",
    "settingsfile": "there are no least sizes to set; use the options of `dehusk.Extractor`",
    "config": "there are no least sizes to set; use the options of `dehusk.Extractor`",
    "options": "use the options of `dehusk.Extractor`",
}

#: The same of `extract_metadata`.
METADATA_ARGUMENTS = {
    "extensive": "every source of a date is read, whatever it costs, which is little",
}

#: The same of `find_date`.
DATE_ARGUMENTS = {
    "extensive_search": "every source of a date is read, whatever it costs, which is little",
    "verbose": "`Document.metadata_sources` and `dehusk.explain` say where a date was found",
    "deferred_url_extractor": "the date of an address is weighed against those of the page",
}

#: Arguments that have another name by now, and what is used.
RENAMED = {
    "no_fallback": "use `fast`",
    "as_dict": "use `.as_dict()` of the result",
}

#: What else differs, and why.
RESULTS = {
    "text": "the main text is found by other methods, so that texts differ; a page of no main text is `None` in both",
    "txt": "lists and tables are plain lines, unless `include_formatting`, `include_links` or `include_images` asks for Markdown",
    "body": "an element of `xml.etree.ElementTree`, since lxml is not needed; `commentsbody` and that of `baseline` likewise",
    "license": "a name such as `CC BY-SA 4.0` or an identifier of SPDX",
    "filedate": "None: a result depends on the page alone, and not on the day",
    "fingerprint": "the hash of the tokens, which duplicates of similarity 1 have in common, as `Signer` gives it, not a SimHash",
    "language": "given with every document, whether a target language is set or not",
    "hostname": "given with every address",
    "target_language": "a document is dropped if its language is known and is another one; no further package is needed",
    "author": "as the page states it; `author_blacklist` takes out names as wholes",
    "baseline": "the text of all visible blocks but menus and forms; embedded JSON counts where a page shows no other text",
    "html2txt": "the text of all blocks, each a line; `clean` leaves out what no reader sees and changes nothing else",
    "extract_metadata": "`body`, `comments` and `text` are None; a page without any content has no metadata, and raises no error",
    "find_date": "`max_date` is no day unless it is set: a result depends on the page alone; an address is not fetched",
    "load_html": "`max_size` counts all elements; a charset is detected as for main text",
    "output_format": "an unknown format is an `OptionError`, which is a `ValueError`, not an `AttributeError`",
    "tei": "images are `figure` elements with `graphic` and `figDesc`, and code is `ab` or `hi`, so that the result is valid TEI",
}

_told: set[str] = set()


def tell(name: str, value: Any, default: Any = None) -> None:
    """Warns once of an argument that was given and means nothing here."""
    if value is default or value == default or name in _told:
        return
    _told.add(name)
    advice = {**ARGUMENTS, **METADATA_ARGUMENTS, **DATE_ARGUMENTS, **RENAMED}[name]
    warnings.warn(f"`{name}`: {advice}", CompatibilityWarning, stacklevel=3)


def forget() -> None:
    """Lets every warning come again."""
    _told.clear()
