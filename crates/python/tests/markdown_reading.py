"""Reads Markdown with markdown-it and HTML with lxml into one form, a line of marks and words, so that they can be compared.

What differs by the nature of Markdown is left out on both sides: paragraphs in items, cells and notes, heads and spans of tables, blocks in
cells, numbers of items but the first, line breaks, titles of works and variables, and the order of notes.
"""

from __future__ import annotations

import re
from typing import Any, Iterator
from urllib.parse import unquote

from lxml import html
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.tasklists import tasklists_plugin

#: Elements that mark words.
MARKS = {"em", "strong", "del", "ins", "mark", "sub", "sup", "ruby", "rt", "code", "kbd", "samp", "s"}
#: Names for elements that look the same in Markdown.
SAME = {"kbd": "code", "samp": "code", "s": "del"}
#: Elements that hold blocks.
HOLDERS = {"ul", "ol", "blockquote", "dl", "dt", "dd", "table", "h1", "h2", "h3", "h4", "h5", "h6"}


def reader() -> MarkdownIt:
    """A reader of all that dehusk writes. It names notes as the Markdown does."""
    reads = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reads.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=True)
    reads.use(footnote_plugin, inline=False).use(deflist_plugin).use(tasklists_plugin)

    def call(_: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
        return f'<sup><a href="#fn-{tokens[at].meta["label"]}">{tokens[at].meta["label"]}</a></sup>'

    def opens(_: Any, tokens: Any, at: int, options: Any, env: Any) -> str:
        return f'<li id="fn-{tokens[at].meta["label"]}">'

    reads.add_render_rule("footnote_ref", call)
    reads.add_render_rule("footnote_open", opens)
    reads.add_render_rule("footnote_anchor", lambda *_: "")
    return reads


READER = reader()


def of_markdown(markdown: str) -> str:
    return of_html(READER.render(markdown))


def of_html(source: str) -> str:
    """Marks and words of HTML that dehusk or markdown-it wrote."""
    if not source.strip():
        return ""
    # HTML has no place for `\\0`, and lxml none for other control characters.
    source = re.sub(r"[\x00-\x08\x0b\x0e-\x1f]", "\ufffd", source)
    root = html.document_fromstring(f"<html><body>{source}</body></html>")
    body = root.find("body")
    notes: dict[str, str] = {}
    for section in body.xpath('.//section[@class="footnotes"]'):
        for note in section.iter("li"):
            if (note.get("id") or "").startswith("fn-"):
                notes[note.get("id")] = tidy("".join(content(note, True)))
        section.drop_tree()
    out = tidy("".join(content(body, False)))
    return out + "".join(f"\n{name}: {note}" for name, note in sorted(notes.items()))


#: A mark of blocks: spaces beside it mean nothing.
BLOCK = re.compile(r"\s*(⟨/?(?:ul|ol|li|blockquote|dl|dt|dd|table|cell|p|pre|h\d)(?: [^⟩]*)?⟩)\s*")


def tidy(text: str) -> str:
    # TeX in HTML lies between its delimiters, in one text.
    text = re.sub(r"\\\([^⟨]*?\\\)|\\\[[^⟨]*?\\\]", "⟨math⟩", text)
    text = re.sub(r"⟨(\w+)⟩\s*⟨/\1⟩", " ", text)
    text = BLOCK.sub(r"\1", " ".join(text.split())).strip()
    # A formula on a line of its own is a paragraph to one of the two.
    return text.replace("⟨p⟩⟨math⟩⟨/p⟩", "⟨math⟩")


def address(text: str | None) -> str:
    return re.sub(r"\s", " ", unquote(text or "")).replace("\\", "/")


def content(element: Any, inside: bool) -> Iterator[str]:
    """What lies in an element; `inside`: in an item, a cell or a note, where paragraphs have no marks."""
    yield element.text or ""
    for child in element:
        if isinstance(child.tag, str):
            yield from one(child, inside)
        yield child.tail or ""


def one(element: Any, inside: bool) -> Iterator[str]:
    name = element.tag
    if name in {"math", "eq"} or "math" in (element.get("class") or "").split():
        yield "⟨math⟩"
    elif name == "sup" and (link := element.find("a")) is not None and (link.get("href") or "").startswith("#fn-"):
        yield f"⟨note {link.get('href')[4:]}⟩"
    elif name == "pre":
        code = element.find("code")
        words = (code.get("class") or "") if code is not None else ""
        language = re.sub(r"^language-", "", words)
        yield f"⟨pre {language} {element.text_content().rstrip(chr(10))!r}⟩"
    elif name == "a":
        target = address(element.get("href"))
        yield f"⟨a {target}⟩"
        # An address that stands for itself is shown decoded.
        yield from [target] if address(element.text_content()) == target else content(element, inside)
        yield "⟨/a⟩"
    elif name == "img":
        yield f"⟨img {address(element.get('src'))} {' '.join((element.get('alt') or '').split())}⟩"
    elif name == "br":
        yield " "
    elif name == "rp":
        return
    elif name == "q":
        yield "“"
        yield from content(element, inside)
        yield "”"
    elif name == "input":
        yield "⟨x⟩" if element.get("checked") is not None else "⟨o⟩"
    elif name in MARKS:
        known = SAME.get(name, name)
        yield f"⟨{known}⟩"
        yield from content(element, inside)
        yield f"⟨/{known}⟩"
    elif name in {"td", "th"}:
        inner = tidy("".join(content(element, True)))
        # Blocks in cells stand in one line.
        inner = " ".join(BLOCK.sub(" ", inner).split())
        yield f"⟨cell⟩{inner}⟨/cell⟩" if inner.strip() else ""
    elif name == "table":
        caption = element.find("caption")
        if caption is not None:
            yield from paragraph(caption, inside)
        yield "⟨table⟩"
        for cell in element.iter("td", "th"):
            if next(cell.iterancestors("table")) is element:
                yield from one(cell, inside)
        yield "⟨/table⟩"
    elif name == "li":
        yield "⟨li⟩"
        yield from content(element, True)
        yield "⟨/li⟩"
    elif name in {"dd", "dt"}:
        yield f"⟨{name}⟩"
        yield from content(element, True)
        yield f"⟨/{name}⟩"
    elif name in {"p", "figcaption"}:
        yield from paragraph(element, inside)
    elif name in HOLDERS:
        start = f" {first_number(element)}" if name == "ol" else ""
        yield f"⟨{name}{start}⟩"
        yield from content(element, False)
        yield f"⟨/{name}⟩"
    elif name == "figure":
        yield from figure(element, inside)
    else:
        yield from content(element, inside)


def first_number(element: Any) -> str:
    item = element.find("li")
    value = item.get("value") if item is not None else None
    return value or element.get("start") or "1"


def paragraph(element: Any, inside: bool) -> Iterator[str]:
    yield " " if inside else "⟨p⟩"
    yield from content(element, inside)
    yield " " if inside else "⟨/p⟩"


def figure(element: Any, inside: bool) -> Iterator[str]:
    alts = {" ".join((image.get("alt") or "").split()) for image in element.iter("img")}
    for child in element:
        is_repeated = child.tag == "figcaption" and child.find(".//a") is None
        if is_repeated and " ".join(child.text_content().split()) in alts:
            continue
        # Images stand in the figure itself, each line of them as a paragraph.
        is_bare = child.tag in {"img", "a"}
        before, mark = child.getprevious(), " " if inside else "⟨p⟩"
        if is_bare and (before is None or "\n" in (before.tail or "")):
            yield mark
        yield from one(child, inside)
        if is_bare and child.tail and "\n" not in child.tail:
            yield child.tail
        elif is_bare:
            yield mark.replace("p", "/p")


def difference(markdown: str, source: str) -> str | None:
    """Where the two say something else, with what stands around it; `None` if they say the same."""
    # Terms of one meaning share a line, and lists of terms that touch are one.
    read, written = (text.replace("⟨/dt⟩⟨dt⟩", " ").replace("⟨/dl⟩⟨dl⟩", "") for text in (of_markdown(markdown), of_html(source)))
    if read == written:
        return None
    same = next((at for at, (a, b) in enumerate(zip(read, written)) if a != b), min(len(read), len(written)))
    start = max(0, same - 80)
    return f"  read    {read[start : same + 100]!r}\n  written {written[start : same + 100]!r}"
