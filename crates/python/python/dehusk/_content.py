"""Stored content in other forms."""

from __future__ import annotations

import json
from typing import Any, Literal, Mapping, Sequence

from . import _native


def render_content(
    content: Mapping[str, Any] | str,
    form: Literal["text", "markdown", "html"],
    *,
    links: bool = False,
    images: bool = False,
    markdown_tables: Literal["gfm", "html"] = "gfm",
    markdown_extensions: Sequence[str] | str = ("footnotes", "definition-lists", "dollars"),
) -> str:
    """The main text of a page in another form, from its field `content`, as an object or as JSON.

    `text`, `markdown` and `html` are what the extractor itself writes; `links`, `images`, `markdown_tables` and
    `markdown_extensions` are options of Markdown as there.
    Content of another version of the model, or what is no content, is an `InputError` with the reason `content`.
    """
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    names = markdown_extensions if isinstance(markdown_extensions, str) else ",".join(markdown_extensions) or "none"
    return _native.render_content(text, form, links, images, markdown_tables, names)
