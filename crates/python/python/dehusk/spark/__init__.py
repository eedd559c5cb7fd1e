"""The pipeline on Spark: the rows of `dehusk run`, from as many machines as there are.

```python
from pyspark.sql import SparkSession
from dehusk import spark as dehusk

session = SparkSession.builder.getOrCreate()
done = dehusk.run(dehusk.pages(session, "/crawl"), work="/shared/work")
done.kept.write.parquet("/shared/kept")
```

Data frames go in and come out; Rust works on their batches in the processes of the executors, and Spark groups and joins. Needs PySpark 4
with pyarrow and pandas: `pip install dehusk[spark]`.
"""

from ._checkpoints import Checkpoints
from ._clusters import Found, clusters, deduplicate, kept, pairs
from ._extraction import apply_templates, extract, templates_of
from ._passages import Passages, passages
from ._reading import pages
from ._run import Run, run
from ._signing import sign
from ._sites import learn_sites

__all__ = [
    "Checkpoints",
    "Found",
    "Passages",
    "Run",
    "apply_templates",
    "clusters",
    "deduplicate",
    "extract",
    "kept",
    "learn_sites",
    "pages",
    "pairs",
    "passages",
    "run",
    "sign",
    "templates_of",
]
