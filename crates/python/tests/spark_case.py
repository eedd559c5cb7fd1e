"""Runs on Spark beside those of the program: what both write, row by row."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

LISTS = ("documents", "pairs", "clusters", "kept")


def expected(program: str, inputs: Path, out: Path, *arguments: str) -> dict[str, list[dict[str, Any]]]:
    """The rows that `dehusk run` writes."""
    import pyarrow.parquet as parquet

    command = [program, "run", str(inputs), "--out", str(out), "--output-format", "parquet", "--all-columns", "--max-bad", "1"]
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return {name: parquet.read_table(out / f"{name}.parquet").to_pylist() for name in LISTS}


def rows(run: Any) -> dict[str, list[dict[str, Any]]]:
    """The rows of a run on Spark, without their positions; those that have one in its order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in LISTS:
        listed = getattr(run, name).toArrow().to_pylist()
        listed.sort(key=lambda row: (row["position"],) if "position" in row else (row["a"], row["b"]))
        found[name] = [{key: value for key, value in row.items() if key != "position"} for row in listed]
    return found


def without_places(rows: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """Rows without the fields that say where in which file their pages are."""
    places = {"source", "offset", "plain_offset"}
    return {name: [{key: value for key, value in row.items() if key not in places} for row in listed] for name, listed in rows.items()}


def rejected(run: Any) -> list[tuple[str, str]]:
    """Ids and reasons of records that could not be used, in the order of the input."""
    return [(row["id"], row["reason"]) for row in run.rejected.orderBy("position").collect()]


def quarantine(out: Path) -> list[tuple[str, str]]:
    """The same of the program."""
    import pyarrow.parquet as parquet

    return [(row["id"], row["reason"]) for row in parquet.read_table(out / "quarantine.parquet").to_pylist()]


def assert_equal(got: dict[str, list[dict[str, Any]]], wanted: dict[str, list[dict[str, Any]]]) -> None:
    """Rows are equal one by one, in the order of the program; pairs are listed by ids there."""
    for name in LISTS:
        mine, theirs = got[name], wanted[name]
        if name == "pairs":
            theirs = sorted(theirs, key=lambda row: (row["a"], row["b"]))
        assert len(mine) == len(theirs), f"{name}: {len(mine)} rows, not {len(theirs)}"
        for number, (row, other) in enumerate(zip(map(_unfolded, mine, theirs), theirs)):
            differ = {key: (row.get(key), other.get(key)) for key in {*row, *other} if row.get(key, ...) != other.get(key, ...)}
            assert not differ, f"{name}, row {number}: ours and theirs {differ}"


def _unfolded(row: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """A row with what other columns of pages hold as columns, as the program writes them of Parquet; on Spark they lie in `extra`."""
    extra = json.loads(row.get("extra") or "{}")
    if not extra or not extra.keys() <= other.keys():
        return row
    return {**row, **extra, "extra": None}


def environment() -> dict[str, str]:
    """What Spark of the package needs to find itself and this Python, also where it starts executors."""
    import pyspark

    return {
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": os.path.dirname(pyspark.__file__),
        "SPARK_SCALA_VERSION": "2.13",
    }


def settings(parts: int) -> dict[str, str]:
    """Settings of Spark for little work on one machine: compiling for speed would take longer than the work."""
    java = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    return {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.driver.extraJavaOptions": java,
        "spark.executor.cores": "1",
        "spark.executor.memory": "1g",
        "spark.executor.extraJavaOptions": java,
        "spark.default.parallelism": str(parts),
        "spark.sql.shuffle.partitions": str(parts),
        "spark.sql.codegen.wholeStage": "false",
    }


def session(master: str, parts: int, python: str = sys.executable, **more: str) -> Any:
    """A session of Spark on this machine, whose executors run the Python given."""
    from pyspark.sql import SparkSession

    os.environ.update({**environment(), "PYSPARK_PYTHON": python})
    builder = SparkSession.builder.master(master).appName("dehusk")
    for name, value in {**settings(parts), **more}.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made
