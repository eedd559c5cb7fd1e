"""Documents in the output formats of trafilatura."""

from __future__ import annotations

import csv
import io
import json
import re
import warnings
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

from .._errors import CompatibilityWarning
from ._result import ExtractedDocument
from ._tei import faults, tei
from ._tree import legal, written as tree_written

#: Metadata in front of texts, in this order.
_HEAD = (
    "title",
    "author",
    "url",
    "hostname",
    "description",
    "sitename",
    "date",
    "categories",
    "tags",
    "fingerprint",
    "id",
    "license",
)

#: Metadata as attributes of XML and as `meta` of HTML, in this order.
_ATTRIBUTES = (
    "sitename",
    "title",
    "author",
    "date",
    "url",
    "hostname",
    "description",
    "categories",
    "tags",
    "license",
    "id",
    "fingerprint",
    "language",
)

#: Columns of CSV, parted by tabs.
_COLUMNS = (
    "url",
    "id",
    "fingerprint",
    "hostname",
    "title",
    "image",
    "date",
    "text",
    "comments",
    "license",
    "pagetype",
)


def written(document: ExtractedDocument, output_format: str, with_metadata: bool, tei_validation: bool) -> str:
    """A document in an output format."""
    if output_format in ("txt", "markdown"):
        return _text(document, with_metadata)
    if output_format == "csv":
        return _csv(document)
    if output_format == "json":
        return _json(document, with_metadata)
    if output_format == "html":
        return _html(document, with_metadata)
    if output_format == "xml":
        return _xml(document, with_metadata)
    return _tei(document, tei_validation)


#: Texts that YAML reads without quotes: they begin with a letter, and no colon or number sign in them has a meaning.
_PLAIN = re.compile(r"[^\W\d_](?:[^:#\x00-\x1f\x7f-\x9f\u2028\u2029]|:(?=\S)|(?<=\S)#)*(?<!\s)")

#: Words that are no texts to YAML.
_WORDS = ("true", "false", "yes", "no", "on", "off", "y", "n", "null")


def _yaml(value: str | list[str]) -> str:
    """A value in a line of YAML: a text as it is where it can be, else as JSON has it, which YAML understands."""
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)


def _text(document: ExtractedDocument, with_metadata: bool) -> str:
    text = "\n".join(filter(None, [document.text, document.comments]))
    if not with_metadata:
        return text
    head = ["---"]
    for name in _HEAD:
        value = getattr(document, name)
        if value:
            head.append(f"{name}: {_yaml(value)}")
    return "\n".join([*head, "---", text])


def _csv(document: ExtractedDocument) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t")
    writer.writerow([getattr(document, name) or "null" for name in _COLUMNS])
    return out.getvalue()


def _json(document: ExtractedDocument, with_metadata: bool) -> str:
    record: dict[str, Any] = {"text": document.text, "comments": document.comments}
    if with_metadata:
        plain = (
            "title",
            "author",
            "hostname",
            "date",
            "fingerprint",
            "id",
            "license",
            "comments",
            "raw_text",
            "text",
            "language",
            "image",
            "pagetype",
            "filedate",
        )
        record = {name: getattr(document, name) for name in plain}
        record["source"] = document.url
        record["source-hostname"] = document.sitename
        record["excerpt"] = document.description
        record["categories"] = ";".join(document.categories)
        record["tags"] = ";".join(document.tags)
    return json.dumps(record, ensure_ascii=False)


def _attributes(document: ExtractedDocument) -> dict[str, str]:
    found = {}
    for name in _ATTRIBUTES:
        value = getattr(document, name)
        if value:
            found[name] = legal(";".join(value) if isinstance(value, list) else value)
    return found


def _html(document: ExtractedDocument, with_metadata: bool) -> str:
    lines = ["<html>", "  <head>"]
    if with_metadata:
        known = _attributes(document).items()
        lines.extend(f'    <meta name="{name}" content="{escape(value)}"/>' for name, value in known)
    lines.extend(["  </head>", "  <body>"])
    lines.extend(_as_html(document.body))
    if document.comments:
        lines.extend(["    <div class=\"comments\">", *_as_html(document.commentsbody), "    </div>"])
    return "\n".join([*lines, "  </body>", "</html>"])


#: Our names of XML, with those of HTML.
_HTML = {"hi": "em", "item": "li", "row": "tr", "cell": "td", "quote": "blockquote", "ref": "a", "lb": "br", "graphic": "img"}
_EMPHASIS = {"#b": "strong", "#i": "em", "#u": "u", "#sub": "sub", "#sup": "sup", "#t": "kbd"}


def _as_html(root: Element) -> list[str]:
    """The elements of a tree as HTML, a line for each that stands directly below the root."""
    return [_element(child) for child in root]


def _element(element: Element) -> str:
    name, attributes = _HTML.get(element.tag, element.tag), ""
    rend = element.get("rend", "")
    if element.tag == "head":
        name = rend if rend in {f"h{level}" for level in range(1, 7)} else "caption"
    elif element.tag == "list":
        name = rend or "ul"
    elif element.tag == "item" and rend:
        name = rend
    elif element.tag == "hi":
        name = _EMPHASIS.get(rend, "em")
    elif element.tag == "cell" and element.get("role") == "head":
        name = "th"
    elif element.tag == "code" and "\n" in "".join(element.itertext()):
        name = "pre"
    elif element.tag == "ref":
        attributes = f' href="{escape(element.get("target", ""))}"'
    elif element.tag == "graphic":
        attributes = f' src="{escape(element.get("src", ""))}" alt="{escape(element.get("alt", ""))}"'
    if name in ("br", "img"):
        return f"<{name}{attributes}/>"
    inside = escape(element.text or "", quote=False)
    for child in element:
        inside += _element(child) + escape(child.tail or "", quote=False)
    return f"<{name}{attributes}>{inside}</{name}>"


def _xml(document: ExtractedDocument, with_metadata: bool) -> str:
    root = Element("doc", _attributes(document) if with_metadata else {})
    root.append(document.body)
    root.append(document.commentsbody)
    return tree_written(root)


def _tei(document: ExtractedDocument, tei_validation: bool) -> str:
    root = tei(document, document.body, document.commentsbody)
    if tei_validation:
        found = faults(root)
        if found:
            message = f"the structure of the document is not that of TEI: {', '.join(found)}"
            warnings.warn(message, CompatibilityWarning, stacklevel=5)
    return tree_written(root)
