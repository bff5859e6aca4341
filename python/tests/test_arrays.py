# SPDX-License-Identifier: MIT
"""Arrays of every kind give the results of a plain copy."""
import numpy as np
import pytest

import shepard
from shepard._arrays import address, matrix


def predict(points, values, at):
    return shepard.Field(shepard.Points(points), values).predict(at, "idw:k=8")


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_layouts_are_read_where_they_lie(sites, dtype):
    at, z = (array.astype(dtype) for array in sites)
    expected = predict(at, z, at[:50] + 1)
    wide = np.zeros((2000, 7), dtype)
    wide[:, 2], wide[:, 5] = at.T
    record = np.zeros(2000, [("a", dtype), ("x", dtype), ("y", dtype), ("z", dtype)])
    record["x"], record["y"], record["z"] = at[:, 0], at[:, 1], z
    layouts = {
        "Fortran": np.asfortranarray(at), "columns of a matrix": wide[:, 2::3],
        "reversed": np.ascontiguousarray(at[::-1])[::-1], "pair": (at[:, 0], at[:, 1]),
        "record": (record["x"], record["y"]), "read-only": at.copy()}
    layouts["read-only"].flags.writeable = False
    for name, layout in layouts.items():
        for part in layout if isinstance(layout, tuple) else (layout,):
            assert np.shares_memory(matrix(part).source, part), name
        np.testing.assert_array_equal(predict(layout, record["z"], at[:50] + 1), expected, name)


def test_results_in_single_are_rounded(sites):
    at, z = sites
    field = shepard.Field(shepard.Points(at), z)
    double = field.predict(at[:100] + 0.5, "idw:k=8")
    single = field.predict(at[:100] + 0.5, "idw:k=8", dtype=np.float32)
    assert single.dtype == np.float32
    np.testing.assert_array_equal(single, double.astype(np.float32))


@pytest.mark.parametrize("convert", [
    lambda a: a.astype(int), lambda a: a.astype(np.int16), lambda a: a.astype(">f8").round(),
    lambda a: a.round().tolist(), lambda a: a.round().astype(object),
    lambda a: np.ma.masked_invalid(a.round()), lambda a: a.round().astype(np.longdouble)])
def test_other_numbers_are_converted(sites, convert):
    at, z = sites
    whole = np.trunc(at)
    given = convert(at) if np.asarray(convert(at)).dtype.kind == "i" else convert(whole)
    np.testing.assert_array_equal(predict(given, z, at[:20]), predict(whole, z, at[:20]))


def test_packed_and_broadcast_arrays_are_copied(sites):
    at, z = sites
    packed = np.zeros(2000, np.dtype([("flag", "i1"), ("x", "f8"), ("y", "f8")]))
    packed["x"], packed["y"] = at.T
    expected = predict(at, z, at[:20])
    np.testing.assert_array_equal(predict((packed["x"], packed["y"]), z, at[:20]), expected)
    constant = np.broadcast_to(3.5, 2000)
    np.testing.assert_array_equal(predict(at, constant, at[:20]), np.full(20, 3.5))


def test_masked_values_are_missing(sites):
    at, z = sites
    gaps = np.arange(2000) % 3 == 0
    masked = np.ma.MaskedArray(z, gaps)
    np.testing.assert_array_equal(predict(at, masked, at[:20]),
                                  predict(at, np.where(gaps, np.nan, z), at[:20]))


class OnlyArrow:
    """Hides all but Arrow's interface."""

    def __init__(self, array, kind):
        setattr(self, f"__arrow_c_{kind}__", getattr(array, f"__arrow_c_{kind}__"))


class WithoutDlpack(OnlyArrow):
    """As some versions of pyarrow: an array with nulls has no DLPack."""

    def __dlpack_device__(self):
        raise TypeError("Can only use DLPack on arrays with no nulls.")


def test_arrow(sites, rng):
    pa = pytest.importorskip("pyarrow")
    at, z = sites
    gaps = rng.random(2000) < 0.2
    expected = predict(at, np.where(gaps, np.nan, z), at[:20])
    table = pa.table({"x": at[:, 0], "y": at[:, 1]})
    values = pa.array(z, mask=gaps)
    chunks = pa.chunked_array([values[:700], values[700:701], values[701:]])
    for source in (OnlyArrow(values, "array"), OnlyArrow(chunks, "stream"),
                   WithoutDlpack(values, "array"), values, chunks):
        for places in (OnlyArrow(table, "stream"), OnlyArrow(table.to_batches()[0], "array"),
                       (OnlyArrow(table["x"], "stream"), OnlyArrow(table["y"], "stream"))):
            np.testing.assert_array_equal(predict(places, source, at[:20]), expected)


def test_arrow_floats_are_not_copied(sites):
    pa = pytest.importorskip("pyarrow")
    _, z = sites
    array = pa.array(z)[5:]
    read = matrix(OnlyArrow(array, "array"))
    assert read.pointer == array.buffers()[1].address + 5 * 8
    with pytest.raises(TypeError, match="cast it"):
        matrix(OnlyArrow(pa.array(["a"]), "array"))


@pytest.mark.parametrize("array, error", [
    (np.zeros((4, 2), complex), "Complex"), (np.zeros((4, 3)), "shape"), (np.zeros(4), "shape"),
    (np.zeros((2, 2, 2)), "shape"), (np.array([["a", "b"]]), "numbers")])
def test_what_cannot_be_read_is_named(array, error):
    with pytest.raises(ValueError, match=error):
        shepard.Points(array)


def test_addresses_are_those_of_numpy(rng):
    plain = rng.random((6, 4))
    for array in (plain, plain[1::2, 1:3], plain[::-1], plain.astype("f4"), np.empty((0, 2))):
        assert address(array) == array.ctypes.data


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_what_is_not_finite_is_found_wherever_it_is(rng, dtype):
    large = np.full((40, 2), np.finfo(dtype).max)
    shepard.IDW().fit(large, np.arange(40.0))  # finite, although sums of squares are not
    for bad in (np.nan, np.inf, -np.inf):
        X = rng.random((40, 2)).astype(dtype)
        X[rng.integers(40), rng.integers(2)] = bad
        for layout in (X, X[::-1], np.asfortranarray(X)):
            with pytest.raises(ValueError, match="contains"):
                shepard.IDW().fit(layout, np.arange(40.0))
