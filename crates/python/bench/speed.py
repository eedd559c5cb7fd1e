"""Pages a second: the package beside the program and beside other packages, on the same pages, one after the other in one run.

    python bench/speed.py PAGES [--program PROGRAM] [--pages N] [--rounds N]

PAGES is a folder of `.html` files, plain or in gzip. Packages that are not installed are left out, and named. The package must be a
wheel of the profile `release` or `dist`. Times are of the fastest of so many rounds, wall clock; each line tells the share of the
program's figure with as many threads.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Sequence

import dehusk


def read(folder: Path, most: int) -> list[bytes]:
    files = sorted(path for path in folder.rglob("*") if path.name.endswith((".html", ".html.gz", ".htm")))
    pages = []
    for path in files[:most]:
        data = path.read_bytes()
        pages.append(gzip.decompress(data) if path.suffix == ".gz" else data)
    return pages


def fastest(work: Callable[[], Any], rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def of_program(program: str, pages: Sequence[bytes], threads: int, rounds: int) -> float:
    """Seconds of the program on lines of JSON, less those that it takes without any page."""
    import base64

    with tempfile.TemporaryDirectory() as folder:
        lines, empty = Path(folder, "pages.jsonl"), Path(folder, "empty.jsonl")
        with lines.open("w") as file:
            for page in pages:
                file.write(json.dumps({"html_base64": base64.b64encode(page).decode()}) + "\n")
        empty.write_text("")

        def run(source: Path) -> Callable[[], Any]:
            command = [program, "extract", str(source), "--threads", str(threads), "--in-process", "-q", "--out", os.devnull]
            return lambda: subprocess.run([*command, "--output-format", "jsonl"], check=True)

        return fastest(run(lines), rounds) - fastest(run(empty), rounds)


def ours(pages: Sequence[bytes]) -> dict[str, tuple[int, Callable[[], Any]]]:
    one, two = dehusk.Extractor(threads=1), dehusk.Extractor(threads=2)
    ways: dict[str, tuple[int, Callable[[], Any]]] = {
        "dehusk, document by document": (1, lambda: [one.document(page).text for page in pages]),
        "dehusk, documents, 1 thread": (1, lambda: [item.text for item in one.documents(pages, errors="raise")]),
        "dehusk, documents, 2 threads": (2, lambda: [item.text for item in two.documents(pages, errors="raise")]),
        "dehusk.extract": (1, lambda: [dehusk.extract(page) for page in pages]),
    }
    try:
        import pyarrow
    except ImportError:
        return ways
    batch = pyarrow.record_batch({"html": pyarrow.array(pages, pyarrow.large_binary())})
    ways["dehusk, batch, 1 thread"] = (1, lambda: one.batch(batch))
    ways["dehusk, batch, 2 threads"] = (2, lambda: two.batch(batch))
    return ways


def others() -> dict[str, Callable[[bytes], Any]]:
    found: dict[str, Callable[[bytes], Any]] = {}
    try:
        import trafilatura

        found["trafilatura"] = trafilatura.extract
        found["trafilatura, fast"] = lambda page: trafilatura.extract(page, fast=True)
    except ImportError:
        print("trafilatura: not installed")
    try:
        from resiliparse.extract.html2text import extract_plain_text
        from resiliparse.parse.encoding import bytes_to_str, detect_encoding

        found["resiliparse"] = lambda page: extract_plain_text(bytes_to_str(page, detect_encoding(page)), main_content=True)
    except ImportError:
        print("resiliparse: not installed")
    try:
        from readability import Document

        def readability(page: bytes) -> Any:
            try:
                return Document(page).summary()
            except Exception:
                return None  # it raises for pages without content

        found["readability-lxml"] = readability
    except ImportError:
        print("readability-lxml: not installed")
    try:
        import turbohtml

        found["turbohtml"] = lambda page: turbohtml.parse(page).main_text()
    except ImportError:
        print("turbohtml: not installed")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pages_folder", type=Path, metavar="PAGES")
    parser.add_argument("--program", help="the program, built in the same profile")
    parser.add_argument("--pages", type=int, default=500, help="most pages that are taken (default: 500)")
    parser.add_argument("--rounds", type=int, default=3, help="(default: 3)")
    arguments = parser.parse_args()
    pages = read(arguments.pages_folder, arguments.pages)
    size = sum(map(len, pages))
    print(f"{len(pages)} pages, {size / 1e6:.1f} MB\n")
    base: dict[int, float] = {}
    if arguments.program:
        for threads in (1, 2):
            seconds = of_program(arguments.program, pages, threads, arguments.rounds)
            base[threads] = len(pages) / seconds
            print(f"{'the program, ' + str(threads) + ' thread(s)':32} {base[threads]:9.1f} pages/s")
    for name, (threads, work) in ours(pages).items():
        rate = len(pages) / fastest(work, arguments.rounds)
        share = f"{rate / base[threads]:6.2f}" if threads in base else ""
        print(f"{name:32} {rate:9.1f} pages/s {share}", flush=True)
    for name, extract in others().items():
        rate = len(pages) / fastest(lambda: [extract(page) for page in pages], 1)
        share = f"{rate / base[1]:6.2f}" if base else ""
        print(f"{name:32} {rate:9.1f} pages/s {share}", flush=True)


if __name__ == "__main__":
    main()
