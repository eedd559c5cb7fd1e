"""Parses pages with turbohtml, a parser in C, on request: the other half of `Turbohtml` in main.rs.

Reads lines from standard input: `load SET FILE` keeps a page, `run SET` parses the pages of a set and answers with
seconds of processor time, `hold SET` keeps their trees and answers with the memory that this took in bytes.
"""

import gc
import sys
import time

import turbohtml


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


pages = {}
gc.disable()
print("ready", turbohtml.__name__, flush=True)
for line in sys.stdin:
    verb, name, *rest = line.rstrip("\n").split(" ", 2)
    if verb == "load":
        with open(rest[0], encoding="utf-8", newline="") as file:
            pages.setdefault(name, []).append(file.read())
        continue
    texts = pages[name]
    if verb == "run":
        start = time.process_time()
        for text in texts:
            turbohtml.parse(text, scripting=True, positions=False)
        print(time.process_time() - start, flush=True)
    else:
        before = resident()
        trees = [turbohtml.parse(text, scripting=True, positions=False) for text in texts]
        print(resident() - before, flush=True)
        del trees
