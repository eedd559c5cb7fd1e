"""Documents as TEI P5, and a check of its structure.

<https://www.tei-c.org/release/doc/tei-p5-doc/en/html/index.html>
"""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

from .._native import __version__
from ._result import ExtractedDocument
from ._tree import legal

NAMESPACE = "http://www.tei-c.org/ns/1.0"


def _add(parent: Element, name: str, text: str | None = None, **attributes: str) -> Element:
    element = SubElement(parent, name, {key: legal(value) for key, value in attributes.items()})
    if text is not None:
        element.text = legal(text)
    return element


def _titles(parent: Element, document: ExtractedDocument) -> None:
    statement = _add(parent, "titleStmt")
    _add(statement, "title", document.title or "", type="main")
    if document.author:
        _add(statement, "author", document.author)


def _header(root: Element, document: ExtractedDocument) -> None:
    header = _add(root, "teiHeader")
    file = _add(header, "fileDesc")
    _titles(file, document)
    _add(_add(file, "publicationStmt"), "p", document.license or "")
    if document.id or document.fingerprint:
        notes = _add(file, "notesStmt")
        for kind, text in (("id", document.id), ("fingerprint", document.fingerprint)):
            if text:
                _add(notes, "note", text, type=kind)
    source = _add(file, "sourceDesc")
    known = [part for part in (document.sitename or document.hostname, document.date) if part]
    _add(source, "bibl", ", ".join(filter(None, [document.title, *known])))
    _add(source, "bibl", ", ".join(known), type="sigle")
    full = _add(source, "biblFull")
    _titles(full, document)
    published = _add(full, "publicationStmt")
    _add(published, "publisher", document.sitename or document.hostname or "unknown")
    if document.url:
        _add(published, "ptr", type="URL", target=document.url)
    _add(published, "date", document.date or "")
    profile = _add(header, "profileDesc")
    _add(_add(profile, "abstract"), "p", document.description or "")
    if document.tags:
        words = _add(_add(profile, "textClass"), "keywords")
        _add(words, "term", ",".join(document.tags), type="tags")
    application = _add(_add(_add(header, "encodingDesc"), "appInfo"), "application", version=__version__, ident="dehusk")
    _add(application, "label", "dehusk")


def _division(body: Element, kind: str, content: Element) -> None:
    """A division of what is in a tree, each part of which is made what TEI allows there."""
    division = _add(body, "div", type=kind)
    if (content.text or "").strip():
        _add(division, "p", content.text)
    for part in content:
        tail, part.tail = part.tail, None
        division.append(_allowed(part))
        if (tail or "").strip():
            _add(division, "p", tail)


def _allowed(part: Element) -> Element:
    for table in part.iter("table"):
        for row in table.iter("row"):
            for cell in row:
                if cell.get("role") != "head":
                    cell.attrib.pop("role", None)
    for item in part.iter("list"):
        item.set("rend", item.get("rend", "ul"))
    for parent in list(part.iter()):
        for at, child in enumerate(list(parent)):
            if child.tag == "graphic":
                parent[at] = _figure(child)
            elif child.tag == "head" and parent.tag not in ("table", "list"):
                parent[at] = _heading(child)
            elif child.tag == "code":
                _plain_code(child, "ab" if parent.tag in ("quote", "item", "cell") and _is_block(child) else "hi")
    if part.tag == "head":
        return _heading(part)
    if part.tag == "graphic":
        return _figure(part)
    if part.tag == "code":
        _plain_code(part, "ab")
    elif part.tag in ("hi", "ref", "del", "lb"):
        wrapper = Element("ab")
        wrapper.append(part)
        return wrapper
    return part


def _is_block(code: Element) -> bool:
    return "\n" in "".join(code.itertext())


def _plain_code(code: Element, name: str) -> None:
    """Code as an element that the schemas for corpora have, too: they lack those for documentation of programs."""
    code.tag = name
    code.set(*(("type", "code") if name == "ab" else ("rend", "code")))


def _heading(head: Element) -> Element:
    """A heading as an anonymous block: TEI has a `head` at the beginning of a division alone."""
    block = Element("ab", {"type": "header", **head.attrib})
    block.text, block.tail = head.text, head.tail
    block.extend(list(head))
    return block


def _figure(graphic: Element) -> Element:
    figure = Element("figure")
    _add(figure, "graphic", url=graphic.get("src", ""))
    if graphic.get("alt"):
        _add(figure, "figDesc", graphic.get("alt"))
    figure.tail = graphic.tail
    return figure


def tei(document: ExtractedDocument, main: Element, comments: Element) -> Element:
    """A document as TEI, of the trees of its main text and of its comments."""
    root = Element("TEI", {"xmlns": NAMESPACE})
    _header(root, document)
    body = _add(_add(root, "text"), "body")
    _division(body, "entry", main)
    _division(body, "comments", comments)
    for division in body:
        if not len(division):
            _add(division, "p")
    return root


_PHRASES = {"hi", "ref", "del", "lb", "figure"}
_PARTS = {"p", "ab", "list", "table", "quote", "figure"}

#: What may stand in each element of a text.
_CHILDREN = {
    "body": {"div"},
    "div": _PARTS,
    "p": _PHRASES | {"list", "table", "quote"},
    "ab": _PHRASES | {"list", "table", "quote"},
    "list": {"item", "head"},
    "item": _PHRASES | _PARTS,
    "table": {"row", "head"},
    "row": {"cell"},
    "cell": _PHRASES | _PARTS,
    "quote": _PHRASES | _PARTS,
    "head": _PHRASES | {"list"},
    "figure": {"graphic", "figDesc"},
    "hi": _PHRASES,
    "ref": _PHRASES,
    "del": _PHRASES,
}


def faults(root: Element) -> list[str]:
    """Elements of a text that stand where TEI has none of them. The structure alone is looked at, not all of the schema."""
    found: list[str] = []
    for parent in root.iter():
        allowed = _CHILDREN.get(parent.tag)
        if allowed is None:
            continue
        found.extend(f"`{child.tag}` in `{parent.tag}`" for child in parent if child.tag not in allowed)
    return found
