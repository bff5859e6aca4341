#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The plugin in QGIS without a window: each algorithm by qgis_process, against the command and the
Python package. Needs Debian's qgis and python3-qgis, the package `shepard` on PYTHONPATH, and the
command in SHEPARD.

    PYTHONPATH=FOLDER SHEPARD=build/release/cli/shepard /usr/bin/python3 tests/qgis/test_processing.py
"""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
from osgeo import gdal, ogr, osr

import shepard

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = Path(os.environ.get("SHEPARD_QGIS_PLUGINS", ROOT / "qgis"))
MEUSE = ROOT / "data" / "meuse" / "meuse.csv"
COMMAND = os.environ["SHEPARD"]
# Debian's qgis_process is a script that gives the program options of qgis itself.
PROCESS = next(p for p in ("/usr/bin/qgis_process.bin", "/usr/bin/qgis_process")
               if os.path.exists(p))
PLUGIN = "shepard_processing"
for module in (gdal, ogr, osr):
    module.UseExceptions()


def environment(folder, python_path):
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder),
            "QT_QPA_PLATFORM": "offscreen", "QGIS_PLUGINPATH": str(PLUGINS),
            "QGIS_CUSTOM_CONFIG_PATH": str(folder / "profile"), "PYTHONPATH": python_path,
            "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}


class ProcessingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.environment = environment(cls.folder, os.environ.get("PYTHONPATH", ""))
        cls.call("plugins", "enable", PLUGIN)
        cls.points = str(cls.folder / "meuse.gpkg")
        gdal.VectorTranslate(cls.points, gdal.OpenEx(str(MEUSE), open_options=[
            "AUTODETECT_TYPE=YES", "X_POSSIBLE_NAMES=x", "Y_POSSIBLE_NAMES=y"]),
            srcSRS="EPSG:28992", dstSRS="EPSG:28992", layerName="meuse", format="GPKG")
        rows = np.genfromtxt(MEUSE, delimiter=",", names=True)
        cls.places = np.column_stack([rows["x"], rows["y"]])
        cls.zinc = rows["zinc"]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def call(cls, *arguments, **changed):
        return subprocess.run([PROCESS, *arguments], capture_output=True, text=True,
                              env={**cls.environment, **changed}, check=False)

    def run_algorithm(self, name, **parameters):
        given = {"INPUT": self.points, "FIELD": "zinc", **parameters}
        done = self.call("--json", "run", f"shepard:{name}", "--",
                         *(f"{key}={value}" for key, value in given.items()))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return json.loads(done.stdout[done.stdout.index("{"):])["results"]

    def refuse(self, name, message, **parameters):
        given = {"INPUT": self.points, "FIELD": "zinc", **parameters}
        done = self.call("run", f"shepard:{name}", "--",
                         *(f"{key}={value}" for key, value in given.items()))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(message, done.stdout + done.stderr)

    def by_command(self, text, raster):
        """The raster of the same cells, computed by the command."""
        path = str(self.folder / "command.tif")
        left, width, _, top, _, height = raster.GetGeoTransform()
        right = left + width * raster.RasterXSize
        bottom = top + height * raster.RasterYSize
        subprocess.run([COMMAND, "grid", "-q", "-overwrite", "-zfield", "zinc", "-a", text,
                        "-txe", repr(left), repr(right), "-tye", repr(top), repr(bottom),
                        "-outsize", str(raster.RasterXSize), str(raster.RasterYSize),
                        self.points, path], check=True)
        return gdal.Open(path).ReadAsArray()

    def check_grid(self, method, **parameters):
        path = self.folder / "surface.tif"
        found = self.run_algorithm("grid", METHOD=method, CELL_SIZE=40, OUTPUT=path, **parameters)
        raster = gdal.Open(str(path))
        values = raster.GetRasterBand(1).ReadAsArray()
        self.assertEqual(values.shape, (98, 70))
        expected = self.by_command(found["PARAMETERS"].replace("nodata=nan", "nodata=-9999"),
                                   raster)
        self.assertLess(np.abs(values - expected).max(), 1e-12 * np.ptp(self.zinc))
        self.assertEqual(raster.GetMetadataItem("SHEPARD_PARAMETERS"), found["PARAMETERS"])
        self.assertTrue(osr.SpatialReference(raster.GetProjection()).IsProjected())
        return found["PARAMETERS"], raster

    def test_kriging_and_its_standard_deviation(self):
        text, raster = self.check_grid(1, SD="true")
        self.assertTrue(text.startswith("krige:"))
        self.assertEqual(raster.RasterCount, 2)
        self.assertGreater(raster.GetRasterBand(2).ReadAsArray().min(), 0)

    def test_idw_with_a_radius_leaves_cells_without_data(self):
        text, raster = self.check_grid(2, NEIGHBOURS=8, POWER=3, RADIUS=300)
        self.assertIn("power=3", text)
        self.assertIn("k=8", text)
        values = raster.GetRasterBand(1).ReadAsArray()
        self.assertTrue((values == raster.GetRasterBand(1).GetNoDataValue()).any())

    def test_aidw_planes_and_text(self):
        for method in (3, 4):
            self.assertIn("max_points_per_sector=2", self.check_grid(method)[0])
        self.assertIn("max_points=9:", self.check_grid(3, NEIGHBOURS=9)[0])
        self.assertIn("sectors=4", self.check_grid(1, TEXT="idw:k=12:sectors=4")[0])

    def test_automatic_chooses_what_tune_chooses(self):
        text, raster = self.check_grid(0)
        left, width, _, top, _, height = raster.GetGeoTransform()
        cells = shepard.Raster(left, top, width, height, raster.RasterXSize, raster.RasterYSize)
        best = shepard.tune(self.places, self.zinc, kind="stars", targets=cells, seconds=60)
        self.assertEqual(text, best.parameters.text)

    def test_cells_of_no_given_size(self):
        path = self.folder / "default.tif"
        self.run_algorithm("grid", METHOD=2, OUTPUT=path)
        raster = gdal.Open(str(path))
        self.assertEqual((raster.RasterXSize, raster.RasterYSize), (179, 250))

    def test_points_of_another_coordinate_system(self):
        targets, predicted = str(self.folder / "wells.gpkg"), str(self.folder / "predicted.gpkg")
        gdal.VectorTranslate(targets, self.points, dstSRS="EPSG:32631", format="GPKG",
                             layerName="wells", selectFields=["copper"], where="fid <= 20")
        self.run_algorithm("points", TARGETS=targets, METHOD=2, NEIGHBOURS=5, SD="true",
                           OUTPUT=predicted)
        file, given = ogr.Open(predicted), ogr.Open(targets)
        layer = file.GetLayer(0)
        values = [feature["zinc"] for feature in layer]
        sds = [feature["zinc_sd"] for feature in layer]
        self.assertEqual(layer.GetSpatialRef().GetAuthorityCode(None), "32631")
        self.assertEqual([f["copper"] for f in layer],
                         [f["copper"] for f in given.GetLayer(0)])
        # The places come back from the other system within micrometres, onto the data.
        self.assertLess(np.abs(values - self.zinc[:20]).max(), 1e-6 * np.ptp(self.zinc))
        self.assertTrue(all(sd > 0 for sd in sds))

    def test_validate_gives_the_scores_of_the_package(self):
        page = self.folder / "errors.html"
        found = self.run_algorithm("validate", METHODS="0,3", KIND=2, BLOCK_SIZE=500, OUTPUT=page)
        results = shepard.validate(self.places, self.zinc, ["krige", "idw:k=12"], kind="blocks",
                                   block_size=500)
        best = min(results, key=lambda result: result.rmse)
        self.assertAlmostEqual(found["RMSE"], best.rmse, places=9)
        text = page.read_text()
        for result in results:
            self.assertIn(f"<td>{result.rmse:.4g}</td>", text)

    def test_the_key_of_the_layer_is_no_measurement(self):
        for field, warned in (("fid", True), ("zinc", False)):
            done = self.call("run", "shepard:grid", "--", f"INPUT={self.points}", f"FIELD={field}",
                             "METHOD=2", f"OUTPUT={self.folder / 'key.tif'}")
            self.assertEqual("number of the feature" in done.stdout + done.stderr, warned)

    def test_errors_say_what_to_do(self):
        surface = self.folder / "none.tif"
        self.refuse("grid", "did you mean power?", CELL_SIZE=40, TEXT="idw:pwer=3", OUTPUT=surface)
        self.refuse("grid", "leave them empty, or choose a method", METHOD=0, NEIGHBOURS=5,
                    CELL_SIZE=40, OUTPUT=surface)
        self.refuse("grid", "AIDW finds it itself", METHOD=3, POWER=3, OUTPUT=surface)
        self.refuse("validate", "Blocks need the side", METHODS=0, KIND=2,
                    OUTPUT=self.folder / "none.html")
        self.assertFalse(surface.exists())

    def test_without_the_package_it_says_how_to_install_it(self):
        done = self.call("run", "shepard:grid", "--", f"INPUT={self.points}", "FIELD=zinc",
                         "CELL_SIZE=40", f"OUTPUT={self.folder / 'none.tif'}", PYTHONPATH="")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("pip install shepard", done.stdout + done.stderr)

    def test_cancelling_leaves_no_file(self):
        path = self.folder / "cancelled.tif"
        script = f"""
import sys
from qgis.core import (QgsApplication, QgsProcessingContext, QgsProcessingFeedback,
                       QgsVectorLayer)
application = QgsApplication([], False)
application.initQgis()
sys.path[:0] = [{str(PLUGINS)!r}]
from {PLUGIN}.provider import ShepardProvider
provider = ShepardProvider()
QgsApplication.processingRegistry().addProvider(provider)
algorithm = QgsApplication.processingRegistry().createAlgorithmById("shepard:grid")
feedback = QgsProcessingFeedback()
feedback.progressChanged.connect(lambda per_cent: per_cent > 45 and feedback.cancel())
layer = QgsVectorLayer({self.points!r}, "meuse")
parameters = {{"INPUT": layer, "FIELD": "zinc", "METHOD": 2, "CELL_SIZE": 2,
              "OUTPUT": {str(path)!r}}}
print(algorithm.run(parameters, QgsProcessingContext(), feedback), feedback.progress())
"""
        done = subprocess.run(["/usr/bin/python3", "-c", script], capture_output=True, text=True,
                              env=self.environment, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("({}, True)", done.stdout)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
