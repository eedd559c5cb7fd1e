"""What tests share: pages, texts, the program, and skips that are told."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PAGE = """<!doctype html><html lang=en><head><title>Rivers rose</title><meta property="og:title" content="Rivers rose">
<meta name=author content="Ann Lee"><meta property="article:published_time" content="2020-02-03">
<meta name=description content="About rivers"><meta name=keywords content="rivers, bridges"></head><body>
<nav><a href=/>Home</a> <a href=/about>About us</a></nav>
<article><h1>The water at the mill</h1>
<p>The river rose overnight and the <b>old bridge</b> was closed to carts, so that the <a href=/m>milkman</a> had to walk to
the mill and back in the morning rain, which he did not like at all.</p>
<ul><li>one item of the list</li><li>two</li></ul>
<table><tr><th>place</th><th>metres</th></tr><tr><td>mill</td><td>2.5</td></tr><tr><td>bridge</td><td>3</td></tr></table>
<p>Another paragraph with enough of text to be seen as main content of the page by anyone who reads it.</p>
<p>This is how the height of the water at the mill is computed by the people of the valley:</p>
<pre><code>height = measure("mill")
if height &gt; 2.5:
    close("the old bridge")
    print("the milkman walks")</code></pre><blockquote><p>Quoted words of the milkman.</p></blockquote>
<p>A picture of it all: <img src=/i.png alt="the bridge"></p></article>
<footer><a href=/imprint>Imprint</a></footer></body></html>"""

TEXT = (
    "The river rose overnight and the old bridge was closed to carts, so that the milkman had to walk to the mill and back "
    "in the morning rain, which he did not like at all."
)


@pytest.fixture
def page() -> str:
    return PAGE


@pytest.fixture
def text() -> str:
    return TEXT


@pytest.fixture
def crawl() -> Path:
    return ROOT / "fixtures" / "crawl"


@pytest.fixture
def program() -> str:
    """The command line, to compare with."""
    found = os.environ.get("DEHUSK_PROGRAM") or str(ROOT / "target" / "debug" / "dehusk")
    if not os.path.exists(found):
        absent("the program `dehusk` is not built; set DEHUSK_PROGRAM")
    return found


def absent(why: str) -> None:
    """Skips a test of what is not there. In CI everything is."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"in CI nothing is skipped: {why}")
    pytest.skip(why)


def need(module: str) -> None:
    """Skips a test whose optional package is not installed."""
    if importlib.util.find_spec(module) is None:
        absent(f"the package `{module}` is not installed")
