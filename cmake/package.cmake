# SPDX-License-Identifier: MIT
# Packages of Debian, made by cpack: the shared library, named after its soname, what is needed to
# compile with it, and the command. packaging/debian has what only these packages contain.
set(SHEPARD_PACKAGE_MAINTAINER "The shepard authors <authors@shepard.invalid>" CACHE STRING
  "Maintainer of the packages, Name <address>")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME shepard)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/complete.cmake)
set(CPACK_COMPONENTS_ALL runtime development command)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
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

include(CPack)
