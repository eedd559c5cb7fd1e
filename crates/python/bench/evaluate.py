"""trafilatura's evaluation, with its functions and with ours of the same names, on the same pages.

    python bench/evaluate.py FOLDER

FOLDER has `evaldata.json` as trafilatura's `tests` have it: by address, the `file` of a page in the folder `eval`, and texts `with` and
`without` which a result should be. A text counts as found if it stands in the result, each run of white space as one space. Options and
scores are those of its `tests/evaluate.py`, which itself runs with one line changed, `from dehusk import baseline, extract, html2txt`; it also
imports modules of trafilatura's own.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any, Callable

OPTIONS: dict[str, Any] = {"include_comments": False, "include_tables": True, "include_formatting": False}


def runners(package: Any) -> dict[str, Callable[[bytes], Any]]:
    extract = partial(package.extract, **OPTIONS)
    return {
        "baseline": lambda page: package.baseline(page)[1],
        "html2txt": package.html2txt,
        "fast": partial(extract, fast=True),
        "default": partial(extract, fast=False),
        "precision": partial(extract, fast=False, favor_precision=True),
        "recall": partial(extract, fast=False, favor_recall=True),
    }


def found(parts: list[str], text: str) -> int:
    return sum(" ".join(part.split()) in text for part in parts)


def main() -> None:
    import dehusk
    import trafilatura

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    pages = json.loads((folder / "evaldata.json").read_text())
    print(f"{len(pages)} pages\n\n{'':24} precision  recall    F1  empty  errors")
    for package in (trafilatura, dehusk):
        for name, run in runners(package).items():
            right = wrong = missed = empty = errors = 0
            for page in pages.values():
                try:
                    result = run((folder / "eval" / page["file"]).read_bytes())
                except Exception:
                    result, errors = None, errors + 1
                empty += not result
                text = " ".join((result or "").split())
                right += found(page["with"], text)
                wrong += found(page["without"], text)
                missed += len(page["with"]) - found(page["with"], text)
            precision, recall = right / max(right + wrong, 1), right / max(right + missed, 1)
            score = 2 * right / max(2 * right + wrong + missed, 1)
            print(f"{package.__name__ + ' ' + name:24} {precision:9.3f} {recall:7.3f} {score:.3f} {empty:6} {errors:7}", flush=True)


if __name__ == "__main__":
    main()
