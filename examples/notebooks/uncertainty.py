# SPDX-License-Identifier: MIT

# %% [markdown]
# # How sure is a prediction?
#
# Every method gives a standard deviation: of the difference between the prediction and a new
# measurement. Kriging has its own; that of IDW and AIDW comes from leave-one-out residuals.

# %%
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas
import shepard

DATA = Path(os.environ.get("SHEPARD_DATA", "../../data"))

table = pandas.read_csv(DATA / "meuse/meuse.csv")
at, y = table[["x", "y"]].to_numpy(float), np.log(table.zinc.to_numpy(float))

# %%
found = {method: shepard.grid(at, y, method, spacing=20, names="log_zinc",
                              outputs=("values", "sd", "nearest")) for method in ("idw:k=12", "krige")}

figure, axes = plt.subplots(2, 2, figsize=(10, 10), layout="constrained", sharex=True, sharey=True)
for row, (method, surface) in zip(axes, found.items()):
    for axis, name, colours, limits in ((row[0], "log_zinc", "viridis", (y.min(), y.max())),
                                        (row[1], "log_zinc_sd", "magma_r", (0.2, 0.8))):
        surface[name].plot(ax=axis, cmap=colours, vmin=limits[0], vmax=limits[1],
                           cbar_kwargs={"label": name.replace("_", " ")})
        axis.scatter(*at.T, s=4, c="black")
        axis.set(aspect="equal", title=f"{method}: {name.replace('_', ' ')}", xlabel="", ylabel="")

# %% [markdown]
# ## Do they hold?
#
# At held-out data, 95 % of the measurements should lie within 1.96 standard deviations. `validate` does
# not let a model of the standard deviation see the errors that it judges.

# %%
methods = ["idw:k=12", "aidw", "krige", "krige:sd=model"]
results = shepard.validate(at, y, methods, kind="k_fold", folds=10, seed=1)
pandas.DataFrame([one.scores for one in results], index=methods)[
    ["rmse", "crps", "coverage", "interval"]].round(3)

# %%
levels = np.linspace(0.01, 0.99, 50)
figure, axis = plt.subplots(figsize=(5.5, 5.5), layout="constrained")
rng = np.random.default_rng(0)
normal = np.sort(abs(rng.standard_normal(200000)))
for method, one in zip(methods, results):
    there = np.isfinite(one.sd)
    standardised = abs(one.observed - one.predicted)[there] / one.sd[there]
    inside = [(standardised <= np.quantile(normal, level)).mean() for level in levels]
    axis.plot(levels, inside, label=method)
axis.plot([0, 1], [0, 1], color="black", linewidth=0.8)
axis.set(xlabel="level of the interval", ylabel="part of the measurements inside", aspect="equal",
         title="calibration, ten folds")
axis.legend()

# %% [markdown]
# ## A probability from it
#
# Where is zinc above 500 mg/kg? With a normal distribution of the logarithm:

# %%
from math import erf  # noqa: E402

surface = found["krige"].where(found["krige"].nearest < 300)
score = (surface.log_zinc - np.log(500)) / surface.log_zinc_sd
probability = score.copy(data=0.5 * (1 + np.vectorize(erf)(score / np.sqrt(2))))
figure, axis = plt.subplots(figsize=(6, 6), layout="constrained")
probability.plot(ax=axis, cmap="RdYlBu_r", vmin=0, vmax=1, cbar_kwargs={"label": "probability"})
axis.scatter(*at.T, s=10, c=np.where(table.zinc > 500, "black", "white"), edgecolors="black",
             linewidths=0.5)
axis.set(aspect="equal", title="zinc above 500 mg/kg (black: measured so)", xlabel="x, m", ylabel="y, m")

# %%
plt.show()
