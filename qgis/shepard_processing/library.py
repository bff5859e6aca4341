# SPDX-License-Identifier: MIT
"""The Python package that computes, and what to do where it is missing."""
import sys

try:
    import shepard
    missing = ""
except ImportError as error:
    shepard = None
    missing = (f"The Python package shepard cannot be imported ({error}). Install it for the "
               f"Python of QGIS, {sys.version.split()[0]}: pip install shepard (on Windows in the "
               "OSGeo4W Shell), and start QGIS again.")


def watch(feedback, first=0.0, last=100.0):
    """A progress function for the package: shows per cent, and cancels where the user does."""

    def report(fraction):
        feedback.setProgress(first + (last - first) * fraction)
        return not feedback.isCanceled()

    return report
