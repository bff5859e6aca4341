# SPDX-License-Identifier: MIT
"""What may be wrong with what the report is made of."""


class ReportError(Exception):
    """What is wrong with an input, and what to do."""


class NotMeasured(ReportError):
    """The results lack what a text needs."""
