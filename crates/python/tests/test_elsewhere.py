"""What a program that was written for trafilatura meets here: names, modules, and its public examples."""

from __future__ import annotations

import importlib
import importlib.util
import urllib.request
from pathlib import Path
from typing import Any, Callable

import conftest
import dehusk
import pytest
from dehusk._compat import differences, elsewhere

#: Modules of trafilatura that its documents import from.
DOCUMENTED = ("baseline", "core", "downloads", "feeds", "metadata", "settings", "sitemaps", "spider")


@pytest.fixture(autouse=True)
def fresh() -> None:
    differences.forget()


def test_every_name_of_trafilatura_is_here_or_says_what_to_use() -> None:
    conftest.need("trafilatura")
    import trafilatura

    for name in trafilatura.__all__:
        assert (name in elsewhere.NAMES) != (name in dehusk.__all__), name
    assert set(elsewhere.NAMES) <= set(trafilatura.__all__)
    for name, remedy in elsewhere.NAMES.items():
        with pytest.raises(ImportError, match="dehusk has no") as told:
            exec(f"from dehusk import {name}")
        assert remedy in str(told.value)
    with pytest.raises(AttributeError):
        getattr(dehusk, "fetch_everything")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_module_of_trafilatura_is_here_or_says_what_to_use(name: str) -> None:
    if name in elsewhere.MODULES:
        with pytest.raises(ImportError, match="dehusk has no") as told:
            importlib.import_module(f"dehusk.{name}")
        assert elsewhere.MODULES[name] in str(told.value)
    else:
        module = importlib.import_module(f"dehusk.{name}")
        assert all(hasattr(module, public) for public in module.__all__)
    assert callable(dehusk.baseline), "the module of the name of a function does not take its place"


def test_settings_that_are_not_here_are_told() -> None:
    for name in elsewhere.SETTINGS:
        with pytest.raises(ImportError, match="dehusk has no"):
            exec(f"from dehusk.settings import {name}")


#: The examples of its documents for users, after `trafilatura` became `dehusk`; `downloaded` is what was fetched.
EXAMPLES: dict[str, str] = {
    "quickstart": "from dehusk import extract\nresult = extract(downloaded)",
    "formats": """
from dehusk import extract
result = [extract(downloaded, output_format=kind) for kind in ("csv", "html", "json", "markdown", "txt", "xml", "xmltei")]
""",
    "metadata and links": """
from dehusk import extract
result = extract(downloaded, output_format="xml", include_links=True, include_formatting=True, with_metadata=True)
""",
    "without optional elements": """
from dehusk import extract
result = extract(downloaded, include_comments=False, include_tables=False, fast=True)
""",
    "focus": """
from dehusk import extract
result = extract(downloaded, favor_precision=True), extract(downloaded, favor_recall=True, url=url)
""",
    "bare extraction": "from dehusk import bare_extraction\nresult = bare_extraction(downloaded).as_dict()['text']",
    "baseline": "from dehusk import baseline\npostbody, text, len_text = baseline(downloaded)\nresult = len_text == len(text)",
    "html2txt": "from dehusk import html2txt\nresult = html2txt(downloaded)",
    "metadata alone": "from dehusk import extract_metadata\nresult = extract_metadata(downloaded).title",
    "metadata by module": "from dehusk.metadata import extract_metadata\nresult = extract_metadata(downloaded, default_url=url).as_dict()",
    "core": "from dehusk.core import extract\nresult = extract(downloaded, output_format='json', with_metadata=True, url=url)",
    "an element of lxml": "from lxml import html\nfrom dehusk import extract\nresult = extract(html.fromstring(downloaded))",
    "a loaded page": "from dehusk import extract, load_html\nresult = extract(load_html(downloaded))",
    "blacklists": """
from dehusk import bare_extraction
result = bare_extraction(downloaded, author_blacklist={"Ann Lee"}).author is None
""",
    "pruning": "from dehusk import extract\nresult = 'milkman' not in extract(downloaded, prune_xpath=['//p[1]', '//blockquote', '//pre'])",
    "language": "from dehusk import extract\nresult = extract(downloaded, target_language='en')",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_public_examples_of_trafilatura_run(name: str, page: str) -> None:
    if "lxml" in EXAMPLES[name] or "load_html" in EXAMPLES[name]:
        conftest.need("lxml")
    known: dict[str, Any] = {"downloaded": page, "url": "https://news.example/river"}
    exec(EXAMPLES[name], known)
    assert known["result"]


def test_a_file_of_settings_is_read_and_means_nothing(tmp_path: Path, page: str) -> None:
    from dehusk.settings import use_config

    own = tmp_path / "own.cfg"
    own.write_text("[DEFAULT]\nMIN_EXTRACTED_SIZE = 10\n")
    config = use_config(str(own))
    assert config.get("DEFAULT", "MIN_EXTRACTED_SIZE") == "10" and use_config(config=config) is config
    with pytest.warns(dehusk.CompatibilityWarning, match="no least sizes"):
        assert dehusk.extract(page, config=config)
    with pytest.raises(FileNotFoundError):
        use_config(str(tmp_path / "none.cfg"))


class Response:
    """A response as `requests` has it."""

    def __init__(self, content: bytes, kind: str = "text/html; charset=windows-1251") -> None:
        self.content, self.url, self.headers = content, "https://news.example/river", {"content-type": kind}


def test_what_programs_hold_in_the_place_of_html_is_taken(tmp_path: Path, page: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(page, encoding="utf-8")
    text = dehusk.Extractor().document(page).text
    takers: list[Callable[[object], str | None]] = [
        lambda given: dehusk.Extractor().document(given).text,
        lambda given: next(iter(dehusk.Extractor().documents([given]))).text,  # type: ignore[list-item]
        lambda given: f"{dehusk.extract(given)}\n",
        lambda given: dehusk.explain(given).document.text,  # type: ignore[arg-type]
    ]
    for take in takers:
        assert take(file) == text
        with file.open("rb") as opened:
            assert take(opened) == text
        with urllib.request.urlopen(file.as_uri()) as answer:
            assert take(answer) == text
        if importlib.util.find_spec("lxml"):
            assert take(dehusk.load_html(page)) == text
    document = dehusk.Extractor().document(Response("<p>Река поднялась за ночь.".encode("windows-1251")))
    assert (document.text, document.url) == ("Река поднялась за ночь.\n", "https://news.example/river")
    assert dehusk.Extractor().document(Response(b"<p>x"), url="https://a.example/").url == "https://a.example/"
    assert dehusk.extract(Response(b"")) is None


@pytest.mark.parametrize("given", ["https://news.example/river", "http://a.example/", "page.html", " pages/a.HTM\n"])
def test_an_address_in_the_place_of_html_is_told(given: str) -> None:
    for take in (dehusk.Extractor().document, dehusk.extract, dehusk.explain, dehusk.bare_extraction):
        with pytest.raises(ValueError, match="is no page: give the"):
            take(given)
    [wrong] = dehusk.Extractor().documents([given], errors="return")
    assert isinstance(wrong, dehusk.InputError) and "is no page" in wrong.message
    for text in ("https://a.example/ rose", "See <a href=https://a.example/>", "", "x" * 3000 + ".html"):
        dehusk.Extractor().document(text)
