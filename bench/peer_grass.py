# SPDX-License-Identifier: MIT
"""Runs inside GRASS, which holds the points as the map pts and the region: K OUT.

Times v.surf.idw alone, the import left out, and prints one line of JSON. Writes the raster to OUT
as doubles, north-up.
"""
import json
import sys

import runs

seconds = runs.timed(["v.surf.idw", "--overwrite", "--quiet", "input=pts", "layer=0",
                      f"npoints={sys.argv[1]}", "power=2", "output=surface"])
runs.run(["r.out.bin", "-f", "--overwrite", "--quiet", "bytes=8", "input=surface",
          f"output={sys.argv[2]}"])
print(json.dumps(seconds))
