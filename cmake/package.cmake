# SPDX-License-Identifier: MIT
# Packages of Debian, made by cpack: the shared library, named after its soname, what is needed to
# compile with it, the command, and the Python module. packaging/debian has what only these packages
# contain.
set(SHEPARD_PACKAGE_MAINTAINER "The shepard authors <authors@shepard.invalid>" CACHE STRING
  "Maintainer of the packages, Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shepard)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/complete.cmake)
set(CPACK_COMPONENTS_ALL runtime development command python3)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# Before the first of Debian's own, 1.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0.1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${SHEPARD_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

get_target_property(SHEPARD_SOVERSION shepard_shared SOVERSION)
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libshepard${SHEPARD_SOVERSION})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "interpolation of scattered measurements - shared library
Inverse distance weighting (IDW), adaptive inverse distance weighting (AIDW)
and kriging, with exact nearest neighbours, or with sums over all points
within a proven tolerance. The results have the same bits for any number of
threads.
.
This package contains the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libshepard-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} ${same_version}")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "libgdal-dev (>= 3.6)")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "interpolation of scattered measurements - development files
Inverse distance weighting (IDW), adaptive inverse distance weighting (AIDW)
and kriging, with exact nearest neighbours, or with sums over all points
within a proven tolerance.
.
This package contains the headers, the static libraries, the files for CMake
and pkg-config, and examples. The library libshepard_io, which reads and
writes files, needs libgdal-dev.")

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME shepard)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION "interpolation of scattered measurements
The command shepard makes rasters from points by inverse distance weighting
(IDW), adaptive inverse distance weighting (AIDW) and kriging, predicts at
the points of another layer, states the errors of methods and chooses among
them. It accepts the command line of gdal_grid, and reads and writes all
formats of GDAL.")

# The modules alone: they load the library of the system. What `cmake --install` installs is without them.
set(CPACK_DEBIAN_PYTHON3_PACKAGE_NAME python3-shepard)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_DEPENDS
  "${CPACK_DEBIAN_RUNTIME_PACKAGE_NAME} ${same_version}, python3 (>= 3.10), python3-numpy (>= 1:1.23)")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_SUGGESTS "python3-sklearn, python3-scipy, python3-pandas")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_CONTROL_EXTRA
  ${PROJECT_SOURCE_DIR}/packaging/debian/python3/postinst
  ${PROJECT_SOURCE_DIR}/packaging/debian/python3/prerm)
set(CPACK_DEBIAN_PYTHON3_DESCRIPTION "interpolation of scattered measurements - Python 3 module
Inverse distance weighting (IDW), adaptive inverse distance weighting (AIDW)
and kriging of NumPy arrays, with the interface of scikit-learn's estimators
and that of SciPy's griddata; validation and choice of methods.
.
This package contains the module shepard for Python 3.")

set(modules lib/python3/dist-packages)
configure_file(${PROJECT_SOURCE_DIR}/packaging/debian/python3/METADATA.in
  ${PROJECT_BINARY_DIR}/python3/METADATA @ONLY)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/shepard DESTINATION ${modules} COMPONENT python3
  EXCLUDE_FROM_ALL FILES_MATCHING PATTERN *.py PATTERN *.typed PATTERN __pycache__ EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/python3/METADATA COMPONENT python3 EXCLUDE_FROM_ALL
  DESTINATION ${modules}/shepard-${PROJECT_VERSION}.dist-info)

include(CPack)
