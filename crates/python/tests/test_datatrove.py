"""The blocks for datatrove, in executors of datatrove."""

import json
import struct
from pathlib import Path

import conftest
import pytest

conftest_page = conftest.PAGE


@pytest.fixture(autouse=True)
def datatrove() -> None:
    conftest.need("datatrove")


# Warnings of datatrove's own are not ours to fix.
pytestmark = pytest.mark.filterwarnings("default")


def write_pages(folder: Path) -> None:
    folder.mkdir()
    other = "<p>Nothing of this kind was ever seen in the town below the hills, where people speak of little else than of wool and rain."
    pages = [
        [("a", conftest_page), ("b", "<script>x</script>")],
        [("c", conftest_page.replace("milkman", "postman")), ("d", other), ("e", conftest_page)],
    ]
    for number, part in enumerate(pages):
        lines = (json.dumps({"id": name, "text": html, "metadata": {"url": f"https://{name}.example/"}}) for name, html in part)
        (folder / f"{number}.jsonl").write_text("\n".join(lines) + "\n")


def run(steps: list, tasks: int, logs: Path) -> None:
    from datatrove.executor import LocalPipelineExecutor

    LocalPipelineExecutor(pipeline=steps, tasks=tasks, workers=1, logging_dir=str(logs)).run()


def lines(folder: Path) -> list[dict]:
    return [json.loads(line) for file in sorted(folder.glob("*.jsonl")) for line in file.read_text().splitlines()]


def test_pages_become_unique_documents(tmp_path: Path) -> None:
    from datatrove.pipeline.dedup import MinhashDedupFilter
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers import JsonlWriter
    from dehusk.datatrove import DehuskExtractor, DropDuplicates, FindDuplicates, QualityFilter, TextsToCompare

    write_pages(tmp_path / "pages")
    writer = JsonlWriter(str(tmp_path / "documents"), compression=None)
    extraction = [
        JsonlReader(str(tmp_path / "pages")),
        DehuskExtractor(title="keep"),
        QualityFilter(languages=["en"]),
        TextsToCompare(str(tmp_path / "texts")),
        writer,
    ]
    run(extraction, 2, tmp_path / "logs1")
    documents = lines(tmp_path / "documents")
    assert [document["id"] for document in documents] == ["a", "c", "d", "e"], "`b` has no main text"
    assert documents[0]["metadata"]["title"] == "Rivers rose" and "Home" not in documents[0]["text"]
    assert documents[0]["metadata"]["confidence"] > 0

    run([FindDuplicates(str(tmp_path / "texts"), str(tmp_path / "found"), threshold=0.5)], 1, tmp_path / "logs2")
    (removed,) = struct.unpack("<I", (tmp_path / "found" / "000001.remove").read_bytes()[:4])
    assert removed == 0 and (tmp_path / "found" / "000000.remove").read_bytes() == b""

    excluded = JsonlWriter(str(tmp_path / "excluded"), compression=None)
    last = JsonlWriter(str(tmp_path / "unique"), compression=None)
    dropping = DropDuplicates(str(tmp_path / "found"), excluded)
    run([JsonlReader(str(tmp_path / "documents")), dropping, last], 2, tmp_path / "logs3")
    assert [document["id"] for document in lines(tmp_path / "unique")] == ["a", "d"]
    gone = {document["id"]: document["metadata"] for document in lines(tmp_path / "excluded")}
    assert gone["c"]["filter_reason"] == "near-duplicate" and gone["c"]["dedup_of"] == "000000/0000000000"
    assert gone["e"]["filter_reason"] == "exact-duplicate"

    # datatrove's own last step reads the same folder.
    theirs = JsonlWriter(str(tmp_path / "theirs"), compression=None)
    filtering = MinhashDedupFilter(str(tmp_path / "found"), load_cluster_ids=True, load_cluster_sizes=True)
    run([JsonlReader(str(tmp_path / "documents")), filtering, theirs], 2, tmp_path / "logs4")
    kept = lines(tmp_path / "theirs")
    assert [document["id"] for document in kept] == ["a", "d"]
    assert kept[0]["metadata"]["minhash_cluster_size"] == 3


def test_reasons_are_written(tmp_path: Path) -> None:
    from datatrove.data import Document
    from dehusk.datatrove import QualityFilter

    def document(**metadata: object) -> Document:
        return Document(text="some text", id="x", metadata=metadata)

    def reason(of: QualityFilter, **metadata: object) -> object:
        result = of.filter(document(**metadata))
        return result if isinstance(result, bool) else result[1]

    assert reason(QualityFilter()) is True
    assert reason(QualityFilter(least_chars=100)) == "short"
    assert reason(QualityFilter(least_confidence=0.5), confidence=0.2) == "low-confidence"
    assert reason(QualityFilter(least_share=0.5), kept_chars=1, all_chars=10) == "low-share"
    assert reason(QualityFilter(languages=["ru"]), language="en") == "language-en"
    assert reason(QualityFilter(without_warnings=["binary"]), warnings=[{"code": "binary", "message": ""}]) == "warning-binary"


def test_steps_that_do_not_fit_are_told(tmp_path: Path) -> None:
    import dehusk
    from datatrove.data import Document
    from dehusk.datatrove import DropDuplicates, FindDuplicates

    step = FindDuplicates(str(tmp_path / "none"), str(tmp_path / "found"))
    with pytest.raises(dehusk.InputError, match="holds no texts"):
        list(step.run())
    with pytest.raises(dehusk.InputError, match="one task"):
        list(step.run(world_size=2))
    with pytest.raises(dehusk.InputError, match="fewer decisions"):
        list(DropDuplicates(str(tmp_path / "found")).run(iter([Document(text="x", id="x")])))


def test_batches_of_datasets_are_mapped(page: str) -> None:
    """What `datasets.map(batched=True)` calls: lists by column, in and out."""
    import dehusk

    extractor = dehusk.Extractor(threads=2)

    def main_text(batch: dict[str, list]) -> dict[str, list]:
        documents = extractor.documents(zip(batch["html"], batch["url"]), errors="return")
        return {"text": [item.text if isinstance(item, dehusk.Document) else None for item in documents]}

    pages = {"html": [page, "<p>Other words"], "url": ["https://a.example/", None]}
    found = main_text(pages)
    assert found["text"][1] == "Other words\n" and "milkman" in found["text"][0]
    if not __import__("importlib").util.find_spec("datasets"):
        return  # shown above as `datasets` calls it
    import datasets

    mapped = datasets.Dataset.from_dict(pages).map(main_text, batched=True, batch_size=2)
    assert mapped["text"][1] == "Other words\n"
