# SPDX-License-Identifier: MIT

# %% [markdown]
# # From LiDAR to a terrain model
#
# A cloud of returns, of which those of class 2 are ground. Under buildings and trees there are none.

# %%
import os
import tempfile
from pathlib import Path

import laspy
import matplotlib.pyplot as plt
import numpy as np
import pandas
import rasterio
import shepard

DATA = Path(os.environ.get("SHEPARD_DATA", "../../data"))
FOLDER = Path(tempfile.mkdtemp())


def drawn(count=60000, seed=0):
    """A synthetic cloud of 300 x 300 m: hills, and houses that hide the ground."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0, 300, (2, count))
    z = 100 + 8 * np.sin(x / 60) + 5 * np.cos(y / 45) + 0.05 * rng.standard_normal(count)
    house = ((x // 30) % 3 == 1) & ((y // 30) % 3 == 1)
    return pandas.DataFrame({"x": x, "y": y, "z": z + 6 * house, "classification": 2 - house})


measured = DATA / "lidar/autzen_trim.csv"
cloud = pandas.read_csv(measured) if measured.exists() else drawn()
cloud.classification.value_counts()

# %%
las = laspy.LasData(laspy.LasHeader(point_format=6, version="1.4"))
las.header.scales = [0.01] * 3
las.header.offsets = [np.floor(cloud.x.min()), np.floor(cloud.y.min()), 0]
las.x, las.y, las.z = (cloud[name].to_numpy() for name in "xyz")
las.classification = cloud.classification.to_numpy().astype(np.uint8)
las.write(FOLDER / "cloud.laz")

# %% [markdown]
# `grid_file` reads the file in batches, uses the ground alone, and writes a GeoTIFF. `degree=1` fits
# planes, which follow slopes; two points of each octant bridge holes better than the twelve nearest.

# %%
extent = float(np.ptp(cloud.x))
told = shepard.grid_file(FOLDER / "cloud.laz", FOLDER / "terrain.tif", spacing=extent / 400, classes=2,
                         method="idw:degree=1:sectors=8:max_points_per_sector=2:radius="
                                f"{extent / 4:.6g}",
                         outputs=("values", "nearest"), dtype=np.float32)
print(f"{told['points']} of {len(cloud)} points are ground: {told['raster']}")

# %%
with rasterio.open(FOLDER / "terrain.tif") as file:
    terrain, nearest = file.read(masked=True)
    bounds = file.bounds

slope_y, slope_x = np.gradient(terrain.filled(np.nan), extent / 400)
shade = (slope_x - slope_y + 1) / np.sqrt(3 * (slope_x**2 + slope_y**2 + 1))

figure, axes = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
box = bounds.left, bounds.right, bounds.bottom, bounds.top
low, high = np.nanpercentile(terrain.filled(np.nan), (1, 99))
axes[0].imshow(shade, extent=box, cmap="gray", vmin=0.2, vmax=1)
shown = axes[0].imshow(terrain, extent=box, cmap="terrain", alpha=0.55, vmin=low, vmax=high)
figure.colorbar(shown, ax=axes[0], label="height of the ground", orientation="horizontal")
shown = axes[1].imshow(nearest, extent=box, cmap="magma_r")
figure.colorbar(shown, ax=axes[1], label="distance of the nearest ground point",
                orientation="horizontal")
axes[0].set_title("terrain model")
axes[1].set_title("where it is a guess")

# %% [markdown]
# How far is it off? Leave-one-out is too hopeful in the holes. `kind="stars"` holds out data around
# places that are as far from data as the cells are.

# %%
ground = cloud[cloud.classification == 2]
methods = ["idw:k=12", "idw:k=12:degree=1", "idw:degree=1:sectors=8:max_points_per_sector=2:radius="
           f"{extent / 4:.6g}"]
found = shepard.validate(ground[["x", "y"]].to_numpy(), ground.z.to_numpy(), methods, kind="stars",
                         targets=told["raster"])
pandas.DataFrame({method[:40]: one.scores for method, one in zip(methods, found)}).loc[
    ["count", "me", "mae", "rmse"]].round(3)

# %%
plt.show()
