"""Our HTML as trees of XML: in the vocabulary of trafilatura, and in that of TEI."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree.ElementTree import Element, SubElement, tostring

#: Elements of HTML, with their names in XML and their attribute `rend`.
_BLOCKS = {
    "p": ("p", None),
    **{f"h{level}": ("head", f"h{level}") for level in range(1, 7)},
    "ul": ("list", "ul"),
    "ol": ("list", "ol"),
    "dl": ("list", "dl"),
    "li": ("item", None),
    "dt": ("item", "dt"),
    "dd": ("item", "dd"),
    "table": ("table", None),
    "caption": ("head", None),
    "tr": ("row", None),
    "td": ("cell", None),
    "th": ("cell", None),
    "blockquote": ("quote", None),
    "pre": ("code", None),
    "figcaption": ("p", "caption"),
    "summary": ("p", "summary"),
}
_FORMATTING = {
    "strong": "#b",
    "em": "#i",
    "sub": "#sub",
    "sup": "#sup",
    "kbd": "#t",
    "samp": "#t",
    "var": "#i",
    "mark": "#b",
    "cite": "#i",
    "ins": "#u",
}

#: Characters that XML cannot have.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def legal(text: str) -> str:
    """A text without the characters that XML cannot have."""
    return _ILLEGAL.sub("", text)


class _Builder(HTMLParser):
    """Makes a tree of HTML that is known to be well-formed."""

    def __init__(self, root: Element, formatting: bool, links: bool, images: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.formatting, self.links, self.images = formatting, links, images
        #: Open elements of HTML, with the element of XML that each became.
        self.open: list[tuple[str, Element | None]] = [("", root)]

    def _parent(self) -> Element:
        return next(element for _, element in reversed(self.open) if element is not None)

    def _made(self, tag: str, attributes: dict[str, str | None]) -> tuple[str, dict[str, str]] | None:
        if tag in _BLOCKS:
            name, rend = _BLOCKS[tag]
            made = {} if rend is None else {"rend": rend}
            if tag == "th":
                made["role"] = "head"
            for span, ours in (("colspan", "cols"), ("rowspan", "rows")):
                if attributes.get(span):
                    made[ours] = str(attributes[span])
            return name, made
        if tag == "a" and self.links:
            return "ref", {"target": legal(attributes.get("href") or "")}
        if tag == "img" and self.images:
            return "graphic", {name: legal(attributes.get(name) or "") for name in ("src", "alt")}
        if tag == "br":
            return "lb", {}
        if tag == "code" and self.formatting and self._parent().tag != "code":
            return "code", {}
        if tag == "del" and self.formatting:
            return "del", {"rend": "overstrike"}
        if tag in _FORMATTING and self.formatting:
            return "hi", {"rend": _FORMATTING[tag]}
        return None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = self._made(tag, dict(attrs))
        element = None if made is None else SubElement(self._parent(), made[0], made[1])
        if tag not in ("br", "img"):
            self.open.append((tag, element))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("br", "img"):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if len(self.open) > 1 and any(name == tag for name, _ in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        parent, data = self._parent(), legal(data)
        if parent.tag in _HOLDERS and not data.strip():
            return
        if len(parent):
            last = parent[-1]
            last.tail = (last.tail or "") + data
        else:
            parent.text = (parent.text or "") + data


#: Elements that hold elements alone: white space in them is layout.
_HOLDERS = {"main", "list", "table", "row", "body", "quote", "comments"}


def tree(html: str, name: str, *, formatting: bool, links: bool, images: bool) -> Element:
    """The tree of our HTML, under an element of that name."""
    root = Element(name)
    builder = _Builder(root, formatting, links, images)
    builder.feed(html)
    builder.close()
    for element in root.iter():
        # A line that ends where its element does is no line break.
        while len(element) and element[-1].tag == "lb" and not (element[-1].tail or "").strip():
            element.remove(element[-1])
    return root


def lines(root: Element, name: str, text: str) -> None:
    """Adds an element for each line of a text."""
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        SubElement(root, name).text = legal(line)


def written(root: Element) -> str:
    """A tree as text. Elements that hold elements alone are indented; white space is added nowhere else."""
    _indent(root)
    # Greater-than signs of texts and attributes are escaped, so that these are ends of tags.
    return tostring(root, encoding="unicode").strip().replace(" />", "/>")


_TEI_HOLDERS = {
    "TEI",
    "teiHeader",
    "fileDesc",
    "titleStmt",
    "publicationStmt",
    "notesStmt",
    "sourceDesc",
    "biblFull",
    "profileDesc",
    "abstract",
    "textClass",
    "keywords",
    "encodingDesc",
    "appInfo",
    "application",
    "text",
    "div",
    "figure",
}


def _indent(root: Element) -> None:
    holders = _HOLDERS | {"doc"} | _TEI_HOLDERS
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        tag = element.tag.split("}")[-1]
        if tag not in holders or not len(element) or (element.text or "").strip():
            continue
        if any((child.tail or "").strip() for child in element):
            continue
        element.text = "\n" + "  " * (depth + 1)
        for child in element:
            child.tail = "\n" + "  " * (depth + 1)
            waiting.append((child, depth + 1))
        element[-1].tail = "\n" + "  " * depth
