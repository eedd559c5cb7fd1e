"""The laboratory: methods compared on labelled sets, and sets whose truth is known."""

from __future__ import annotations

import json
import os
import tempfile
from typing import TYPE_CHECKING, Any, Literal, Sequence

from . import _native
from ._inputs import as_files, paths_of, text_options

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._inputs import DocumentsLike, StrPath
    from ._options import CompareOptions


def compare(
    documents: DocumentsLike,
    truth: StrPath,
    *,
    out: StrPath | None = None,
    signature: Sequence[str] | None = None,
    sweep: bool = False,
    threshold: float | None = None,
    views: Sequence[str] = (),
    bootstrap: int = 1000,
    seed: int = 1,
    **options: Unpack[CompareOptions],
) -> dict[str, Any]:
    """Compares signature methods on documents of which the duplicates are known: `results.json` of `dehusk compare`.

    `truth` is a file as there: JSON Lines with `id` and `group` or with `a` and `b`, TSV, or ROMIP. All methods are compared unless
    `signature` names some. With `out`, the report is written to that folder.
    """
    from ._inputs import _document

    with as_files(documents, _document) as inputs, tempfile.TemporaryDirectory(prefix="dehusk-") as place:
        folder = os.path.join(place, "report") if out is None else os.fspath(out)
        methods = None if signature is None else list(signature)
        _native.compare(
            inputs,
            os.fspath(truth),
            folder,
            methods,
            sweep,
            threshold,
            list(views),
            bootstrap,
            seed,
            text_options(options),
        )
        with open(os.path.join(folder, "results.json"), encoding="utf-8") as file:
            results: dict[str, Any] = json.load(file)
    return results


def generate(
    what: Literal["mutations", "records", "romip", "parts", "stars", "passages"],
    out: StrPath,
    texts: StrPath | Sequence[StrPath] = (),
    *,
    seed: int = 1,
    **options: Any,
) -> int:
    """Makes a set of documents of which the duplicates are known, as `dehusk generate` does, and writes it to the folder `out`.

    `texts` are the files and folders of running text (for `records`: of names) that it is made of. Options are those of the command:
    `documents`, `copied` and `variants` of mutations; `class_`, `records` and `clusters` of records; `pages` and `sites` of romip; `documents`, `parts`
    and `replaced` of parts; `stars` and `copies` of stars; `documents`, `runs` and `copies` of passages. Returns the number of documents.
    """
    named = [os.fspath(text) for text in texts] if isinstance(texts, (list, tuple)) else paths_of(texts) or []
    return _native.generate_set(what, named, os.fspath(out), seed, text_options(options))
