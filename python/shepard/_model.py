# SPDX-License-Identifier: MIT
"""Models: data with complete parameters, ready for predictions."""
from typing import Any, Optional

import numpy as np

from ._arrays import Places, matrix
from ._call import Progress
from ._field import COLUMN_OUTPUTS, Field
from ._fit import fit_parameters
from ._parameters import Parameters
from ._points import Points, dimensions_of


class _Part:
    """A field and the parameters that it is predicted from with."""

    def __init__(self, field: Field, parameters: Parameters) -> None:
        self.field = field
        self.parameters = parameters
        self.sd_models: Optional[list] = None

    def prepare(self, outputs: Any) -> None:
        if "sd" in outputs and self.parameters.method != "krige" and self.sd_models is None:
            self.sd_models = self.field.fit_sd(self.parameters)

    def predict(self, at: Any, outputs: Any, dtype: Any, progress: Progress) -> Any:
        self.prepare(outputs)
        return self.field.predict(at, self.parameters, outputs=outputs, dtype=dtype,
                                  sd_models=self.sd_models, progress=progress)


def _part(coordinates: Any, values: Any, weights: Any, parameters: Parameters,
          options: dict) -> _Part:
    points = Points(coordinates, anisotropy_ratio=parameters.options.anisotropy_ratio,
                    anisotropy_angle=parameters.options.anisotropy_angle, **options)
    return _Part(Field(points, values, weights), parameters)


class Model:
    """Values at points with complete parameters.

    What kriging leaves open is fitted, to each column alone.
    """

    def __init__(self, coordinates: Any, values: Any, parameters: Parameters, weights: Any = None,
                 seed: int = 0, progress: Progress = None, **options: Any) -> None:
        dimensions = dimensions_of(options.get("metric", "plane"))
        places, described = Places(coordinates, dimensions), matrix(values)
        coordinates, values = places.source, described.source
        self._stacked = False
        self.fits: list = []
        if parameters.is_complete:
            self.parts = [_part(coordinates, values, weights, parameters, options)]
            return
        fits = [fit_parameters(coordinates, values, parameters, column=j, seed=seed,
                               threads=options.get("threads"), progress=progress,
                               metric=options.get("metric", "plane"),
                               vertical_factor=options.get("vertical_factor", 1.0),
                               sphere_radius=options.get("sphere_radius"))
                for j in range(described.columns)]
        self.fits = [info for _, info in fits]
        self._stacked = described.ndim == 2
        self.parts = [_part(coordinates, values[:, j] if self._stacked else values, weights,
                            complete, options) for j, (complete, _) in enumerate(fits)]

    @property
    def parameters(self) -> Any:
        """Complete; a list, one a column, where columns have their own."""
        found = [part.parameters for part in self.parts]
        return found if self._stacked else found[0]

    @property
    def points(self) -> Points:
        """The data points."""
        return self.parts[0].field.points

    def prepare(self, outputs: Any) -> None:
        """Fits what predictions of these outputs share."""
        for part in self.parts:
            part.prepare(outputs)

    def predict(self, at: Any, outputs: Any = ("values",), dtype: Any = np.float64,
                progress: Progress = None) -> dict:
        """Of each output its array, as Field.predict; what is no column's is that of column 0."""
        found = [part.predict(at, outputs, dtype, progress) for part in self.parts]
        if not self._stacked:
            return found[0]
        return {name: np.stack([one[name] for one in found], axis=-1)
                if name in COLUMN_OUTPUTS else found[0][name] for name in outputs}
