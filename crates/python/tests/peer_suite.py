"""Runs those of another package's own tests that keep to its public functions, against ours.

A test of theirs is many statements about many pages. So each `assert` whose value comes from a public function, and from nothing inside
of the package, is judged by itself: a test goes on where an assertion fails. All else of a test runs as it is written.

    python peer_suite.py trafilatura FOLDER    # of the unpacked source distribution; prints a line for each assertion
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple


class Suite(NamedTuple):
    """The tests of a package."""

    package: str
    #: What people import, which is ours under the same name. Other names of the package are its inside.
    public: tuple[str, ...]
    #: Names that only make settings.
    settings: tuple[str, ...]
    files: tuple[str, ...]
    #: Tests that fetch pages from the network, which may fail at any time.
    fetching: tuple[str, ...] = ()


SUITES = {
    suite.package: suite
    for suite in (
        Suite(
            "trafilatura",
            ("bare_extraction", "baseline", "extract", "extract_with_metadata", "html2txt"),
            ("DEFAULT_CONFIG", "use_config"),
            ("baseline_tests.py", "deduplication_tests.py", "filters_tests.py", "repeated_output_tests.py", "unit_tests.py"),
        ),
        Suite("htmldate", ("find_date",), (), ("unit_tests.py",), ("test_input", "test_cli", "test_download")),
    )
}

#: What stands in for an assertion, and for a statement that it needs, in a rewritten test.
HEAD = '''
import os as _os
def _note(_name, _why=None):
    with open(_os.environ["DEHUSK_NOTES"], "a", encoding="utf-8") as _file:
        _file.write(f"{_name}\\t{'' if _why is None else ' '.join(str(_why).split()) or type(_why).__name__}\\n")
'''

_INSIDE, _PUBLIC = "inside", "public"


class Names:
    """What names of a module or of a function stand for: something public, something inside of the package, or both."""

    def __init__(self, suite: Suite, outer: Names | None = None) -> None:
        self.suite = suite
        self.outer = outer
        self.known: dict[str, frozenset[str]] = {}

    def of(self, name: str) -> frozenset[str]:
        if name in self.known:
            return self.known[name]
        return self.outer.of(name) if self.outer else frozenset()

    def value(self, node: ast.AST) -> frozenset[str]:
        """What an expression, or any piece of a program, comes from."""
        found: frozenset[str] = frozenset()
        for part in ast.walk(node):
            if isinstance(part, ast.Name):
                found |= self.of(part.id)
        return found

    def set(self, target: ast.AST, value: frozenset[str], more: bool = False) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Name):
                # A store into an item or an attribute changes its owner.
                whole = isinstance(target, ast.Name) and not more
                self.known[part.id] = value if whole else value | self.of(part.id)

    def imported(self, node: ast.Import | ast.ImportFrom) -> list[str]:
        """Takes note of names that an import brings, and returns those that ours stand in for."""
        ours = []
        for alias in node.names:
            name = (alias.asname or alias.name).split(".")[0]
            module = node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
            if module.split(".")[0] != self.suite.package or alias.name in self.suite.settings:
                self.known[name] = frozenset()
            elif isinstance(node, ast.ImportFrom) and alias.name in self.suite.public:
                self.known[name] = frozenset({_PUBLIC})
                ours.append(f"{alias.name} as {name}")
            else:
                self.known[name] = frozenset({_INSIDE})
        return ours


class Rewriter:
    """A file of tests whose public assertions are judged one by one."""

    def __init__(self, suite: Suite, file: str) -> None:
        self.file = file
        self.module = Names(suite)
        self.assertions: list[str] = []

    def run(self, source: str) -> str:
        tree = ast.parse(source)
        body: list[ast.stmt] = []
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                if node.name in self.module.suite.fetching:
                    continue
                if node.name.startswith("test_"):
                    node.body = self.block(node.body, self.names(node, self.module), node.name, [0])
                else:
                    self.module.known[node.name] = self.names(node, self.module).value(node)
            elif isinstance(node, ast.ClassDef):
                self.module.known[node.name] = self.module.value(node)
            else:
                self.statement(node, self.module)
            body.append(node)
            if isinstance(node, ast.ImportFrom):
                body += self.replaced(node, self.module)
        tree.body = body
        return HEAD + ast.unparse(ast.fix_missing_locations(tree))

    @staticmethod
    def names(function: ast.FunctionDef, outer: Names) -> Names:
        names = Names(outer.suite, outer)
        for argument in [*function.args.args, *function.args.kwonlyargs]:
            names.known[argument.arg] = frozenset({_INSIDE} if argument.arg in ("monkeypatch", "options") else ())
        return names

    @staticmethod
    def replaced(node: ast.ImportFrom, names: Names) -> list[ast.stmt]:
        ours = names.imported(node)
        return ast.parse(f"from dehusk import {', '.join(ours)}").body if ours else []

    @staticmethod
    def statement(node: ast.stmt, names: Names) -> None:
        """What a statement does to names."""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.imported(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                names.set(target, names.value(node.value), isinstance(node, ast.AugAssign))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            # A call may change its object or its arguments.
            value = names.value(node.value)
            if isinstance(node.value.func, ast.Attribute):
                names.set(node.value.func.value, value, True)

    def block(self, body: list[ast.stmt], names: Names, test: str, count: list[int]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for node in body:
            if isinstance(node, ast.Assert):
                count[0] += 1
                value = names.value(node)
                if value == {_PUBLIC}:
                    name = f"{self.file}::{test}::{count[0]}"
                    self.assertions.append(name)
                    out += self.judged(node, name)
                    continue
            elif isinstance(node, ast.With) and "raises" in ast.unparse(node.items[0]):
                if names.value(node) == {_PUBLIC}:
                    count[0] += 1
                    name = f"{self.file}::{test}::{count[0]}"
                    self.assertions.append(name)
                    out += self.judged(node, name)
                    continue
            elif isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
                if isinstance(node, ast.For):
                    names.set(node.target, names.value(node.iter))
                if isinstance(node, ast.With):
                    for item in node.items:
                        if item.optional_vars is not None:
                            names.set(item.optional_vars, names.value(item.context_expr))
                node.body = self.block(node.body, names, test, count)
                for part in ("orelse", "finalbody"):
                    if getattr(node, part, None):
                        setattr(node, part, self.block(getattr(node, part), names, test, count))
            elif isinstance(node, ast.FunctionDef):
                names.known[node.name] = names.value(node)
            else:
                self.statement(node, names)
                if _PUBLIC in names.value(node) and not isinstance(node, (ast.Import, ast.ImportFrom, ast.Return)):
                    # Without the value that this cannot make, the assertions below do not hold.
                    out += ast.parse("try:\n    pass\nexcept Exception:\n    pass").body
                    out[-1].body = [node]  # type: ignore[attr-defined]
                    continue
            out.append(node)
            if isinstance(node, ast.ImportFrom):
                out += self.replaced(node, names)
        return out

    @staticmethod
    def judged(node: ast.stmt, name: str) -> list[ast.stmt]:
        failures = "(Exception, __import__('pytest').fail.Exception)"
        text = f"try:\n    pass\nexcept {failures} as _why:\n    _note({name!r}, _why)\nelse:\n    _note({name!r})"
        tried = ast.parse(text).body
        tried[0].body = [node]  # type: ignore[attr-defined]
        return tried


def outcomes(suite: Suite, folder: Path) -> dict[str, str]:
    """Each public assertion of the tests in a folder, and why it fails; nothing if it holds, every time it is made."""
    made: list[str] = []
    with tempfile.TemporaryDirectory(prefix="dehusk-") as work:
        tests = Path(work) / "tests"
        shutil.copytree(folder / "tests", tests)
        for file in suite.files:
            rewriter = Rewriter(suite, file)
            (tests / file).write_text(rewriter.run((tests / file).read_text("utf-8")), "utf-8")
            made += rewriter.assertions
        notes = Path(work) / "notes"
        notes.touch()
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tests), *suite.files]
        environment = {**os.environ, "DEHUSK_NOTES": str(notes)}
        subprocess.run(command, cwd=tests, env=environment, stdout=sys.stderr, check=False)
        outcome = [line.split("\t", 1) for line in notes.read_text("utf-8").split("\n") if line]
    failed: dict[str, str] = {}
    for name, why in outcome:
        failed[name] = failed.get(name) or why
    return {name: failed.get(name, "never reached") for name in made}


if __name__ == "__main__":
    for name, why in outcomes(SUITES[sys.argv[1]], Path(sys.argv[2])).items():
        print("failed" if why else "held", name, why, sep="\t")
