"""The item pipeline, with items and settings of Scrapy."""

from pathlib import Path

import conftest
import pytest

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(autouse=True)
def scrapy() -> None:
    conftest.need("scrapy")


def pipeline(settings: dict) -> object:
    from dehusk.scrapy import DehuskPipeline
    from scrapy.settings import Settings

    class Crawler:
        pass

    crawler = Crawler()
    crawler.settings = Settings(settings)
    return DehuskPipeline.from_crawler(crawler)


def test_items_get_the_main_text(page: str) -> None:
    import scrapy

    found = pipeline({"DEHUSK_OPTIONS": {"markdown": True}}).process_item({"url": "https://a.example/", "html": page})
    assert found["title"] == "Rivers rose" and found["markdown"].startswith("# The water at the mill")
    assert "html" not in found and found["url"] == "https://a.example/"

    class Story(scrapy.Item):
        html = scrapy.Field()
        text = scrapy.Field()

    story = pipeline({"DEHUSK_KEEP_HTML": True}).process_item(Story(html=page), None)
    assert "milkman" in story["text"] and story["html"] == page
    assert pipeline({}).process_item({"price": 5}) == {"price": 5}


def test_items_without_text_are_dropped() -> None:
    from scrapy.exceptions import DropItem

    empty = {"html": "<script>x</script>"}
    with pytest.raises(DropItem, match="no main text: no-text"):
        pipeline({}).process_item(dict(empty))
    assert pipeline({"DEHUSK_KEEP_EMPTY": True}).process_item(dict(empty))["text"] == ""


def test_items_that_are_known_are_dropped(page: str, tmp_path: Path) -> None:
    from dehusk import Extractor, Index
    from scrapy.exceptions import DropItem

    Index(tmp_path / "known", threshold=0.5).add([("known", Extractor().document(page).text)])
    stage = pipeline({"DEHUSK_INDEX": str(tmp_path / "known")})
    with pytest.raises(DropItem, match="duplicate of known"):
        stage.process_item({"html": page.replace("milkman", "postman")})
    other = "<p>Nothing of this kind was ever seen in the town below the hills, where people speak of little else than wool and of the rain."
    assert stage.process_item({"html": other})["text"].startswith("Nothing")


def test_a_spider_runs_with_it(page: str, tmp_path: Path) -> None:
    """A whole crawl of a file, in a process of its own: a reactor runs once."""
    import json
    import subprocess
    import sys

    (tmp_path / "page.html").write_text(page)
    (tmp_path / "spider.py").write_text(
        "import scrapy\n"
        "class One(scrapy.Spider):\n"
        "    name = 'one'\n"
        f"    start_urls = ['{(tmp_path / 'page.html').as_uri()}']\n"
        "    custom_settings = {'ITEM_PIPELINES': {'dehusk.scrapy.DehuskPipeline': 300}, 'LOG_LEVEL': 'ERROR', 'TELNETCONSOLE_ENABLED': False}\n"
        "    def parse(self, response):\n"
        "        yield {'url': 'https://a.example/', 'html': response.body}\n"
    )
    command = [sys.executable, "-m", "scrapy", "runspider", "spider.py", "-o", "items.jsonl"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    [item] = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert item["title"] == "Rivers rose" and "html" not in item
