# SPDX-License-Identifier: MIT

# %% [markdown]
# # From stations to a map
#
# Zinc in the topsoil of the flood plain of the Meuse, at 155 places (mg/kg). Coordinates are metres in
# the Dutch grid, EPSG:28992.

# %%
import os
import tempfile
from pathlib import Path

import geopandas
import matplotlib.pyplot as plt
import numpy as np
import pandas
import shepard

DATA = Path(os.environ.get("SHEPARD_DATA", "../../data"))

table = pandas.read_csv(DATA / "meuse/meuse.csv")
soil = geopandas.GeoDataFrame(table, geometry=geopandas.points_from_xy(table.x, table.y),
                              crs="EPSG:28992")
soil[["zinc", "lead", "om"]].describe().loc[["count", "min", "50%", "max"]]

# %% [markdown]
# One call makes the map. Concentrations are skewed, so their logarithm is interpolated. Organic matter
# (`om`) is missing at two places: they are left out for that column only.

# %%
soil["log_zinc"] = np.log(soil.zinc)
surface = shepard.grid(soil, ["log_zinc", "om"], "krige", spacing=20, outputs=("values", "nearest"))
surface = surface.where(surface.nearest < 200)  # no predictions far from data
surface

# %%
figure, axes = plt.subplots(1, 2, figsize=(11, 5.5), layout="constrained", sharey=True)
for axis, name, values, label in ((axes[0], "zinc", np.exp(surface.log_zinc), "zinc, mg/kg"),
                                  (axes[1], "om", surface.om, "organic matter, %")):
    values.plot(ax=axis, cmap="viridis", robust=True, cbar_kwargs={"label": label})
    axis.scatter(soil.geometry.x, soil.geometry.y, s=6, c="white", edgecolors="black", linewidths=0.4)
    axis.set(aspect="equal", title=label.split(",")[0], xlabel="x, m", ylabel="y, m")
axes[1].set_ylabel("")

# %% [markdown]
# The covariance was fitted to each column. Its text stands with the result; `shepard.Parameters` and the
# command `shepard` read it.

# %%
surface.log_zinc.attrs["shepard_parameters"]

# %% [markdown]
# ## At a few places, in their own CRS

# %%
gardens = geopandas.GeoSeries.from_xy([5.736, 5.743], [50.968, 50.979], index=["south", "north"],
                                      crs="EPSG:4326")
predicted = shepard.predict_frame(soil, gardens, ["zinc", "lead"], "krige", outputs=("values", "sd"))
predicted.drop(columns="geometry").round(1)

# %% [markdown]
# ## As a file

# %%
with tempfile.TemporaryDirectory() as folder:
    told = shepard.grid_file(DATA / "meuse/meuse.csv", Path(folder) / "zinc.tif", "zinc", "krige",
                             spacing=20, crs="EPSG:28992", driver="COG", dtype=np.float32)
    size = (Path(folder) / "zinc.tif").stat().st_size
print(f"{told['points']} points, {told['raster'].columns} x {told['raster'].rows} cells, {size} bytes")

plt.show()
