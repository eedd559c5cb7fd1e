import json
import os
import pickle
import subprocess
from pathlib import Path

import conftest
import dehusk
import pytest
from dehusk import Document, Extractor, Index, OptionError, Signer, dedup


def texts(text: str) -> dict[str, str]:
    return {
        "a": text,
        "b": text.replace("milkman", "postman"),
        "c": text.upper(),
        "d": "Nothing of this kind was ever seen in the town below the hills, where people speak of little else than of wool and "
        "of the rain that never comes when it is wanted by the sheep.",
        "e": "too short",
    }


def test_duplicates_are_found_in_every_form(text: str, tmp_path: Path) -> None:
    documents = texts(text)
    found = dedup(documents.items(), threshold=0.5)
    assert found.kept == ["a", "d", "e"]
    assert [(row.id, row.representative, row.kept, row.reason) for row in found.clusters][1:3] == [
        ("b", "a", False, "near-duplicate"),
        ("c", "a", False, "near-duplicate"),
    ]
    assert {(pair.a, pair.b) for pair in found.pairs} >= {("a", "b"), ("a", "c")}
    assert found.summary["counts"]["kept"] == 3 and found.rejected == []
    records = [{"id": name, "text": value, "other": object} for name, value in documents.items()]
    assert dedup(records, threshold=0.5).pairs == found.pairs
    made = [Document(record) for record in records]
    assert dedup(made, threshold=0.5).pairs == found.pairs
    lines = tmp_path / "documents.jsonl"
    lines.write_text("".join(json.dumps({"id": name, "text": value}) + "\n" for name, value in documents.items()))
    assert dedup(lines, threshold=0.5).pairs == dedup([lines], threshold=0.5).pairs == found.pairs
    assert dedup(list(documents.values()), threshold=0.5).kept == ["1", "4", "5"]


def test_tables_are_documents(text: str) -> None:
    conftest.need("pyarrow")
    import pyarrow as pa

    documents = texts(text)
    table = pa.table({"id": list(documents), "text": list(documents.values()), "shelf": [[1], None, [2], [3], [4]]})
    assert dedup(table, threshold=0.5).kept == ["a", "d", "e"]


def test_rows_are_those_of_the_command_line(program: str, text: str, tmp_path: Path) -> None:
    lines = tmp_path / "documents.jsonl"
    lines.write_text("".join(json.dumps({"id": name, "text": value}) + "\n" for name, value in texts(text).items()))
    flags = ["--threshold", "0.5", "--cluster", "star", "--keep", "longest", "-q", "--out"]
    subprocess.run([program, "dedup", str(lines), *flags, str(tmp_path / "theirs")], check=True)
    found = dedup(texts(text).items(), threshold=0.5, cluster="star", keep="longest", out=tmp_path / "ours")
    for name in ("pairs.jsonl", "clusters.jsonl", "kept.jsonl"):
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes()
    assert len(found.clusters) == 5


def test_documents_that_are_none_are_told(text: str) -> None:
    found = dedup([text, {"id": "x"}, text])
    assert [row["reason"] for row in found.rejected] == ["missing-content"]
    assert found.kept == ["1"]
    with pytest.raises(dehusk.InputError, match="`int` is no document"):
        dedup([5])
    with pytest.raises(dehusk.InputError, match="neither a file nor an iterable"):
        dedup(5)
    with pytest.raises(dehusk.DehuskError, match="nowhere.jsonl"):
        dedup("nowhere.jsonl")


def test_wrong_options_are_named(tmp_path: Path) -> None:
    for options, name in [({"threshold": 2}, "threshold"), ({"signature": "minhash:widht=2"}, "signature"), ({"clutser": "star"}, "clutser")]:
        with pytest.raises(OptionError) as told:
            dedup(["x"], **options)
        assert told.value.option == name
    (tmp_path / "mine.txt").write_text("not ours")
    with pytest.raises(dehusk.DehuskError):
        dedup(["x"], out=tmp_path)


def test_an_index_finds_what_is_known(text: str, tmp_path: Path) -> None:
    folder = tmp_path / "known"
    with Index(folder, threshold=0.5) as index:
        assert index.add(texts(text).items())["added"] >= 3
        answers = index.query([("new", text.replace("milkman", "baker")), ("other", "words " * 30)])
        assert [answer.id for answer in answers] == ["new", "other"]
        assert answers[0].matches[0].id in ("a", "b") and answers[0].matches[0].method == "jaccard"
        assert answers[1].matches == []
        assert len(index) == index.stats()["documents"]
        assert index.add([("d again", texts(text)["d"])])["copies"] == 1
        assert {row.id: row.copies for row in index.documents()}["d"] == 2
        assert index.remove(["d", "nobody"]) == 1
        again = pickle.loads(pickle.dumps(index))
        assert again.folder == os.fspath(folder) and len(again) == len(index)
    assert Index(folder).stats()["removed"] == 0, "compacted at the end"
    with pytest.raises(OptionError, match="threshold"):
        Index(folder, threshold=0.9).query(["x"])
    found = dedup([("new", text), ("d", texts(text)["d"])], against=folder)
    assert found.kept == ["d"] and found.matches["new"][0].id == "a"
    other = Index(tmp_path / "other", threshold=0.5)
    other.add([("z", "Quite other words. " * 3 + texts(text)["d"])])
    assert Index(folder).merge(other.folder) == (1, 0)
    with pytest.raises(dehusk.DehuskError, match="index add|no index|cannot read"):
        Index(tmp_path / "nowhere").query(["x"])
    with pytest.raises(OptionError):
        Index(folder).remove("a")


def test_signers_say_what_dedup_says(text: str) -> None:
    signer = Signer(threshold=0.5)
    a, b, short, empty = (signer.sign(words) for words in (text, text.replace("milkman", "postman"), "too short", ""))
    assert set(a.keys) & set(b.keys)
    similarity = signer.compare(a, b)
    [pair] = dedup([text, text.replace("milkman", "postman")], threshold=0.5).pairs
    assert similarity == pytest.approx(pair.similarity, abs=1e-4)
    assert (short.kind, empty.kind, short.keys) == ("short", "empty", [])
    assert signer.compare(short, signer.sign("Too SHORT")) == 1.0 and signer.compare(short, a) is None
    assert signer.compare(empty, empty) is None
    assert pickle.loads(pickle.dumps(signer)).sign(text) == a
    assert Signer().banding == (20, 10) or Signer().banding is not None
    with pytest.raises(OptionError) as told:
        Signer(signature="tf-idf")
    assert told.value.option == "stats"


def test_documents_of_pages_are_compared(page: str) -> None:
    extractor = Extractor()
    documents = [extractor.document(page, url=f"https://{host}.example/") for host in "ba"]
    found = dedup(documents)
    assert len(found.kept) == 1


def test_options_choose_which_documents_stay(text: str) -> None:
    def record(name: str, url: str, date: str, score: object) -> dict[str, object]:
        return {"id": name, "text": text, "url": url, "date": date, "meta": {"score": score}}

    records = [
        record("a", "http://a.example/", "2020", 3),
        record("b", "http://b.example/", "2024", 10.5),
        record("c", "http://A.example", "2022", -1),
    ]
    assert dedup(records).kept == ["a"]
    assert dedup(records, keep="newest").kept == ["b"]
    assert dedup(records, keep="field:meta.score").kept == ["b"]
    assert dedup(records, keep="field:meta.score:min").kept == ["c"]
    assert dedup(records, prefer=["nobody", "http://[Aa].example*", "c"]).kept == ["c"]
    assert dedup(records, prefer="http://b.*").kept == ["b"]
    folded = dedup(records, same_url="newest", keep="oldest")
    assert folded.kept == ["c"]
    assert [(row.id, row.representative, row.reason) for row in folded.clusters][0] == ("a", "c", "same-url")
    assert dedup(records, keep="field:rank").summary["missing_field"] == "rank"
    with pytest.raises(OptionError, match="field:meta.score"):
        dedup(records, keep="field")


class FrameWithoutArrow:
    """A data frame whose package hands over rows by another one, which is not installed."""

    columns = ("id", "text")

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise ImportError("Import pyarrow failed.")


def test_a_frame_without_pyarrow_names_the_remedy() -> None:
    with pytest.raises(ImportError, match=r"pip install pyarrow.*to_dict") as caught:
        dedup(FrameWithoutArrow())  # type: ignore[arg-type]
    assert isinstance(caught.value.__cause__, ImportError)
