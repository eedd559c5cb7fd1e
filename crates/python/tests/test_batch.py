import conftest
import pytest
from dehusk import DehuskError, Extractor, OptionError, Signer, Table


@pytest.fixture(autouse=True)
def arrow() -> None:
    conftest.need("pyarrow")


def test_a_batch_has_a_row_for_each_row(page: str) -> None:
    import pyarrow as pa

    batch = pa.record_batch(
        {"html": [page, None, "<p>Other words of this page"], "url": ["https://a.example/", "https://b.example/", None], "n": [1, 2, 3]}
    )
    table = Extractor(markdown=True, tables="field", blocks=True).batch(batch)
    assert isinstance(table, Table) and table.num_rows == len(table) == 3 and "3 rows" in repr(table)
    found = pa.record_batch(table)
    assert found.schema.names == table.column_names
    rows = found.to_pylist()
    assert [row["id"] for row in rows] == ["https://a.example/", "https://b.example/", ""]
    assert rows[1]["text"] is None and rows[1]["error"]["reason"] == "missing-content"
    assert rows[2]["error"] is None and rows[2]["extra"] == '{"n":3}'
    alone = Extractor(markdown=True, tables="field", blocks=True).document(page, url="https://a.example/")
    assert (rows[0]["text"], rows[0]["markdown"]) == (alone.text, alone.markdown)
    assert rows[0]["tables"][0]["rows"][0]["cells"][0]["text"] == "place"
    assert [block["reason"] for block in rows[0]["blocks"]] == [block["reason"] for block in alone.blocks]


@pytest.mark.parametrize("threads", [1, 3])
def test_all_types_of_texts_are_read(threads: int) -> None:
    import pyarrow as pa

    extractor = Extractor(threads=threads, column={"html": "body"})
    pages = ["<p>The river rose", "<p>Вода поднялась"]
    types = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
    for kind in [*types, pa.dictionary(pa.int32(), pa.string())]:
        values = [page.encode() for page in pages] if "binary" in str(kind) else pages
        batch = pa.record_batch({"body": pa.array(values).cast(kind) if "dict" in str(kind) else pa.array(values, kind)})
        assert pa.record_batch(extractor.batch(batch))["text"].to_pylist() == ["The river rose\n", "Вода поднялась\n"], kind


def test_streams_give_streams() -> None:
    import pyarrow as pa

    batches = [pa.record_batch({"html": [f"<p>Page {n}"]}) for n in range(3)]
    table = Extractor().batch(pa.Table.from_batches(batches))
    assert pa.table(table)["text"].to_pylist() == ["Page 0\n", "Page 1\n", "Page 2\n"]
    with pytest.raises(ValueError, match="3 batches"):
        pa.record_batch(table)
    # What one step hands out in several batches, the next step takes.
    assert Signer().batch(table).num_rows == 3
    empty = Extractor().batch(pa.table({"html": pa.array([], pa.string())}))
    assert pa.table(empty).num_rows == 0 and "text" in empty.column_names


def test_wrong_tables_are_told() -> None:
    import pyarrow as pa

    with pytest.raises(OptionError, match="no column `html`.*columns: page") as told:
        Extractor().batch(pa.record_batch({"page": ["<p>x"]}))
    assert told.value.option == "column"
    with pytest.raises(DehuskError, match="type Int64"):
        Extractor().batch(pa.record_batch({"html": [5]}))
    with pytest.raises(TypeError, match="no table of Arrow"):
        Extractor().batch([1])
    with pytest.raises(ValueError, match="record batch is wanted"):
        Extractor().batch(pa.array(["<p>x"]))


def test_signatures_of_a_batch_are_those_of_its_texts(text: str) -> None:
    import pyarrow as pa

    signer = Signer()
    rows = pa.record_batch(signer.batch(pa.record_batch({"id": ["a", "b", "c"], "text": [text, None, "few"]}))).to_pylist()
    alone = signer.sign(text)
    assert [key % 2**64 for key in rows[0]["keys"]] == alone.keys
    assert [value % 2**64 for value in rows[0]["features"]] == alone.features
    assert (rows[0]["id"], rows[0]["kind"], rows[0]["content"]) == ("a", "full", alone.content)
    assert rows[0]["exact"] % 2**64 == alone.exact
    assert rows[1]["exact"] is None
    assert (rows[1]["kind"], rows[1]["error"]) == (None, "missing-content")
    assert rows[2]["kind"] == "short" and rows[2]["keys"] == []
