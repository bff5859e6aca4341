# SPDX-License-Identifier: MIT
"""Progress bars: tqdm's, where it is installed."""
import sys
from contextlib import contextmanager
from typing import Any, Callable, Iterator, Optional, Union

ProgressArgument = Union[None, bool, Callable[[float], Any]]


def _bar_class(wanted: Optional[bool]) -> Any:
    if wanted is None and not (sys.stderr and sys.stderr.isatty()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if wanted:
            raise
        return None
    return tqdm


@contextmanager
def shown(progress: ProgressArgument, what: str) -> Iterator[Optional[Callable[[float], Any]]]:
    """The function that a call reports its fraction to, or None.

    progress: a function of the fraction; True: tqdm's bar; None: that bar if tqdm is installed and
    stderr is a terminal; False: none.
    """
    if callable(progress):
        yield progress
        return
    bar_class = _bar_class(progress) if progress is not False else None
    if bar_class is None:
        yield None
        return
    with bar_class(total=1.0, desc=what, bar_format="{l_bar}{bar}| {elapsed}") as bar:
        yield lambda fraction: bar.update(fraction - bar.n) and None
