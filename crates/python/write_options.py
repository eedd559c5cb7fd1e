"""Writes `python/dehusk/_options.py`: the options of the package as types, from the table of settings.

Run it where the package is installed, after the table has changed: `python write_options.py`. A test compares the file with what this
would write.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any, Mapping

import dehusk

FILE = Path(__file__).parent / "python" / "dehusk" / "_options.py"

HEAD = '''"""The options of this package, as types. Written by `write_options.py` from the table of settings; do not edit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, Mapping, Sequence, TypedDict

if TYPE_CHECKING:
    from ._inputs import TemplateLike
'''

#: The types of values by what help texts call them. Values of other names are texts.
TYPES = {
    "BOOL": "bool",
    "N": "int",
    "MS": "int",
    "BYTES": "int | str",
    "SIZE": "int | str",
    "SHARE": "float",
    "N|N%": "int | str",
    "DIR": "str | os.PathLike[str]",
    "FILE": "str | os.PathLike[str]",
    "OURS=THEIRS": "Mapping[str, str] | str",
    "PATTERN": "Sequence[str] | str",
    "NAMES": "Sequence[str] | str",
}


def type_of(option: Mapping[str, Any]) -> str:
    if option["name"] == "templates":
        return "str | os.PathLike[str] | Sequence[TemplateLike]"
    if option["name"] == "allow_paths":
        return "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
    if option["value"] not in TYPES and option["names"] and not option["open"]:
        names = ", ".join(f'"{name}"' for name in option["names"])
        return f"Literal[{names}]"
    return TYPES.get(option["value"], "str")


def about(option: Mapping[str, Any]) -> list[str]:
    text = option["about"]
    parts = [option["range"]] if option["range"] and option["value"] != "BOOL" else []
    parts.append(f"default: {option['default']}")
    return textwrap.wrap(f"{text} ({'; '.join(parts)}).", 110)


def source() -> str:
    lines = [HEAD]
    for taker in ("Extractor", "Signer", "dedup", "spark", "Index", "learn", "read_pages", "compare", "passages", "spark_passages", "find_items"):
        name = "".join(part.capitalize() for part in taker.split("_")) + "Options"
        lines.append(f'\nclass {name}(TypedDict, total=False):\n    """Options of `{taker}`."""\n')
        for option in dehusk.options(taker):
            lines.extend(f"    #: {line}" for line in about(option))
            lines.append(f"    {option['name']}: {type_of(option)} | None")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    FILE.write_text(source(), encoding="utf-8")
