# SPDX-License-Identifier: MIT
# A thin front to CMake. `make` alone lists what there is.
.POSIX:
.PHONY: help setup build demo tests test check bench format docs docs-links deb qgis install clean

PREFIX = /usr/local
# The preset of CMakePresets.json; CI sets ci: warnings are errors.
PRESET = release
CLANG_FORMAT = clang-format-14

help:
	@echo 'make demo      install what is missing, build, grid two data sets, draw them into demo/'
	@echo 'make test      install what is missing, build everything, run the tests but the long groups'
	@echo 'make check     the same with the long groups: twice the time'
	@echo 'make build     build the release preset into build/release (PRESET=another)'
	@echo 'make bench     measure against other programs (installs them on Debian)'
	@echo 'make format    clang-format over all C and CUDA files'
	@echo 'make docs      build the documents as a site, build/docs/html/index.html'
	@echo 'make deb       build packages of Debian into build/deb'
	@echo 'make qgis      pack the plugin of QGIS into build/qgis/shepard_processing.zip'
	@echo 'make install   install under PREFIX ($(PREFIX)); DESTDIR is honoured'
	@echo 'make clean     remove build/ and demo/'

setup:
	@tools/setup build test

build:
	@tools/setup build
	cmake --preset $(PRESET) -DSHEPARD_BUILD_TESTS=OFF -DSHEPARD_BUILD_BENCH=OFF
	cmake --build --preset $(PRESET)

demo:
	@tools/demo

# Threads that wait sleep: tests run side by side, and one that spins takes the CPU from another.
CTEST = OMP_WAIT_POLICY=passive ctest --preset $(PRESET) \
	-j "$${CTEST_PARALLEL_LEVEL:-$$(getconf _NPROCESSORS_ONLN)}"

tests: setup
	cmake --preset $(PRESET) -DSHEPARD_BUILD_TESTS=ON -DSHEPARD_BUILD_BENCH=ON
	cmake --build --preset $(PRESET)

test: tests
	$(CTEST) -LE '^long$$'

check: tests
	$(CTEST)

bench:
	@tools/setup build bench
	cmake --preset $(PRESET) -DSHEPARD_BUILD_BENCH=ON
	cmake --build --preset $(PRESET)
	cmake --build --preset $(PRESET) --target bench

format:
	git ls-files -z -co --exclude-standard '*.c' '*.h' '*.cu' '*.cuh' | xargs -0 $(CLANG_FORMAT) -i

# The site: Markdown, docstrings of the package with the library of the build, headers, the manual page.
SITE = build/docs/tools
SPHINX = LD_LIBRARY_PATH=build/$(PRESET)/src $(SITE)/bin/sphinx-build -q -W --keep-going -c docs/site \
	-d build/docs/doctrees

docs: build
	@tools/setup docs
	mkdir -p build/docs
	python3 -m venv $(SITE)
	$(SITE)/bin/pip install -q -r docs/site/requirements.txt
	doxygen docs/site/Doxyfile
	$(SPHINX) . build/docs/html
	python3 tests/docs/links.py build/docs/html

# Links to other sites, which may be away for a while.
docs-links: docs
	$(SPHINX) -b linkcheck . build/docs/links

# With Debian's flags for packages; cpack strips the programs, debugging symbols would stay in archives.
deb:
	@tools/setup build
	CFLAGS="$$(DEB_CFLAGS_MAINT_STRIP=-g dpkg-buildflags --get CFLAGS) $$(dpkg-buildflags --get CPPFLAGS)" \
		LDFLAGS="$$(dpkg-buildflags --get LDFLAGS)" cmake --preset deb
	cmake --build --preset deb
	cd build/deb && cpack

qgis:
	rm -rf build/qgis
	mkdir -p build/qgis/shepard_processing
	cp LICENSE qgis/shepard_processing/*.* build/qgis/shepard_processing
	cd build/qgis && python3 -m zipfile -c shepard_processing.zip shepard_processing

install: build
	cmake --install build/$(PRESET) --prefix '$(PREFIX)'

clean:
	rm -rf build demo
