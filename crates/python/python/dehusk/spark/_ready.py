"""Whether the executors can do our steps, asked once before the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import __version__
from .._errors import DehuskError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Applications that were asked.
_asked: set[str] = set()


def _version(_: int) -> str:
    """Runs on an executor. Its module must be there to be found."""
    from dehusk import __version__ as version

    return version


def check(session: SparkSession) -> None:
    """Raises a `DehuskError` if the Python of the executors has no dehusk, or another version of it.

    Without the question the first step ends in a traceback of some hundred lines, of Java and of Python.
    """
    context: Any = getattr(session, "_sc", None)
    if context is None:
        return  # Spark Connect has no context, and says what is missing by itself
    if context.applicationId in _asked:
        return
    python = context.pythonExec
    remedy = (
        f"the executors run `{python}`: set PYSPARK_PYTHON to a Python that has dehusk, such as that of this environment, "
        "before the session is made, or send the environment along (docs/spark.md)"
    )
    try:
        [found] = context.parallelize([0], 1).map(_version).collect()
    except Exception as error:
        said = str(error)
        if "No module named" in said:
            missing = "package `dehusk`" if "No module named 'dehusk" in said else "package that `dehusk` needs"
            raise DehuskError(f"the Python of the executors has no {missing}", help=remedy) from None
        if "PYTHON_VERSION_MISMATCH" in said or "different version" in said:
            raise DehuskError("the Python of the executors is of another version than that of the driver", help=remedy) from None
        raise
    if found != __version__:
        raise DehuskError(f"the executors have dehusk {found}, and the driver has {__version__}", help=remedy)
    _asked.add(context.applicationId)
