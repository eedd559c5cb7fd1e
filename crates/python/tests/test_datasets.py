"""Data sets of Hugging Face: `map` over batches, in one process and in several."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import need

import dehusk

EXTRACTOR = dehusk.Extractor(threads=2)


def main_text(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """What docs/python.md shows."""
    documents = EXTRACTOR.documents(zip(batch["html"], batch["url"]), errors="return")
    return {"text": [item.text if isinstance(item, dehusk.Document) else None for item in documents]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("processes", [None, 2])
def test_map_over_batches(
    processes: int | None, page: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need("datasets")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    urls = [f"https://a.example/{number}" for number in range(20)]
    pages = [page.replace("one item", f"item {number}") for number in range(20)]
    pages[7] = ""
    found = datasets.Dataset.from_dict({"html": pages, "url": urls}).map(
        main_text, batched=True, batch_size=6, num_proc=processes, remove_columns=["html"]
    )
    assert found.column_names == ["url", "text"]
    assert found["url"][:] == urls
    for number, row in enumerate(found["text"][:]):
        assert row == dehusk.Extractor().document(pages[number], url=urls[number]).text
        assert (text in row) == (number != 7)
