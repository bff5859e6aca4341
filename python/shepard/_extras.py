# SPDX-License-Identifier: MIT
"""Packages that are used where they are installed."""
import importlib
from typing import Any


def need(module: str, extra: str) -> Any:
    """A module of another package; an ImportError names the extra that installs it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{package} is needed here and cannot be imported ({error}): "
                          f"pip install shepard[{extra}]", name=package) from error


def find(module: str) -> Any:
    """A module of another package, or None."""
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
