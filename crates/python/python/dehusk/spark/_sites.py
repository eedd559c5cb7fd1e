"""Templates of sites, learnt host by host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from .. import _native
from .._errors import InputError
from ._batches import beside, grouped, mapped, stepwise
from ._extraction import POSITION

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from .._options import LearnOptions
    from ._batches import Batches

#: Columns of templates.
SCHEMA = "site string, layout int, pages int, template string"


@dataclass(frozen=True)
class _Hosts:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        for batch in rows:
            hosts = _native.hosts(batch.select(["url", "dehusk_page"]), self.options)
            if hosts is not None:
                yield beside([POSITION], batch, hosts)


@dataclass(frozen=True)
class _Learn:
    options: dict[str, Any]

    def __call__(self, rows: Batches) -> Batches:
        return stepwise(_native.Learning(self.options), rows)


def learn_sites(pages: DataFrame, *, pages_of_host: int = 1000, **options: Unpack[LearnOptions]) -> DataFrame:
    """The templates of the sites of `pages`: `site`, `layout`, the number of `pages` that one was learnt from, and its text, `template`.

    Of each host the first `pages_of_host` pages are looked at, and of each of its layouts 50 are learnt from, so that no host takes
    more than that, however large it is. Templates are those that `dehusk site learn` learns from these pages.
    """
    if "dehusk_page" not in pages.columns:
        raise InputError(
            "pages without the column `dehusk_page`, which sites are learnt from",
            help="read them by `dehusk.spark.pages`",
        )
    given = {name: value for name, value in options.items() if value is not None}
    told = mapped(pages.select(POSITION, "url", "dehusk_page"), _Hosts(given), f"{POSITION} long, host string")
    of_host = told.where("host is not null")
    place = F.row_number().over(Window.partitionBy("host").orderBy(POSITION))
    first = of_host.withColumn("place", place).where(F.col("place") <= pages_of_host).drop("place")
    sorted_pages = grouped(pages.select(POSITION, "dehusk_page").join(first, POSITION), "host", POSITION)
    return mapped(sorted_pages, _Learn(given), SCHEMA)
