# SPDX-License-Identifier: MIT
# Sources of the study: everything in this folder but the engines.
set(SHEPARD_STUDY_SOURCES
  chart.c
  child.c
  contestant.c
  dataset.c
  errata.c
  figure.c
  judge.c
  lattice.c
  ledger.c
  listing.c
  machine.c
  measure.c
  plan.c
  printed.c
  ratio.c
  series.c
  study.c
)

# What a study says of its build.
set(SHEPARD_STUDY_DEFINITIONS
  "SHEPARD_STUDY_COMPILER=\"${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}\"")
if(CMAKE_CUDA_COMPILER)
  list(APPEND SHEPARD_STUDY_DEFINITIONS
    "SHEPARD_STUDY_CUDA_COMPILER=\"nvcc ${CMAKE_CUDA_COMPILER_VERSION}\""
    "SHEPARD_STUDY_CUDA_RUNTIME=\"${CMAKE_CUDA_COMPILER_VERSION}\"")
endif()
set_property(SOURCE machine.c APPEND PROPERTY COMPILE_DEFINITIONS ${SHEPARD_STUDY_DEFINITIONS})
