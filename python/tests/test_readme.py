# SPDX-License-Identifier: MIT
"""The examples of the package's page run as they stand, one after the other."""
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "README.md"


def test_links_of_the_page_work_elsewhere():
    """PyPI shows it without the files of the repository."""
    links = re.findall(r"\]\(([^)\s]+)\)", PAGE.read_text())
    assert all(link.startswith("https://") for link in links)


@pytest.mark.filterwarnings("ignore::shepard.Notice")
def test_examples_of_the_page():
    names = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S):
        exec(block, names)
    assert names["best"].parameters.is_complete
