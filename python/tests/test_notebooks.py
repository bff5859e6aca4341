# SPDX-License-Identifier: MIT
"""The notebooks of examples/ run as scripts, without a window."""
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "notebooks"
SHARED = ROOT.parent / "shared" / "data"
NOTEBOOKS = sorted(path.stem for path in FOLDER.glob("*.py"))
PACKAGES = ("matplotlib", "pandas", "geopandas", "xarray", "rasterio", "laspy", "lazrs", "pyarrow")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_runs(name):
    for package in PACKAGES if name != "gpu_arrays" else ():
        pytest.importorskip(package)
    data = os.environ.get("SHEPARD_DATA") or str(SHARED if SHARED.exists() else ROOT / "data")
    environment = {**os.environ, "MPLBACKEND": "Agg", "SHEPARD_DATA": data,
                   "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run([sys.executable, f"{name}.py"], cwd=FOLDER, env=environment, text=True,
                          capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    if name == "gpu_arrays":
        assert "largest difference" in done.stdout or done.stdout.startswith("skipped, there is no")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebook_is_one_of_jupytext(name):
    jupytext = pytest.importorskip("jupytext")
    licence, title, *rest = jupytext.read(FOLDER / f"{name}.py").cells
    assert licence.source == "# SPDX-License-Identifier: MIT"
    assert title.cell_type == "markdown" and title.source.startswith("# ") and len(rest) > 4
