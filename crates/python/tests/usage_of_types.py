"""What type checkers must accept and refuse. It is checked and not run: a comment that ignores an error which is none is an error."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dehusk import (
    DehuskError,
    Document,
    Documents,
    Extractor,
    Index,
    Page,
    Signer,
    bare_extraction,
    dedup,
    extract,
    extract_metadata,
    read_warc,
    sites,
)


def accepted() -> None:
    extractor = Extractor(markdown=True, extractor="density:link=0.3", tables="field", max_depth=100, templates=Path("x"), threads=None)
    document: Document = extractor.document(b"<p>x", url="https://a.example/")
    title: str | None = document.title
    rows: int = len(document.tables[0]["rows"])
    items: Iterator[Document | DehuskError] = extractor.documents(
        ["<p>x", ("<p>y", None), {"html": "<p>z"}, Page(b"<p>"), Path("a.html")], errors="return"
    )
    texts: list[str] = [document.text for document in extractor.documents(read_warc("x.warc.gz"))]
    raised: Documents = extractor.documents(read_warc("x.warc.gz"), errors="raise")
    bad: dict[str, int] = raised.skipped
    with urllib.request.urlopen("https://a.example/") as answer:
        document = extractor.document(answer)
    found: str | None = (bare_extraction("<p>x") or extract_metadata("<p>x")).title
    fields: dict[str, Any] | None = bare_extraction("<p>x", as_dict=True)
    text: str | None = extract("<p>x", include_links=True)
    kept: list[str] = dedup([("a", "x")], threshold=0.5, memory="1GiB", signature="minhash:width=200").kept
    with Index("known", threshold=0.5) as index:
        similarity: float = index.query(["x"])[0].matches[0].similarity
    Extractor(templates=sites.learn([Page("<p>x", url="https://a.example/")]))
    print(title, rows, items, texts, raised, bad, found, fields, text, kept, similarity)


def refused() -> None:
    Extractor(markdwon=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Extractor(tables="nowhere")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Signer(markdown=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    Extractor().document(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    extract("<p>x", include_link=True)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
