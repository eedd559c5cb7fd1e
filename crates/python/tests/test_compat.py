"""The functions of trafilatura: names, defaults, formats, and the list of what differs."""

import csv
import inspect
import io
import json
import warnings
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import conftest
import dehusk
import pytest
from dehusk import (
    CompatibilityWarning,
    OptionError,
    bare_extraction,
    baseline,
    extract,
    extract_metadata,
    extract_with_metadata,
    find_date,
    html2txt,
    load_html,
)
from dehusk._compat import differences
from dehusk._compat._tei import faults

URL = "https://news.example/river"
NAMES = ("extract", "bare_extraction", "extract_metadata", "extract_with_metadata", "baseline", "html2txt", "load_html")


@pytest.fixture(autouse=True)
def fresh() -> None:
    differences.forget()


def test_signatures_are_those_of_trafilatura() -> None:
    conftest.need("trafilatura")
    import trafilatura

    for name in NAMES:
        theirs = inspect.signature(getattr(trafilatura, name)).parameters
        ours = inspect.signature(getattr(dehusk, name)).parameters
        assert list(ours) == list(theirs), name
        for parameter in theirs:
            default = theirs[parameter].default
            if parameter == "config":  # an object of theirs
                default = None
            assert ours[parameter].default == default, (name, parameter)


def test_the_signature_of_find_date_is_that_of_htmldate() -> None:
    conftest.need("htmldate")
    import htmldate

    theirs, ours = inspect.signature(htmldate.find_date).parameters, inspect.signature(find_date).parameters
    assert list(ours) == list(theirs)
    assert [parameter.default for parameter in ours.values()] == [parameter.default for parameter in theirs.values()]


def test_dates_are_chosen_by_settings() -> None:
    page = """<meta property="article:published_time" content="2020-07-21T10:30:00+02:00">
    <meta property="article:modified_time" content="2021-04-06"><p>The river rose overnight."""
    assert find_date(page) == "2021-04-06" and find_date(page, original_date=True) == "2020-07-21"
    assert find_date(page, original_date=True, outputformat="%d.%m.%Y %H:%M") == "21.07.2020 10:30"
    assert find_date(page, max_date="2020-12-31") == "2020-07-21" and find_date(page, min_date=datetime(2022, 1, 1)) is None
    assert find_date(page, max_date="2021-04-06") == "2021-04-06" and find_date("", url="https://a.example/2020/07/21/x") is None
    found = extract_metadata(page, date_config={"original_date": False, "outputformat": "%Y"})
    assert found.date == "2021" and extract_metadata(page).date == "2020-07-21"
    assert bare_extraction(page, date_extraction_params={"max_date": "2019-01-01"}).date is None
    undated = "<p>The river rose overnight, and the bridge was closed to carts."
    assert extract_metadata(undated, date_config={"url": "https://a.example/2020/07/21/x"}).date == "2020-07-21"
    with pytest.warns(CompatibilityWarning, match="`extensive_search`"):
        extract_metadata(page, date_config={"extensive_search": False})
    with pytest.raises(OptionError, match="no date"):
        find_date(page, min_date="soon")
    with pytest.raises(OptionError, match="no setting of dates `original`"):
        extract(page, date_extraction_params={"original": True})


def test_the_names_of_results_are_those_of_trafilatura(page: str) -> None:
    conftest.need("trafilatura")
    import trafilatura

    theirs, ours = trafilatura.bare_extraction(page, url=URL, with_metadata=True), bare_extraction(page, url=URL)
    assert set(ours.as_dict()) == set(theirs.as_dict())
    for name in ("title", "author", "url", "description", "date"):
        assert getattr(ours, name) == getattr(theirs, name), name
    for output_format in ("json", "csv", "xml"):
        pair = [module.extract(page, url=URL, output_format=output_format, with_metadata=True) for module in (trafilatura, dehusk)]
        if output_format == "json":
            assert list(json.loads(pair[0])) == list(json.loads(pair[1]))
        elif output_format == "csv":
            assert [len(next(csv.reader(io.StringIO(text), delimiter="\t"))) for text in pair] == [11, 11]
        else:
            roots = [ElementTree.fromstring(text) for text in pair]
            assert [child.tag for child in roots[0]] == [child.tag for child in roots[1]] == ["main", "comments"]
            assert set(roots[0].attrib) <= set(roots[1].attrib)


def test_every_difference_is_one() -> None:
    conftest.need("trafilatura")
    import trafilatura

    parameters = {name for function in NAMES for name in inspect.signature(getattr(trafilatura, function)).parameters}
    listed = set().union(differences.ARGUMENTS, differences.METADATA_ARGUMENTS, differences.DATE_ARGUMENTS, differences.RENAMED)
    assert listed <= parameters | set(inspect.signature(find_date).parameters)
    fields = set(bare_extraction("<p>The river rose").as_dict())
    others = {"txt", "baseline", "extract_metadata", "find_date", "html2txt", "load_html", "output_format", "tei", "target_language"}
    assert set(differences.RESULTS) <= fields | others
    docs = (conftest.ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    tables = (differences.ARGUMENTS, differences.METADATA_ARGUMENTS, differences.DATE_ARGUMENTS, differences.RENAMED)
    for table in (*tables, differences.RESULTS):
        for name, reason in table.items():
            assert f"| `{name}` | {reason} |" in docs, name


@pytest.mark.parametrize("name", [*differences.ARGUMENTS, *differences.RENAMED])
def test_arguments_without_meaning_are_told_once(name: str) -> None:
    function = next(f for f in (extract, bare_extraction) if name in inspect.signature(f).parameters)
    with pytest.warns(CompatibilityWarning, match=f"`{name}`") as told:
        function("<p>The river rose", **{name: True})
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        function("<p>The river rose", **{name: True})
        differences.forget()
        function("<p>The river rose", **{name: inspect.signature(function).parameters[name].default})


def test_text_is_plain_unless_markdown_is_asked_for(page: str) -> None:
    text = extract(page)
    assert text is not None and text.startswith("The water at the mill\n") and "**" not in text
    assert "**old bridge**" in (extract(page, include_formatting=True) or "")
    linked = extract(page, url=URL, include_links=True) or ""
    assert "[milkman](https://news.example/m)" in linked
    assert "![the bridge](https://news.example/i.png)" in (extract(page, url=URL, include_images=True) or "")
    assert (extract(page, output_format="markdown") or "").startswith("# The water at the mill\n")
    head = (extract(page, url=URL, with_metadata=True) or "").split("---\n")[1]
    assert 'date: "2020-02-03"' in head and "author: Ann Lee" in head and "hostname: news.example" in head


def test_nothing_is_none() -> None:
    for empty in ["", b"", None, "<html></html>", "<script>x</script>"]:
        assert extract(empty) is None and bare_extraction(empty) is None and extract_with_metadata(empty) is None
    assert html2txt("") == "" and baseline("")[1:] == ("", 0)
    with pytest.raises(TypeError, match="not `int`"):
        extract(5)


def test_tables_and_comments_can_be_left_out(page: str) -> None:
    assert "metres" in (extract(page) or "") and "metres" not in (extract(page, include_tables=False) or "")
    thread = (conftest.ROOT / "fixtures" / "crawl" / "blog.example").rglob("*.html")
    said = {bare_extraction(file.read_bytes()).comments for file in thread}
    assert any(said), "some pages of the blog have comments"


def test_documents_are_filtered(page: str) -> None:
    assert extract(page, target_language="en") and extract(page, target_language="ru") is None
    assert (extract(page, url=URL, only_with_metadata=True) or "").startswith("---\ntitle: Rivers rose\n")
    assert extract("<title>T</title><p>The river rose", only_with_metadata=True) is None
    assert extract(page, url=URL, url_blacklist={URL}) is None
    found = extract_with_metadata(page, author_blacklist={"ann lee"})
    assert found is not None and found.author is None


@pytest.mark.parametrize("url", [None, URL])
def test_xpath_prunes(page: str, url: str | None) -> None:
    text = extract(page, url=url, prune_xpath=["//ul", "//table"])
    assert text is not None and "one item" not in text and "metres" not in text and "milkman" in text
    assert "one item" in (extract(page, url=url, prune_xpath="//table") or "")
    found = bare_extraction(page, url=url, prune_xpath="//table", include_links=True)
    assert found.url == url and "page.invalid" not in found.text
    with pytest.raises(dehusk.DehuskError):
        extract(page, prune_xpath="//[")


def test_json_csv_and_html_can_be_read(page: str) -> None:
    assert set(json.loads(extract(page, output_format="json") or "")) == {"text", "comments"}
    record = json.loads(extract(page, url=URL, record_id="7", output_format="json", with_metadata=True) or "")
    assert (record["id"], record["source"], record["excerpt"], record["tags"]) == ("7", URL, "About rivers", "rivers;bridges")
    [row] = csv.reader(io.StringIO(extract(page, url=URL, output_format="csv") or ""), delimiter="\t")
    assert row[0] == URL and row[4] == "Rivers rose" and "milkman" in row[7]
    html = extract(page, url=URL, output_format="html", with_metadata=True, include_links=True) or ""
    root = ElementTree.fromstring(html)
    assert root.find("head/meta[@name='author']").get("content") == "Ann Lee"
    tags = [child.tag for child in root.find("body")]
    assert tags == ["h1", "p", "ul", "table", "p", "p", "pre", "blockquote", "p"]
    assert root.find(".//a").get("href") == "https://news.example/m" and root.find(".//strong").text == "old bridge"


def test_xml_has_the_structure_of_the_page(page: str) -> None:
    text = extract(page, url=URL, output_format="xml", include_formatting=True, include_links=True, include_images=True, with_metadata=True)
    root = ElementTree.fromstring(text or "")
    assert root.get("title") == "Rivers rose" and root.get("tags") == "rivers;bridges"
    main = root.find("main")
    assert [child.tag for child in main] == ["head", "p", "list", "table", "p", "p", "code", "quote", "p"]
    assert main.find("p/hi").attrib == {"rend": "#b"} and main.find("p/ref").get("target") == "https://news.example/m"
    assert [cell.get("role") for cell in main.find("table/row")] == ["head", "head"]
    assert (main.find("code").text or "").split("\n")[1] == "if height > 2.5:"
    assert main.find(".//graphic").attrib == {"src": "https://news.example/i.png", "alt": "the bridge"}
    odd = extract("<p>The river\x0b rose &#1; &amp; &lt;fell&gt; \ud83d", output_format="xml")
    assert "rose" in "".join(ElementTree.fromstring(odd or "").itertext())


def tei_of(page: bytes | str, grids_and_images: bool = True) -> str | None:
    return extract(
        page,
        url=URL,
        output_format="xmltei",
        include_formatting=True,
        include_links=True,
        include_images=grids_and_images,
        include_tables=grids_and_images,
        tei_validation=True,
    )


def test_tei_of_every_fixture_has_its_structure(page: str, crawl: Path) -> None:
    root = ElementTree.fromstring(tei_of(page) or "")
    space = {"t": "http://www.tei-c.org/ns/1.0"}
    assert root.find("t:teiHeader//t:title", space).text == "Rivers rose"
    assert root.find("t:text/t:body/t:div[@type='entry']/t:ab[@type='header']", space).text == "The water at the mill"
    count = 0
    for file in sorted(crawl.rglob("*.html")):
        text = tei_of(file.read_bytes())  # warns, and so fails, if the structure is wrong
        if text is not None:
            ElementTree.fromstring(text)
            count += 1
    assert count > 60
    body = ElementTree.Element("body")
    ElementTree.SubElement(ElementTree.SubElement(body, "div"), "row")
    assert faults(body) == ["`row` in `div`"]


def test_tei_of_every_fixture_is_valid(crawl: Path) -> None:
    """By the document type definition that trafilatura brings along, which has neither tables nor figures."""
    conftest.need("trafilatura")
    conftest.need("lxml")
    import trafilatura
    from lxml import etree

    schema = next((Path(trafilatura.__file__).parent / "data").glob("tei*.dtd"), None)
    if schema is None:
        conftest.absent("trafilatura brings no schema of TEI along")
    with schema.open("rb") as file:
        dtd = etree.DTD(file)
    wrong = {}
    for file in sorted(crawl.rglob("*.html")):
        text = tei_of(file.read_bytes(), grids_and_images=False)
        if text is not None:
            root = etree.fromstring(text.encode())
            if not dtd.validate(root):
                wrong[file.name] = [error.message for error in dtd.error_log][:3]
    assert not wrong, wrong


def test_elements_and_responses_are_pages(page: str) -> None:
    conftest.need("lxml")
    from lxml import html as lxml_html

    element = lxml_html.fromstring(page)
    assert "milkman" in (extract(element) or "")

    class Response:
        data = page.encode()
        url = URL

    found = extract_with_metadata(Response())
    assert found is not None and found.url == URL


def test_results_are_objects(page: str) -> None:
    found = bare_extraction(page, url=URL)
    assert (found.title, found.hostname, found.sitename) == ("Rivers rose", "news.example", found.sitename)
    assert found.body.tag == "main" and found.text == found.raw_text and len(found.fingerprint) == 16
    with pytest.warns(CompatibilityWarning):
        assert bare_extraction(page, as_dict=True)["title"] == "Rivers rose"
    whole = extract_with_metadata(page, url=URL, output_format="xml")
    assert whole is not None and whole.text.startswith("<doc>") and whole.title == "Rivers rose"
    assert "Home" in html2txt(page) and baseline(page)[2] == len(baseline(page)[1])


def test_formats_are_named() -> None:
    for function in (extract, bare_extraction, extract_with_metadata):
        with pytest.raises(OptionError, match="no format `pdf`") as told:
            function("<p>x", output_format="pdf")
        assert "xmltei" in (told.value.help or "")
    with pytest.raises(OptionError):
        extract("<p>x", output_format="python")
