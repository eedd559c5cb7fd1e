"""An item pipeline for Scrapy.

```python
# settings.py
ITEM_PIPELINES = {"dehusk.scrapy.DehuskPipeline": 300}
DEHUSK_OPTIONS = {"markdown": True, "templates": "templates/"}   # those of `dehusk.Extractor`
```

Items with a field `html` (of `DEHUSK_HTML_FIELD`) get the fields of the document of that page: those of `DEHUSK_FIELDS` that the item
can have. With `DEHUSK_INDEX`, the folder of an index (`dehusk.Index`), items whose text is like one of it are dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem

from ._dedup import Index
from ._extractor import extractor_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from typing_extensions import Self

__all__ = ["DehuskPipeline"]

#: Fields of documents that items get, unless `DEHUSK_FIELDS` says otherwise.
FIELDS = ("text", "title", "author", "date", "language", "description", "confidence", "method", "markdown")


class DehuskPipeline:
    """Puts the main text and the metadata of a page into its item.

    `DEHUSK_KEEP_HTML` (default: false) keeps the HTML in the item. `DEHUSK_KEEP_EMPTY` (default: false) keeps items of pages without
    main text; else they are dropped, with the warning that tells why.
    """

    def __init__(
        self,
        options: dict[str, Any] | None = None,
        html_field: str = "html",
        fields: tuple[str, ...] = FIELDS,
        keep_html: bool = False,
        keep_empty: bool = False,
        index: str | None = None,
    ) -> None:
        self.extractor = extractor_of(dict(options or {}))
        self.html_field = html_field
        self.fields = fields
        self.keep_html = keep_html
        self.keep_empty = keep_empty
        self.index = None if index is None else Index(index)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """The pipeline by the settings of a crawler."""
        settings = crawler.settings
        return cls(
            options=settings.getdict("DEHUSK_OPTIONS"),
            html_field=settings.get("DEHUSK_HTML_FIELD", "html"),
            fields=tuple(settings.getlist("DEHUSK_FIELDS", list(FIELDS))),
            keep_html=settings.getbool("DEHUSK_KEEP_HTML"),
            keep_empty=settings.getbool("DEHUSK_KEEP_EMPTY"),
            index=settings.get("DEHUSK_INDEX"),
        )

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """The item with what was found; items without HTML pass as they are."""
        adapter = ItemAdapter(item)
        html = adapter.get(self.html_field)
        if not html:
            return item
        url = adapter.get("url")
        document = self.extractor.document(html, url)
        if not document.text.strip() and not self.keep_empty:
            codes = ", ".join(warning["code"] for warning in document.warnings) or "no text"
            raise DropItem(f"no main text: {codes}")
        if self.index is not None:
            self._compare(document.text)
        if not self.keep_html:
            del adapter[self.html_field]
        record = document.to_dict()
        # Items that declare their fields take no others.
        declared = set(adapter.field_names()) if not isinstance(item, dict) else set(self.fields)
        for name in self.fields:
            if name in declared and name in record:
                adapter[name] = record[name]
        return item

    def _compare(self, text: str) -> None:
        """Drops an item whose text the index has."""
        assert self.index is not None
        matches = [match.id for answer in self.index.query([text]) for match in answer.matches]
        if matches:
            raise DropItem(f"duplicate of {', '.join(matches[:3])}")
