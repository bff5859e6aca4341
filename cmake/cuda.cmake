# SPDX-License-Identifier: MIT
# Sets SHEPARD_HAVE_CUDA and, where it is on, enables the language and makes shepard_cuda_flags, the
# compile flags of every CUDA source. nvcc is looked for where CMake does, then in /usr/local/cuda.
include(CheckLanguage)

set(SHEPARD_HAVE_CUDA OFF)
if(NOT DEFINED CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(SHEPARD_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME PATHS /usr/local/cuda
    PATH_SUFFIXES bin)
  mark_as_advanced(SHEPARD_NVCC)
  if(SHEPARD_NVCC)
    set(ENV{CUDACXX} ${SHEPARD_NVCC})
  endif()
endif()
# Code for the GPUs of this machine. Without one the architectures have to be named: to compile for all
# takes many minutes, which a build for this machine has nothing of.
# CMake before 3.24 does not know the word native, nvcc does.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  execute_process(COMMAND nvidia-smi -L OUTPUT_VARIABLE gpus ERROR_QUIET)
  if(NOT "${gpus}" MATCHES "GPU 0")
    message(STATUS "no GPU here (nvidia-smi -L): no GPU engines; name the architectures to build "
      "them, -DCMAKE_CUDA_ARCHITECTURES=all-major or =90")
    return()
  endif()
  set(architectures native)
  if(CMAKE_VERSION VERSION_LESS 3.24)
    set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -arch=native" CACHE STRING "Flags of nvcc")
    set(architectures OFF)
  endif()
  set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING
    "CUDA architectures, a list as CMake takes it")
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "CUDA not found: no GPU engines (nvcc in the PATH, or CUDACXX=.../nvcc)")
  return()
endif()
enable_language(CUDA)
if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
  message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} is older than 12: no GPU engines")
  return()
endif()
find_package(CUDAToolkit 12 REQUIRED)
set(SHEPARD_HAVE_CUDA ON)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" SHEPARD_CUDA_VERSION ${CMAKE_CUDA_COMPILER_VERSION})
message(STATUS "CUDA ${SHEPARD_CUDA_VERSION} for architectures ${CMAKE_CUDA_ARCHITECTURES}")

set(CMAKE_CUDA_STANDARD 17)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
set(CMAKE_CUDA_RUNTIME_LIBRARY Static)

add_library(shepard_cuda_flags INTERFACE)
# CUB marks its calls for profilers through functions of plain C names.
target_compile_definitions(shepard_cuda_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:NVTX_DISABLE>)
target_compile_options(shepard_cuda_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:
  -Xcompiler=-Wall,-Wextra,-Wformat-security -Wext-lambda-captures-this
  $<$<BOOL:${SHEPARD_WERROR}>:-Werror=all-warnings -Xcompiler=-Werror>>)
