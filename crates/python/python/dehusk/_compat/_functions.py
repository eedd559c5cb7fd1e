"""The functions of trafilatura, over our extractor."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Collection, Literal, Sequence, overload
from xml.etree.ElementTree import Element

from .._errors import OptionError
from . import _write
from ._extraction import all_text, bare, date_of, facts, format_of, parsed
from ._result import ExtractedDocument
from ._tree import lines
from .differences import tell

if TYPE_CHECKING:
    from ._extraction import Content


@overload
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
    as_dict: Literal[False] = False,
    prune_xpath: str | Sequence[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> ExtractedDocument | None: ...


@overload
def bare_extraction(
    filecontent: Content,
    url: str | None = None,
    *,
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
    as_dict: Literal[True],
    prune_xpath: str | Sequence[str] | None = None,
    config: Any = None,
    options: Any = None,
) -> dict[str, Any] | None: ...


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
    tell("max_tree_size", max_tree_size)
    tell("as_dict", as_dict, False)
    tell("config", config)
    tell("options", options)
    found: ExtractedDocument | dict[str, Any] | None = bare(
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
        dates=date_extraction_params,
        as_dict=as_dict,
        prune_xpath=prune_xpath,
    )
    return found


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

    >>> extract("<p>The <b>river</b> rose overnight.", output_format="markdown")
    'The **river** rose overnight.'
    """
    if format_of(output_format) == "python":
        raise OptionError(
            "`output_format`: `python` is for `bare_extraction`", option="output_format", help="call that function"
        )
    tell("no_fallback", no_fallback, False)
    tell("deduplicate", deduplicate, False)
    tell("max_tree_size", max_tree_size)
    tell("settingsfile", settingsfile)
    tell("config", config)
    tell("options", options)
    document = bare(
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
        dates=date_extraction_params,
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
    if format_of(output_format) == "python":
        raise OptionError(
            "`output_format`: `python` is for `bare_extraction`", option="output_format", help="call that function"
        )
    tell("deduplicate", deduplicate, False)
    tell("settingsfile", settingsfile)
    tell("config", config)
    tell("options", options)
    document: ExtractedDocument | None = bare(
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
        dates=date_extraction_params,
        prune_xpath=prune_xpath,
    )
    if document is not None:
        document.text = _write.written(document, output_format, False, tei_validation)
    return document


def extract_metadata(
    filecontent: Content,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: Collection[str] | None = None,
) -> ExtractedDocument:
    """Metadata of a page, whatever its main text is. Arguments are those of trafilatura.

    >>> found = extract_metadata("<title>Rivers</title><meta name=author content='Ann Lee'>", "https://a.example/1")
    >>> found.title, found.author, found.hostname
    ('Rivers', 'Ann Lee', 'a.example')
    """
    tell("extensive", extensive, True)
    return facts(filecontent, default_url, author_blacklist, date_config)


def find_date(
    htmlobject: Content,
    extensive_search: bool = True,
    original_date: bool = False,
    outputformat: str = "%Y-%m-%d",
    url: str | None = None,
    verbose: bool = False,
    min_date: datetime | str | None = None,
    max_date: datetime | str | None = None,
    deferred_url_extractor: bool = False,
) -> str | None:
    """The date of the last change of a page, or that of its publication where `original_date` is set; the other one if the page does
    not state it, and `None` without any. Arguments are those of htmldate.

    >>> page = '<meta property="article:published_time" content="2020-07-21"><time class=updated datetime="2021-04-06">April</time>'
    >>> find_date(page, original_date=True)
    '2020-07-21'
    >>> find_date("<p class=date>21 juillet 2020</p>", outputformat="%d.%m.%Y")
    '21.07.2020'
    """
    settings = {
        "extensive_search": extensive_search,
        "verbose": verbose,
        "deferred_url_extractor": deferred_url_extractor,
        "original_date": original_date,
        "outputformat": outputformat,
        "min_date": min_date,
        "max_date": max_date,
    }
    return date_of(htmlobject, url, settings)


def load_html(htmlobject: Content, max_size: int | None = None) -> Any:
    """A page as an element of lxml, which must be installed; `None` if it has none, or more than `max_size` elements."""
    return parsed(htmlobject, max_size)


def baseline(filecontent: Content) -> tuple[Element, str, int]:
    """The text of all visible blocks of a page: an element with a `p` for each, the text, and its length.

    >>> body, text, length = baseline("<nav><a href=/>Home</a></nav><p>The river rose.")
    >>> text, length
    ('Home The river rose.', 20)
    """
    body = Element("body")
    lines(body, "p", all_text(filecontent, hidden=True))
    text = " ".join(paragraph.text or "" for paragraph in body)
    return body, text, len(text)


def html2txt(content: Content, clean: bool = True) -> str:
    """The text of a page with its boilerplate, in one line; an empty text if there is none.

    >>> html2txt("<nav><a href=/>Home</a></nav><p>The river rose.")
    'Home The river rose.'
    """
    return " ".join(all_text(content).split())
