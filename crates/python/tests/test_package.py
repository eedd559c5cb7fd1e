"""The package as a whole: generated types, examples, and what it says of itself."""

import doctest
import importlib
import inspect
import json
import pkgutil
import pydoc
import sys
import warnings
from pathlib import Path

import conftest
import dehusk
import pytest
from dehusk import _signatures
from dehusk._compat import elsewhere


def test_types_of_options_are_those_of_the_table() -> None:
    sys.path.insert(0, str(conftest.ROOT / "crates" / "python"))
    try:
        written = importlib.import_module("write_options")
    finally:
        sys.path.pop(0)
    assert written.FILE.read_text(encoding="utf-8") == written.source(), "run `python crates/python/write_options.py`"


def test_examples_run() -> None:
    ran = 0
    for module in [dehusk, *modules()]:
        result = doctest.testmod(module, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        assert result.failed == 0, module.__name__
        ran += result.attempted
    assert ran > 20


def modules() -> list:
    optional = ("dehusk.datatrove", "dehusk.scrapy", "dehusk.spark", *(f"dehusk.{name}" for name in elsewhere.MODULES))
    found = pkgutil.walk_packages(dehusk.__path__, "dehusk.", onerror=lambda _: None)
    return [importlib.import_module(module.name) for module in found if not module.name.startswith(optional)]


def test_examples_of_the_manual_run() -> None:
    for name in ("docs/python.md",):
        result = doctest.testfile(str(conftest.ROOT / name), module_relative=False, optionflags=doctest.ELLIPSIS)
        assert result.attempted > 10 and result.failed == 0


#: Packages whose blocks other tests run: a cluster, a pipeline, another library.
ELSEWHERE = ("pyspark", "dehusk.datatrove", "import spark", "trafilatura", "done.", "dataset.map", "json.dumps")


def test_blocks_of_documents_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of Python without a prompt run as they stand, document by document and in order, beside the archive of the fixtures."""
    conftest.need("pandas")
    conftest.need("pyarrow")
    import pandas

    archive = conftest.ROOT / "fixtures" / "crawl.warc.gz"
    (tmp_path / archive.name).write_bytes(archive.read_bytes())
    html, url = "<p>The river rose overnight.", "https://a.example/1"
    pandas.DataFrame({"html": [html, None], "url": [url, None]}).to_parquet(tmp_path / "pages.parquet")
    record = json.dumps({"version": 1, "id": "a.html", "source_hash": "0", "viewport": [1280, 800], "page": [1280, 800],
        "elements": 4, "tags_hash": 0, "styles": [], "texts": [], "boxes": []})
    (tmp_path / "layout.jsonl").write_text(record + "\n")
    monkeypatch.chdir(tmp_path)
    files = [conftest.ROOT / "README.md", *sorted((conftest.ROOT / "docs").glob("*.md")), conftest.ROOT / "crates/python/README.md"]
    ran = 0
    for file in files:
        scope = {"dehusk": dehusk, "extractor": dehusk.Extractor(), "Extractor": dehusk.Extractor, "html": html, "url": url, "record": record}
        for line, block in blocks_of(file):
            if ">>> " in block or any(name in block for name in ELSEWHERE):
                continue
            with warnings.catch_warnings():
                # The archive has a record that cannot be used.
                warnings.simplefilter("ignore", dehusk.SkippedWarning)
                # Lines of the document are those of tracebacks.
                exec(compile("\n" * line + block, str(file), "exec"), scope)
            ran += 1
    assert ran >= 5, ran


def blocks_of(file: Path) -> list[tuple[int, str]]:
    """The blocks of Python of a document, each with the number of lines before it."""
    found: list[tuple[int, str]] = []
    begun: int | None = None
    lines = file.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if begun is not None and line.startswith("```"):
            found.append((begun, "\n".join(lines[begun : number - 1])))
            begun = None
        elif line == "```python":
            begun = number
    return found


def test_importing_takes_no_other_package() -> None:
    """Neither Arrow nor lxml is needed before somebody hands one in."""
    import subprocess

    code = "import dehusk, sys; print([name for name in ('pyarrow', 'lxml', 'numpy', 'datatrove') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


def test_help_and_completion_know_the_options() -> None:
    for taker, name in _signatures.TAKERS.items():
        parameters = inspect.signature(taker).parameters
        for option in dehusk.options(name):
            assert option["name"] in parameters, (name, option["name"])
            assert f"    {option['name']}: " in (taker.__doc__ or ""), (name, option["name"])
    text = pydoc.plain(pydoc.render_doc(dehusk.Extractor))
    assert "markdown: 'bool | None' = None" in text and "max_depth: " in text


def test_results_are_shown_as_tables() -> None:
    river = "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill & back."
    found = dehusk.dedup([("<a>", river), ("b", river), *((f"n{n}", f"Text {n}.") for n in range(30))])
    lines = str(found).splitlines()
    assert lines[0] == "32 documents, 31 kept, 1 pair" and lines[1].split() == ["id", "kept", "reason", "representative", "similarity"]
    assert lines[3].split() == ["b", "no", "exact-duplicate", "<a>", "1.000"] and lines[-1] == "… and 12 more"
    assert "<td>&lt;a&gt;</td>" in found._repr_html_() and repr(found) == f"<Deduplicated: {lines[0]}>"
    page = f"<title>Mill & bridge</title><p>{river.replace('&', '&amp;')}<p>Quite another line of text."
    shown = dehusk.Extractor().document(page, url="https://a.example/<x>")._repr_html_()
    assert "<h3>Mill &amp; bridge</h3>" in shown and "mill &amp; back.</p><p>Quite" in shown and "/&lt;x&gt;" in shown


def test_versions_agree() -> None:
    from importlib.metadata import version

    assert dehusk.__version__ == version("dehusk")


def test_a_free_threaded_python_is_never_given_the_wheel() -> None:
    """It has no stable ABI: installers pass over the wheel and build the sources, whose module says that it does without the lock."""
    from packaging.tags import Tag, cpython_tags

    wheel = Tag("cp310", "abi3", "linux_x86_64")
    assert wheel in set(cpython_tags((3, 14), ["cp314"], ["linux_x86_64"]))
    assert wheel not in set(cpython_tags((3, 14), ["cp314t"], ["linux_x86_64"]))
    assert "gil_used = false" in (conftest.ROOT / "crates/python/src/lib.rs").read_text()
