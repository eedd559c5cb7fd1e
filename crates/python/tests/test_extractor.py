import inspect
import json
import multiprocessing
import pickle
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import conftest
import dehusk
import pytest
from dehusk import Document, Extractor, MissingFieldError, OptionError, Page


def test_a_page_becomes_a_document(page: str) -> None:
    document = Extractor().document(page, url="https://news.example/river")
    assert document.text.startswith("The water at the mill\n")
    assert "milkman" in document.text and "Imprint" not in document.text
    assert (document.title, document.author, document.date) == ("Rivers rose", "Ann Lee", "2020-02-03")
    assert document.url == document.id == "https://news.example/river"
    assert (document.language, document.charset, document.method) == ("en", "UTF-8", "default")
    assert document.confidence is not None and 0 < document.confidence <= 1
    assert document.kept_chars and document.all_chars and document.kept_chars < document.all_chars
    assert document.warnings == []
    assert str(document) == document.text


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_bytes_of_all_kinds_are_read(page: str, kind: type) -> None:
    coded = page.encode()
    assert Extractor().document(kind(coded)).text == Extractor().document(page).text


def test_bytes_are_decoded_by_what_is_known() -> None:
    coded = "<p>Река поднялась за ночь".encode("koi8-r")
    assert Extractor().document(coded, charset="koi8-r").text == "Река поднялась за ночь\n"
    by_header = Extractor().document(coded, content_type="text/html; charset=koi8-r")
    assert (by_header.text, by_header.charset) == ("Река поднялась за ночь\n", "KOI8-R")


def test_a_layout_is_given_as_a_record_or_by_a_file() -> None:
    folder = conftest.ROOT / "fixtures" / "layouts"
    lines = (folder / "layouts.jsonl").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if json.loads(line)["id"] == "columns.html")
    page = (folder / "pages" / "columns.html").read_bytes()
    alone = Extractor(extractor="visual")
    found = alone.document(page, layout=line)
    assert "opened all four gates" in found.text and "Also in this issue" not in found.text
    assert alone.document(page, layout=json.loads(line)).text == found.text
    assert alone.document(page).text == ""
    by_file = Extractor(extractor="visual", layout=folder / "layouts.jsonl")
    assert by_file.document(page, id="columns.html").text == found.text
    assert [item.text for item in by_file.documents([{"html": page, "id": "columns.html"}])] == [found.text]
    missing = by_file.document(page, id="other.html")
    assert "no-layout" in [warning["code"] for warning in missing.warnings]
    with pytest.raises(OptionError, match="`layout` is no layout"):
        alone.document(page, layout={"id": "columns.html"})


def test_no_page_fails() -> None:
    extractor = Extractor(markdown=True, html=True, content=True, blocks=True)
    for page in ["", b"", "\0", "<", "\ud800<p>x", b"\xff\xfe\xfd", "<div>" * 100_000, "<table>" * 5000 + "x"]:
        document = extractor.document(page)
        assert isinstance(document.text, str)
    assert extractor.document("").warnings[0]["code"] == "no-text"


def test_content_that_version_0_1_0_stored_gives_the_other_forms() -> None:
    """The list stays as that version wrote it, for all later versions of the model."""
    stored = conftest.ROOT / "fixtures" / "formats" / "0.1.0" / "run" / "kept.jsonl"
    lines = stored.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 8
    for line in lines:
        document = Document.from_json(line)
        assert dehusk.render_content(document.content, "text") == document.text
        assert dehusk.render_content(document.content, "html").count("<p>") > 5


def test_stored_content_gives_the_other_forms() -> None:
    page = "<p>The <b>river</b> rose <a href=https://a.example/x>overnight</a>.<table><tr><th>Gauge<th>Level<tr><td colspan=2>3</table>"
    options = dict(extractor="all-text", markdown=True, html=True, content=True, links=True)
    document = Extractor(**options).document(page)
    for stored in (document.content, json.dumps(document.content)):
        assert dehusk.render_content(stored, "text") == document.text
        assert dehusk.render_content(stored, "markdown", links=True) == document.markdown
        assert dehusk.render_content(stored, "html") == document.html
    assert "<table>" in dehusk.render_content(stored, "markdown", markdown_tables="html")
    with pytest.raises(dehusk.InputError, match="version 9") as caught:
        dehusk.render_content({"version": 9, "blocks": []}, "text")
    assert caught.value.reason == "content"
    with pytest.raises(dehusk.OptionError, match="no form `pdf`"):
        dehusk.render_content(stored, "pdf")



def test_fields_are_there_if_they_were_asked_for(page: str) -> None:
    document = Extractor().document(page)
    for name in ("markdown", "html", "content", "tables", "comments", "blocks", "structured"):
        with pytest.raises(MissingFieldError, match="not asked for") as told:
            getattr(document, name)
        assert name in (told.value.help or "")
        assert not hasattr(document, name) and getattr(document, name, None) is None
    options = dict(markdown=True, html=True, content=True, blocks=True, tables="field", comments="field", links=True)
    document = Extractor(**options).document(page, url="https://news.example/")
    assert document.markdown.startswith("# The water at the mill\n") and "[milkman](https://news.example/m)" in document.markdown
    assert "<h1>The water at the mill</h1>" in document.html
    assert "code" in {element["kind"] for element in document.content["blocks"]}
    assert document.tables[0]["rows"][0]["cells"][0] == {"text": "place", "header": True}
    assert document.comments == []
    home = document.blocks[0]
    assert (home["text"], home["kept"], home["class"]) == ("Home About us", False, "other")


def test_dates_and_structured_data() -> None:
    product = {"@type": "Product", "name": "Paint", "offers": {"price": 12.5, "priceCurrency": "EUR"}}
    html = f"""<title>Paint</title><meta property=article:published_time content=2024-03-05T10:30+03:00>
        <script type=application/ld+json>{json.dumps(product)}</script><p>Paint for hulls."""
    document = Extractor(structured=True).document(html)
    assert (document.date, document.date_precision) == ("2024-03-05T10:30+03:00", "minute")
    assert document.structured["price"] == {"amount": "12.5", "currency": "EUR"}
    assert document.structured["items"][0]["properties"]["name"] == ["Paint"]
    # Relative dates are counted from the day on which the page was fetched.
    relative = {"html": "<h1>Paint</h1><p class=date>3 days ago<p>Paint for hulls.", "captured": "2024-03-05T10:30:00Z"}
    [fetched] = Extractor().documents([relative], errors="raise")
    assert fetched.date == "2024-03-02"
    assert dehusk.extract_metadata(html).date == "2024-03-05"


def test_a_record_is_a_document_again(page: str) -> None:
    document = Extractor(blocks=True).document(page)
    assert Document.from_json(document.to_json()) == document
    assert Document(document.to_dict()).to_dict() == document.to_dict()
    assert pickle.loads(pickle.dumps(document)) == document
    with pytest.raises(dehusk.InputError, match="without `text`"):
        Document({"id": "x"})
    with pytest.raises(dehusk.InputError, match="no JSON"):
        Document.from_json("{")


def test_records_are_those_of_the_command_line(program: str, crawl: Path, tmp_path: Path) -> None:
    """Every page of the fixtures, by both, as JSON."""
    files = sorted(path for path in crawl.rglob("*.html"))[:40]
    lines = tmp_path / "pages.jsonl"
    pages = []
    with lines.open("w", encoding="utf-8") as out:
        for number, file in enumerate(files):
            page = {"id": str(number), "html": file.read_bytes().decode("utf-8", "replace"), "shelf": [number, None]}
            pages.append(page)
            out.write(json.dumps(page) + "\n")
    flags = ["--markdown", "--html", "--content", "--blocks", "--tables", "field", "--comments", "field"]
    command = [program, "extract", str(lines), "--input-format", "jsonl", "--output-format", "jsonl", "-q", *flags]
    written = subprocess.run(command, capture_output=True, check=True).stdout.decode().splitlines()
    extractor = Extractor(markdown=True, html=True, content=True, blocks=True, tables="field", comments="field")
    ours = list(extractor.documents(pages, errors="raise"))
    assert len(ours) == len(written) == 40
    for document, line in zip(ours, written):
        # A page from memory lies in no file.
        row = {name: value for name, value in json.loads(line).items() if name not in ("source", "offset")}
        assert document.to_json() == json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def test_options_are_those_of_the_table() -> None:
    names = {option["name"] for option in dehusk.options("Extractor")}
    assert {"extractor", "precision", "markdown", "max_depth", "templates", "rules", "threads", "column"} <= names
    assert names.isdisjoint({"max_bad", "in_process", "learn_sites"})
    with pytest.raises(OptionError) as told:
        Extractor(max_dept=20)
    assert told.value.option == "max_dept" and told.value.help == "did you mean `max_depth`?"
    with pytest.raises(OptionError) as told:
        Extractor(zzz=20)
    assert (told.value.help or "").startswith("known: ")


@pytest.mark.parametrize(
    ("options", "option", "part"),
    [
        ({"max_depth": 3}, "max_depth", "16"),
        ({"extractor": "readabilty"}, "extractor", "readability"),
        ({"extractor": "density:link=x"}, "extractor", "link"),
        ({"tables": "nowhere"}, "tables", "omit"),
        ({"markdown": "yes"}, "markdown", "true"),
        ({"markdown": object()}, "markdown", "object"),
        ({"precision": True, "recall": True}, "recall", "exclude"),
        ({"threads": 0}, "threads", "1024"),
        ({"column": {"body": "x"}}, "column", "unknown field `body`"),
        ({"templates": 5}, "templates", "neither a folder"),
    ],
)
def test_wrong_options_are_named_with_the_remedy(options: dict, option: str, part: str) -> None:
    with pytest.raises(OptionError) as told:
        Extractor(**options)
    assert told.value.option in (option, "precision")
    assert part in str(told.value)
    assert isinstance(told.value, ValueError)
    assert pickle.loads(pickle.dumps(told.value)).help == told.value.help


def test_missing_folders_are_named(tmp_path: Path) -> None:
    for name in ("templates", "rules"):
        with pytest.raises(dehusk.DehuskError) as told:
            Extractor(**{name: tmp_path / "nowhere"})
        assert "nowhere" in str(told.value)
    (tmp_path / "x.toml").write_text("format = 1\n[[rule]]\nhosts = 3\n")
    with pytest.raises(dehusk.SiteError) as told:
        Extractor(rules=tmp_path)
    assert "x.toml:3:" in str(told.value)


def test_none_is_an_option_that_is_not_set(page: str) -> None:
    plain = Extractor().document(page)
    assert Extractor(precision=False, recall=True, markdown=None).document(page).text
    assert Extractor(markdown=None, extractor=None).document(page) == plain


def test_every_extractor_of_the_table_works(page: str) -> None:
    families = {family["name"]: family["entries"] for family in dehusk.methods()}
    for entry in families["extractors"]:
        document = Extractor(extractor=entry["name"]).document(page)
        assert isinstance(document.text, str), entry["name"]


def _text(arguments: tuple) -> str:
    extractor, page = arguments
    return extractor.document(page).text


def test_extractors_go_to_other_processes(page: str) -> None:
    extractor = Extractor(extractor="readability", markdown=True)
    again = pickle.loads(pickle.dumps(extractor))
    assert again.options == extractor.options and repr(again) == "Extractor(extractor='readability', markdown=True)"
    expected = extractor.document(page).text
    for way in ("fork", "spawn"):
        with multiprocessing.get_context(way).Pool(2) as pool:
            assert pool.map(_text, [(extractor, page)] * 4) == [expected] * 4


def test_threads_share_an_extractor(page: str) -> None:
    extractor = Extractor()
    expected = extractor.document(page).text
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: extractor.document(page).text, range(40))) == {expected}


def test_pages_may_be_objects() -> None:
    page = Page(b"<p>The river rose", id="7", date="2020", popularity=2.5, extra={"shelf": {"row": 1}})
    [document] = Extractor().documents([page], errors="raise")
    assert (document.id, document.date, document.popularity) == ("7", "2020", 2.5)
    assert document.extra == {"shelf": {"row": 1}}


def test_explanations_show_every_block(page: str, tmp_path: Path) -> None:
    explanation = dehusk.explain(page, url="https://news.example/")
    dropped = [block["text"] for block in explanation.blocks if not block["kept"]]
    assert dropped[0].startswith("Home") and dropped[-1] == "Imprint"
    assert all(block["reason"] for block in explanation.blocks)
    assert explanation.html.startswith("<!DOCTYPE html>")
    explanation.save(tmp_path / "why.html")
    assert (tmp_path / "why.html").read_text(encoding="utf-8") == explanation.html
    assert "sandbox" in explanation._repr_html_()


def test_everything_public_is_documented() -> None:
    for name in dehusk.__all__:
        value = getattr(dehusk, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name


def test_bytes_that_are_compressed_are_inflated_or_refused(page: str) -> None:
    """In all ways as in files."""
    import gzip

    conftest.need("pyarrow")
    import pyarrow

    extractor = Extractor(threads=1)
    wanted = extractor.document(page.encode()).text
    packed = gzip.compress(page.encode())
    assert wanted and extractor.document(packed).text == wanted
    zipped = b"PK\x03\x04" + bytes(40)
    items = list(extractor.documents([packed, (zipped, "https://a.example/")], errors="return"))
    assert items[0].text == wanted
    assert "zip-compressed; unpack it first" in str(items[1])
    table = pyarrow.table(extractor.batch(pyarrow.table({"html": [packed, zipped]})))
    assert table["text"].to_pylist() == [wanted, None]
    assert table["error"].to_pylist()[1]["reason"] == "compressed"
