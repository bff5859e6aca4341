/* SPDX-License-Identifier: MIT */
/* Included before every source of the tests for Windows: what they use of POSIX and mingw-w64
 * lacks. */
#ifndef SHEPARD_TESTS_WINDOWS_ENVIRONMENT_H
#define SHEPARD_TESTS_WINDOWS_ENVIRONMENT_H

#include <stdlib.h>

static inline int setenv(const char *name, const char *value, int overwrite)
{
    return overwrite || getenv(name) == NULL ? _putenv_s(name, value) : 0;
}

static inline int unsetenv(const char *name)
{
    return _putenv_s(name, "");
}

#endif
