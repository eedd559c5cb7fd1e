"""What a run on Spark takes, beside the program on the same pages, and beside two others for the part they do.

`python bench/spark.py --pages 20000 --program target/release/dehusk [--others]`. Needs what `tests/test_spark.py` needs. Pages are those of
the tests. Shuffled bytes and memory come from Spark's event log. With `--others`, MinHashLSH of MLlib, and the way of scripts that join
bands of MinHash and take what is connected without comparing, get the texts of the documents; the truth is what `exact-join` finds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, Iterable

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import spark_case
import spark_pages

THRESHOLD = 0.8


def timed(name: str, work: Any) -> Any:
    start = time.perf_counter()
    done = work()
    print(f"{name}: {time.perf_counter() - start:.1f} s", flush=True)
    return done


def figures(folder: Path) -> dict[str, int]:
    """Sums of what tasks shuffled, and peaks of memory."""
    found: dict[str, int] = defaultdict(int)
    for file in sorted(folder.rglob("*")):
        if not file.is_file() or file.name.startswith((".", "appstatus")):
            continue
        for line in file.read_text().splitlines():
            event = json.loads(line)
            metrics = event.get("Task Metrics")
            if metrics:
                found["tasks"] += 1
                found["shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                found["spilled"] += metrics["Disk Bytes Spilled"]
            for name, value in (event.get("Task Executor Metrics") or {}).items():
                if name in ("JVMHeapMemory", "JVMOffHeapMemory", "ProcessTreeJVMRSSMemory", "ProcessTreePythonRSSMemory"):
                    found[name] = max(found[name], value)
    return dict(found)


def spark_run(pages: Path, folder: Path, master: str, parts: int) -> None:
    log = folder / "events"
    log.mkdir()
    more = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": log.as_uri(),
        "spark.eventLog.compress": "false",
        "spark.eventLog.logStageExecutorMetrics": "true",
        "spark.executor.processTreeMetrics.enabled": "true",
        "spark.driver.extraJavaOptions": "",
        "spark.executor.extraJavaOptions": "",
        "spark.sql.codegen.wholeStage": "true",
    }
    session = timed("a session", lambda: spark_case.session(master, parts, **more))
    from dehusk import spark

    def work() -> Any:
        run = spark.run(spark.pages(session, pages, input_format="jsonl"), work=str(folder / "work"))
        for name in spark_case.LISTS:
            getattr(run, name).write.parquet(str(folder / "spark" / name))
        return run

    timed(f"dehusk.spark.run, {master}", work)
    documents = session.read.parquet(str(folder / "spark" / "documents")).count()
    session.stop()
    found = figures(log)
    print(found)
    print(f"{documents} documents, {found['shuffled'] / documents:.0f} bytes shuffled for each", flush=True)


def truth(program: str, folder: Path) -> set[tuple[str, str]]:
    """All pairs of documents that are similar, by a join of shingles that misses none."""
    out = folder / "truth"
    command = [program, "dedup", str(folder / "run" / "documents.jsonl"), "--out", str(out), "--all-pairs"]
    command += ["--signature", "shingles", "--candidates", "exact-join", "--short-docs", "near", "--threshold", str(THRESHOLD)]
    timed("all pairs by `exact-join`", lambda: subprocess.run(command, check=True, capture_output=True))
    lines = (json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines())
    return {(line["a"], line["b"]) for line in lines}


def connected(pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """All pairs of what pairs connect."""
    parent: dict[str, str] = {}

    def root(of: str) -> str:
        parent.setdefault(of, of)
        while parent[of] != of:
            parent[of] = parent[parent[of]]
            of = parent[of]
        return of

    for a, b in pairs:
        parent[root(a)] = root(b)
    groups: dict[str, list[str]] = defaultdict(list)
    for of in sorted(parent):
        groups[root(of)].append(of)
    return {(a, b) for group in groups.values() for n, a in enumerate(group) for b in group[n + 1 :]}


def told(name: str, found: set[tuple[str, str]], true: set[tuple[str, str]]) -> None:
    right = len(found & true)
    print(f"  {name}: {len(found)} pairs, precision {right / max(len(found), 1):.4f}, recall {right / max(len(true), 1):.4f}", flush=True)


def others(program: str, folder: Path, parts: int) -> None:
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F

    from dehusk import spark

    true = truth(program, folder)
    session = spark_case.session("local[2]", parts, **{"spark.driver.extraJavaOptions": "", "spark.sql.codegen.wholeStage": "true"})
    texts = session.read.parquet(str(folder / "spark" / "documents")).select("position", "id", "url", "text").cache()
    texts.count()

    def ours() -> set[tuple[str, str]]:
        pairs = spark.pairs(texts, THRESHOLD, work=str(folder / "ours"), all_pairs=True).select("a", "b")
        return {(row["a"], row["b"]) for row in pairs.collect()}

    found = timed("dehusk.spark.pairs", ours)
    told("dehusk.spark", found, true)
    told("dehusk.spark, what is connected", connected(found), connected(true))

    cut = RegexTokenizer(inputCol="text", outputCol="words", pattern=r"\W+", toLowercase=True)
    shingle = NGram(n=4, inputCol="words", outputCol="shingles")
    vector = HashingTF(inputCol="shingles", outputCol="features", binary=True, numFeatures=1 << 20)

    def mllib(tables: int) -> set[tuple[str, str]]:
        # A vector of no shingle is an error there.
        shingles = vector.transform(shingle.transform(cut.transform(texts))).where(F.size("shingles") > 0).cache()
        model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=tables, seed=7).fit(shingles)
        joined = model.approxSimilarityJoin(shingles, shingles, 1 - THRESHOLD + 1e-9)
        pairs = joined.where("datasetA.id < datasetB.id").select("datasetA.id", "datasetB.id").toDF("a", "b")
        return {(row["a"], row["b"]) for row in pairs.collect()}

    for tables in (3, 10):
        told(f"MLlib, {tables} tables", timed(f"MinHashLSH of MLlib, {tables} tables", lambda: mllib(tables)), true)
    found = timed("bands of MinHash, connected", lambda: bands(texts, shingle.transform(cut.transform(texts)), folder))
    told("bands of MinHash, connected", connected(found), connected(true))
    session.stop()


def bands(texts: Any, shingled: Any, folder: Path, permutations: int = 256) -> set[tuple[str, str]]:
    """Documents with an equal band of 256 values, each an edge to the smallest id, and nothing compared: the bands that such scripts choose."""
    import numpy as np
    import pandas as pd
    from pyspark.sql import functions as F

    del texts, folder
    count, rows = best_bands(permutations)
    random = np.random.default_rng(42)
    prime = np.uint64((1 << 61) - 1)
    a = random.integers(1, 1 << 31, permutations, dtype=np.uint64)
    b = random.integers(0, 1 << 31, permutations, dtype=np.uint64)

    def sign(batches: Any) -> Any:
        for batch in batches:
            out: list[tuple[str, int, bytes]] = []
            for name, hashes in zip(batch["id"], batch["hashes"]):
                if len(hashes) == 0:
                    continue
                values = ((np.asarray(hashes).astype(np.uint32).astype(np.uint64)[:, None] * a + b) % prime).min(axis=0)
                out.extend((name, n, values[n * rows : (n + 1) * rows].tobytes()) for n in range(count))
            yield pd.DataFrame(out, columns=["id", "band", "key"])

    hashed = shingled.select("id", F.transform("shingles", lambda shingle: F.hash(shingle)).alias("hashes"))
    keys = hashed.mapInPandas(sign, "id string, band int, key binary")
    least = keys.groupBy("band", "key").agg(F.min("id").alias("a"), F.collect_set("id").alias("ids")).where(F.size("ids") > 1)
    edges = least.select("a", F.explode("ids").alias("b")).where("a <> b").distinct()
    return {(row["a"], row["b"]) for row in edges.collect()}


def best_bands(permutations: int) -> tuple[int, int]:
    """Bands and rows of the least sum of false positives and false negatives at the threshold, by the usual integrals."""
    def area(low: float, high: float, value: Any) -> float:
        steps = 200
        return sum(value(low + (high - low) * (n + 0.5) / steps) for n in range(steps)) * (high - low) / steps

    def error(shape: tuple[int, int]) -> float:
        count, rows = shape
        missed = area(THRESHOLD, 1, lambda s: (1 - s**rows) ** count)
        wrong = area(0, THRESHOLD, lambda s: 1 - (1 - s**rows) ** count)
        return 0.5 * missed + 0.5 * wrong

    return min(((b, r) for b in range(1, permutations + 1) for r in range(1, permutations // b + 1)), key=error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--program", required=True)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--others", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pages = spark_pages.write(folder / "pages", given.pages, 16)
        command = [given.program, "run", str(pages), "--input-format", "jsonl", "--max-bad", "1", "--out", str(folder / "run")]
        timed("dehusk run", lambda: subprocess.run(command, check=False, capture_output=True))
        spark_run(pages, folder, given.master, given.parts)
        if given.others:
            others(given.program, folder, given.parts)


if __name__ == "__main__":
    main()
