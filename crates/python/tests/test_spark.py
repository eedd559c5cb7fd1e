"""Runs on Spark give the rows of `dehusk run`, whatever the number of partitions and executors, and whoever is killed.

`DEHUSK_SPARK_PAGES` is the number of pages of the runs in all three modes, 500 unless it is set; 20000 takes some minutes each.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Iterator

import conftest
import pytest
import spark_case
import spark_pages

PAGES = int(os.environ.get("DEHUSK_SPARK_PAGES", "500"))

# Warnings of Spark's own are not ours to fix.
pytestmark = [pytest.mark.spark, pytest.mark.filterwarnings("default")]


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


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return spark_pages.write(tmp_path_factory.mktemp("generated") / "pages", PAGES)


def test_rows_of_the_crawl_are_those_of_the_program(
    session: Any, program: str, crawl: Path, tmp_path: Path
) -> None:
    from dehusk import spark

    wanted = spark_case.expected(program, crawl, tmp_path / "out")
    run = spark.run(spark.pages(session, crawl), work=str(tmp_path / "work"))
    assert len(wanted["pairs"]) > 5
    spark_case.assert_equal(spark_case.rows(run), wanted)


def test_rows_of_large_groups_are_those_of_the_program(
    session: Any, program: str, generated: Path, tmp_path: Path
) -> None:
    """Groups of more than six are capped, so that pairs are sought again among the documents that stay."""
    from dehusk import spark

    options: dict[str, Any] = {"candidates": "lsh:max_bucket=6", "threshold": 0.6, "keep": "longest", "cluster": "components"}
    arguments = [f"--{name}={value}" for name, value in options.items()]
    wanted = spark_case.expected(program, generated, tmp_path / "out", "--input-format=jsonl", *arguments)
    work = tmp_path / "work"
    run = spark.run(spark.pages(session, generated, input_format="jsonl"), work=str(work), **options)
    spark_case.assert_equal(spark_case.rows(run), wanted)
    assert (work / "pairs-1").is_dir(), "no pair was sought again"
    assert any("#2" in row["id"] for row in wanted["documents"]), "no id was taken twice"
    reasons = sorted(row["reason"] for row in run.rejected.collect())
    assert reasons == ["bad-json", "missing-content"]


def test_templates_are_those_of_the_program(session: Any, program: str, crawl: Path, tmp_path: Path) -> None:
    from dehusk import sites, spark

    learn = [program, "site", "learn", str(crawl), "--out", str(tmp_path / "learnt")]
    assert subprocess.run(learn, check=False, capture_output=True).returncode in (0, 3)
    pages = spark.pages(session, crawl)
    learnt = spark.learn_sites(pages)
    found = spark.templates_of(learnt)
    assert found and {template.to_toml() for template in found} == {
        template.to_toml() for template in sites.load(tmp_path / "learnt")
    }
    run = [program, "extract", str(crawl), "--templates", str(tmp_path / "learnt"), "--max-bad", "1"]
    run += ["--output-format", "parquet", "--out", str(tmp_path / "documents.parquet")]
    subprocess.run(run, check=False, capture_output=True)
    import pyarrow.parquet as parquet

    wanted = parquet.read_table(tmp_path / "documents.parquet").to_pylist()
    documents = spark.apply_templates(pages, learnt).where("error is null").drop("error", "position")
    got = documents.toArrow().to_pylist()
    assert any(row["method"] == "site" for row in got)
    assert sorted(map(str, got)) == sorted(map(str, wanted))


def test_steps_by_themselves(session: Any, tmp_path: Path) -> None:
    from dehusk import spark

    texts = [conftest.TEXT, conftest.TEXT.replace("milkman", "postman"), conftest.TEXT.upper(), "short", ""]
    documents = session.createDataFrame([(f"d{n}", text) for n, text in enumerate(texts)], "id string, text string")
    kinds = [row["kind"] for row in spark.sign(documents).orderBy("position").collect()]
    assert kinds == [2, 2, 2, 1, 0]
    found = spark.pairs(documents, 0.5, work=str(tmp_path)).collect()
    assert sorted((row["a"], row["b"], row["method"]) for row in found) == [("d0", "d1", "jaccard"), ("d0", "d2", "exact")]
    stay = spark.kept(documents, work=str(tmp_path / "2"), threshold=0.5, on_near="delete").collect()
    assert sorted(row["id"] for row in stay) == ["d0", "d3"]


def test_what_cannot_be_is_told_before_any_task(session: Any, tmp_path: Path) -> None:
    import dehusk
    from dehusk import spark

    documents = session.createDataFrame([("a", "text")], "id string, text string")
    for options, part in [
        ({"candidates": "brute-force"}, "equal keys"),
        ({"keep": "weighted"}, "scores documents by all others"),
        ({"treshold": 0.5}, "did you mean `threshold`"),
    ]:
        with pytest.raises(dehusk.OptionError, match=part):
            spark.deduplicate(documents, work=str(tmp_path), **options)
    with pytest.raises(dehusk.OptionError, match="`run` has no option `thresholds`"):
        spark.run(documents, work=str(tmp_path), thresholds=1)


def test_a_component_that_is_too_large_is_an_error_that_says_what_to_do(session: Any, tmp_path: Path) -> None:
    from dehusk import spark

    documents = session.createDataFrame([(str(n), conftest.TEXT) for n in range(5)], "id string, text string")
    with pytest.raises(Exception, match="more than 3 documents.*(?s:.)*raise `most_connected`"):
        spark.deduplicate(documents, work=str(tmp_path), most_connected=3)


def submit(master: str, pages: Path, out: Path) -> subprocess.Popen[str]:
    """The program, in a process of its own."""
    settings = [f"{name}={value}" for name, value in spark_case.settings(2).items()]
    command = [sys.executable, "-W", "ignore", "-m", "dehusk.spark", str(pages), "--input-format", "jsonl", "--out", str(out)]
    command += ["--master", master, *(f"--conf={setting}" for setting in settings)]
    return subprocess.Popen(command, env={**os.environ, **spark_case.environment()}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def written(out: Path) -> dict[str, list[dict[str, Any]]]:
    """What the program wrote, in the order of the input."""
    import pyarrow.parquet as parquet

    class Read:
        def __init__(self, name: str) -> None:
            self.name = name

        def toArrow(self) -> Any:
            return parquet.read_table(out / self.name)

    run = type("Read", (), {name: Read(name) for name in spark_case.LISTS})
    return spark_case.rows(run)


def test_a_cluster_of_two_executors(program: str, generated: Path, tmp_path: Path) -> None:
    wanted = spark_case.expected(program, generated, tmp_path / "wanted", "--input-format=jsonl")
    job = submit("local-cluster[2,1,1024]", generated, tmp_path / "out")
    told, _ = job.communicate()
    assert job.returncode == 0, told
    spark_case.assert_equal(written(tmp_path / "out"), wanted)
    assert not (tmp_path / "out" / "work").exists()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Cluster:
    """A master and two workers on this machine, which end with the test."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.home = Path(pyspark.__file__).parent
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.port = free_port()
        self.master = f"spark://127.0.0.1:{self.port}"

    def start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **spark_case.environment()}
        command = [str(self.home / "bin" / "spark-class"), f"org.apache.spark.deploy.{what.lower()}.{what}", *arguments]
        with open(self.folder / f"{what}-{len(self.processes)}.log", "wb") as log:
            process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        self.processes.append(process)
        return process

    def __enter__(self) -> Cluster:
        web = str(free_port())
        self.start("Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", web)
        for number in range(2):
            self.start(
                "Worker", "--host", "127.0.0.1", "-c", "1", "-m", "1g", "--webui-port", str(free_port()),
                "-d", str(self.folder / f"worker-{number}"), self.master,
            )
        return self

    @staticmethod
    def end(process: subprocess.Popen[bytes]) -> None:
        """Ends a process at once, and all that it started."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def __exit__(self, *_: object) -> None:
        for process in reversed(self.processes):
            self.end(process)


def test_a_worker_that_is_killed_in_the_middle(program: str, generated: Path, tmp_path: Path) -> None:
    wanted = spark_case.expected(program, generated, tmp_path / "wanted", "--input-format=jsonl")
    out = tmp_path / "out"
    with Cluster(tmp_path) as cluster:
        job = submit(cluster.master, generated, out)
        try:
            for _ in range(6000):
                if (out / "work" / "signed" / "_SUCCESS").exists() or job.poll() is not None:
                    break
                time.sleep(0.1)
            assert job.poll() is None, f"it ended before a worker was killed: {job.communicate()[0]}"
            Cluster.end(cluster.processes[1])
            told, _ = job.communicate()
        finally:
            job.kill()
    assert job.returncode == 0, told
    spark_case.assert_equal(written(out), wanted)
