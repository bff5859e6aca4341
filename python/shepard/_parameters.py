# SPDX-License-Identifier: MIT
"""Parameters of a prediction, as the command and the C library write them: text."""
import ctypes
import math
from ctypes import byref
from typing import Any

import numpy as np

from . import _structs
from ._call import check
from ._library import initialised, lib
from ._structs import Method

# Names that Python has for keys of the text, of the methods that have them.
_KEYS = {"aidw": {"powers": "alphas", "r_min": "rmin", "r_max": "rmax", "n_neighbors": "k"},
         "krige": {"covariance": "model", "n_neighbors": "k"}}


def _text_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"a parameter is {value}: numbers and words are needed")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if np.ndim(value):
        return ",".join(map(_text_of, value))
    return repr(float(value))


def _joined(method: str, keys: dict) -> str:
    """The method's text with further keys, which replace its own of the same names."""
    name, *own = method.split(":")
    names = _KEYS.get(name.lower(), {})
    further = {names.get(key, key): value for key, value in keys.items() if value is not None}
    kept = [part for part in own if part.partition("=")[0].lower() not in further]
    return ":".join([name] + kept + [f"{key}={_text_of(value)}" for key, value in further.items()])


class Parameters:
    """A method and its parameters, checked.

    Parameters
    ----------
    method : str
        ``"idw"``, ``"aidw"``, ``"krige"``, ``"invdist"`` or ``"invdistnn"``, with keys behind it
        or not: ``"idw:k=12:power=3"``. Keys that are left out have their defaults.
    **keys
        Further keys, which replace those of the same names in ``method``; None leaves one out.
        They are those of the command ``shepard`` (``man shepard``) and of
        ``shepard_parameters_parse``. For ``aidw`` also ``powers``, ``r_min`` and ``r_max``
        (``alphas``, ``rmin``, ``rmax``), for ``krige`` ``covariance`` (``model``).

    Raises
    ------
    ArgumentError
        The method or a key is unknown (the message names the nearest), or a value is out of range.

    Examples
    --------
    >>> from shepard import Parameters
    >>> p = Parameters("idw:k=12", power=3)
    >>> p.method, p["k"], p["power"], p["smoothing"]
    ('idw', '12', '3', '0')
    >>> Parameters("idw:k=12:power=3", k=5)["k"]
    '5'
    >>> Parameters("idw", pwer=3)
    Traceback (most recent call last):
        ...
    shepard.ArgumentError: idw: unknown key 'pwer'; did you mean power?
    """

    __slots__ = ("struct", "options", "text", "given")

    def __init__(self, method: str = "idw", **keys: Any) -> None:
        self.given = _joined(method, keys)
        self.struct = initialised(_structs.Parameters, lib.shepard_parameters_init_sized)
        self.options = initialised(_structs.PointsOptions, lib.shepard_points_options_init_sized)
        check(lib.shepard_parameters_parse_sized, self.given.encode(), byref(self.struct),
              ctypes.sizeof(self.struct), byref(self.options))
        self.text = self._print()

    def _print(self) -> str:
        arguments = byref(self.struct), byref(self.options), None
        length = lib.shepard_parameters_print(*arguments, None, 0)
        text = ctypes.create_string_buffer(length + 1)
        lib.shepard_parameters_print(*arguments, text, length + 1)
        return text.value.decode()

    @classmethod
    def of(cls, method: Any, **keys: Any) -> "Parameters":
        """From a text, Parameters or an estimator that is fitted or not."""
        if isinstance(method, cls):
            return cls(method.given, **keys) if keys else method
        found = getattr(method, "parameters", None)
        if found is not None:
            return cls.of(found() if callable(found) else found, **keys)
        return cls(method, **keys)

    @classmethod
    def of_structs(cls, struct: _structs.Parameters,
                   options: _structs.PointsOptions) -> "Parameters":
        """From structs that the library has filled."""
        made = cls.__new__(cls)
        made.struct, made.options = struct, options
        made.given = made.text = made._print()
        return made

    @property
    def method(self) -> str:
        """``"idw"``, ``"aidw"`` or ``"krige"``."""
        return Method(self.struct.method).name.lower()

    @property
    def is_complete(self) -> bool:
        """False where parameters of kriging or of its anisotropy are left open, to be fitted."""
        if self.struct.method != Method.KRIGE:
            return True
        kriging = self.struct.kriging
        needed = [kriging.psill, kriging.range, kriging.nugget, self.options.anisotropy_ratio,
                  self.options.anisotropy_angle]
        if kriging.covariance == _structs.Covariance.STABLE:
            needed.append(kriging.p)
        if kriging.kind == _structs.KrigingKind.SIMPLE:
            needed.append(kriging.mean)
        return not any(map(math.isnan, needed))

    def keys(self) -> list:
        """The names of the parameters."""
        return [part.partition("=")[0] for part in self.text.split(":")[1:]]

    def __getitem__(self, key: str) -> str:
        """The text of a parameter."""
        names = _KEYS.get(self.method, {})
        return dict(part.split("=", 1) for part in self.text.split(":")[1:])[names.get(key, key)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Parameters({self.text!r})"

    def __reduce__(self) -> tuple:
        return Parameters, (self.text,)
