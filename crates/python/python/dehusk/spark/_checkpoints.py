"""Results of steps in files: what was computed once is not computed again, whatever executors are lost."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from .._errors import OptionError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Checkpoints:
    """A folder in which each step leaves its rows as Parquet, and the next one reads them.

    The folder must be one that the driver and all executors see. Without one, Spark's own checkpoint folder is taken
    (`spark.sparkContext.setCheckpointDir`), and on a single machine a temporary one.
    """

    def __init__(self, session: SparkSession, folder: str | None = None) -> None:
        self.session = session
        self._given = folder
        self._folder: str | None = folder.rstrip("/") if folder else None

    @property
    def folder(self) -> str:
        """The folder."""
        if self._folder is None:
            context = self.session.sparkContext
            of_spark = context.getCheckpointDir()
            if of_spark is None and not (context.master or "").startswith("local"):
                raise OptionError(
                    "`work`: steps leave their rows in a folder that all machines see, and none is named",
                    option="work",
                    help="name one, such as `work='hdfs:///tmp/dehusk'`",
                )
            self._folder = of_spark or tempfile.mkdtemp(prefix="dehusk-spark-")
        return self._folder

    def path(self, name: str) -> str:
        """Where the rows of a step lie."""
        return f"{self.folder}/{name}"

    def save(self, frame: DataFrame, name: str) -> DataFrame:
        """Computes the rows of a step now, and reads them from files from now on."""
        path = self.path(name)
        schema = frame.schema
        frame.write.mode("overwrite").parquet(path)
        return self.session.read.schema(schema).parquet(path)
