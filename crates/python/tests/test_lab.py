import json
from pathlib import Path

import dehusk
import pytest


def test_a_set_is_made_and_compared(tmp_path: Path) -> None:
    count = dehusk.generate("parts", tmp_path / "set", documents=40, parts=20, replaced=1)
    assert count == 40
    truth = tmp_path / "set" / "truth.jsonl"
    results = dehusk.compare(
        tmp_path / "set" / "corpus.jsonl", truth, out=tmp_path / "report", signature=["minhash", "md5"], bootstrap=0
    )
    assert {row["method"].split(":")[0] for row in results["views"][0]["rows"]} >= {"minhash", "md5"}
    assert (tmp_path / "report" / "report.html").exists()
    rows = [json.loads(line) for line in (tmp_path / "set" / "corpus.jsonl").read_text().splitlines()]
    again = dehusk.compare(rows, truth, signature=["md5"], bootstrap=0)
    assert again["views"][0]["rows"]


def test_wrong_arguments_are_named(tmp_path: Path) -> None:
    for what, options in [("part", {}), ("parts", {"page": 1}), ("parts", {"documents": "x"}), ("mutations", {"copied": 2.0})]:
        with pytest.raises(dehusk.OptionError):
            dehusk.generate(what, tmp_path / "set", **options)
    with pytest.raises(dehusk.OptionError) as told:
        dehusk.compare(["x"], tmp_path / "truth.tsv", signature=["nimhash"])
    assert told.value.option == "signature"
