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


def test_a_free_threaded_python_is_never_given_the_wheel() -> None:
    """It has no stable ABI: installers pass over the wheel and build the sources, whose module says that it does without the lock."""
    from packaging.tags import Tag, cpython_tags

    wheel = Tag("cp310", "abi3", "linux_x86_64")
    assert wheel in set(cpython_tags((3, 14), ["cp314"], ["linux_x86_64"]))
    assert wheel not in set(cpython_tags((3, 14), ["cp314t"], ["linux_x86_64"]))
    assert "gil_used = false" in (conftest.ROOT / "crates/python/src/lib.rs").read_text()
