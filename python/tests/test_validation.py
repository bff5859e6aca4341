# SPDX-License-Identifier: MIT
"""Validation and tuning are what their definitions say."""
import numpy as np
import pytest
from brute_force import idw

import shepard


def test_leave_one_out_scores(sites):
    points, z = (array[:80] for array in sites)
    found = shepard.validate(points, z, "idw:k=6")
    expected = [idw(points[i:i + 1], np.delete(points, i, 0), np.delete(z, i), k=6)[0]
                for i in range(80)]
    order = found.indices
    np.testing.assert_allclose(found.predicted, np.array(expected)[order], rtol=1e-12,
                               atol=1e-12 * np.ptp(found.predicted))
    np.testing.assert_array_equal(found.observed, z[order])
    errors = found.predicted - found.observed
    assert found.rmse == pytest.approx(np.sqrt((errors**2).mean()), rel=1e-12)
    assert found.scores["me"] == pytest.approx(errors.mean(), rel=1e-9)


def test_folds_use_the_other_folds(sites):
    points, z = (array[:90] for array in sites)
    holdout = shepard.Holdout(points, z, kind="k_fold", folds=3, seed=5)
    found = holdout.validate("idw:k=4")
    of_point = dict(zip(holdout.info["indices"].tolist(), holdout.info["fold"].tolist()))
    folds = np.array([of_point[i] for i in range(90)])
    for i in (0, 40, 89):
        others = folds != folds[i]
        expected = idw(points[i:i + 1], points[others], z[others], k=4)[0]
        place = found.indices.tolist().index(i)
        assert found.predicted[place] == pytest.approx(expected, rel=1e-12)


def test_stars_need_targets_and_hold_out_more(sites):
    points, z = sites
    raster = shepard.Raster(-50, 150, 20, -20, 10, 10)
    found = shepard.validate(points, z, "idw:k=6", kind="stars", targets=raster)
    assert found.scores["count"] > 0
    with pytest.raises(ValueError, match="targets"):
        shepard.validate(points, z, kind="stars")


def test_kriging_is_completed_once(sites):
    points, z = (array[:300] for array in sites)
    found = shepard.validate(points, z, shepard.Kriging())
    assert found.parameters.is_complete
    assert np.isfinite(found.scores["crps"])


def test_tune_chooses_the_least_error(sites):
    points, z = (array[:300] for array in sites)
    candidates = ["idw:k=1", "idw:k=8", shepard.IDW(k=8, degree=1), "idw:k=300"]
    seen = []
    found = shepard.tune(points, z, candidates=candidates, trial=seen.append, progress=False)
    assert found.trials == seen and len(seen) == 4 and found.complete
    errors = [shepard.validate(points, z, one).rmse for one in candidates]
    assert found.scores["rmse"] == pytest.approx(min(errors), rel=1e-12)
    assert found.parameters == shepard.Parameters.of(candidates[int(np.argmin(errors))])


def test_tune_ends_where_the_caller_says(sites):
    points, z = (array[:200] for array in sites)
    found = shepard.tune(points, z, trial=lambda trial: False, progress=False)
    assert len(found.trials) == 1 and not found.complete

    def fails(trial):
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        shepard.tune(points, z, trial=fails, progress=False)


def test_progress_rises_to_one(sites):
    points, z = sites
    fractions = []
    shepard.validate(points, z, ["idw:k=6", "idw:k=9"], progress=fractions.append)
    assert fractions == sorted(fractions) and fractions[-1] == 1


def test_progress_bar(sites, capsys):
    pytest.importorskip("tqdm")
    points, z = sites
    shepard.validate(points, z, progress=True)
    assert "100%" in capsys.readouterr().err
    shepard.validate(points, z)  # no terminal: no bar
    assert capsys.readouterr().err == ""
