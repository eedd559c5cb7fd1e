"""Passages on Spark are those of `dehusk passages`, row by row, for any number of partitions and executors."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import conftest
import pytest
import spark_case

# Warnings of Spark's own are not ours to fix.
pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]

LISTS = ("passages", "occurrences", "contained", "documents", "kept")


@pytest.fixture(autouse=True, scope="module")
def spark_is_here() -> None:
    conftest.need("pyspark")
    conftest.need("pandas")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        conftest.absent("there is no Java, which Spark needs")


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    session = spark_case.session("local[2]", parts=3)
    yield session
    session.stop()


def records() -> list[dict[str, Any]]:
    """Documents of several hosts that share lines. Some lines are parts of others, two documents have the same id, and one has no text."""
    rng = random.Random(7)
    words = ["wool", "river", "Brücke", "dear", "this", "year", "rose", "overnight", "mill", "weir"]

    def sentence() -> str:
        return " ".join(rng.choices(words, k=rng.randint(2, 6))).capitalize() + "."

    shared = [sentence() for _ in range(12)]
    made: list[dict[str, Any]] = []
    for number in range(120):
        paragraphs = [
            "\n".join(rng.choice(shared) if rng.random() < 0.4 else f"{sentence()} {sentence()}" for _ in range(rng.randint(1, 4)))
            for _ in range(rng.randint(0, 5))
        ]
        host = rng.choice(["a.example", "b.example", "C.example", None])
        record = {"position": number, "id": f"d{number}", "text": "\n\n".join(paragraphs), "shelf": number % 7}
        made.append({**record, "url": f"https://{host}/{number}" if host else None})
    made[5]["id"] = made[9]["id"] = "d3"
    made[40]["text"] = "Wool is dear.\nWOOL is dear!\n" * 40
    # A part of another document, and that one again.
    made[50]["text"] = "\n".join(f"Line {number} of the long one." for number in range(20))
    made[51]["text"] = "\n".join(f"Line {number} of the long one." for number in range(3, 19))
    made[52]["text"] = made[50]["text"]
    made[60]["text"] = None
    return made


def written(tmp_path: Path) -> Path:
    path = tmp_path / "documents.jsonl"
    rows = [{key: value for key, value in record.items() if value is not None and key != "position"} for record in records()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def frame(session: Any) -> Any:
    schema = "position long, id string, text string, shelf long, url string"
    return session.createDataFrame(records(), schema).repartition(4)


def expected(program: str, inputs: Path, out: Path, *arguments: str) -> dict[str, list[dict[str, Any]]]:
    command = [program, "passages", str(inputs), "--out", str(out), "--max-bad", "1", "-q", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr

    def rows(name: str) -> list[dict[str, Any]]:
        path = out / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    return {name: rows(name) for name in LISTS}


def plain(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value is not None and key != "position"}


def assert_equal(found: dict[str, list[dict[str, Any]]], wanted: dict[str, list[dict[str, Any]]], keeps: bool) -> None:
    for name in LISTS:
        if name == "kept" and keeps:
            continue
        mine, theirs = ([json.dumps(plain(row), sort_keys=True) for row in rows[name]] for rows in (found, wanted))
        # The program orders rows by places; on Spark they are in no order, and documents have equal keys only if they are equal.
        assert sorted(mine) == sorted(theirs), name


def rows_of(done: Any) -> dict[str, list[dict[str, Any]]]:
    return {name: getattr(done, name).toArrow().to_pylist() for name in LISTS}


@pytest.mark.parametrize(
    ("unit", "options", "hot"),
    [
        ("line", {"repeat": "first", "max_share": 0.6}, 4),
        ("paragraph", {"on_contained": "delete", "min_contained": 0.4, "min_documents": 2, "min_hosts": 2}, 1_000_000),
        ("sentence", {"repeat": "drop", "at": "ends", "min_host_share": 0.03, "min_unit": 2}, 4),
        ("tokens", {"min_run": 7, "repeat": "first", "cut": "token", "max_share": 0.7}, 4),
        ("tokens", {"min_run": 10, "on_contained": "delete", "min_contained": 0.4, "min_documents": 2}, 1_000_000),
    ],
)
def test_rows_are_those_of_the_program(
    unit: Any, options: dict[str, Any], hot: int, session: Any, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a low bound of what counts as hot, places of passages of four documents stay where they are. A case takes half a minute, so
    that each has several options."""
    from dehusk import spark
    from dehusk.spark import _passage_steps

    monkeypatch.setattr(_passage_steps, "HOT", hot)
    if hot == 4:
        monkeypatch.setattr(_passage_steps, "BROADCAST", 0)
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    wanted = expected(program, written(tmp_path), tmp_path / "out", "--unit", unit, *arguments)
    assert len(wanted["passages"]) > 5 and len(wanted["documents"]) == 119
    done = spark.passages(frame(session), unit=unit, work=str(tmp_path / "work"), **options)
    found = rows_of(done)
    keeps = options.get("repeat", "keep") == "keep" and options.get("on_contained", "keep") == "keep"
    assert_equal(found, wanted, keeps)
    if "on_contained" in options:
        assert any(row["reason"] in ("demoted", "contained") for row in found["documents"])
    assert [(row["position"], row["reason"]) for row in done.rejected.collect()] == [(60, "missing-content")]


def planted() -> list[dict[str, Any]]:
    """Documents with planted runs: one that every document has, parts of it, periods, runs that overlap, and texts of one word."""
    rng = random.Random(11)
    hot = [f"licence{number}" for number in range(60)]
    runs = [[f"r{run}p{place}" for place in range(rng.choice([9, 10, 11, 30, 80]))] for run in range(12)]
    made: list[dict[str, Any]] = []
    for number in range(90):
        words = [f"d{number}w{place}" for place in range(rng.randint(0, 15))]
        for _ in range(rng.randint(0, 4)):
            run = rng.choice(runs)
            begin = rng.choice([0, 0, 0, 1, 5])
            words += run[begin : len(run) - rng.choice([0, 0, 0, 2])]
            words += [f"d{number}v{len(words)}"] * rng.randint(0, 2)
        part = rng.choice([hot, hot, hot, hot[:40], hot[7:], hot[3:30]])
        words += part + [f"d{number}e{place}" for place in range(rng.randint(0, 3))]
        made.append({"position": number, "id": f"d{number}", "url": f"https://h{number % 5}.example/{number}", "text": " ".join(words)})
    made[3]["text"] = "wool " * 500
    made[4]["text"] = "wool river " * 300 + "mill " + "river wool " * 20
    made[5]["text"] = "wool " * 120 + "weir"
    made[6]["text"] = " ".join(f"a{number % 7}" for number in range(900))
    made[7]["text"] = made[8]["text"]
    made[9]["text"] = "too short"
    return made


def test_runs_are_those_of_the_program(session: Any, program: str, tmp_path: Path) -> None:
    from dehusk import spark

    path = tmp_path / "documents.jsonl"
    rows = [{key: value for key, value in record.items() if key != "position"} for record in planted()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    wanted = expected(program, path, tmp_path / "out", "--min-run=10")
    assert max(row["documents"] for row in wanted["passages"]) > 70, "one is in nearly all documents"
    assert any("within" in row for row in wanted["passages"])
    documents = session.createDataFrame(planted(), "position long, id string, url string, text string").repartition(3)
    done = spark.passages(documents, unit="tokens", work=str(tmp_path / "work"), min_run=10)
    assert_equal(rows_of(done), wanted, True)


def test_texts_without_a_common_run_have_no_rows(session: Any, tmp_path: Path) -> None:
    from dehusk import spark

    rows = [(number, f"d{number}", " ".join(f"d{number}w{place}" for place in range(80))) for number in range(3)]
    documents = session.createDataFrame(rows, "position long, id string, text string")
    found = rows_of(spark.passages(documents, unit="tokens", work=str(tmp_path / "work")))
    assert not found["passages"] and not found["occurrences"] and not found["contained"]
    assert [row["reason"] for row in found["documents"]] == ["unique"] * 3 and len(found["kept"]) == 3


def test_other_columns_are_named_and_wrong_options_are_told(session: Any, tmp_path: Path) -> None:
    from dehusk import InputError, OptionError, spark

    rows = [(0, "https://a.example/1", {"body": "One line.\nIts own."}), (1, "https://a.example/2", {"body": "one LINE\nAnother."})]
    documents = session.createDataFrame(rows, "position long, url string, page struct<body: string>")
    done = spark.passages(documents, unit="line", column={"text": "page.body"}, repeat="drop", work=str(tmp_path / "work"))
    assert [(row["document"], row["places"], row["text"]) for row in done.passages.collect()] == [("https://a.example/1", 2, "One line.")]
    kept = {row["position"]: row["text"] for row in done.kept.collect()}
    assert kept == {0: "Its own.", 1: "Another."}
    with pytest.raises(InputError, match="no column `text`; columns: position, url, page"):
        spark.passages(documents, unit="line")
    with pytest.raises(OptionError, match="min-unit|min_unit"):
        spark.passages(documents, unit="tokens", min_unit=3)
    with pytest.raises(OptionError, match="max-share|max_share"):
        spark.passages(documents, unit="line", max_share=0.5)


CLUSTER = """
import sys
sys.path.insert(0, {tests!r})
import spark_case, test_spark_passages as case
from dehusk import spark
session = spark_case.session("local-cluster[2,1,1024]", parts=5)
done = spark.passages(case.frame(session), unit="line", repeat="first", min_documents=2, work={work!r})
import json
print(json.dumps(case.rows_of(done)))
session.stop()
"""


def test_rows_of_two_executors_are_those_of_the_program(program: str, tmp_path: Path) -> None:
    wanted = expected(program, written(tmp_path), tmp_path / "out", "--unit=line", "--repeat=first", "--min-documents=2")
    script = CLUSTER.format(tests=str(Path(__file__).parent), work=str(tmp_path / "work"))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert_equal(json.loads(done.stdout.splitlines()[-1]), wanted, keeps=False)
