"""The package as a whole: generated types, examples, and what it says of itself."""

import doctest
import importlib
import pkgutil
import sys

import conftest
import dehusk


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
    optional = ("dehusk.datatrove", "dehusk.scrapy", "dehusk.spark")
    found = pkgutil.walk_packages(dehusk.__path__, "dehusk.")
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


def test_versions_agree() -> None:
    from importlib.metadata import version

    assert dehusk.__version__ == version("dehusk")
