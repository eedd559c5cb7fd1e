"""The functions of trafilatura, over our extractor."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Collection, Sequence
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from .._document import Document
from .._errors import OptionError
from .._extractor import Extractor, extractor_of
from .._text import Signer
from . import _write
from ._result import ExtractedDocument
from ._tree import lines, tree
from .differences import tell

if TYPE_CHECKING:
    #: HTML, an element of lxml, or a response with `data` or `content`.
    Content = bytes | str | Any

#: Names of output formats, with their writers.
FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")

#: Stands for a page without an address where rules need one.
_NOWHERE = "https://page.invalid/"


@lru_cache(maxsize=64)
def _extractor(options: tuple[tuple[str, Any], ...], pruned: tuple[str, tuple[str, ...]] | None) -> Extractor:
    """The extractor of these options; of `pruned` pages of a host, without what some XPath expressions find."""
    if pruned is None:
        return extractor_of(dict(options))
    host, expressions = pruned
    with tempfile.TemporaryDirectory(prefix="dehusk-") as folder:
        removed = ", ".join(f"{{ xpath = {_toml(expression)} }}" for expression in expressions)
        rule = f"format = 1\n\n[[rule]]\nhosts = [{_toml(host)}]\nremove = [{removed}]\n"
        with open(os.path.join(folder, "prune.toml"), "w", encoding="utf-8") as file:
            file.write(rule)
        return extractor_of({**dict(options), "rules": folder})


def _toml(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


@lru_cache(maxsize=1)
def _signer() -> Signer:
    return Signer()


def _html(content: Content) -> tuple[bytes | str | None, str | None]:
    """HTML and address of what trafilatura takes."""
    if isinstance(content, (bytes, bytearray, str)):
        return (bytes(content) if isinstance(content, bytearray) else content), None
    if content is None:
        return None, None
    if hasattr(content, "iterdescendants"):
        etree = import_module("lxml.etree")  # whoever hands in an element has it
        return etree.tostring(content, encoding="unicode", method="html"), None
    for name in ("data", "html", "content", "text"):
        data = getattr(content, name, None)
        if isinstance(data, (bytes, str)) and data:
            url = getattr(content, "url", None)
            return data, url if isinstance(url, str) else None
    raise TypeError(f"`{type(content).__name__}` is neither HTML nor an element nor a response")


def _extracted(
    content: Content,
    url: str | None,
    *,
    fast: bool,
    precision: bool,
    recall: bool,
    comments: bool,
    tables: bool,
    images: bool,
    links: bool,
    markdown: bool,
    tree: bool,
    prune: str | Sequence[str] | None,
) -> Document | None:
    html, address = _html(content)
    url = url or address
    if not html:
        return None
    options: dict[str, Any] = {
        "fast": fast,
        "precision": precision and not recall,
        "recall": recall and not precision,
        "comments": "field" if comments else "omit",
        "tables": "text" if tables else "omit",
        "markdown": markdown,
        "html": tree,
        "links": links,
        "images": images,
    }
    expressions = (prune,) if isinstance(prune, str) else tuple(prune or ())
    pruned = None
    if expressions:
        pruned = (urlsplit(url or _NOWHERE).hostname or "page.invalid", expressions)
    extractor = _extractor(tuple(options.items()), pruned)
    document = extractor.document(html, url or (_NOWHERE if pruned else None))
    if pruned and not url:
        record = document.to_dict()
        record["url"] = None
        for name in ("markdown", "html"):
            if name in record:
                record[name] = record[name].replace(_NOWHERE, "/")
        document = Document(record)
    return document if document.text.strip() else None


def _result(
    document: Document, record_id: str | None, *, formatting: bool, links: bool, images: bool, identified: bool
) -> ExtractedDocument:
    record = document.to_dict()
    text = document.text.rstrip("\n")
    shown = document.markdown.rstrip("\n") if "markdown" in record else text
    found = record.get("comments", ())
    said = "\n".join(comment["text"] for comment in found if comment["text"] not in text)
    spoken = Element("comments")
    lines(spoken, "p", said)
    hostname = urlsplit(document.url or "").hostname
    return ExtractedDocument(
        title=document.title,
        author=document.author,
        url=document.url,
        hostname=hostname,
        description=document.description,
        sitename=document.site_name or hostname,
        date=document.date,
        categories=[],
        tags=document.tags,
        fingerprint=_signer().sign(text).content[:8].hex() if identified else None,
        id=record_id,
        body=tree(record.get("html", ""), "main", formatting=formatting, links=links, images=images),
        comments=said,
        commentsbody=spoken,
        raw_text=text,
        text=shown,
        language=document.language,
        image=document.image,
        pagetype=document.kind,
    )


def _wanted(
    document: ExtractedDocument,
    target_language: str | None,
    only_with_metadata: bool,
    url_blacklist: Collection[str] | None,
    author_blacklist: Collection[str] | None,
) -> bool:
    """Whether a document is handed out. Authors of the list are taken out of it."""
    if url_blacklist and document.url in url_blacklist:
        return False
    if target_language and document.language and document.language != target_language.lower()[:2]:
        return False
    if author_blacklist and document.author:
        unwanted = {name.lower() for name in author_blacklist}
        names = [name.strip() for name in document.author.split(";")]
        document.author = "; ".join(name for name in names if name.lower() not in unwanted) or None
    if only_with_metadata:
        return bool(document.date and document.title and document.url)
    return True


def _format_of(output_format: str) -> str:
    if output_format not in FORMATS:
        raise OptionError(
            f"`output_format`: no format `{output_format}`",
            option="output_format",
            help=f"known: {', '.join(FORMATS)}",
        )
    return output_format


def bare_extraction(
    filecontent: Content,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | Sequence[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> ExtractedDocument | dict[str, Any] | None:
    """Text and metadata of a page as an object, or `None` if it has no main text. Arguments are those of trafilatura.

    >>> found = bare_extraction("<title>Rivers</title><p>The river rose overnight.", url="https://a.example/1")
    >>> found.title, found.text, found.hostname
    ('Rivers', 'The river rose overnight.', 'a.example')
    """
    tell("no_fallback", no_fallback, False)
    tell("deduplicate", deduplicate, False)
    tell("date_extraction_params", date_extraction_params)
    tell("max_tree_size", max_tree_size)
    tell("as_dict", as_dict, False)
    tell("config", config)
    tell("options", options)
    found: ExtractedDocument | dict[str, Any] | None = _bare(
        filecontent,
        url,
        None,
        fast=fast or no_fallback,
        favor_precision=favor_precision,
        favor_recall=favor_recall,
        include_comments=include_comments,
        output_format=output_format,
        target_language=target_language,
        include_tables=include_tables,
        include_images=include_images,
        include_formatting=include_formatting,
        include_links=include_links,
        only_with_metadata=only_with_metadata,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        as_dict=as_dict,
        prune_xpath=prune_xpath,
    )
    return found


def _bare(
    filecontent: Content,
    url: str | None,
    record_id: str | None,
    *,
    fast: bool,
    favor_precision: bool,
    favor_recall: bool,
    include_comments: bool,
    output_format: str,
    target_language: str | None,
    include_tables: bool,
    include_images: bool,
    include_formatting: bool | None,
    include_links: bool,
    only_with_metadata: bool,
    url_blacklist: Collection[str] | None,
    author_blacklist: Collection[str] | None,
    prune_xpath: str | Sequence[str] | None,
    as_dict: bool = False,
    whole: bool = True,
) -> Any:
    """The result of a page; unless the `whole` of it is asked for, with what the output format shows of it alone."""
    kind = _format_of(output_format)
    formatting = kind in ("markdown", "html") if include_formatting is None else include_formatting
    markdown = kind == "markdown" or formatting or include_links or include_images
    document = _extracted(
        filecontent,
        url,
        fast=fast,
        precision=favor_precision,
        recall=favor_recall,
        comments=include_comments,
        tables=include_tables,
        images=include_images,
        links=include_links,
        markdown=markdown,
        tree=whole or kind in ("html", "xml", "xmltei"),
        prune=prune_xpath,
    )
    if document is None:
        return None
    result = _result(
        document,
        record_id,
        formatting=formatting,
        links=include_links,
        images=include_images,
        identified=whole or kind == "csv",
    )
    if not _wanted(result, target_language, only_with_metadata, url_blacklist, author_blacklist):
        return None
    return result.as_dict() if as_dict else result


def extract(
    filecontent: Content,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | Sequence[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> str | None:
    """The main text of a page in an output format, or `None` if it has none. Arguments are those of trafilatura.

    >>> extract("<h1>Rivers</h1><p>The <b>river</b> rose overnight.", output_format="markdown")
    '# Rivers\\n\\nThe **river** rose overnight.'
    """
    if _format_of(output_format) == "python":
        raise OptionError(
            "`output_format`: `python` is for `bare_extraction`", option="output_format", help="call that function"
        )
    tell("no_fallback", no_fallback, False)
    tell("deduplicate", deduplicate, False)
    tell("date_extraction_params", date_extraction_params)
    tell("max_tree_size", max_tree_size)
    tell("settingsfile", settingsfile)
    tell("config", config)
    tell("options", options)
    document = _bare(
        filecontent,
        url,
        record_id,
        fast=fast or no_fallback,
        favor_precision=favor_precision,
        favor_recall=favor_recall,
        include_comments=include_comments,
        output_format=output_format,
        target_language=target_language,
        include_tables=include_tables,
        include_images=include_images,
        include_formatting=include_formatting,
        include_links=include_links,
        only_with_metadata=only_with_metadata,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        prune_xpath=prune_xpath,
        whole=with_metadata or only_with_metadata or output_format == "xmltei",
    )
    if document is None:
        return None
    return _write.written(document, output_format, with_metadata or only_with_metadata, tei_validation)


def extract_with_metadata(
    filecontent: Content,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: dict[str, Any] | None = None,
    url_blacklist: Collection[str] | None = None,
    author_blacklist: Collection[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | Sequence[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> ExtractedDocument | None:
    """Metadata of a page, and as `text` its main text in an output format. Arguments are those of trafilatura.

    >>> found = extract_with_metadata("<title>Rivers</title><p>The river rose overnight.")
    >>> found.title, found.text
    ('Rivers', 'The river rose overnight.')
    """
    if _format_of(output_format) == "python":
        raise OptionError(
            "`output_format`: `python` is for `bare_extraction`", option="output_format", help="call that function"
        )
    tell("deduplicate", deduplicate, False)
    tell("date_extraction_params", date_extraction_params)
    tell("settingsfile", settingsfile)
    tell("config", config)
    tell("options", options)
    document: ExtractedDocument | None = _bare(
        filecontent,
        url,
        record_id,
        fast=fast,
        favor_precision=favor_precision,
        favor_recall=favor_recall,
        include_comments=include_comments,
        output_format=output_format,
        target_language=target_language,
        include_tables=include_tables,
        include_images=include_images,
        include_formatting=include_formatting,
        include_links=include_links,
        only_with_metadata=False,
        url_blacklist=url_blacklist,
        author_blacklist=author_blacklist,
        prune_xpath=prune_xpath,
    )
    if document is not None:
        document.text = _write.written(document, output_format, False, tei_validation)
    return document


def baseline(filecontent: Content) -> tuple[Element, str, int]:
    """The text of all visible blocks of a page: an element with a `p` for each, the text, and its length.

    >>> body, text, length = baseline("<nav><a href=/>Home</a></nav><p>The river rose.")
    >>> text, length
    ('Home The river rose.', 20)
    """
    body = Element("body")
    lines(body, "p", _all_text(filecontent))
    text = " ".join(paragraph.text or "" for paragraph in body)
    return body, text, len(text)


def html2txt(content: Content, clean: bool = True) -> str:
    """The text of a page with its boilerplate, in one line; an empty text if there is none.

    >>> html2txt("<nav><a href=/>Home</a></nav><p>The river rose.")
    'Home The river rose.'
    """
    return " ".join(_all_text(content).split())


def _all_text(content: Content) -> str:
    html, _ = _html(content)
    if not html:
        return ""
    return _extractor((("extractor", "all-text"),), None).document(html).text


