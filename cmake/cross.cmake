# SPDX-License-Identifier: MIT
# Cross build with Debian's compiler for the processor SHEPARD_CROSS (aarch64, s390x, ...); qemu-user
# runs the programs on the cross compiler's own libraries. Nothing of the host is looked at: no GDAL,
# no cmocka.
set(SHEPARD_CROSS aarch64 CACHE STRING "Processor to compile for")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SHEPARD_CROSS)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${SHEPARD_CROSS})
set(CMAKE_C_COMPILER ${SHEPARD_CROSS}-linux-gnu-gcc)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${SHEPARD_CROSS};-L;/usr/${SHEPARD_CROSS}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH /usr/${SHEPARD_CROSS}-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
