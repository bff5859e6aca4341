#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults at random: files that were cut off or have flipped bits, signals and a file that shrinks while the
command runs, too little memory.

    faults.py SHEPARD [--rounds N] [--seed S] [cut flip signal shrink memory ...]

Each round must end in time; with exit code 0 and an output, with 1 and one error that says why, or as the
signal says; and leave an output that stood there before as it was unless the code is 0. What a killed run
leaves is a folder .shepard.*, which the next run removes. A GeoPackage, FlatGeobuf or Shapefile that was cut
off is an error, however little is missing. Round i of seed S is that of seed S + i alone.
"""
import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

POINTS = 3000
FORMATS = {'csv': None, 'gpkg': 'GPKG', 'fgb': 'FlatGeobuf', 'shp': 'ESRI Shapefile'}
OLD = 'precious'


class Wrong(Exception):
    pass


def make_sound(folder):
    chance = random.Random(7)
    plain = os.path.join(folder, 'sound.csv')
    with open(plain, 'w') as file:
        file.write('x,y,z\n')
        for _ in range(POINTS):
            file.write(f'{1000 * chance.random():.6f},{1000 * chance.random():.6f},{chance.random():.6f}\n')
    for ending, name in FORMATS.items():
        if name:
            subprocess.run(['ogr2ogr', '-q', '-f', name, os.path.join(folder, 'sound.' + ending), plain, '-oo',
                            'X_POSSIBLE_NAMES=x', '-oo', 'Y_POSSIBLE_NAMES=y', '-oo', 'AUTODETECT_TYPE=YES', '-oo',
                            'KEEP_GEOM_COLUMNS=NO'], check=True)
    with open(os.path.join(folder, 'many.csv'), 'w') as file:
        file.write('x,y,z\n')
        for _ in range(60000):
            file.write(f'{1000 * chance.random():.6f},{1000 * chance.random():.6f},{chance.random():.6f}\n')


class Round:
    """A folder with an output that stands there, and a run of the command into it."""

    def __init__(self, command, folder, chance):
        self.command, self.folder, self.chance = command, folder, chance
        self.out = os.path.join(folder, 'out')
        shutil.rmtree(self.out, ignore_errors=True)
        os.mkdir(self.out)

    def arguments(self, source):
        verb = self.chance.choice(['grid', 'grid', 'points', 'validate'])
        name = {'grid': 'o.tif', 'points': 'o.csv', 'validate': 'r.csv'}[verb]
        self.output = os.path.join(self.out, name)
        with open(self.output, 'w') as file:
            file.write(OLD)
        sound = os.path.join(self.folder, 'sound.csv')
        if verb == 'grid':
            return ['grid', '-outsize', '40', '40', '-a', 'idw:k=8', '-zfield', 'z', source, self.output]
        if verb == 'points':
            names = [sound, source] if self.chance.random() < 0.5 else [source, sound]
            return ['points', '-a', 'idw:k=8', '-zfield', 'z', *names, self.output]
        return ['validate', '-a', 'idw:k=8', '-zfield', 'z', '--residuals', self.output, source]

    def start(self, source, **more):
        return subprocess.Popen([self.command, *self.arguments(source)], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, errors='replace', **more)

    def check_whole(self, command):
        """What was killed after its output was in place: that of a run to the end."""
        with open(self.output, 'rb') as file:
            found = file.read()
        subprocess.run(command, check=True, capture_output=True)
        with open(self.output, 'rb') as file:
            if file.read() != found:
                raise Wrong(f'half of an output stands at {self.output}')

    def end(self, process, codes=(0, 1)):
        """The exit code and what was said."""
        out, said = process.communicate(timeout=120)
        code = process.returncode
        if code not in codes:
            raise Wrong(f'exit code {code}: {said[-500:]}')
        with open(self.output, errors='replace') as file:
            old = file.read() == OLD
        if code < 0 and not old:
            self.check_whole(process.args)
        elif old != (code != 0):
            raise Wrong(f'exit code {code}, and the old output ' + ('stands' if old else 'is gone'))
        left = [name for name in os.listdir(self.out) if name != os.path.basename(self.output)]
        if code >= 0 and [name for name in left if not name.endswith('.aux.xml')]:
            raise Wrong(f'exit code {code} leaves {left}')
        if code == 1 and said.count('shepard: error: ') != 1:
            raise Wrong(f'exit code 1 with these errors: {said[-500:]}')
        return code, out + said


def damaged(one, ending, change):
    """The path of a damaged copy."""
    path = os.path.join(one.folder, 'damaged.' + ending)
    parts = ['shp', 'shx', 'dbf'] if ending == 'shp' else [ending]
    for part in parts:
        shutil.copy(os.path.join(one.folder, 'sound.' + part), os.path.join(one.folder, 'damaged.' + part))
    part = os.path.join(one.folder, 'damaged.' + one.chance.choice(parts))
    with open(part, 'rb') as file:
        data = bytearray(file.read())
    change(data)
    with open(part, 'wb') as file:
        file.write(data)
    return path, part


def cut(one):
    ending = one.chance.choice(list(FORMATS))

    def change(data):
        far = one.chance.random() < 0.5
        del data[one.chance.randrange(len(data)) if far else len(data) - 1 - one.chance.randrange(3000):]
    path, part = damaged(one, ending, change)
    code, said = one.end(one.start(path))
    # A table that is too short gives values that are missing, which a note counts.
    if code == 0 and ending != 'csv' and not part.endswith('.dbf') and str(POINTS) not in said:
        raise Wrong(f'{os.path.getsize(part)} bytes of {part} are taken for all of it: {said[:300]}')
    if code == 0 and ending == 'csv' and 'line break' not in said:
        with open(part, 'rb') as file:
            if not file.read().endswith(b'\n'):
                raise Wrong('no note about the open line')


def flip(one):
    def change(data):
        for _ in range(one.chance.choice([1, 1, 3, 30])):
            data[one.chance.randrange(len(data))] ^= 1 << one.chance.randrange(8)
    path, _ = damaged(one, one.chance.choice(list(FORMATS)), change)
    one.end(one.start(path))


def interrupt(one):
    number = one.chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
    process = one.start(os.path.join(one.folder, 'many.csv'))
    time.sleep(one.chance.uniform(0, 0.4))
    process.send_signal(number)
    # Before the command catches signals they end it as they end any program.
    codes = (0, -number) if number == signal.SIGKILL else (0, 128 + number, -number)
    code, _ = one.end(process, codes)
    left = [name for name in os.listdir(one.out) if name.startswith('.shepard')]
    if code != -signal.SIGKILL or not left:
        return
    again = subprocess.run([one.command, 'grid', '-q', '-outsize', '2', '2', os.path.join(one.folder, 'sound.csv'),
                            os.path.join(one.out, 'next.tif')], capture_output=True)
    if again.returncode or [name for name in os.listdir(one.out) if name.startswith('.shepard')]:
        raise Wrong(f'the next run leaves {left}')


def shrink(one):
    ending = one.chance.choice(list(FORMATS))
    path, part = damaged(one, ending, lambda data: None)
    process = one.start(path)
    time.sleep(one.chance.uniform(0, 0.15))
    os.truncate(part, one.chance.randrange(os.path.getsize(part)))
    one.end(process)


def memory(one):
    limit = one.chance.randrange(170, 320) << 20
    process = one.start(os.path.join(one.folder, 'many.csv'),
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    out, said = process.communicate(timeout=120)
    # GDAL, the loader and OpenMP's runtimes end a program that has no memory in their own way: GDAL 3.6 reads a CSV
    # into features that it did not get. Without memory for an exception, the C++ runtime aborts and says nothing.
    # The command's own allocations fail one by one in faults.bats.
    words = 'FATAL: CPL|libgomp|OMP: Error|libproj|bad_alloc|terminate called'
    silent = process.returncode == -signal.SIGABRT and not said.strip()
    others = silent or process.returncode in (127, -signal.SIGSEGV) or re.search(words, said)
    if process.returncode not in (0, 1) and not others:
        raise Wrong(f'{limit} bytes: exit code {process.returncode}: {said[-500:]}')
    with open(one.output, errors='replace') as file:
        if (file.read() == OLD) != (process.returncode != 0):
            raise Wrong(f'{limit} bytes: exit code {process.returncode} and another output')


KINDS = {'cut': cut, 'flip': flip, 'signal': interrupt, 'shrink': shrink, 'memory': memory}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command')
    parser.add_argument('kinds', nargs='*', default=list(KINDS))
    parser.add_argument('--rounds', type=int, default=20, help='of each kind')
    parser.add_argument('--seed', type=int, default=1)
    wanted = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        make_sound(folder)
        for kind in wanted.kinds or list(KINDS):
            for seed in range(wanted.seed, wanted.seed + wanted.rounds):
                try:
                    KINDS[kind](Round(wanted.command, folder, random.Random(seed)))
                except (Wrong, subprocess.TimeoutExpired) as wrong:
                    failed += 1
                    print(f'{kind}, seed {seed}: {wrong}', flush=True)
            print(f'{kind}: {wanted.rounds} rounds from seed {wanted.seed}', flush=True)
    print(f'{failed} failed')
    sys.exit(failed > 0)


if __name__ == '__main__':
    main()
