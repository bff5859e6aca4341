/* SPDX-License-Identifier: MIT */
/** Lists of strings as GDAL's C functions take them. */
#ifndef SHEPARD_IO_STRING_LIST_H
#define SHEPARD_IO_STRING_LIST_H

#include <cpl_string.h>
#include <stdint.h>

/** GDAL only reads such lists, but has no const in C: the cast stands here, once. */
static inline CSLConstList shepard_list(const char *const *list)
{
    return (CSLConstList)(uintptr_t)list;
}

/** The list, with this value where it has none of the name. */
static inline char **shepard_list_default(char **list, const char *name, const char *value)
{
    return CSLFetchNameValue(list, name) ? list : CSLSetNameValue(list, name, value);
}

#endif
