"""A crawl that is made up: pages that are copies, near-copies of each other by chains, short, empty, broken, and of one id."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Iterable, Iterator, Sequence

WORDS = [a + b for a in ("ri", "mo", "ta", "ke", "lu", "sa", "no", "be", "di", "fo") for b in (
    "ver", "lan", "tor", "mir", "den", "sel", "gat", "pon", "rek", "vis", "hol", "num", "cas", "fer", "jal", "wen", "zub", "kil", "yor", "dap")]


def _text(random_: random.Random, words: int) -> list[str]:
    return [random_.choice(WORDS) for _ in range(words)]


def _edited(random_: random.Random, text: list[str], share: float) -> list[str]:
    return [random_.choice(WORDS) if random_.random() < share else word for word in text]


def _page(host: int, number: int, text: list[str], date: str) -> str:
    cut = max(len(text) // 3, 1)
    paragraphs = [" ".join(text[at : at + cut]) + "." for at in range(0, len(text), cut)]
    body = "".join(f"<p>{paragraph.capitalize()}</p>" for paragraph in paragraphs)
    return (
        f"<html><head><title>Page {number}</title><meta property='article:published_time' content='{date}'></head><body>"
        f"<nav><a href=/>Home</a> <a href=/about>About host {host}</a></nav><main>{body}</main>"
        f"<footer><a href=/imprint>Imprint of host {host}</a></footer></body></html>"
    )


def pages(count: int, seed: int = 7) -> Iterator[dict[str, object]]:
    """Records of pages. A third are new texts; the others are near-copies of earlier ones, some by chains, or exact copies."""
    random_ = random.Random(seed)
    texts: list[list[str]] = []
    for number in range(count):
        kind = random_.random()
        host = random_.randrange(max(count // 50, 3))
        if not texts or kind < 0.4:
            text = _text(random_, random_.randrange(40, 160))
        elif kind < 0.55:
            text = random_.choice(texts)
        elif kind < 0.93:
            # Near the end of the list: chains of edits.
            text = _edited(random_, random_.choice(texts[-200:]), random_.choice((0.005, 0.01, 0.02, 0.04)))
        elif kind < 0.97:
            text = _text(random_, 4) if kind < 0.95 else ["short", "page", "that", "many", "have"]
        else:
            text = []
        if len(text) > 20:
            texts.append(text)
        date = f"20{random_.randrange(10, 25)}-0{random_.randrange(1, 10)}-1{random_.randrange(10)}"
        url = f"https://host{host}.example/{number if random_.random() > 0.02 else 'same'}"
        yield {"url": url, "html": _page(host, number, text, date), "shelf": number % 7}


def write_warc(path: Path, records: Iterable[tuple[str, bytes]]) -> None:
    """An archive of responses, each a member of its own if it is compressed."""
    with open(path, "wb") as out:
        for number, (url, body) in enumerate(records):
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
            head = (
                f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Date: 2024-05-06T07:08:09Z\r\nWARC-Target-URI: {url}\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            record = head.encode() + block + b"\r\n\r\n"
            out.write(gzip.compress(record) if path.suffix == ".gz" else record)


def write_parquet(path: Path, records: Sequence[tuple[str, bytes]], rows_of_group: int) -> None:
    """A table of pages, with a column of somebody else's and a row without a page."""
    import pyarrow
    import pyarrow.parquet

    urls: list[str | None] = [url for url, _ in records]
    pages: list[bytes | None] = [page for _, page in records]
    table = pyarrow.table(
        {
            "url": pyarrow.array([*urls, "https://none.example/"]),
            "html": pyarrow.array([*pages, None], pyarrow.binary()),
            "shelf": pyarrow.array(range(len(records) + 1)),
        }
    )
    pyarrow.parquet.write_table(table, path, row_group_size=rows_of_group)


def write(folder: Path, count: int, files: int = 8, seed: int = 7) -> Path:
    """Writes them as lines of JSON, in so many files, plain and compressed; one has lines that cannot be used."""
    folder.mkdir(parents=True)
    records = list(pages(count, seed))
    size = -(-count // files)
    for number in range(files):
        lines = [json.dumps(record) for record in records[number * size : (number + 1) * size]]
        if number == 1:
            lines[3:3] = ["{broken", '{"url": "https://none.example/"}']
        content = ("\n".join(lines) + "\n").encode()
        if number % 2:
            (folder / f"{number:02}.jsonl.gz").write_bytes(gzip.compress(content))
        else:
            (folder / f"{number:02}.jsonl").write_bytes(content)
    return folder
