"""Runs on Spark give the rows of `dehusk run`, whatever the number of partitions and executors, and whoever is killed.

`DEHUSK_SPARK_PAGES` is the number of pages that are generated, 500 unless it is set; 20000 takes some minutes a run.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import zipfile
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


def of_crawl(crawl: Path) -> list[tuple[str, bytes]]:
    """Addresses and pages of the crawl."""
    files = sorted(path for path in crawl.rglob("*") if path.suffix == ".html")
    return [(f"https://{path.relative_to(crawl).as_posix()}", path.read_bytes()) for path in files]


def test_rows_of_files_in_all_formats_are_those_of_the_program(
    session: Any, program: str, crawl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTML, WARC plain and compressed, in parts that several tasks read, and Parquet in several row groups."""
    from dehusk import spark
    from dehusk.spark import _reading

    monkeypatch.setattr(_reading, "SMALLEST", 20_000)
    monkeypatch.setattr(_reading, "TASK", 20_000)
    inputs = tmp_path / "inputs"
    shutil.copytree(crawl, inputs / "a")
    shutil.copy(crawl.parent / "crawl.warc.gz", inputs / "b.warc.gz")
    pages = of_crawl(crawl)
    spark_pages.write_warc(inputs / "c.warc", pages[::2])
    spark_pages.write_warc(inputs / "d.warc.gz", pages[1::2])
    spark_pages.write_parquet(inputs / "e.parquet", pages, 7)
    wanted = spark_case.expected(program, inputs, tmp_path / "out")
    read = spark.pages(session, inputs)
    parts = read.where("position % 68719476736 >= 268435456").count()
    assert parts > 20, "archives are read in parts"
    run = spark.run(read, work=str(tmp_path / "work"))
    assert len(wanted["documents"]) > 200 and len(wanted["pairs"]) > 50
    got = spark_case.rows(run)
    for row in [*got["documents"], *got["kept"], *wanted["documents"], *wanted["kept"]]:
        row.pop("plain_offset", None)
    spark_case.assert_equal(got, wanted)
    assert spark_case.rejected(run) == spark_case.quarantine(tmp_path / "out")


def test_rows_of_parquet_that_spark_reads_are_those_of_the_program(
    session: Any, program: str, crawl: Path, tmp_path: Path
) -> None:
    from dehusk import spark

    table = tmp_path / "pages.parquet"
    spark_pages.write_parquet(table, of_crawl(crawl), 11)
    wanted = spark_case.expected(program, table, tmp_path / "out", "--keep=field:id", "--on-exact=keep")
    run = spark.run(session.read.parquet(str(table)), work=str(tmp_path / "work"), keep="field:id", on_exact="keep")
    assert len(wanted["pairs"]) > 5
    # A data frame does not say which files its rows come from.
    spark_case.assert_equal(spark_case.without_places(spark_case.rows(run)), spark_case.without_places(wanted))
    reasons = [reason for _, reason in spark_case.rejected(run)]
    assert reasons == ["compressed", "missing-content"] == [reason for _, reason in spark_case.quarantine(tmp_path / "out")]


@pytest.mark.parametrize(
    ("undecided", "options"),
    [
        (10, {"keep": "newest", "same_url": "newest"}),
        (1_000_000, {"cluster": "articulation", "keep": "field:title:min", "prefer": "https://host1*,https://host2*", "same_url": "first"}),
    ],
)
def test_rows_of_large_groups_are_those_of_the_program(
    undecided: int, options: dict[str, str], session: Any, program: str, generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups of more than six would be capped in a larger collection; one of fewer than a million pairs is compared as a whole, so that nothing is
    sought again. Where more than ten pairs are not decided, they are decided where they lie. Of each address one document is taken."""
    from dehusk import spark
    from dehusk.spark import _staying

    monkeypatch.setattr(_staying, "MAX_UNDECIDED", undecided)
    given: dict[str, Any] = {"candidates": "lsh:max_bucket=6", "threshold": 0.6, **options}
    arguments = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    wanted = spark_case.expected(program, generated, tmp_path / "out", "--input-format=jsonl", *arguments)
    work = tmp_path / "work"
    run = spark.run(spark.pages(session, generated, input_format="jsonl"), work=str(work), **given)
    spark_case.assert_equal(spark_case.rows(run), wanted)
    assert not (work / "large-1").is_dir(), "pairs were sought again"
    assert (work / "gone-0-0").is_dir() == (undecided == 10)
    assert [reason for _, reason in spark_case.rejected(run)] == ["bad-json", "missing-content"]


def test_a_field_that_no_column_holds_is_told(session: Any) -> None:
    from dehusk import InputError, spark

    documents = session.createDataFrame([("a", "one text", 2), ("b", "one text", 3)], "id string, text string, score long")
    kept = spark.kept(documents, keep="field:score").collect()
    assert [row["id"] for row in kept] == ["b"]
    with pytest.raises(InputError, match="columns: id, text, score"):
        spark.kept(documents, keep="field:rank")


def test_what_cannot_be_signed_is_no_document(
    session: Any, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if its record were not there, but for a row that says so. The second of three pages of one address is one."""
    from dehusk import spark
    from dehusk.spark import _signing

    step = _signing._Sign

    def fails(options: dict[str, Any]) -> Any:
        whole = step(options)

        def sign(rows: Any) -> Any:
            import pyarrow as pa
            import pyarrow.compute as compute

            for taken in rows:
                bad = compute.match_substring(taken.column("text"), "boom")
                for batch in whole(iter([taken])):
                    columns = {name: batch.column(name) for name in batch.schema.names}
                    for name in columns.keys() - {"position", "error"}:
                        columns[name] = compute.if_else(bad, pa.scalar(None, columns[name].type), columns[name])
                    columns["error"] = compute.if_else(bad, "no boom please", None)
                    yield pa.RecordBatch.from_pydict(columns, schema=batch.schema)

        return sign

    monkeypatch.setattr(_signing, "_Sign", fails)
    lines = [json.dumps({"url": "https://a.example/", "html": f"<p>{text}"}) for text in (conftest.TEXT, "boom", "Other words.")]
    (tmp_path / "bad.jsonl").write_text("\n".join(lines))
    (tmp_path / "good.jsonl").write_text("\n".join(lines[::2]))
    wanted = spark_case.expected(program, tmp_path / "good.jsonl", tmp_path / "out")
    run = spark.run(spark.pages(session, tmp_path / "bad.jsonl"), work=str(tmp_path / "work"))
    spark_case.assert_equal(spark_case.without_places(spark_case.rows(run)), spark_case.without_places(wanted))
    assert [row["id"] for row in wanted["documents"]] == ["https://a.example/", "https://a.example/#2"]
    assert [(row["reason"], row["message"]) for row in run.rejected.collect()] == [("panic", "no boom please")]


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
    run += ["--output-format", "parquet", "--all-columns", "--out", str(tmp_path / "documents.parquet")]
    subprocess.run(run, check=False, capture_output=True)
    import pyarrow.parquet as parquet

    wanted = parquet.read_table(tmp_path / "documents.parquet").to_pylist()
    documents = spark.apply_templates(pages, learnt).where("error is null").drop("error", "position")
    got = documents.toArrow().to_pylist()
    assert any(row["method"] == "site" for row in got)
    assert sorted(map(str, got)) == sorted(map(str, wanted))


def test_rows_with_templates_that_were_learnt_are_those_of_the_program(
    session: Any, program: str, crawl: Path, tmp_path: Path
) -> None:
    import dehusk
    from dehusk import spark

    wanted = spark_case.expected(program, crawl, tmp_path / "out", "--learn-sites")
    pages = spark.pages(session, crawl)
    run = spark.run(pages, work=str(tmp_path / "work"), learn_sites=True)
    assert sum(row["method"] == "site" for row in wanted["documents"]) > 5
    spark_case.assert_equal(spark_case.rows(run), wanted)
    with pytest.raises(dehusk.OptionError, match="are both given"):
        spark.run(pages, learn_sites=True, templates="templates")


def test_steps_by_themselves(session: Any, tmp_path: Path) -> None:
    from dehusk import spark

    texts = [conftest.TEXT, conftest.TEXT.replace("milkman", "postman"), conftest.TEXT.upper(), "short", ""]
    documents = session.createDataFrame([(f"d{n}", text) for n, text in enumerate(texts)], "id string, text string")
    kinds = [row["kind"] for row in spark.sign(documents).orderBy("position").collect()]
    assert kinds == [2, 2, 2, 1, 0]
    found = spark.pairs(documents, 0.5, work=str(tmp_path)).collect()
    assert sorted((row["a"], row["b"], row["method"]) for row in found) == [("d0", "d1", "jaccard"), ("d0", "d2", "jaccard")]
    stay = spark.kept(documents, work=str(tmp_path / "2"), threshold=0.5, on_near="delete").collect()
    assert sorted(row["id"] for row in stay) == ["d0", "d3"]


def test_what_cannot_be_is_told_before_any_task(session: Any, tmp_path: Path) -> None:
    import dehusk
    from dehusk import spark

    documents = session.createDataFrame([("a", "text")], "id string, text string")
    for options, part in [
        ({"candidates": "brute-force"}, "equal keys"),
        ({"keep": "weighted"}, "scores documents by all others"),
        ({"keep": "canonical"}, "scores documents by all others"),
        ({"delete": "transitive"}, "measures pairs of documents"),
        *(({"cluster": f"ricochet-{name}"}, "looks at documents that no pairs connect") for name in ("sr", "bsr", "cr")),
        ({"treshold": 0.5}, "did you mean `threshold`"),
    ]:
        with pytest.raises(dehusk.OptionError, match=part):
            spark.deduplicate(documents, work=str(tmp_path), **options)
    with pytest.raises(dehusk.OptionError, match="`run` has no option `thresholds`"):
        spark.run(documents, work=str(tmp_path), thresholds=1)


def test_a_document_that_stands_for_too_many_is_an_error_that_says_what_to_do(session: Any, tmp_path: Path) -> None:
    from dehusk import spark

    documents = session.createDataFrame([(str(n), conftest.TEXT) for n in range(5)], "id string, text string")
    with pytest.raises(Exception, match="more than 3 documents.*(?s:.)*raise `most_connected`"):
        spark.deduplicate(documents, work=str(tmp_path), most_connected=3)


def assert_covered(rows: dict[str, list[dict[str, Any]]], threshold: float) -> None:
    """What goes as a near-duplicate is a pair of the document that its row names, which stays; no two that stay are a pair. Every pair
    must be listed."""
    kept = {row["id"] for row in rows["kept"]}
    pairs = {frozenset((row["a"], row["b"])): row["similarity"] for row in rows["pairs"]}
    for row in rows["clusters"]:
        if row["reason"] == "near-duplicate":
            assert row["representative"] in kept
            assert row["similarity"] == pairs[frozenset((row["id"], row["representative"]))] >= threshold
    assert not [pair for pair in pairs if pair <= kept]


def write_texts(path: Path, texts: list[list[str]]) -> Path:
    """Pages of these words, in an order of their own: by addresses that do not ascend."""
    page = "<html><body><main><p>{}.</p></main></body></html>"
    lines = [
        json.dumps({"url": f"https://a.example/{number * 7919 % 1009}", "html": page.format(" ".join(words))})
        for number, words in enumerate(texts)
    ]
    path.write_text("\n".join(lines))
    return path


def edited(words: list[str], *places: int) -> list[str]:
    return [f"other{place}" if place in places else word for place, word in enumerate(words)]


def test_a_chain_longer_than_what_one_task_decides(session: Any, program: str, tmp_path: Path) -> None:
    """Texts move on word by word, so that pairs connect all of them; and a star, whose rays are no pairs of each other."""
    from dehusk import spark

    words = [f"word{number}" for number in range(420)]
    chain = [words[at : at + 120] for at in range(0, 300, 4)]
    base = [f"star{number}" for number in range(120)]
    star = [base, *(edited(base, at, at + 10) for at in range(0, 100, 12))]
    inputs = write_texts(tmp_path / "pages.jsonl", [*star, *chain[1::2], *chain[::2], base, chain[3]])
    wanted = spark_case.expected(program, inputs, tmp_path / "out", "--all-pairs")
    pages = spark.pages(session, inputs)
    run = spark.run(pages, work=str(tmp_path / "work"), all_pairs=True, most_connected=30)
    assert len(chain) > 60 and len(wanted["pairs"]) > 100
    rows = spark_case.rows(run)
    spark_case.assert_equal(rows, wanted)
    assert_covered(rows, 0.8)
    with pytest.raises(Exception, match="pairs connect more than 30 documents"):
        spark.run(pages, work=str(tmp_path / "other"), most_connected=30, cluster="components").clusters.collect()


def test_pairs_of_a_large_cluster_stand_for_others(session: Any, program: str, tmp_path: Path) -> None:
    """Texts of which nearly all are pairs of each other, two of them with copies."""
    from dehusk import spark

    base = [f"word{number}" for number in range(400)]
    clique = [edited(base, at, (at * 37) % 400) for at in range(0, 400, 3)]
    inputs = write_texts(tmp_path / "pages.jsonl", [*clique, clique[5], clique[5], clique[90], [*base, *base[:30]]])
    wanted = spark_case.expected(program, inputs, tmp_path / "out")
    run = spark.run(spark.pages(session, inputs), work=str(tmp_path / "work"))
    assert max(row["link"] or 1 for row in wanted["pairs"]) > 50
    rows = spark_case.rows(run)
    spark_case.assert_equal(rows, wanted)
    assert {row["copies"] for row in rows["kept"]} and max(row["cluster_size"] for row in rows["kept"]) > 100


def submit(master: str, pages: Path, out: Path, *more: str) -> tuple[subprocess.Popen[bytes], Path]:
    """The program, by `spark-submit` of its file, and the file of what it tells: a pipe that nobody reads would stop it when it is full."""
    import dehusk.spark
    import pyspark

    command = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", master, *more]
    for name, value in spark_case.settings(2).items():
        command += ["--conf", f"{name}={value}"]
    command += [str(Path(dehusk.spark.__file__).parent / "__main__.py"), str(pages), "--input-format", "jsonl", "--out", str(out)]
    environment = {**os.environ, **spark_case.environment()}
    told = out.with_suffix(".log")
    with told.open("wb") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log), told


def packed(archive: Path, seen: Path) -> None:
    """The installed package in an archive, as a wheel has it; whoever imports it leaves a file in the folder `seen`."""
    import dehusk

    package = Path(dehusk.__file__).parent
    with zipfile.ZipFile(archive, "w") as out:
        for path in package.rglob("*"):
            name = (Path("dehusk") / path.relative_to(package)).as_posix()
            if name == "dehusk/__init__.py":
                mark = f"import os\nopen(os.path.join({str(seen)!r}, str(os.getpid())), 'w').close()\n"
                out.writestr(name, path.read_text() + mark)
            elif path.is_file() and path.suffix != ".pyc":
                out.write(path, name)


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
    """The executors take the package from an archive that is sent to them."""
    wanted = spark_case.expected(program, generated, tmp_path / "wanted", "--input-format=jsonl")
    assert any("#2" in row["id"] for row in wanted["documents"]), "no id was taken twice"
    out = tmp_path / "out"
    seen = tmp_path / "seen"
    seen.mkdir()
    packed(tmp_path / "dehusk.zip", seen)
    archive = ["--archives", f"{tmp_path / 'dehusk.zip'}#env", "--conf", "spark.executorEnv.PYTHONPATH=env"]
    with Cluster(tmp_path) as cluster:
        job, told = submit(cluster.master, generated, out, *archive)
        try:
            for _ in range(6000):
                if (out / "work" / "signed" / "_SUCCESS").exists() or job.poll() is not None:
                    break
                time.sleep(0.1)
            assert job.poll() is None, f"it ended before a worker was killed: {told.read_text()}"
            Cluster.end(cluster.processes[1])
            job.wait()
        finally:
            job.kill()
    assert job.returncode == 0, told.read_text()
    assert any(seen.iterdir()), "executors did not take the package of the archive"
    spark_case.assert_equal(written(out), wanted)
    assert not (out / "work").exists()


def test_executors_without_the_package_are_told(crawl: Path) -> None:
    """As in an environment that is not activated: Spark takes the system's Python, which has no dehusk."""
    python = getattr(sys, "_base_executable", sys.executable)
    if subprocess.run([python, "-c", "import dehusk"], capture_output=True).returncode == 0:
        conftest.absent("the system's Python has the package")
    code = (
        "import spark_case, dehusk\nfrom dehusk import spark\n"
        f"session = spark_case.session('local[1]', parts=1, python={python!r})\n"
        f"try:\n    spark.run(spark.pages(session, {str(crawl)!r}))\nexcept dehusk.DehuskError as error:\n    print(error)\n"
    )
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    start = f"import sys; sys.path[:0] = {path.split(os.pathsep)!r}\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, env=env, timeout=300)
    assert "has no package `dehusk`" in done.stdout and "PYSPARK_PYTHON" in done.stdout, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == 2
