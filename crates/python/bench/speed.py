"""Pages a second: the package beside the program and beside other packages, on the same pages, one after the other in one run.

    python bench/speed.py PAGES [--program PROGRAM] [--pages N] [--rounds N]

PAGES is a folder of `.html` files, plain or in gzip. Packages that are not installed are left out, and named. The package must be a
wheel of the profile `release` or `dist`. Figures are of the fastest of so many rounds: pages a second by the clock, and processor
milliseconds a page, which say more where others use the machine; behind both stands the share of the program's figure with as many
threads.
"""

from __future__ import annotations

import argparse
import gzip
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


#: Seconds by the clock, and of processors.
Seconds = tuple[float, float]


def fastest(work: Callable[[], Any], rounds: int) -> Seconds:
    clock, processor = [], []
    for _ in range(rounds):
        start, before = time.perf_counter(), sum(os.times()[:4])
        work()
        clock.append(time.perf_counter() - start)
        processor.append(sum(os.times()[:4]) - before)
    return min(clock), min(processor)


def of_program(program: str, pages: Sequence[bytes], threads: int, rounds: int) -> Seconds:
    """Seconds of the program on a folder of pages, less those that it takes for a folder of one short page."""
    with tempfile.TemporaryDirectory() as folder:
        full, empty = Path(folder, "full"), Path(folder, "empty")
        for place, files in ((full, pages), (empty, [b"<p>x"])):
            place.mkdir()
            for number, page in enumerate(files):
                (place / f"{number:06d}.html").write_bytes(page)

        def run(source: Path) -> Callable[[], Any]:
            command = [program, "extract", str(source), "--threads", str(threads), "--in-process", "-q", "--out", os.devnull]
            return lambda: subprocess.run([*command, "--output-format", "jsonl"], check=True)

        everything, nothing = fastest(run(full), rounds), fastest(run(empty), rounds)
        return everything[0] - nothing[0], everything[1] - nothing[1]


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
    base: dict[int, Seconds] = {}

    def tell(name: str, seconds: Seconds, threads: int = 1) -> None:
        rate, cost = len(pages) / seconds[0], 1000 * seconds[1] / len(pages)
        of_clock = of_processor = ""
        if threads in base:
            of_clock, of_processor = (f"{theirs / ours:6.2f}" for theirs, ours in zip(base[threads], seconds))
        print(f"{name:32} {rate:9.1f} pages/s {of_clock:6} {cost:9.2f} ms/page {of_processor:6}", flush=True)

    if arguments.program:
        for threads in (1, 2):
            base[threads] = of_program(arguments.program, pages, threads, arguments.rounds)
            tell(f"the program, {threads} thread{'s' if threads > 1 else ''}", base[threads], threads)
    for name, (threads, work) in ours(pages).items():
        tell(name, fastest(work, arguments.rounds), threads)
    for name, extract in others().items():
        tell(name, fastest(lambda: [extract(page) for page in pages], 1))


if __name__ == "__main__":
    main()
