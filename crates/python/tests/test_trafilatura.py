"""trafilatura's own tests, where they keep to its public functions, hold with ours but for what is listed with a reason."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from importlib.metadata import version
from pathlib import Path

import pytest
from conftest import absent, need
from trafilatura_suite import outcomes

# One process has the distribution fetched.
pytestmark = pytest.mark.xdist_group("trafilatura")

HERE = Path(__file__).parent
LIST = HERE / "trafilatura_differences.tsv"


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the version that is installed, which has the tests."""
    need("trafilatura")
    wanted = version("trafilatura")
    folder = tmp_path_factory.mktemp("trafilatura")
    kept = Path(os.environ["DEHUSK_PEERS"]) if "DEHUSK_PEERS" in os.environ else folder
    name = f"trafilatura-{wanted}"
    archive = kept / f"{name}.tar.gz"
    if not archive.exists():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "trafilatura"]
        command += ["--dest", str(kept), f"trafilatura=={wanted}"]
        subprocess.run(command, capture_output=True, check=False)
    if not archive.exists():
        absent(f"the tests of trafilatura {wanted} cannot be had")
    with tarfile.open(archive) as source:
        source.extractall(folder, filter="data")
    return folder / name


def listed() -> dict[str, str]:
    """The assertions that do not hold, with the name of the reason."""
    reasons, out = {}, {}
    for line in LIST.read_text("utf-8").splitlines():
        first, _, second = line.partition("\t")
        if first.startswith("# "):
            reasons[first.removeprefix("# ")] = second
        elif first:
            assert second in reasons, f"{first}: no reason `{second}`"
            out[first] = second
    assert set(out.values()) == set(reasons)
    return out


def test_public_assertions_hold_but_for_those_listed(suite: Path) -> None:
    found, known = outcomes(suite), listed()
    assert len(found) > 400
    new = {name: why for name, why in found.items() if why and name not in known}
    assert not new, "these do not hold; mend them, or list them with a reason"
    mended = [name for name in known if not found.get(name)]
    assert not mended, "these hold now; take them off the list"
