"""The own tests of trafilatura and htmldate, where they keep to public functions, hold with ours but for what is listed with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import absent, need
from peer_suite import SUITES, outcomes

HERE = Path(__file__).parent

#: The least number of assertions about public functions that the tests of a package have.
LEAST = {"trafilatura": 400, "htmldate": 120}


@pytest.fixture
def distribution(package: str, tmp_path: Path) -> Path:
    """The source distribution of the version that is installed, which has the tests."""
    need(package)
    wanted = version(package)
    kept = Path(os.environ.get("DEHUSK_PEERS", tmp_path))
    name = f"{package}-{wanted}"
    archive = kept / f"{name}.tar.gz"
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package]
        command += ["--dest", str(kept), f"{package}=={wanted}"]
        subprocess.run(command, capture_output=True, check=False)
    if not archive.exists():
        absent(f"the tests of {package} {wanted} cannot be had")
    with tarfile.open(archive) as source:
        source.extractall(tmp_path, filter="data")
    return tmp_path / name


def listed(package: str) -> dict[str, str]:
    """The assertions that do not hold, with the name of the reason."""
    reasons, out = {}, {}
    for line in (HERE / f"{package}_differences.tsv").read_text("utf-8").splitlines():
        first, _, second = line.partition("\t")
        if first.startswith("# "):
            reasons[first.removeprefix("# ")] = second
        elif first:
            assert second in reasons, f"{first}: no reason `{second}`"
            out[first] = second
    assert set(out.values()) == set(reasons)
    return out


@pytest.mark.parametrize("package", sorted(SUITES))
def test_public_assertions_hold_but_for_those_listed(package: str, distribution: Path) -> None:
    found, known = outcomes(SUITES[package], distribution), listed(package)
    assert len(found) > LEAST[package]
    new = {name: why for name, why in found.items() if why and name not in known}
    assert not new, "these do not hold; mend them, or list them with a reason"
    mended = [name for name in known if not found.get(name)]
    assert not mended, "these hold now; take them off the list"
