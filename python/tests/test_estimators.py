# SPDX-License-Identifier: MIT
"""The estimators keep scikit-learn's contract."""
import numpy as np
import pytest
from brute_force import idw

import shepard

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone, is_regressor  # noqa: E402
from sklearn.compose import TransformedTargetRegressor  # noqa: E402
from sklearn.metrics import r2_score  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.neighbors import KNeighborsRegressor  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

# With trend=True any number of columns is taken, as the checks need it.
WEIGHTING = {
    "check_sample_weight_equivalence_on_dense_data":
        "27 samples do not determine a trend of the 28 covariates that the check makes",
}
CHECKED = [shepard.IDW(trend=True), shepard.IDW(k=None, trend=True), shepard.AIDW(trend=True),
           shepard.Kriging(trend=True)]


@parametrize_with_checks(
    CHECKED, expected_failed_checks=lambda e: {} if type(e) is shepard.Kriging else WEIGHTING)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", [shepard.IDW(), shepard.AIDW(), shepard.Kriging()])
def test_without_a_trend_checks_fail_for_their_number_of_columns_alone(estimator):
    from sklearn.utils.estimator_checks import check_estimator
    for result in check_estimator(estimator, on_fail=None, on_skip=None):
        if result["status"] == "failed":
            reasons = chain_of(result["exception"])
            assert any("With trend=True" in reason or "positive_only" in reason
                       for reason in reasons), result["check_name"]


def chain_of(error):
    while error is not None:
        yield str(error)
        error = error.__cause__ or error.__context__


def test_predictions_and_score(sites):
    points, z = sites
    model = shepard.IDW(k=7, power=3).fit(points[:1500], z[:1500])
    found = model.predict(points[1500:])
    np.testing.assert_allclose(found, idw(points[1500:], points[:1500], z[:1500], 3, 7), rtol=1e-11,
                               atol=1e-12 * np.ptp(z))
    weights = np.linspace(0.1, 1, 500)
    assert model.score(points[1500:], z[1500:], weights) == pytest.approx(
        r2_score(z[1500:], found, sample_weight=weights))


def test_pipeline_grid_search_and_clone(sites):
    points, z = sites
    model = make_pipeline(StandardScaler(), shepard.IDW())
    search = GridSearchCV(model, {"idw__k": [1, 8], "idw__power": [1.0, 2.0]}, cv=3).fit(points, z)
    assert search.best_params_["idw__k"] == 8 and search.best_score_ > 0.8
    assert clone(search.best_estimator_).get_params()["idw__k"] == 8
    assert cross_val_score(shepard.Kriging(), points[:300], z[:300], cv=3).min() > 0.8
    assert is_regressor(shepard.Kriging())
    logarithm = TransformedTargetRegressor(shepard.AIDW(), func=np.exp, inverse_func=np.log)
    assert np.isfinite(logarithm.fit(points, z).predict(points[:5])).all()


@pytest.mark.parametrize("X", [None, "places"])
def test_kneighbors_is_that_of_scikit_learn(sites, X):
    points, z = sites
    at = None if X is None else points[:99] + 0.2
    theirs = KNeighborsRegressor(9).fit(points, z).kneighbors(at)
    ours = shepard.IDW(k=9).fit(points, z).kneighbors(at)
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    np.testing.assert_array_equal(ours[1], theirs[1])
    assert shepard.IDW().fit(points, z).kneighbors(at, 3, return_distance=False).shape[1] == 3


def test_kneighbors_of_points_at_one_place_leaves_one_out(rng):
    points = np.repeat(rng.random((5, 2)), 6, axis=0)  # of six, one is not among the nearest four
    distances, indices = shepard.IDW(k=3).fit(points, np.arange(30.0)).kneighbors()
    assert distances.shape == (30, 3) and distances.max() == 0
    assert (indices != np.arange(30)[:, None]).all()


@pytest.mark.parametrize("model", [shepard.IDW(), shepard.AIDW(), shepard.Kriging()])
def test_standard_deviations_cover(sites, model):
    points, z = sites
    values, sd = model.fit(points[:1500], z[:1500]).predict(points[1500:], return_std=True)
    inside = abs(values - z[1500:]) <= 1.96 * sd
    assert 0.85 < inside.mean() <= 1


@pytest.mark.parametrize("model", [shepard.IDW(trend=True), shepard.Kriging(trend=True)])
def test_trend_finds_the_coefficient(sites, rng, model):
    points, z = sites
    height = rng.uniform(0, 1000, len(points))
    X = np.column_stack([points, height])
    model.fit(X, z - 0.0065 * height)
    assert model.coef_[0, 0] == pytest.approx(-0.0065, rel=0.02)
    assert model.score(X, z - 0.0065 * height) > 0.9


def test_several_columns(sites):
    points, z = sites
    both = np.column_stack([z, z**2])
    for model in (shepard.IDW(), shepard.Kriging()):
        together = model.fit(points, both).predict(points[:50] + 1)
        for j in range(2):
            np.testing.assert_array_equal(together[:, j],
                                          model.fit(points, both[:, j]).predict(points[:50] + 1))


def test_data_frames_keep_the_names_of_their_columns(sites):
    pandas = pytest.importorskip("pandas")
    points, z = sites
    frame = pandas.DataFrame(points, columns=["east", "north"])
    model = shepard.IDW().fit(frame, pandas.Series(z))
    assert model.feature_names_in_.tolist() == ["east", "north"]
    with pytest.raises(ValueError, match="same order"):
        model.predict(frame[["north", "east"]])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(points)


def test_parameters_of_a_fit_can_be_used_elsewhere(sites):
    points, z = sites
    model = shepard.Kriging().fit(points, z)
    again = shepard.Interpolator(points, z, model.parameters_)
    np.testing.assert_array_equal(again(points[:20] + 1), model.predict(points[:20] + 1))
    assert repr(shepard.IDW(k=5)) == "IDW(k=5)" and repr(shepard.Kriging()) == "Kriging()"
