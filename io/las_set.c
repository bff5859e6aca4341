/* SPDX-License-Identifier: MIT */
#include "las_set.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Names ----------------------------------------------------------------------------------- */

/* A file may have such a name itself. */
static bool is_pattern(const char *path)
{
    struct stat info;
    return strpbrk(path, "*?[") && strncmp(path, "/vsi", 4) != 0 && stat(path, &info) != 0;
}

/* The files of a pattern in the order of their names; NULL: none. A list for CSLDestroy. */
static char **expand(const char *pattern)
{
    glob_t found = {0};
    char **paths = NULL;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            paths = CSLAddString(paths, found.gl_pathv[i]);
    globfree(&found);
    return paths;
}

bool shepard_las_set_names(const char *path)
{
    if (!is_pattern(path))
        return shepard_las_begins(path);
    char **paths = expand(path);
    bool names = false;
    for (char **item = paths; item && *item && !names; item++)
        names = shepard_las_begins(*item);
    CSLDestroy(paths);
    return names;
}

static char **all_paths(const char *const *paths)
{
    char **all = NULL;
    for (; *paths; paths++) {
        char **found = is_pattern(*paths) ? expand(*paths) : NULL;
        if (found)
            all = CSLInsertStrings(all, -1, found);
        else
            all = CSLAddString(all, *paths);
        CSLDestroy(found);
    }
    return all;
}

/* ---- Opening --------------------------------------------------------------------------------- */

static enum shepard_io_status fail_not_las(const char *path, struct shepard_io_error *error)
{
    struct stat info;
    if (is_pattern(path) || stat(path, &info) != 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path", "no such file: \"%.300s\"",
                               path);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_OPEN, "path",
                           "several sources are read as one only if all are LAS files, which "
                           "\"%.300s\" is not; join other files with ogrmerge.py first",
                           path);
}

/* Real files are known by device and inode. */
static const char *find_twice(char **paths)
{
    const int count = CSLCount(paths);
    struct stat *infos = CPLCalloc((size_t)count + 1, sizeof *infos);
    const char *twice = NULL;
    for (int i = 0; i < count && !twice; i++) {
        if (stat(paths[i], &infos[i]) != 0)
            infos[i] = (struct stat){0};
        for (int j = 0; j < i && !twice && infos[i].st_ino; j++)
            if (infos[j].st_ino == infos[i].st_ino && infos[j].st_dev == infos[i].st_dev)
                twice = paths[i];
    }
    CPLFree(infos);
    return twice;
}

static enum shepard_io_status open_all(struct shepard_las_set *set, char **paths,
                                       const struct shepard_io_control *control,
                                       struct shepard_io_error *error)
{
    const char *twice = find_twice(paths);
    if (twice)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                               "\"%.300s\" is named twice; name each file once", twice);
    set->file = calloc((size_t)CSLCount(paths) + 1, sizeof *set->file);
    if (!set->file)
        return shepard_io_fail_memory(error);
    set->name = CPLStrdup(CPLGetBasename(paths[0]));
    for (char **path = paths; *path; path++) {
        if (!shepard_las_begins(*path))
            return fail_not_las(*path, error);
        const enum shepard_io_status status =
            shepard_las_file_open(&set->file[set->count++], *path, control, error);
        if (status)
            return status;
    }
    return SHEPARD_IO_OK;
}

enum shepard_io_status shepard_las_set_open(const char *const *paths, struct shepard_las_set **set,
                                            const struct shepard_io_control *control,
                                            struct shepard_io_error *error)
{
    struct shepard_las_set *opened = calloc(1, sizeof *opened);
    if (!opened)
        return shepard_io_fail_memory(error);
    char **all = all_paths(paths);
    const enum shepard_io_status status = open_all(opened, all, control, error);
    CSLDestroy(all);
    if (status)
        shepard_las_set_close(opened);
    else
        *set = opened;
    return status;
}

void shepard_las_set_close(struct shepard_las_set *set)
{
    if (!set)
        return;
    for (size_t i = 0; i < set->count; i++)
        shepard_las_file_free(&set->file[i]);
    free(set->file);
    CPLFree(set->name);
    free(set);
}

/* ---- What all files have in common ----------------------------------------------------------- */

static enum shepard_io_status fail_mixed(const struct shepard_las_file *a,
                                         const struct shepard_las_file *b,
                                         struct shepard_io_error *error)
{
    struct shepard_srs_description of_a, of_b;
    shepard_io_describe_srs(a->wkt, &of_a, NULL);
    shepard_io_describe_srs(b->wkt, &of_b, NULL);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_SRS, "srs",
                           "\"%.200s\" (%s) and \"%.200s\" (%s) have different coordinate systems; "
                           "transform one of them, as with `pdal translate`, or, where one is "
                           "wrong, give the right one of all files with -s_srs",
                           a->path, of_a.name, b->path, of_b.name);
}

enum shepard_io_status shepard_las_set_crs(const struct shepard_las_set *set, const char **wkt,
                                           const struct shepard_io_control *control,
                                           struct shepard_io_error *error)
{
    const struct shepard_las_file *known = NULL, *unknown = NULL;
    for (size_t i = 0; i < set->count; i++) {
        const struct shepard_las_file *file = &set->file[i];
        if (!file->wkt)
            unknown = unknown ? unknown : file;
        else if (!known)
            known = file;
        else if (strcmp(known->wkt, file->wkt) != 0 && !shepard_io_same_srs(known->wkt, file->wkt))
            return fail_mixed(known, file, error);
    }
    if (known && unknown)
        shepard_io_warn(control, "%s has no coordinate system; it is taken to have that of %s",
                        unknown->path, known->path);
    *wkt = known ? known->wkt : NULL;
    return SHEPARD_IO_OK;
}

static void append_dimensions(const struct shepard_las_file *file, char *text, size_t size)
{
    enum { SHOWN = 40 };
    const struct shepard_las_dimensions *dimensions = &file->dimensions;
    const char **names = CPLCalloc(dimensions->count, sizeof *names);
    for (size_t i = 0; i < dimensions->count; i++)
        names[i] = dimensions->item[i].name;
    shepard_text_append(text, size, "its dimensions: ");
    shepard_text_append_names(text, size, names, dimensions->count, SHOWN);
    CPLFree(names);
}

void shepard_las_set_append_dimensions(const struct shepard_las_set *set, char *text, size_t size)
{
    append_dimensions(&set->file[0], text, size);
}

enum shepard_io_status shepard_las_set_check_dimension(const struct shepard_las_set *set,
                                                       const char *name, const char *argument,
                                                       struct shepard_io_error *error)
{
    for (size_t i = 0; i < set->count; i++) {
        const struct shepard_las_file *file = &set->file[i];
        if (shepard_las_dimension_find(&file->dimensions, name))
            continue;
        char list[700] = "";
        append_dimensions(file, list, sizeof list);
        return shepard_io_fail(error, SHEPARD_IO_ERROR_FIELD, argument,
                               "no dimension \"%.100s\" in \"%.200s\" (point format %u); %s", name,
                               file->path, file->header.format, list);
    }
    return SHEPARD_IO_OK;
}
