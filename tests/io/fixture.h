/* SPDX-License-Identifier: MIT */
/** What the tests of libshepard_io share: a folder of their own, files made with GDAL and by hand.
 */
#ifndef SHEPARD_TESTS_IO_FIXTURE_H
#define SHEPARD_TESTS_IO_FIXTURE_H

#include "shepard/shepard_io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/** Makes the temporary folder and registers GDAL's drivers; for cmocka's group set-up. */
int fixture_begin(void **state);

/** The same, with random numbers from SHEPARD_TEST_SEED on, else from 1; the seed is printed. */
int fixture_begin_random(void **state);

/** Uniform over all 64-bit numbers; from 0 to limit - 1. */
uint64_t random_bits(void);
unsigned random_below(unsigned limit);

/** Removes the folder; for the group tear-down. */
int fixture_end(void **state);

/** The path of a file in the folder; the last eight stay valid. */
const char *in_folder(const char *name);

/** Writes a text file into the folder and returns its path. */
const char *write_text(const char *name, const char *text);

/** The whole of a text file, to be freed. */
char *read_text(const char *path);

/** Number of files in the folder, hidden ones too. */
size_t files_in_folder(void);

/** Removes all files of the folder. */
void empty_folder(void);

/** Makes a layer of points with GDAL from lines "wkt;z;name", z and name may be empty for NULL. */
const char *write_layer(const char *name, const char *format, const char *const *lines);

/** Opens and reads; fails the test where it does not work. Free with shepard_point_set_clear. */
struct shepard_point_set read_all(const char *path, const struct shepard_read_options *options);

/** Opens and reads what must fail, and returns the error. */
struct shepard_io_error read_error(const char *path, const struct shepard_read_options *options);

/** Collects warnings: user is a char[2000]. */
void collect_warning(const char *message, void *user);

/** Progress that cancels at once. */
bool cancel(double fraction, void *user);

#endif
