# SPDX-License-Identifier: MIT
"""Random data, whose seed a failing test prints."""
import os

import numpy as np
import pytest


@pytest.fixture
def rng(request):
    """A generator; SHEPARD_TEST_SEED sets its seed, which is printed where a test fails."""
    seed = int(os.environ.get("SHEPARD_TEST_SEED") or np.random.SeedSequence().entropy % 2**32)
    print(f"SHEPARD_TEST_SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture
def sites(rng):
    """Places and values: [2000, 2] and [2000]."""
    at = rng.uniform(-50, 150, (2000, 2))
    return at, np.sin(at[:, 0] / 30) + 0.02 * at[:, 1] + 0.1 * rng.standard_normal(2000)
