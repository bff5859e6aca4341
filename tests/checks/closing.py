# SPDX-License-Identifier: MIT
"""How each check ends."""


def close(name, counts, faults):
    """Prints each fault, and one line that says what was looked at; the exit code."""
    for fault in faults:
        print(fault)
    print(f"{name}: {counts}, {len(faults)} faults")
    return 1 if faults else 0
