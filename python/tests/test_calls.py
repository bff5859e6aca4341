# SPDX-License-Identifier: MIT
"""Errors, cancellation, threads, pickles and memory."""
import copy
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import shepard


def test_errors_are_those_of_python_with_the_text_of_the_library(sites):
    points, z = sites
    with pytest.raises(ValueError, match="did you mean power") as caught:
        shepard.Parameters("idw", pwer=2)
    assert isinstance(caught.value, shepard.Error)
    with pytest.raises(ValueError, match="101"):
        shepard.IDW(power=101).fit(points, z)
    with pytest.raises(ValueError, match="usable"):
        shepard.Field(shepard.Points(points), np.full(2000, np.nan))
    with pytest.raises(ValueError, match="equally long"):
        shepard.Field(shepard.Points(points), z[:-1])
    with pytest.raises(ValueError, match="one of auto, ref, cpu, cuda"):
        shepard.Points(points, backend="gpu")
    with pytest.raises(shepard.CancelledError):
        shepard.Field(shepard.Points(points), z).predict(points, "idw",
                                                         progress=lambda fraction: False)


def test_out_of_memory_is_a_memory_error():
    from shepard import _structs
    from shepard._errors import exception
    error = _structs.Error(status=_structs.Status.ERROR_MEMORY, message=b"needs 9 GiB")
    assert isinstance(exception(error), MemoryError) and str(exception(error)) == "needs 9 GiB"


def test_exceptions_of_progress_are_raised(sites):
    points, z = sites

    def fails(fraction):
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        shepard.Field(shepard.Points(points), z).predict(points, "idw:k=12", progress=fails)


def test_control_c_stops_a_long_call():
    """In a process of its own: at 4,000,000 targets of all pairs, minutes without a signal."""
    program = textwrap.dedent("""
        import numpy as np, shepard, signal
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
        rng = np.random.default_rng(0)
        field = shepard.Field(shepard.Points(rng.random((200000, 2))), rng.random(200000))
        at = rng.random((4000000, 2))
        print("ready", flush=True)
        try:
            field.predict(at, "idw:eps=0:power=2.5")
        except KeyboardInterrupt:
            print("stopped", field.predict(at[:1], "idw:k=3").shape)
    """)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
    finally:
        child.kill()
    assert out == "stopped (1,)\n" and err == ""


def test_the_handler_of_sigint_is_put_back(sites):
    points, z = sites

    def own(number, frame):
        raise AssertionError("there was no signal")

    before = signal.signal(signal.SIGINT, own)
    try:
        shepard.IDW().fit(points, z).predict(points)
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)


def test_threads_share_a_field_and_run_at_once(sites):
    points, z = sites
    field = shepard.Field(shepard.Points(points, threads=1), z)
    at = np.vstack([points + 0.1 * i for i in range(20)])
    expected = field.predict(at, "idw:k=12")
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: field.predict(at, "idw:k=12"), range(12)):
            np.testing.assert_array_equal(found, expected)


def test_other_threads_run_during_a_call(sites):
    """The interpreter's lock is not held: a counter moves on while the library computes."""
    points, z = sites
    field = shepard.Field(shepard.Points(points, threads=1), z)
    at = np.vstack([points] * 100)
    counted, done = [], threading.Event()

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())

    thread = threading.Thread(target=count)
    thread.start()
    try:
        started = time.perf_counter()
        field.predict(at, "idw:k=30")
        ended = time.perf_counter()
    finally:
        done.set()
        thread.join()
    assert sum(started < moment < ended for moment in counted) > 10


@pytest.mark.parametrize("again", [
    copy.deepcopy, *(lambda value, n=n: pickle.loads(pickle.dumps(value, n)) for n in (2, 5))])
def test_pickles_predict_the_same_bits(sites, again):
    points, z = sites
    at = points[:100] + 0.3
    parameters = shepard.Parameters("krige:psill=1:range=20:nugget=0.1:p=1")
    assert again(parameters) == parameters and hash(again(parameters)) == hash(parameters)
    field = shepard.Field(shepard.Points(points, anisotropy_ratio=2), z, np.abs(z) + 1)
    np.testing.assert_array_equal(again(field).predict(at), field.predict(at))
    for model in (shepard.IDW(k=5), shepard.AIDW(), shepard.Kriging()):
        model.fit(points, z)
        for ours, theirs in zip(again(model).predict(at, True), model.predict(at, True)):
            np.testing.assert_array_equal(ours, theirs)
    f = shepard.Interpolator(points, z)
    np.testing.assert_array_equal(again(f)(at), f(at))


def test_fields_outlive_the_names_of_their_points(sites):
    points, z = sites
    field = shepard.Field(shepard.Points(points.copy()), z.copy())
    for _ in range(5):
        shepard.Points(points)
    assert np.isfinite(field.predict(points)).all()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
def test_memory_is_flat_over_a_thousand_calls(sites):
    """Arrays of a call take 0.2 MB and more: what one in twenty calls keeps would show."""
    points, z = (np.tile(array, (5,) + (1,) * (array.ndim - 1)) for array in sites)
    field = shepard.Field(shepard.Points(points), z)

    def calls(count):
        for i in range(count):
            if i % 10 == 0:
                field.predict(points, "idw:k=3")
                shepard.Field(shepard.Points(points), z)
            field.predict(points[:100], "idw:k=3", outputs=("values", "deviation", "count"))
            with pytest.raises(ValueError):
                shepard.Parameters("idw:k=-1")

    calls(100)
    before = resident()
    calls(1000)
    assert resident() - before < 8e6
