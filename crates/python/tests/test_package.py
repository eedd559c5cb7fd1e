"""The package as a whole: generated types, examples, and what it says of itself."""

import doctest
import importlib
import inspect
import pkgutil
import pydoc
import sys

import conftest
import dehusk
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
    assert lines[0] == "32 documents, 31 kept, 1 pairs" and lines[1].split() == ["id", "kept", "reason", "representative", "similarity"]
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
