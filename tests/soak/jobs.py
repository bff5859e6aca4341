#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random jobs of the command: each makes data, a file of them and a command line by chance, and runs it
with the backends cpu and ref. Distances are those of the plane, of the sphere or of space, or lines hide points.

    jobs.py SHEPARD [--jobs N] [--seed S] [--folder DIR]

A job passes if both runs end with the same exit code, 0 or (with one error that says why) 1; if no other
file is left than the output; and if each prediction is nodata in both, or finite in both and as far apart
as docs/math.md allows. Job i of seed S is that of seed S + i alone. A job that fails is kept in the folder.
"""
import argparse
import array
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

FORMATS = {'csv': None, 'gpkg': 'GPKG', 'fgb': 'FlatGeobuf', 'shp': 'ESRI Shapefile', 'geojson': 'GeoJSON'}
LAYOUTS = ['uniform', 'clusters', 'lattice', 'duplicates', 'line', 'place', 'far']
DISTANCES = ['plane', 'plane', 'sphere', 'space', 'barriers']
METRES_PER_DEGREE = 111195.08
NODATA = -9999.0


def places(chance, n, distances):
    """On a sphere no lattice: two neighbours at one distance may be in either order there."""
    sphere = distances == 'sphere'
    layout = chance.choice([name for name in LAYOUTS if not (sphere and name in ('lattice', 'far'))])
    size = 10 ** (chance.uniform(-3, 2) if sphere else chance.uniform(-3, 6))
    x0, y0 = (chance.uniform(-1e6, 1e6) for _ in range(2)) if layout == 'far' else (0, 0)
    if sphere:
        x0, y0 = chance.uniform(-180, 180 - size), chance.uniform(-88, 88 - size)
    centres = [(chance.random(), chance.random()) for _ in range(4)]
    drawn = []
    for i in range(n):
        x, y = chance.random(), chance.random()
        if layout == 'clusters':
            cx, cy = chance.choice(centres)
            x, y = cx + chance.gauss(0, 0.01), cy + chance.gauss(0, 0.01)
        elif layout == 'lattice':
            x, y = i % 12 / 12, i // 12 / 12
        elif layout == 'duplicates' and drawn and chance.random() < 0.4:
            x, y = chance.choice(drawn)
        elif layout == 'line':
            y = 0.5
        elif layout == 'place':
            x, y = 0.5, 0.25
        drawn.append((x, y))
    return [(x0 + size * x, y0 + size * y) for x, y in drawn], size


def values(chance, where, size):
    scale, offset = 10 ** chance.uniform(-6, 6), chance.choice([0, 0, 1000])
    slope = chance.uniform(-1, 1)
    return [scale * (offset + slope * x / size + math.sin(5 * y / size) + 0.2 * chance.gauss(0, 1))
            for x, y in where]


def write_csv(path, rows):
    with open(path, 'w', newline='') as file:
        csv.writer(file).writerows([['x', 'y', 'z', 'w', 'h'], *rows])


def height(chance, size):
    return repr(size * chance.choice([0, chance.random(), chance.random()]))


def make_source(chance, folder, distances):
    n = round(10 ** chance.uniform(0, 2.7))
    where, size = places(chance, n, distances)
    gaps = chance.choice([0, 0, 0.2])
    rows = [(repr(x), repr(y), '' if chance.random() < gaps else repr(v), repr(chance.choice([1, 1, 2.5, 0])),
             height(chance, size)) for (x, y), v in zip(where, values(chance, where, size))]
    plain = os.path.join(folder, 'in.csv')
    write_csv(plain, rows)
    kind = chance.choice(['csv', 'csv', 'csv', *FORMATS])
    if kind == 'csv':
        return plain, where, size
    path = os.path.join(folder, 'in.' + kind)
    # A place that is rounded is another place: a nugget, or a tie, then tells them apart.
    digits = ['-lco', 'COORDINATE_PRECISION=20'] if kind == 'geojson' else []
    subprocess.run(['ogr2ogr', *digits, '-q', '-f', FORMATS[kind], path, plain, '-oo', 'X_POSSIBLE_NAMES=x', '-oo',
                    'Y_POSSIBLE_NAMES=y', '-oo', 'AUTODETECT_TYPE=YES'], check=True, stderr=subprocess.DEVNULL)
    return path, where, size


def neighbourhood(chance, size, k):
    text = ''
    if chance.random() < 0.6:
        text += f':{k}={chance.choice([1, 2, 5, 12, 40, 1000])}'
    if chance.random() < 0.3:
        text += f':radius={size * chance.uniform(0.05, 1):.6g}'
    if chance.random() < 0.3:
        text += f':sectors={chance.choice([4, 8])}:max_points_per_sector={chance.randint(1, 4)}'
    if chance.random() < 0.2:
        text += ':min_points=1'
    return text


def algorithm(chance, size, distances):
    """The text of -a, and whether it extrapolates. size: a length in the unit of distances."""
    plane = distances in ('plane', 'barriers')
    method = chance.choice(['idw', 'idw', 'aidw', 'krige'])
    if method == 'krige':
        model = chance.choice(['exponential', 'spherical', 'matern32', 'linear'])
        return (f'krige:model={model}:psill={10 ** chance.uniform(-2, 2):.5g}:range={size * chance.uniform(0.05, 2):.5g}'
                f':nugget={chance.choice([0, 0.1, 1])}:kind={chance.choice(["ordinary", "universal" if plane else "ordinary"])}'
                + neighbourhood(chance, size, 'k')), True
    text = method + neighbourhood(chance, size, 'k' if method == 'idw' else 'max_points')
    if method == 'idw':
        text += f':power={chance.choice([0.5, 1, 2, 2.5, 3, 8])}'
    else:
        text += f':area={size * size:.6g}'
    degree = chance.random() < 0.3 and distances != 'space'
    text += ':degree=1' * degree
    text += chance.choice(['', ':eps=0', ':eps=1e-6:precision=double' if plane else ''])
    if chance.random() < 0.2:
        text += f':smoothing={size * chance.uniform(0.001, 0.1):.5g}'
    if chance.random() < 0.2 and distances != 'sphere':
        text += f':anisotropy_ratio={chance.uniform(0.3, 3):.4g}:anisotropy_angle={chance.randint(-90, 90)}'
    return text, degree


def write_lines(chance, where, size, path):
    """Lines across the data, some of them along points."""
    xs, ys = zip(*where)
    def corner():
        if chance.random() < 0.2:
            return list(chance.choice(where))
        return [min(xs) + size * chance.random(), min(ys) + size * chance.random()]
    lines = [[corner() for _ in range(chance.randint(2, 5))] for _ in range(chance.choice([1, 5, 40]))]
    shape = {'type': 'MultiLineString', 'coordinates': lines}
    with open(path, 'w') as file:
        json.dump({'type': 'FeatureCollection', 'crs': None,
                   'features': [{'type': 'Feature', 'properties': {}, 'geometry': shape}]}, file)


def distance_options(chance, folder, where, size, distances, verb):
    if distances == 'sphere':
        return ['-s_srs', 'EPSG:4326'] + ['-q_srs', 'EPSG:4326'] * (verb == 'points')
    if distances == 'space':
        levels = ','.join(repr(size * chance.random()) for _ in range(chance.randint(1, 3)))
        return ['-zdim', 'h', '-zfactor', repr(chance.choice([1, 1, 0.2, 30]))] + ['-zlevels', levels] * (verb == 'grid')
    if distances == 'barriers':
        lines = os.path.join(folder, 'lines.geojson')
        write_lines(chance, where, size, lines)
        return ['-barrier', lines]
    return []


def make_job(chance, folder):
    distances = chance.choice(DISTANCES)
    source, where, size = make_source(chance, folder, distances)
    text, extrapolates = algorithm(chance, size * METRES_PER_DEGREE if distances == 'sphere' else size, distances)
    arguments = ['-q', '-zfield', 'z', '-a', text]
    if 'krige' not in text and chance.random() < 0.2:
        arguments += ['-wfield', 'w']
    xs, ys = zip(*where)
    verb = chance.choice(['grid', 'points'])
    arguments += distance_options(chance, folder, where, size, distances, verb)
    if source.endswith('.geojson') and distances != 'sphere':
        arguments.append('-planar')  # GeoJSON is in degrees
    if verb == 'grid':
        margin = size * chance.uniform(0.01, 0.3)
        arguments += ['-of', 'ENVI', '-outsize', str(chance.randint(1, 30)), str(chance.randint(1, 30)), '-txe',
                      repr(min(xs) - margin), repr(max(xs) + margin), '-tye', repr(min(ys) - margin),
                      repr(max(ys) + margin)]
        return 'grid', arguments, [source], 'out.img', extrapolates
    query = os.path.join(folder, 'query.csv')
    near = [(chance.choice(xs), chance.choice(ys), 0, 1, height(chance, size))
            for _ in range(20)]
    far = [(min(xs) + size * chance.uniform(-0.5, 1.5), min(ys) + size * chance.random(), 0, 1,
            height(chance, size)) for _ in range(60)]
    write_csv(query, near + far)
    return 'points', arguments, [source, query], 'out.csv', extrapolates


def run(command, verb, arguments, names, output, backend):
    folder = os.path.dirname(output)
    os.mkdir(folder)
    ended = subprocess.run([command, verb, *arguments, '--backend', backend, *names, output], capture_output=True,
                           text=True, timeout=300)
    return ended.returncode, ended.stderr, sorted(os.listdir(folder))


def predictions(path):
    if path.endswith('.csv'):
        with open(path, newline='') as file:
            return [float(row[-1]) if row[-1] else None for row in list(csv.reader(file))[1:]]
    numbers = array.array('d')
    with open(path, 'rb') as file:
        numbers.frombytes(file.read())
    return [None if number == NODATA else number for number in numbers]


def value_range(folder):
    with open(os.path.join(folder, 'in.csv'), newline='') as file:
        numbers = [float(row[2]) for row in list(csv.reader(file))[1:] if row[2]]
    return max(numbers) - min(numbers), max(map(abs, numbers))


def compare(cpu, ref, folder, extrapolates):
    spread, largest = value_range(folder)
    if len(cpu) != len(ref):
        return f'{len(cpu)} predictions of cpu, {len(ref)} of ref'
    for i, (a, b) in enumerate(zip(cpu, ref)):
        if (a is None) != (b is None):
            return f'prediction {i}: cpu {a}, ref {b}'
        if a is None:
            continue
        # The tolerance is 1e-4 by default; the texts of a CSV have 15 digits.
        limit = 1.1e-4 * (max(spread, abs(b)) if extrapolates else spread) + 1e-13 * largest
        if not math.isfinite(a) or not abs(a - b) <= limit:
            return f'prediction {i}: cpu {a!r}, ref {b!r}, limit {limit:.3g}'
    return None


def check(job, command, folder):
    verb, arguments, names, name, extrapolates = job
    ends = {}
    for backend in ('cpu', 'ref'):
        output = os.path.join(folder, backend, name)
        ends[backend] = code, said, files = run(command, verb, arguments, names, output, backend)
        if code not in (0, 1) or (code == 1 and said.count('shepard: error: ') != 1):
            return f'{backend}: exit code {code}: {said}'
        wanted = [] if code else [name.replace('.img', '.hdr'), name] if name.endswith('.img') else [name]
        if [file for file in files if not file.endswith('.aux.xml')] != wanted:
            return f'{backend}: exit code {code} leaves {files}'
    if ends['cpu'][0] != ends['ref'][0]:
        return f'exit codes differ: cpu {ends["cpu"]}, ref {ends["ref"]}'
    if ends['cpu'][0]:
        return None
    cpu, ref = (predictions(os.path.join(folder, backend, name)) for backend in ('cpu', 'ref'))
    return compare(cpu, ref, folder, extrapolates)


def one(command, seed, top):
    """Whether the job passed, and whether it predicted."""
    folder = os.path.join(top, f'job{seed}')
    os.mkdir(folder)
    job = make_job(random.Random(seed), folder)
    try:
        wrong = check(job, command, folder)
    except subprocess.TimeoutExpired as late:
        wrong = str(late)
    if wrong:
        print(f'seed {seed}: shepard {job[0]} {" ".join(job[1])} {" ".join(job[2])}\n    {wrong}', flush=True)
        return False, False
    predicted = os.path.exists(os.path.join(folder, 'cpu', job[3]))
    shutil.rmtree(folder)
    return True, predicted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('--jobs', type=int, default=20)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--folder')
    wanted = parser.parse_args()
    top = tempfile.mkdtemp(dir=wanted.folder)
    print(f'{wanted.jobs} jobs from seed {wanted.seed}, in {top}', flush=True)
    failed = predicted = 0
    for i in range(wanted.jobs):
        good, made = one(wanted.command, wanted.seed + i, top)
        failed += not good
        predicted += made
    print(f'{wanted.jobs} jobs: {predicted} predicted, {wanted.jobs - predicted - failed} were refused, {failed} failed')
    if not failed:
        os.rmdir(top)
    sys.exit(failed > 0 or 2 * predicted < wanted.jobs)


if __name__ == '__main__':
    main()
