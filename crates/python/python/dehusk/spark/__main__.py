"""`dehusk-spark`: pages in, unique documents out, on Spark. Runs as a program, by `python -m dehusk.spark`, and by `spark-submit` of this
file."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, Sequence

from dehusk import DehuskError, __version__, options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Lists that a run writes, each a folder of Parquet files.
LISTS = ("documents", "pairs", "clusters", "kept", "rejected")


def _flags(parser: argparse.ArgumentParser) -> set[str]:
    """The options of a run, from the table that the command line has them from. Returns their names."""
    rows = {row["name"]: row for taker in ("Extractor", "spark", "read_pages") for row in options(taker)}
    group = parser.add_argument_group("options of `dehusk run`")
    for name, row in rows.items():
        about = f"{row['about']} (default: {row['default']})".replace("%", "%%")
        flag = "--" + name.replace("_", "-")
        if row["value"] == "BOOL":
            group.add_argument(flag, nargs="?", const="true", metavar="BOOL", help=about)
        else:
            group.add_argument(flag, metavar=row["value"], help=about)
    return set(rows)


def _parser() -> tuple[argparse.ArgumentParser, set[str]]:
    parser = argparse.ArgumentParser(
        prog="dehusk-spark",
        description="Turns pages into unique documents on Spark: the rows of `dehusk run`, as Parquet.",
    )
    parser.add_argument("inputs", nargs="+", help="files and folders of pages, which all machines see under these names")
    parser.add_argument("--out", required=True, help="folder for the results, which must not exist")
    parser.add_argument("--work", help="folder for what steps leave to each other, gone in the end (default: `work` in that of the results)")
    parser.add_argument("--most-connected", type=int, help="most documents that one task decides about: those that one stands for (default: 5000000)")
    parser.add_argument("--learn-sites", action="store_true", help="learn templates of sites first, and apply them")
    parser.add_argument("--master", help="where Spark runs, such as local[2] (default: what spark-submit says)")
    parser.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a setting of Spark")
    parser.add_argument("--version", action="version", version=f"dehusk-spark {__version__}")
    return parser, _flags(parser)


def _session(master: str | None, settings: Sequence[str]) -> SparkSession:
    from pyspark.sql import SparkSession

    # On this machine executors are to have the Python that runs this, whether its environment is activated or not.
    is_local = master.startswith("local") if master else "PYSPARK_GATEWAY_PORT" not in os.environ
    if is_local:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # Spark's own number, 10,000, would be hundreds of megabytes of pages.
    builder = SparkSession.builder.appName("dehusk-spark").config("spark.sql.execution.arrow.maxRecordsPerBatch", "1000")
    if master:
        builder = builder.master(master)
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise DehuskError(f"`--conf {setting}` is not of the form NAME=VALUE")
        builder = builder.config(name, value)
    session: SparkSession = builder.getOrCreate()
    return session


def _file_system(session: SparkSession, folder: str) -> tuple[Any, Any]:
    """The file system of a folder, whichever it is, and the folder in it."""
    context: Any = session.sparkContext
    path = context._jvm.org.apache.hadoop.fs.Path(folder)
    return path.getFileSystem(context._jsc.hadoopConfiguration()), path


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program, and returns its exit code."""
    parser, names = _parser()
    given = parser.parse_args(arguments)
    try:
        return _run(given, {name: value for name in names if (value := getattr(given, name)) is not None})
    except DehuskError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _run(given: argparse.Namespace, chosen: dict[str, Any]) -> int:
    from dehusk import spark

    reading = {row["name"] for row in options("read_pages")}
    others = {row["name"] for taker in ("Extractor", "spark") for row in options(taker)}
    session = _session(given.master, given.conf)
    out = given.out.rstrip("/")
    files, folder = _file_system(session, out)
    if files.exists(folder):
        raise DehuskError(f"`{out}` is there already: name a folder that is not")
    work = given.work or f"{out}/work"
    pages = spark.pages(session, *given.inputs, **{name: value for name, value in chosen.items() if name in reading})
    of_run: dict[str, Any] = {name: value for name, value in chosen.items() if name in others}
    if given.most_connected is not None:
        of_run["most_connected"] = given.most_connected
    done = spark.run(pages, work=work, learn_sites=given.learn_sites, **of_run)
    for name in LISTS:
        listed = getattr(done, name)
        listed.write.parquet(f"{out}/{name}")
        print(f"{session.read.parquet(f'{out}/{name}').count()} {name}", file=sys.stderr)
    files, folder = _file_system(session, work)
    files.delete(folder, True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
