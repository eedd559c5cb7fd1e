import pickle
from pathlib import Path

import dehusk
import pytest
from dehusk import Extractor, sites


def pages(count: int = 8) -> list[tuple[str, str]]:
    def page(n: int) -> str:
        words = " ".join(f"word{n}x{k}" for k in range(40))
        return (
            "<html><body><div class=top><p>The Ledra Valley Herald, all the news of the valley</p></div>"
            f"<div class=story><h1>Story {n}</h1><p>Told on day {n}: {words}.</p></div>"
            "<ul class=end><li><a href=/>Home of the Herald</a></li><li><a href=/imprint>Imprint of the Herald</a></li></ul></body></html>"
        )

    return [(page(n), f"https://herald.example/story/{n}") for n in range(count)]


def test_templates_are_learnt_kept_and_applied(tmp_path: Path) -> None:
    [template] = sites.learn(pages())
    assert template.site.startswith("https://herald.example/") and (template.layout, template.pages) == (1, 8)
    html, url = pages(9)[8]
    document = template.apply(html, url)
    assert document.method == "site"
    assert "word8x3" in document.text and "Imprint" not in document.text
    by_extractor = Extractor(templates=[template]).document(html, url)
    assert by_extractor.text == document.text
    files = sites.save([template], tmp_path / "templates")
    assert [Path(file).suffix for file in files] == [".toml"]
    assert sites.load(tmp_path / "templates") == sites.load(files[0]) == [template]
    assert Extractor(templates=tmp_path / "templates").document(html, url).text == document.text
    assert pickle.loads(pickle.dumps(template)) == template
    extractor = pickle.loads(pickle.dumps(Extractor(templates=[template])))
    assert extractor.document(html, url).method == "site"


def test_templates_are_told_and_exported(tmp_path: Path) -> None:
    [template] = sites.learn(pages())
    assert "herald.example" in template.show() and template.diff(template) == ""
    rules = sites.export([template], tmp_path / "rules")
    assert list(rules.values()) == [1] or sum(rules.values()) >= 1
    assert "[[rule]]" in template.rules()
    html, url = pages(9)[8]
    by_rules = Extractor(rules=tmp_path / "rules").document(html, url)
    assert "word8x3" in by_rules.text


def test_folders_of_pages_are_sites(crawl: Path) -> None:
    templates = sites.learn(crawl)
    assert len(templates) > 3
    assert {template.site.split("/")[2] for template in templates} >= {"news.example", "blog.example"}


def test_what_is_no_template_is_told(tmp_path: Path) -> None:
    with pytest.raises(dehusk.SiteError) as told:
        sites.Template("nothing = 1")
    assert told.value.help
    with pytest.raises(dehusk.DehuskError, match="nowhere"):
        sites.load(tmp_path / "nowhere.toml")
    assert sites.learn([]) == []
    with pytest.raises(dehusk.InputError, match="no page with an address"):
        sites.learn(["<p>x"])


def test_places_of_fields_are_learnt_and_read() -> None:
    people = ["Ann Lee", "Bob Mill", "Cy Rook", "Dee Hart", "Eve Marsh"]

    def page(n: int, head: str) -> str:
        words = " ".join(f"word{n}x{k}" for k in range(40))
        return (
            f"<html><head><title>Story {n} of the valley</title>{head}</head><body><div class=story><h1>Story {n} of the valley</h1>"
            f"<div class=under><i>{people[n % 5]}</i> <u>Ledra, {n + 1:02}/03/2024</u></div><p>Told on day {n}: {words}.</p></div></body></html>"
        )

    def stated(n: int) -> str:
        return f"<meta name=author content='{people[n % 5]}'>"

    [template] = sites.learn([(page(n, stated(n)), f"https://herald.example/story/{n}") for n in range(8)])
    [authors] = [field for field in template.fields if field["field"] == "authors"]
    assert (authors["css"], authors["pages"], authors["agree"], authors["attribute"]) == ("div.under > i", 8, 8, None)
    html, url = page(12, ""), "https://herald.example/story/12"
    assert not Extractor().document(html, url).authors
    document = template.apply(html, url)
    assert document.authors == ["Cy Rook"]
    assert document.metadata_sources["authors"] == "template: place on the pages of the site"
