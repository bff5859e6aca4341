# SPDX-License-Identifier: MIT
"""Columns: values at places that have names, and the names of what is predicted of them."""
from typing import Any, Iterable, NamedTuple, Optional, Sequence, Union

import numpy as np

from ._arrays import matrix
from ._field import COLUMN_OUTPUTS, OUTPUTS

_WHAT = {"sd": "standard deviation of {} for a new measurement",
         "deviation": "weighted standard deviation of the data used for {}",
         "count": "data points used", "nearest": "distance of the nearest data point used",
         "power": "power of the distance", "effective": "effective sample size"}


class Columns(NamedTuple):
    """Values [n, columns], and a name of each column."""

    values: Any
    names: list


def columns_of(source: Any, names: Union[None, str, Sequence[str]] = None) -> Columns:
    """An array [n] or [n, columns], a dictionary of arrays [n], a series or a data frame."""
    if isinstance(source, dict):
        found = list(source)
        source = np.column_stack([np.asarray(source[name]) for name in found])
    elif hasattr(source, "iloc"):  # pandas
        frame = source if hasattr(source, "columns") else source.to_frame(source.name or "values")
        found = list(frame.columns)
        source = numbers(frame, found)
    else:
        described = matrix(source)
        source = described.source if described.ndim == 2 else described.source[:, None]
        found = (["values"] if described.ndim == 1 else
                 [f"values_{j}" for j in range(described.columns)])
    if names is not None:
        given = [names] if isinstance(names, str) else list(names)
        if len(given) != len(found):
            raise ValueError(f"names has {len(given)} elements and the values have {len(found)} "
                             "columns: give one for each")
        found = given
    return Columns(source, [str(name) for name in found])


def numbers(frame: Any, columns: Iterable) -> np.ndarray:
    """Columns of a data frame as float64 [n, columns]; what is missing is NaN."""
    columns = list(columns)
    found = np.empty((len(frame), len(columns)))
    for j, name in enumerate(columns):
        if name not in frame.columns:
            raise ValueError(f"there is no column {name!r}: one of "
                             f"{', '.join(map(repr, frame.columns))} is needed")
        try:
            found[:, j] = frame[name].to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise ValueError(f"column {name!r} of type {frame[name].dtype} does not hold numbers: "
                             "convert it, or leave it out") from error
    return found


class Layer(NamedTuple):
    """One array of a prediction: its name, what it is, of which output and column."""

    name: str
    title: str
    output: str
    column: Optional[int]

    def of(self, found: dict) -> Any:
        """Its array, of what Model.predict returns for values [n, columns]."""
        array = found[self.output]
        return array if self.column is None else array[..., self.column]


def layers_of(names: list, outputs: Union[str, Sequence[str]]) -> list:
    """What a prediction of columns consists of: `zinc`, `zinc_sd`, `nearest` and the like."""
    layers = []
    for output in (outputs,) if isinstance(outputs, str) else tuple(outputs):
        if output not in OUTPUTS:
            raise ValueError(f"output {output!r} is unknown: one of {', '.join(OUTPUTS)} is needed")
        if output not in COLUMN_OUTPUTS:
            layers.append(Layer(output, _WHAT[output], output, None))
            continue
        for j, name in enumerate(names):
            own = name if output == "values" else f"{name}_{output}"
            layers.append(Layer(own, _WHAT.get(output, "{}").format(name), output, j))
    if len({layer.name for layer in layers}) < len(layers):
        raise ValueError(f"two results would have the same name: {[one.name for one in layers]}: "
                         "give other names")
    return layers
