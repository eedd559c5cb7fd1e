"""What the functions of trafilatura have in common: a page in, a result out."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Collection, Sequence
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from .._document import Document
from .._errors import InputError, OptionError
from .._extractor import Extractor, extractor_of
from .._html import html_of
from .._text import Signer
from ._dates import chosen
from ._result import ExtractedDocument
from ._tree import lines, tree

if TYPE_CHECKING:
    #: HTML, an element of lxml, or a response with `data` or `content`.
    Content = bytes | str | Any

#: Names of output formats.
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
    html, url, _ = html_of(content)
    return html, url


def _hostname(url: str) -> str | None:
    """The host of an address; nothing if it has none, or is no address."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _document(extractor: Extractor, html: bytes | str, url: str | None = None) -> Document | None:
    """The document of a page; none if its bytes are no page, but an archive, say."""
    try:
        return extractor.document(html, url)
    except InputError:
        return None


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
        pruned = (_hostname(url or _NOWHERE) or "page.invalid", expressions)
    extractor = _extractor(tuple(options.items()), pruned)
    document = _document(extractor, html, url or (_NOWHERE if pruned else None))
    if document is None:
        return None
    if pruned and not url:
        record = document.to_dict()
        record["url"] = None
        for name in ("markdown", "html"):
            if name in record:
                record[name] = record[name].replace(_NOWHERE, "/")
        document = Document(record)
    return document if document.text.strip() else None


def _result(
    document: Document,
    record_id: str | None,
    *,
    formatting: bool,
    links: bool,
    images: bool,
    identified: bool,
    dates: dict[str, Any] | None,
) -> ExtractedDocument:
    record = document.to_dict()
    text = document.text.rstrip("\n")
    shown = document.markdown.rstrip("\n") if "markdown" in record else text
    found = record.get("comments", ())
    said = "\n".join(comment["text"] for comment in found if not comment.get("first") and comment["text"] not in text)
    spoken = Element("comments")
    lines(spoken, "p", said)
    hostname = _hostname(document.url or "")
    return ExtractedDocument(
        title=document.title,
        author=document.author,
        url=document.url,
        hostname=hostname,
        description=document.description,
        sitename=document.site_name or hostname,
        # A day, as there.
        date=chosen(document, dates) if dates else document.date and document.date[:10],
        categories=document.categories,
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
        license=document.licence,
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


def format_of(output_format: str) -> str:
    """An output format, if there is one of this name."""
    if output_format not in FORMATS:
        raise OptionError(
            f"`output_format`: no format `{output_format}`",
            option="output_format",
            help=f"known: {', '.join(FORMATS)}",
        )
    return output_format


def bare(
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
    dates: dict[str, Any] | None,
    as_dict: bool = False,
    whole: bool = True,
) -> Any:
    """The result of a page; unless the `whole` of it is asked for, with what the output format shows of it alone."""
    kind = format_of(output_format)
    formatting = kind in ("markdown", "html") if include_formatting is None else include_formatting
    markdown = kind == "markdown" or formatting or include_links or include_images
    document = _extracted(
        filecontent,
        url or (dates or {}).get("url"),
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
        dates=dates,
    )
    if not _wanted(result, target_language, only_with_metadata, url_blacklist, author_blacklist):
        return None
    return result.as_dict() if as_dict else result


def date_of(content: Content, url: str | None, settings: dict[str, Any]) -> str | None:
    """The date of a page by settings of htmldate."""
    html, address = _html(content)
    document = _document(_extractor((), None), html, url or address) if html else None
    return chosen(document or Document({"text": ""}), settings)


def facts(
    content: Content, url: str | None, author_blacklist: Collection[str] | None, dates: dict[str, Any] | None
) -> ExtractedDocument:
    """What is known of a page beside its main text."""
    html, address = _html(content)
    url = url or (dates or {}).get("url") or address
    document = _document(_extractor((), None), html, url) if html else None
    if document is None:
        document = Document({"text": "", "url": url})
    result = _result(document, None, formatting=False, links=False, images=False, identified=False, dates=dates)
    _wanted(result, None, False, None, author_blacklist)
    result.body = result.commentsbody = None  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    result.comments = result.raw_text = result.text = None  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
    return result


def parsed(content: Content, max_size: int | None) -> Any:
    """The element of lxml of a page."""
    try:
        parser: Any = import_module("lxml.html")
    except ImportError as error:
        raise ImportError("`load_html` gives elements of lxml: `pip install lxml`") from error
    if hasattr(content, "iterdescendants"):
        return content
    html, _ = _html(content)
    if not html or not html.strip():
        return None
    if isinstance(html, str):
        # A declaration of a charset says nothing about text that is decoded, and lxml refuses it.
        html = html.encode("utf-8", "replace")
        parser_of = parser.HTMLParser(encoding="utf-8")
    else:
        found = _document(_extractor((), None), html)
        parser_of = parser.HTMLParser(encoding=found.charset if found else None)
    try:
        root = parser.document_fromstring(html, parser=parser_of)
    except (ValueError, LookupError, import_module("lxml.etree").LxmlError):
        return None
    if max_size is not None and sum(1 for _ in root.iter()) > max_size:
        return None
    return root


def all_text(content: Content, hidden: bool = False) -> str:
    """The text of all visible blocks of a page, a line each; if `hidden` is set and there are none, what scripts hold of its text."""
    html, _ = _html(content)
    if not html:
        return ""
    ways: list[tuple[tuple[str, Any], ...]] = [(("extractor", "all-text"),)]
    if hidden:
        ways.append(())
    for options in ways:
        document = _document(_extractor(options, None), html)
        if document is not None and document.text:
            return document.text
    return ""
