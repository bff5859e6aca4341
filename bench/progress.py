# SPDX-License-Identifier: MIT
"""How right the time left is that a command shows on a terminal.

    python3 bench/progress.py COMMAND...

Runs the command on a terminal of its own. For each bar it prints when it began and ended, and the
largest error of the time left, in % of what the run took until then and still did, from its quarter on.
"""
import os
import pty
import re
import sys
import time

LEFT = re.compile(rb"\[(\d+):(\d\d):(\d\d) left")
DONE = re.compile(rb"100 - done")


def watch(command):
    """Seconds when each time left was shown, with what it was, and those when bars ended."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    start, shown, ends = time.monotonic(), [], []
    while True:
        try:
            text = os.read(terminal, 4096)
        except OSError:
            break
        now = time.monotonic() - start
        shown += [(now, sum(int(n) * u for n, u in zip(left, (3600, 60, 1))))
                  for left in LEFT.findall(text)]
        ends += [now] * len(DONE.findall(text))
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"{command[0]} failed")
    return shown, ends


def main():
    shown, ends = watch(sys.argv[1:])
    begin = 0
    for end in ends:
        bar = [(now, left) for now, left in shown if begin < now <= end]
        errors = [100 * ((now + left) / end - 1) for now, left in bar if now >= ends[-1] / 4]
        text = f"{min(errors):+.0f} to {max(errors):+.0f} %" if errors else "none shown"
        print(f"bar from {begin:.1f} to {end:.1f} s; end foreseen from {ends[-1] / 4:.1f} s on: {text}")
        begin = end


if __name__ == "__main__":
    main()
