import json
import subprocess
from pathlib import Path

import dehusk
import pytest
from dehusk import OptionError, find_items, passages

LICENCE = (
    "Anybody may copy this page and hand it on to others without asking us first. "
    "Whoever changes it has to say so at its very beginning, with the day of the change. "
    "Nothing is promised of what it says, and nobody answers for harm that comes of it."
)
RECORDS = [
    {"id": "a", "url": "http://a.example/1", "text": f"The river rose overnight.\n\n{LICENCE}", "shelf": 7},
    {"id": "b", "url": "http://b.example/1", "text": f"{LICENCE}\n\nWool is dear this year."},
    {"id": "c", "url": "http://b.example/2", "text": "Nothing of the kind is said here."},
]


def test_passages_have_their_places_and_texts_lose_them() -> None:
    found = passages(RECORDS, min_run=20, repeat="first")
    (passage,) = found.passages
    assert (passage.documents, passage.hosts, passage.scope, passage.document) == (2, 2, "hosts", "a")
    assert passage.text == LICENCE.rstrip(".") and passage.within is None
    first = found.occurrences[0]
    text = RECORDS[0]["text"].encode()
    assert text[first.start : first.end].decode() == passage.text and first.passage == passage.id
    assert [row.reason for row in found.documents] == ["repeated", "cut", "unique"]
    assert found.documents[1].cut and 0.5 < found.documents[1].repeated_share < 1
    assert set(found.documents[0].repetition) >= {"duplicate_lines", "top_2_grams", "duplicate_10_grams"}
    assert [row["text"] for row in found.kept][1] == "Wool is dear this year."
    assert found.summary["passages"]["passages"] == 1
    assert "1 passage at 2 places" in repr(found) and "Anybody" in str(found) and "<table" in found._repr_html_()
    assert passages([row["text"] for row in RECORDS], unit="sentence").passages[0].unit == "sentence"
    assert passages(RECORDS).kept == []


def test_rows_are_those_of_the_command_line(program: str, tmp_path: Path) -> None:
    lines = tmp_path / "documents.jsonl"
    lines.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    flags = ["--unit", "line", "--repeat", "drop", "--max-share", "0.95", "-q", "--out"]
    subprocess.run([program, "passages", str(lines), *flags, str(tmp_path / "theirs")], check=True)
    passages(lines, unit="line", repeat="drop", max_share=0.95, out=tmp_path / "ours")
    for name in ("passages", "occurrences", "contained", "documents", "kept"):
        file = f"{name}.jsonl"
        assert (tmp_path / "ours" / file).read_bytes() == (tmp_path / "theirs" / file).read_bytes()


def test_items_of_a_test_set_are_found(tmp_path: Path) -> None:
    question = "How long must willow be soaked before it can be woven?"
    documents = {"holds": f"He asked me: {question} I did not know.", "lacks": "Wool is dear this year."}
    items = [{"id": "q1", "question": question, "answer": "a day"}, {"id": "q2", "question": "Who wrote Zorba the Greek?"}]
    found = find_items(documents.items(), items, item_field=["question", "answer"], on_match="drop")
    assert [(row.document, row.item, row.field, row.share) for row in found.matches] == [("holds", "q1", "question", 1.0)]
    assert [(row.id, row.documents, row.searched) for row in found.items] == [("q1", 1, True), ("q1", 0, False), ("q2", 0, True)]
    assert [row["id"] for row in found.kept] == ["lacks"]
    file = tmp_path / "test.txt"
    file.write_text(question + "\n")
    assert find_items(documents.items(), file).matches[0].item.endswith("test.txt:1")
    assert find_items(documents.items(), [question]).items[0].documents == 1
    assert "1 item, 1 found" in repr(find_items(documents.items(), [question]))


def test_wrong_options_are_named() -> None:
    for options, name in [
        ({"unit": "word"}, "unit"),
        ({"repeat": "twice"}, "repeat"),
        ({"min_run": 0}, "min_run"),
        ({"max_share": 0.5}, "max_share"),
        ({"profile": "nearly"}, "profile"),
        ({"threshold": 0.5}, "threshold"),
    ]:
        with pytest.raises(OptionError) as told:
            passages(["x"], **options)
        assert told.value.option == name
    with pytest.raises(OptionError) as told:
        find_items(["x"], ["a b c"], on_match="maybe")
    assert told.value.option == "on_match"
    with pytest.raises(dehusk.DehuskError, match="no item"):
        find_items(["x"], [])


def test_passages_of_an_index_count(tmp_path: Path) -> None:
    licence = "Anybody may copy this page and hand it on to others without asking us first, as long as they say where it is from."
    index = dehusk.Index(tmp_path / "known", passages="tokens")
    index.add([("old", f"The river rose overnight. {licence}")])
    new = [("new", f"{licence} Wool is dear this year.")]
    found = passages(new, min_run=10, repeat="first", against_index=tmp_path / "known")
    assert [(row.document, row.documents, row.places, row.known) for row in found.passages] == [("new", 2, 2, 1)]
    assert found.kept[0]["text"] == "Wool is dear this year."
    assert not passages(new, min_run=10).passages
    with pytest.raises(OptionError, match="passages"):
        dehusk.Index(tmp_path / "other", passages="letters").add(new)  # type: ignore[arg-type]
