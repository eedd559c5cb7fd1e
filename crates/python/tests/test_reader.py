import gzip
from pathlib import Path

import conftest
import dehusk
import pytest
from dehusk import Extractor, InputError, Page, read_pages, read_warc

WARC = conftest.ROOT / "fixtures" / "crawl.warc.gz"


def test_an_archive_is_read_record_by_record(tmp_path: Path) -> None:
    records = list(read_warc(WARC, errors="return"))
    pages = [record for record in records if isinstance(record, Page)]
    assert [record.reason for record in records if isinstance(record, InputError)] == ["compressed"]
    assert len(pages) > 60 and all(isinstance(page, Page) for page in pages)
    first = pages[0]
    assert first.url and first.url.startswith("http") and isinstance(first.html, bytes) and "captured" in first.extra
    plain = tmp_path / "crawl.warc"
    plain.write_bytes(gzip.decompress(WARC.read_bytes()))
    again = read_warc(plain, errors="return")
    assert [page.html for page in again if isinstance(page, Page)] == [page.html for page in pages]
    documents = list(Extractor(threads=2).documents(pages, errors="raise"))
    assert [document.url for document in documents[:5]] == [page.url for page in pages[:5]]


def test_reading_ends_when_nobody_listens() -> None:
    with read_warc(WARC, errors="raise") as pages:
        next(pages)
    with pytest.raises(StopIteration):
        next(pages)


def test_bad_records_are_told(tmp_path: Path) -> None:
    lines = tmp_path / "pages.jsonl"
    lines.write_text('{"html": "<p>a", "n": 1}\nnot json\n{"html": "<p>c", "id": "c"}\n')
    found = list(read_pages(lines, errors="return"))
    assert [type(item) for item in found] == [Page, InputError, Page]
    assert found[0].extra == {"n": 1} and found[1].reason == "bad-json" and found[1].path == str(lines)
    with pytest.warns(dehusk.SkippedWarning, match="line 2"):
        pages = read_pages(lines)
        assert [page.html for page in pages] == ["<p>a", "<p>c"]
    assert pages.skipped == {"bad-json": 1}
    pages = read_pages(lines, errors="raise")
    assert next(pages).html == "<p>a"
    with pytest.raises(InputError, match="line 2"):
        next(pages)
    assert next(pages).id == "c"


def test_the_first_example_of_the_readme_runs() -> None:
    """One record of the archive is no page: it is told, and costs itself."""
    with pytest.warns(dehusk.SkippedWarning, match="zip-compressed"):
        documents = list(Extractor(threads=4).documents(read_warc(WARC)))
    # A picture under the name of a page is passed over.
    assert len(documents) == 78 and dehusk.dedup(documents, threshold=0.8).kept


def test_missing_files_are_told_at_once() -> None:
    with pytest.raises(InputError, match="nowhere.warc") as told:
        read_warc("nowhere.warc")
    assert told.value.path == "nowhere.warc" and told.value.help
    with pytest.raises(dehusk.DehuskError):
        read_pages()
