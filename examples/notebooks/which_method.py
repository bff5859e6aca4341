# SPDX-License-Identifier: MIT

# %% [markdown]
# # Which method?
#
# No method is best for all data. What predicts held-out data best is a good choice. The data: zinc in
# the topsoil of the flood plain of the Meuse, at 155 places.

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

# %% [markdown]
# ## `validate` compares methods that you name
#
# Data are held out once, here one place at a time, and every method predicts the same.

# %%
methods = ["idw:k=12", "idw:k=12:power=3", "idw", "aidw", "idw:k=12:degree=1", "krige",
           "krige:model=spherical"]
found = shepard.validate(at, y, methods)
scores = pandas.DataFrame([one.scores for one in found], index=methods)
scores[["rmse", "mae", "crps", "coverage"]].sort_values("rmse").round(3)

# %%
worst, best = max(found, key=lambda one: one.rmse), min(found, key=lambda one: one.rmse)
figure, axes = plt.subplots(1, 2, figsize=(11, 4.8), layout="constrained")
scores.rmse.sort_values(ascending=False).plot.barh(ax=axes[0], color="tab:blue")
axes[0].set(xlabel="RMSE of log zinc, leave-one-out", xlim=(0, None))
for one, colour in ((worst, "tab:orange"), (best, "tab:blue")):
    axes[1].scatter(one.observed, one.predicted, s=14, color=colour, alpha=0.7,
                    label=f"{methods[found.index(one)]}: {one.rmse:.3f}")
axes[1].axline((y.mean(), y.mean()), slope=1, color="black", linewidth=0.8)
axes[1].set(xlabel="observed", ylabel="predicted", title="best and worst", aspect="equal")
axes[1].legend()

# %% [markdown]
# ## `tune` searches
#
# It tries some hundred candidates within the seconds it is given. The best of many looks better than it
# is: `honest_rmse` is the error at data that the choice has not seen. `kind="stars"` asks for the cells
# of a raster instead of places like those of the data.

# %%
raster = shepard.Raster.covering((178480, 181520, 329560, 333760), 40)
tuned = shepard.tune(at, y, seconds=10, kind="stars", targets=raster, seed=1)
print(f"{len(tuned.trials)} trials, the choice: {tuned.parameters.text[:60]}...")
print(f"RMSE {tuned.honest_rmse:.3f} at the cells of the raster")

# %%
trials = pandas.Series([trial.scores["rmse"] for trial in tuned.trials if trial.scores])
figure, axis = plt.subplots(figsize=(8, 4), layout="constrained")
axis.plot(trials.to_numpy(), ".", color="gray", label="a trial")
axis.plot(trials.cummin().to_numpy(), color="tab:blue", label="best so far")
axis.axhline(tuned.honest_rmse, color="tab:red", linestyle="--", label="honest RMSE of the choice")
axis.set(xlabel="trial", ylabel="RMSE of log zinc", ylim=(trials.min() * 0.95, trials.quantile(0.95)))
axis.legend()

# %% [markdown]
# The choice goes into any call.

# %%
shepard.Interpolator(at, y, tuned.parameters)(raster).shape

# %%
plt.show()
