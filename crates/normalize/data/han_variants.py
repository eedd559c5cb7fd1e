"""Writes han-variants.txt, the table of the pass `han-variants`, from the dictionary TSCharacters.txt of OpenCC.

    python3 han_variants.py PATH/TO/TSCharacters.txt

OpenCC (https://github.com/BYVoid/OpenCC, Apache-2.0) lists traditional characters with their simplified ones, the most common first. Taken is
the first; characters that are their own simplified form are left out, and chains are followed to their end, so that the table applied twice
is the table applied once.
"""

import pathlib
import sys

HEAD = """\
# Traditional Chinese characters, each followed by its simplified one. Written by han_variants.py.
# From TSCharacters.txt of OpenCC, https://github.com/BYVoid/OpenCC, Copyright BYVoid, licensed under the Apache License 2.0.
"""
IN_LINE = 32


def main(dictionary: str) -> None:
    first = {}
    for line in pathlib.Path(dictionary).read_text(encoding="utf-8").splitlines():
        traditional, _, simplified = line.partition("\t")
        if traditional and not traditional.startswith("#"):
            first[traditional] = simplified.split(" ")[0]
    pairs = []
    for traditional in sorted(first):
        last, passed = first[traditional], {traditional}
        while last in first and last not in passed:
            passed.add(last)
            last = first[last]
        if last != traditional:
            pairs.append(traditional + last)
    lines = ["".join(pairs[at : at + IN_LINE]) for at in range(0, len(pairs), IN_LINE)]
    out = pathlib.Path(__file__).with_name("han-variants.txt")
    out.write_text(HEAD + "".join(line + "\n" for line in lines), encoding="utf-8")
    print(f"{len(pairs)} characters written to {out}")


main(*sys.argv[1:])
