"""What Python hands over: wrong types, huge values, threads, signals, forks. The interpreter survives all of it, and errors are those of Python."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import dehusk
import pytest

PAGE = b"<nav><a href=/>Home</a></nav><h1>The river</h1><p>The river rose overnight, and the ferry stayed at its mooring.</p>"

#: Exceptions for a wrong value. Any other one, such as a panic, is a defect.
ALLOWED = (TypeError, ValueError, OverflowError, UnicodeError, OSError, AttributeError, LookupError, dehusk.DehuskError)


class Odd:
    """An object whose every conversion fails."""

    def __str__(self) -> str:
        raise ValueError("no text")

    def __int__(self) -> int:
        raise ValueError("no number")

    def __iter__(self) -> Any:
        raise ValueError("no items")

    def __len__(self) -> int:
        return -1

    def __fspath__(self) -> str:
        raise ValueError("no path")


class Endless:
    """An iterator whose third item is an error."""

    def __init__(self) -> None:
        self.left = 3

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> bytes:
        self.left -= 1
        if self.left == 0:
            raise ValueError("the source is broken")
        return PAGE


def values(chance: random.Random) -> Any:
    """A value of a kind that is drawn at random."""
    kinds: list[Callable[[], Any]] = [
        lambda: None,
        lambda: chance.choice([True, False, 0, -1, 1, 2**31, 2**63, 2**64, -(2**70), 10**40]),
        lambda: chance.choice([0.0, -0.0, 1e308, float("inf"), float("-inf"), float("nan"), 0.5]),
        lambda: chance.choice(["", "\0", "\ud800", "é" * 1000, "a" * 100_000, "near", "-", "/nowhere", "https://a.example/"]),
        lambda: chance.choice([b"", b"\0" * 100, b"\xff" * 1000, PAGE, bytearray(PAGE), memoryview(PAGE), memoryview(PAGE)[::2]]),
        lambda: [values(chance) for _ in range(chance.randrange(4))],
        lambda: tuple(values(chance) for _ in range(chance.randrange(3))),
        lambda: {chance.choice(["html", "text", "url", "id", "", 3, None]): values(chance) for _ in range(chance.randrange(4))},
        lambda: {PAGE, "x"},
        lambda: (item for item in [PAGE, 3, "text"]),
        Odd,
        Endless,
        object,
        lambda: dehusk,
        lambda: dehusk.Document,
        lambda: sys.stdin,
    ]
    return chance.choice(kinds)()


def exhaust(result: Any) -> None:
    """Reads what a call returns: its text, and its first items if it has any."""
    repr(result)
    if isinstance(result, (str, bytes, int, float)) or result is None:
        return
    try:
        items = iter(result)
    except TypeError:
        return
    for _, item in zip(range(20), items):
        repr(item)


def calls(chance: random.Random) -> tuple[str, Callable[[], Any]]:
    """A call of a public function with values that are drawn at random, and its name."""
    names = {
        "html": ["url", "markdown", "comments", "title", "threads", "max_page_bytes", "extractor", "unknown"],
        "texts": ["threshold", "threads", "signature", "keep", "profile", "memory", "unit", "shingle"],
    }
    options = {name: values(chance) for name in chance.sample(names[chance.choice(["html", "texts"])], chance.randrange(3))}
    value = values(chance)
    able: dict[str, Callable[[], Any]] = {
        "Extractor": lambda: dehusk.Extractor(**options),
        "Extractor.document": lambda: dehusk.Extractor().document(value, **options),
        "Extractor.documents": lambda: dehusk.Extractor().documents(value, **options),
        "extract": lambda: dehusk.extract(value, **options),
        "bare_extraction": lambda: dehusk.bare_extraction(value, **options),
        "baseline": lambda: dehusk.baseline(value),
        "html2txt": lambda: dehusk.html2txt(value),
        "explain": lambda: dehusk.explain(value, **options),
        "dedup": lambda: dehusk.dedup(value, **options),
        "Normalizer": lambda: dehusk.Normalizer(**options),
        "Normalizer.normalize": lambda: dehusk.Normalizer().normalize(value),
        "Signer": lambda: dehusk.Signer(**options),
        "Signer.sign": lambda: dehusk.Signer().sign(value),
        "passages": lambda: dehusk.passages(value, **options),
        "find_items": lambda: dehusk.find_items(value, values(chance)),
        "render_content": lambda: dehusk.render_content(value, chance.choice(["markdown", "html", "text", "", None, 3])),
    }
    name = chance.choice(sorted(able))
    return name, able[name]


@pytest.mark.filterwarnings("ignore")
def test_wrong_values_are_errors_of_python() -> None:
    chance = random.Random(int(os.environ.get("DEHUSK_SEED", "1")))
    failed = []
    reached = set()
    for number in range(4000):
        name, call = calls(chance)
        try:
            exhaust(call())
            reached.add(name)
        except ALLOWED:
            pass
        except BaseException as error:  # noqa: BLE001 - a panic is a `BaseException`
            if isinstance(error, KeyboardInterrupt):
                raise
            failed.append(f"{number} {name}: {type(error).__name__} {error}"[:300])
    assert not failed, "\n".join(failed[:10])
    assert len(reached) > 8, reached


def resident() -> int:
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
def test_memory_is_flat_over_100_000_calls() -> None:
    extractor = dehusk.Extractor()
    normalizer = dehusk.Normalizer()

    def work(count: int) -> None:
        for _ in range(count):
            assert extractor.document(PAGE).text
            assert normalizer.normalize("The river rose.")
            with pytest.raises(dehusk.DehuskError):
                dehusk.Normalizer(profile="none such")

    work(2000)
    gc.collect()
    before = resident()
    # Each round makes three calls.
    work(33_400)
    gc.collect()
    assert resident() - before < 4 << 20


def test_threads_share_an_extractor() -> None:
    extractor = dehusk.Extractor()
    pages = [PAGE.replace(b"river", b"river %d" % number) for number in range(40)]
    expected = [extractor.document(page).text for page in pages]
    results: list[list[str]] = [[] for _ in range(8)]

    def work(number: int) -> None:
        results[number] = [extractor.document(page).text for page in pages]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == expected for result in results)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_works_on() -> None:
    program = """
import os, dehusk
extractor = dehusk.Extractor(threads=2)
pages = [b"<p>The river rose overnight, and nobody slept.</p>"] * 100
assert len(list(extractor.documents(pages))) == 100
child = os.fork()
documents = list(extractor.documents(pages)) + list(dehusk.Extractor(threads=2).documents(pages))
kept = dehusk.dedup(["one two three four five six"] * 50).kept
assert (len(documents), len(kept)) == (200, 1), (documents, kept)
if child == 0:
    os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120)
    assert (ran.returncode, ran.stdout.strip()) == (0, "7"), ran.stderr


@pytest.mark.skipif(os.name == "nt", reason="the system has no SIGINT for single processes")
@pytest.mark.parametrize(
    "work",
    [
        "for _ in dehusk.Extractor(threads=2).documents(itertools.repeat(page)): pass",
        "dehusk.dedup(f'{number} river {number * 7919 % 1000003} rose' for number in itertools.count())",
        "dehusk.passages(f'{number} river {number * 7919 % 1000003} rose' for number in itertools.count())",
    ],
)
def test_ctrl_c_ends_endless_work(work: str) -> None:
    program = f"""
import itertools, signal, sys, dehusk
# A shell that runs the tests in the background lets its children ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
page = b"<p>The river rose overnight.</p>"
print("begun", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert out == "interrupted\n"
