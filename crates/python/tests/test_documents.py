import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from conftest import need
from dehusk import (
    DehuskError,
    Document,
    Extractor,
    Index,
    InputError,
    InputTypeError,
    Page,
    SkippedWarning,
    dedup,
)


def pages(count: int) -> list[str]:
    return [f"<p>Page {number} of some, with words." + " More words." * (number % 7) for number in range(count)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_documents_come_in_order(threads: int) -> None:
    extractor = Extractor(threads=threads)
    documents = list(extractor.documents(iter(pages(200)), errors="raise"))
    assert [document.text.split()[1] for document in documents] == [str(number) for number in range(200)]
    assert [document.id for document in documents[:3]] == ["1", "2", "3"]


@pytest.mark.parametrize("threads", [1, 3])
def test_each_page_gives_one_item(threads: int) -> None:
    given: list[Any] = ["<p>a", 5, {"url": "u"}, {"html": "<p>b", "id": 9}, ("<p>c", "https://c.example/"), ("<p>d",), b"<p>e"]
    found = list(Extractor(threads=threads).documents(given, errors="return"))
    assert len(found) == len(given)
    assert [item.id for item in found if isinstance(item, Document)] == ["1", "9", "https://c.example/", "7"]
    for place, part in [(1, "not `int`"), (2, "`html`"), (5, "1 items")]:
        item = found[place]
        assert isinstance(item, InputError) and part in item.message and item.reason == "missing-content"
    with pytest.raises(InputError, match="not `int`"):
        list(Extractor(threads=threads).documents(given, errors="raise"))
    # By default, unusable records are skipped, warned of and counted.
    with pytest.warns(SkippedWarning) as told:
        documents = Extractor(threads=threads).documents(given)
        assert [document.id for document in documents] == ["1", "9", "https://c.example/", "7"]
    assert documents.skipped == {"missing-content": 3}
    first, last = (str(warning.message) for warning in told)
    assert "not `int`" in first and last == "3 of 7 items were skipped: 3 missing-content"
    assert next(documents, None) is None
    assert told[0].filename == __file__


def test_an_iterable_that_fails_fails_behind_its_pages() -> None:
    def failing() -> Iterator[str]:
        yield from pages(9)
        raise KeyError("the source broke")

    documents = Extractor(threads=3).documents(failing())
    found = []
    with pytest.raises(KeyError, match="the source broke"):
        for document in documents:
            found.append(document)
    assert len(found) == 9


def test_pages_are_read_ahead_but_not_all() -> None:
    read = []

    def source() -> Iterator[str]:
        for page in pages(1000):
            read.append(page)
            yield page

    documents = Extractor(threads=2).documents(source())
    next(documents)
    assert 1 <= len(read) <= 16
    # A caller that stops early needs to close nothing.
    del documents


def test_records_keep_what_they_bring() -> None:
    record = {"html": "<p>The river rose", "url": "https://a.example/", "date": "2021-02-03", "shelf": [1, {"a": None}], "é": "ü"}
    [document] = Extractor().documents([record], errors="raise")
    assert document.date == "2021-02-03"
    assert document.extra == {"shelf": [1, {"a": None}], "é": "ü"}
    # An empty cell of a data frame is an absent value; within a list there is no such cell.
    [empty] = Extractor().documents([{"html": "<p>x", "shelf": float("nan")}], errors="raise")
    assert empty.extra == {"shelf": None}
    [wrong] = Extractor().documents([{"html": "<p>x", "shelf": [float("nan")]}], errors="return")
    assert isinstance(wrong, DehuskError)


def test_wrong_sources_are_told_at_once() -> None:
    with pytest.raises(TypeError):
        Extractor().documents(5)
    with pytest.raises(ValueError, match="none of `skip`"):
        Extractor().documents([], errors="ignore")
    # One page, whose characters or names are no pages.
    for one in ("<p>x", b"<p>x", {"html": "<p>x"}, Page("<p>x"), Path("a.html")):
        with pytest.raises(InputTypeError, match="`document` for one page") as raised:
            Extractor().documents(one)
        assert isinstance(raised.value, TypeError)
    for of in (dedup, lambda one: Index("known").add(one)):
        with pytest.raises(InputTypeError, match="one record"):
            of({"a": "The river rose."})


def test_a_data_frame_is_a_table_and_no_list_of_names() -> None:
    need("pandas")
    import pandas

    frame = pandas.DataFrame({"html": ["<p>The river rose.", "<p>The bridge fell."], "url": ["https://a.example/1", None]})
    with pytest.raises(InputTypeError, match="call `batch`"):
        Extractor().documents(frame)
    need("pyarrow")
    assert len(Extractor().batch(frame)) == 2
    assert dedup(pandas.DataFrame({"id": ["a", "b"], "text": ["The river rose.", "The bridge fell."]})).kept == ["a", "b"]


def test_rows_of_a_data_frame_are_pages_and_empty_cells_are_absent() -> None:
    """Empty cells are None, a number that is not one, or values of pandas, by the types of columns; an address is never made of one."""
    need("pandas")
    import pandas

    addresses = ["https://a.example/1", float("nan"), None, pandas.NA, pandas.NaT]
    pages = [f"<p>The river rose {n} times." for n in range(5)]
    paired = Extractor().documents(zip(pages, addresses))
    assert [document.url for document in paired] == ["https://a.example/1", None, None, None, None] and paired.skipped == {}
    # Other fields of any type are carried along.
    fields = [float("nan"), pandas.Timestamp("2024-05-01"), pandas.Series([1, 2]), pandas.NA, pandas.array([7], dtype="Int64")[0]]
    records = [{"html": page, "url": url, "seen": seen} for page, url, seen in zip(pages, addresses, fields)]
    given = Extractor().documents(records)
    carried = [document.to_dict()["extra"]["seen"] for document in given]
    assert carried == [None, "2024-05-01 00:00:00", [1, 2], None, 7] and given.skipped == {}
    # A row without a page is one that is skipped.
    without = Extractor().documents(zip([*pages[:2], float("nan")], addresses))
    with pytest.warns(SkippedWarning):
        assert len(list(without)) == 2
    assert without.skipped == {"missing-content": 1}


def test_a_column_gives_values_and_is_no_table() -> None:
    need("pandas")
    need("pyarrow")
    import pandas
    import pyarrow

    pages = ["<p>The river rose.", "<p>The bridge fell."]
    for column in (pandas.Series(pages), pandas.Series(pages, dtype="string"), pyarrow.array(pages), pyarrow.chunked_array([pages])):
        documents = Extractor().documents(column)
        assert [document.text for document in documents] == ["The river rose.\n", "The bridge fell.\n"], type(column)
        assert dedup(column).kept == ["1", "2"], type(column)
    river = "The river rose overnight and the old bridge was closed to carts."
    found = dedup(pandas.Series([river, None, river]))
    assert found.kept == ["1"] and found.clusters[-1].reason == "exact-duplicate"


def test_the_interpreter_is_free_meanwhile() -> None:
    """A thread of Python counts while another one extracts a page that takes long."""
    page = "<p>" + "The river rose <b>overnight</b>. " * 60_000
    counted = [0]
    done = threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    start, before = time.perf_counter(), counted[0]
    Extractor().document(page)
    took, during = time.perf_counter() - start, counted[0] - before
    done.set()
    counter.join()
    assert during > took * 1000 / 20, (during, took)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize(
    "work",
    [
        "for _ in dehusk.Extractor(threads=2).documents('<p>The river rose. ' * 200 for _ in iter(int, 1)): pass",
        "dehusk.dedup([('%d' % n, ' '.join(str((n * k) % 997) for k in range(300))) for n in range(40_000)], threads=1)",
    ],
)
def test_control_c_ends_long_calls(work: str) -> None:
    # A run in the background of a shell has the signal switched off, and its children inherit that.
    code = (
        "import dehusk, signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"print('go', flush=True)\ntry:\n    {work}\nexcept KeyboardInterrupt:\n    sys.exit(77)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdout.readline() == b"go\n"
    time.sleep(1.5)
    child.send_signal(signal.SIGINT)
    try:
        assert child.wait(20) == 77
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
