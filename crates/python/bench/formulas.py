"""Formulas in the ways that pages have them: how many stand in Markdown verbatim, between dollars.

    python bench/formulas.py [--node FOLDER]

Twenty formulas on a page of each way. Beside dehusk, tools that are installed: trafilatura, html-to-markdown, markdownify; with `--node`, a folder
in which `npm install turndown` was run, also turndown. A column has the formulas found and, behind `+`, drawings that stand as text.
"""

from __future__ import annotations

import argparse
import html
import importlib
import json
import re
import subprocess
from typing import Callable
from urllib.parse import quote

import dehusk

#: What drawings show of any formula.
DRAWN = "xyz"

FORMULAS = (
    r"E=mc^2",
    r"a_i+b_i",
    r"\frac{x}{y+1}",
    r"\sqrt{2}\,\pi",
    r"\sum_{k=1}^n k^2",
    r"\int_0^1 f(x)\,dx",
    r"\alpha\le\beta",
    r"x\in\mathbb{R}",
    r"\hat{\theta}_n",
    r"O(n\log n)",
    r"p(x\mid y)",
    r"\lim_{n\to\infty}a_n",
    r"\vec{v}\cdot\vec{w}",
    r"A^{\top}A",
    r"\binom{n}{k}",
    r"f\colon X\to Y",
    r"\lVert x\rVert_2",
    r"\begin{pmatrix}1&0\\0&1\end{pmatrix}",
    r"\partial_t u=\Delta u",
    r"\mathrm{H}_2\mathrm{O}",
)

MATHML = (
    '<math><semantics><mrow><mi>x</mi><mi>y</mi><mi>z</mi></mrow><annotation encoding="application/x-tex">{0}</annotation></semantics></math>'
)

#: How pages have a formula: `{0}` is its TeX as text or attribute, `{1}` as it stands in a script, `{2}` in an address.
WAYS = {
    "KaTeX": f'<span class="katex"><span class="katex-mathml">{MATHML}</span><span class="katex-html" aria-hidden="true">{DRAWN}</span></span>',
    "MathJax 2, drawn": f'<span class="MathJax_Preview">{DRAWN}</span><span class="MathJax">{DRAWN}</span><script type="math/tex">{{1}}</script>',
    "parentheses for MathJax": "\\({0}\\)",
    "dollars for MathJax, on a line": "</p><p>$${0}$$</p><p>",
    "brackets for MathJax, on a line": "</p><p>\\[{0}\\]</p><p>",
    "MediaWiki": (
        f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">{MATHML}</span>'
        '<img src="/svg/1" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="{0}"></span>'
    ),
    "image with alternative text": '<img class="tex" src="/f/1.png" alt="{0}">',
    "WordPress": '<img src="https://s0.wp.com/latex.php?latex={2}&bg=fff" alt="{0}" class="latex">',
    "CodeCogs": '<img src="https://latex.codecogs.com/svg.latex?{2}">',
    "data-tex": f'<span class="math" data-tex="{{0}}">{DRAWN}</span>',
    "Quill": f'<span class="ql-formula" data-value="{{0}}"><span contenteditable="false">{DRAWN}</span></span>',
    "MathML with annotation": MATHML,
}

SENTENCE = "The mill by the river was {} for years, and nobody who lived in the valley thought that the wheel would ever stand still again."


def page(way: str) -> str:
    def put(tex: str) -> str:
        parts = {"{0}": html.escape(tex), "{1}": tex, "{2}": quote(tex)}
        return re.sub(r"\{[012]\}", lambda found: parts[found[0]], way)

    body = "".join(f"<p>{SENTENCE.format(put(tex))}</p>" for tex in FORMULAS)
    return f"<!doctype html><html lang=en><head><title>On mills</title></head><body><article><h1>On mills</h1>{body}</article></body></html>"


def tools(node: str | None) -> dict[str, Callable[[str], str]]:
    writes = dehusk.Extractor(markdown=True, links=True, images=True)
    found: dict[str, Callable[[str], str]] = {"dehusk": lambda source: writes.document(source).markdown or ""}
    options = {"output_format": "markdown", "include_links": True, "include_images": True, "include_formatting": True}
    others: dict[str, Callable[..., Callable[[str], str]]] = {
        "trafilatura": lambda tool: lambda source: tool.extract(source, **options) or "",
        "html_to_markdown": lambda tool: lambda source: tool.convert(source).content or "",
        "markdownify": lambda tool: lambda source: tool.markdownify(source, heading_style="ATX"),
    }
    for name, make in others.items():
        try:
            found[name] = make(importlib.import_module(name))
        except ImportError as absent:
            print(f"left out: {name} ({absent})")
    if node:
        script = "const T=require('turndown');console.log(new T({headingStyle:'atx'}).turndown(JSON.parse(require('fs').readFileSync(0))))"

        def turndown(source: str) -> str:
            done = subprocess.run(["node", "-e", script], input=json.dumps(source), capture_output=True, text=True, cwd=node, check=True)
            return done.stdout

        found["turndown"] = turndown
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--node", help="a folder in which turndown is installed")
    known = tools(arguments.parse_args().node)
    print("| way | " + " | ".join(known) + " |\n|---|" + "---|" * len(known))
    totals = dict.fromkeys(known, 0)
    for name, way in WAYS.items():
        cells = []
        for tool, convert in known.items():
            written = "".join(convert(page(way)).split())
            count = sum("$" + "".join(tex.split()) + "$" in written for tex in FORMULAS)
            drawings = written.count(DRAWN)
            totals[tool] += count
            cells.append(f"{count}" + (f" +{drawings}" if drawings else ""))
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"| of {len(FORMULAS) * len(WAYS)} | " + " | ".join(str(count) for count in totals.values()) + " |")


if __name__ == "__main__":
    main()
