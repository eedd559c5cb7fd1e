"""Pages to unique documents: `dehusk run` on as many machines as there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from .._errors import OptionError
from .._extractor import options as option_table
from . import _sites
from ._batches import small
from ._checkpoints import Checkpoints
from ._clusters import MAX_CONNECTED, Found, of_signed
from ._extraction import POSITION, extract, templates_of
from ._ids import named
from ._options import one_thread, parted
from ._signing import sign

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from typing_extensions import Unpack

    from ..sites import Template
    from ._options import RunOptions


@dataclass(frozen=True)
class Run:
    """What came of a run: rows as `dehusk run` writes them, in no order. `position` is the order of the inputs."""

    #: All documents.
    documents: DataFrame
    #: Verified pairs by ids.
    pairs: DataFrame
    #: A decision for each document.
    clusters: DataFrame
    #: The documents that stay, with `cluster_size` and `copies`.
    kept: DataFrame
    #: Records that could not be used: `position`, `id`, `url`, `reason`, `message`.
    rejected: DataFrame


def _learnt(pages: DataFrame, options: dict[str, Any]) -> list[Template]:
    """The templates of sites that are learnt with options of extraction."""
    if options.get("templates") is not None:
        raise OptionError("`learn_sites` and `templates` are both given", option="templates", help="leave out one of them")
    known = {row["name"] for row in option_table("learn")}
    return templates_of(_sites.learn_sites(pages, **{name: value for name, value in options.items() if name in known}))


def run(
    pages: DataFrame,
    *,
    work: str | None = None,
    most_connected: int = MAX_CONNECTED,
    learn_sites: bool = False,
    **options: Unpack[RunOptions],
) -> Run:
    """The unique documents of pages: of `dehusk.spark.pages`, or of any data frame with HTML in a column `html`.

    Rows are those of `dehusk run` on the same pages, however many executors and partitions there are. Options are those of
    `dehusk run`; `work` and `most_connected` are those of `deduplicate`. With `learn_sites` templates are learnt from `pages` first, as
    `dehusk.spark.learn_sites` does, and applied. They are those of `dehusk run --learn-sites` for hosts whose pages that run looks at
    all, which is up to 25 pages at least; of larger hosts the run may learn from other pages.
    """
    of_pages, of_documents = parted(options)
    if learn_sites:
        of_pages["templates"] = _learnt(pages, of_pages) or None
    checkpoints = Checkpoints(pages.sparkSession, work)
    extracted = checkpoints.save(extract(pages, **of_pages), "extracted")
    documents = named(extracted.where("error is null").drop("error"), checkpoints)
    signed = checkpoints.save(sign(documents, **of_documents), "signed")
    rejected = extracted.where("error is not null").select(POSITION, "id", "url", "error.reason", "error.message")
    failed = checkpoints.save(signed.where("error is not null").select(POSITION, "error"), "failed")
    if not failed.isEmpty():
        # As in `dehusk run`: what cannot be signed is no document, and takes no id.
        bad = extracted.join(small(failed.withColumnRenamed("error", "message")), POSITION)
        rejected = rejected.unionByName(bad.select(POSITION, "id", "url", F.lit("panic").alias("reason"), "message"))
        good = extracted.where("error is null").join(small(failed), POSITION, "left_anti")
        documents = named(good.drop("error"), checkpoints)
        signed = checkpoints.save(sign(documents, **of_documents), "signed-again")
    found: Found = of_signed(documents, signed, checkpoints, one_thread(of_documents), most_connected)
    return Run(documents, found.pairs, found.clusters, found.kept, rejected)
