/* SPDX-License-Identifier: MIT */
/* realpath is X/Open. */
#define _XOPEN_SOURCE 700
#include "output_stage.h"

#include "replaced_file.h"
#include "side_car.h"
#include "standard_output.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <fcntl.h>
#include <gdal.h>
#include <math.h>
#include <ogr_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char scratch_folder[] = "scratch";

static void end(struct shepard_output_stage *stage)
{
    if (stage->kept)
        shepard_temp_folder_leave(&stage->folder);
    else
        shepard_temp_folder_remove(&stage->folder);
    CPLFree(stage->target);
    CPLFree(stage->path);
    *stage = (struct shepard_output_stage){0};
}

/* ---- Making ---------------------------------------------------------------------------------- */

/* An existing file may be a link: what it points to is replaced, not the link. */
static char *real_target(const char *path)
{
    char *real = realpath(path, NULL);
    char *target = CPLStrdup(real ? real : path);
    free(real);
    return target;
}

static enum shepard_io_status fail_folder(const char *target, int reason,
                                          struct shepard_io_error *error)
{
    const char *folder = CPLGetPath(target);
    const char *shown = folder[0] ? folder : ".";
    /* /proc says "no such file" of new names in a folder that is there. */
    struct stat info;
    if ((reason == ENOENT || reason == ENOTDIR) && stat(shown, &info) != 0)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "cannot write \"%.300s\": there is no folder \"%.300s\"; make it "
                               "first",
                               target, shown);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "cannot write \"%.300s\": nothing can be created in \"%.300s\" (%s); "
                           "check its permissions and free space",
                           target, shown, strerror(reason));
}

static enum shepard_io_status fail_scratch(const char *parent, int reason,
                                           struct shepard_io_error *error)
{
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "no temporary file can be created in \"%.300s\" (%s); set TMPDIR to a "
                           "folder with space",
                           parent, strerror(reason));
}

char *shepard_stage_kept_folder(const char *path)
{
    char *target = real_target(path);
    char *parent = CPLStrdup(CPLGetPath(target));
    char *name = CPLStrdup(CPLSPrintf(".shepard-resume.%s", CPLGetFilename(target)));
    char *folder = CPLStrdup(CPLFormFilename(parent, name, NULL));
    CPLFree(name);
    CPLFree(parent);
    CPLFree(target);
    return folder;
}

bool shepard_stage_is_kept(const char *path)
{
    char *folder = shepard_stage_kept_folder(path);
    struct stat info;
    const bool is_kept = stat(CPLFormFilename(folder, scratch_folder, NULL), &info) == 0;
    CPLFree(folder);
    return is_kept;
}

static enum shepard_io_status take_folder(struct shepard_output_stage *stage,
                                          struct shepard_io_error *error)
{
    char *folder = shepard_stage_kept_folder(stage->target);
    const int reason = shepard_temp_folder_take(&stage->folder, folder);
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (reason == EWOULDBLOCK)
        status =
            shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                            "another run is writing \"%.300s\" (it has locked \"%.300s\"): wait "
                            "for its end",
                            stage->target, folder);
    else if (reason)
        status = fail_folder(stage->target, reason, error);
    CPLFree(folder);
    return status;
}

static enum shepard_io_status make_folder(struct shepard_output_stage *stage,
                                          const struct shepard_output_place *place,
                                          const char *parent, const char *name,
                                          struct shepard_io_error *error)
{
    if (!place->trial)
        shepard_temp_folder_sweep(parent, place->control);
    stage->kept = place->kept;
    if (place->kept) {
        const enum shepard_io_status status = take_folder(stage, error);
        if (status)
            return status;
        stage->path = CPLStrdup(CPLFormFilename(stage->folder.path, name, NULL));
        return SHEPARD_IO_OK;
    }
    const int reason = shepard_temp_folder_make(&stage->folder, parent);
    if (reason)
        return stage->to_stdout ? fail_scratch(parent, reason, error)
                                : fail_folder(stage->target, reason, error);
    stage->path = CPLStrdup(CPLFormFilename(stage->folder.path, name, NULL));
    return SHEPARD_IO_OK;
}

/* Whether a folder is part of a Zarr: it holds its description. */
static bool is_zarr(const char *folder)
{
    static const char *const names[] = {".zgroup", ".zarray", ".zmetadata", "zarr.json"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof names / sizeof names[0]; i++) {
        struct stat info;
        found = stat(CPLFormFilename(folder, names[i], NULL), &info) == 0;
    }
    return found;
}

/* Whether a folder is a Zarr and holds nothing else: it may be replaced. */
static bool is_only_zarr(const char *folder)
{
    bool only = is_zarr(folder);
    char **names = VSIReadDir(folder);
    for (int i = 0; only && names && names[i]; i++) {
        const bool described = names[i][0] == '.' || EQUAL(names[i], "zarr.json");
        only = described || is_zarr(CPLFormFilename(folder, names[i], NULL));
    }
    CSLDestroy(names);
    return only;
}

/* A folder is replaced by a Zarr where it is one, too. */
static enum shepard_io_status check_is_zarr(const struct shepard_output_place *place,
                                            struct shepard_io_error *error)
{
    if (!place->zarr)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "cannot write \"%.300s\": it is a folder; give the name of a file",
                               place->path);
    if (is_only_zarr(place->path))
        return SHEPARD_IO_OK;
    return shepard_io_fail(
        error, SHEPARD_IO_ERROR_WRITE, "path",
        "cannot write \"%.300s\": it is a folder that is no Zarr, or holds other "
        "files, too, which would be lost; remove it, or give another name",
        place->path);
}

/* To be replaced by a renamed file would be the end of a device, a FIFO or a socket. */
static enum shepard_io_status check_kind(const struct shepard_output_place *place,
                                         struct shepard_io_error *error)
{
    const char *path = place->path;
    struct stat info;
    const char *broken = shepard_broken_link(path);
    if (broken)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "cannot write \"%.300s\": it is %s; remove it, or give another "
                               "name",
                               path, broken);
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return SHEPARD_IO_OK;
    if (S_ISDIR(info.st_mode))
        return check_is_zarr(place, error);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "cannot write \"%.300s\": it is a device, FIFO or socket; give a file "
                           "or /vsistdout/",
                           path);
}

/* What a file of a format that may hold several layers and rasters holds. */
struct contents {
    int layers, rasters;
    bool ours; /* the one layer has the name of the output's */
};

static bool is_named(GDALDatasetH dataset, const struct shepard_output_place *place)
{
    const char *name = OGR_L_GetName(GDALDatasetGetLayer(dataset, 0));
    return EQUAL(name, place->layer_name ? place->layer_name : CPLGetBasename(place->path));
}

static struct contents contents_of(const struct shepard_output_place *place)
{
    static const char *const formats[] = {"GPKG", "SQLite", "XLSX", "ODS", NULL};
    GDALDatasetH old =
        GDALOpenEx(place->path, GDAL_OF_VECTOR | GDAL_OF_RASTER, formats, NULL, NULL);
    if (!old)
        return (struct contents){0};
    const int several = CSLCount(GDALGetMetadata(old, "SUBDATASETS")) / 2;
    struct contents contents = {.layers = GDALDatasetGetLayerCount(old),
                                .rasters = several > 0 ? several : GDALGetRasterCount(old) > 0};
    contents.ours = contents.layers == 1 && is_named(old, place);
    GDALClose(old);
    return contents;
}

/* SQLite would replay the log of the old database into the new one. */
static enum shepard_io_status check_log(const char *path, struct shepard_io_error *error)
{
    static const char *const endings[] = {"-wal", "-journal"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        struct stat info;
        if (stat(CPLSPrintf("%s%s", path, endings[i]), &info) == 0 && info.st_size > 0)
            return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                                   "\"%.300s\" is open in another program, or was left open by one "
                                   "(its log \"%.300s%s\" is not empty): close it there, or give "
                                   "the output another name",
                                   path, path, endings[i]);
    }
    return SHEPARD_IO_OK;
}

/* A file goes with all that it holds where an output takes its place: one output of the same kind,
 * as from an earlier run, may go. */
static enum shepard_io_status check_contents(const struct shepard_output_place *place,
                                             struct shepard_io_error *error)
{
    if (place->guard.overwrite)
        return SHEPARD_IO_OK;
    const struct contents contents = contents_of(place);
    const int count = contents.layers + contents.rasters;
    if (count == 0 || (count == 1 && (place->vector ? contents.ours : contents.rasters == 1)))
        return SHEPARD_IO_OK;
    const char *kind = contents.rasters == 0  ? "layer"
                       : contents.layers == 0 ? "raster"
                                              : "layers and raster";
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "\"%.300s\" holds %d %s%s, which would be lost: an output replaces the "
                           "whole file; give it another name, or use -overwrite",
                           place->path, count, kind, count == 1 ? "" : "s");
}

static enum shepard_io_status make_beside(struct shepard_output_stage *stage,
                                          const struct shepard_output_place *place,
                                          struct shepard_io_error *error)
{
    enum shepard_io_status status = check_kind(place, error);
    if (!status)
        status = check_log(place->path, error);
    if (!status)
        status = check_contents(place, error);
    if (status)
        return status;
    struct stat info;
    stage->target = real_target(place->path);
    stage->replaces_zarr = stat(stage->target, &info) == 0 && S_ISDIR(info.st_mode);
    char *parent = CPLStrdup(CPLGetPath(stage->target));
    status =
        make_folder(stage, place, parent[0] ? parent : ".", CPLGetFilename(stage->target), error);
    CPLFree(parent);
    return status;
}

static enum shepard_io_status make_for_stdout(struct shepard_output_stage *stage,
                                              const struct shepard_output_place *place,
                                              struct shepard_io_error *error)
{
    const char *parent = getenv("TMPDIR");
    stage->to_stdout = true;
    stage->target = CPLStrdup("/vsistdout/");
    char *name = CPLStrdup(CPLFormFilename(NULL, "shepard", place->extension));
    const enum shepard_io_status status =
        make_folder(stage, place, parent && parent[0] ? parent : "/tmp", name, error);
    CPLFree(name);
    return status;
}

enum shepard_io_status shepard_stage_make(struct shepard_output_stage *stage,
                                          const struct shepard_output_place *place,
                                          struct shepard_io_error *error)
{
    const char *path = place->path;
    enum shepard_io_status status = shepard_input_files_check(place->guard.inputs, path, error);
    if (status)
        return status;
    stage->inputs = place->guard.inputs;
    if (shepard_is_stdout(path)) {
        status = make_for_stdout(stage, place, error);
    } else if (place->direct || strncmp(path, "/vsi", 4) == 0) {
        VSIStatBufL stat;
        stage->target = CPLStrdup(path);
        stage->path = CPLStrdup(path);
        stage->replaces = VSIStatL(path, &stat) == 0;
    } else {
        status = make_beside(stage, place, error);
    }
    if (status)
        end(stage);
    return status;
}

char *shepard_stage_scratch(const struct shepard_output_stage *stage, const char *name)
{
    if (!stage->folder.path)
        return CPLStrdup(CPLGenerateTempFilename(name));
    char *folder = CPLStrdup(CPLFormFilename(stage->folder.path, scratch_folder, NULL));
    VSIMkdir(folder, 0700);
    char *path = CPLStrdup(CPLFormFilename(folder, name, NULL));
    CPLFree(folder);
    return path;
}

/* ---- Ending ---------------------------------------------------------------------------------- */

void shepard_stage_abandon(struct shepard_output_stage *stage)
{
    if (!stage->folder.path && stage->path && !stage->replaces &&
        strncmp(stage->path, "/vsi", 4) == 0)
        VSIUnlink(stage->path);
    end(stage);
}

static enum shepard_io_status copy_to_stdout(const struct shepard_output_stage *stage,
                                             struct shepard_io_error *error)
{
    enum { CHUNK = 1 << 20 };
    VSILFILE *from = VSIFOpenL(stage->path, "rb");
    char *chunk = VSIMalloc(CHUNK);
    bool good = from && chunk;
    size_t n;
    while (good && (n = VSIFReadL(chunk, 1, CHUNK, from)) > 0)
        good = fwrite(chunk, 1, n, stdout) == n;
    good = good && fflush(stdout) == 0;
    const int reason = errno;
    VSIFree(chunk);
    if (from)
        VSIFCloseL(from);
    if (good)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "cannot write to standard output (%s)", strerror(reason));
}

/* The names of the files of a finished output, in its folder. */
static char **written_names(const struct shepard_output_stage *stage)
{
    char **all = VSIReadDir(stage->folder.path), **names = NULL;
    for (int i = 0; all && all[i]; i++)
        if (strcmp(all[i], ".") && strcmp(all[i], "..") && strcmp(all[i], scratch_folder) &&
            strcmp(all[i], shepard_temp_folder_owner))
            names = CSLAddString(names, all[i]);
    CSLDestroy(all);
    return names;
}

/* The final path of one of the files; to be freed by CPLFree. */
static char *place_of(const struct shepard_output_stage *stage, const char *name)
{
    char *parent = CPLStrdup(CPLGetPath(stage->target));
    char *place = CPLStrdup(CPLFormFilename(parent, name, NULL));
    CPLFree(parent);
    return place;
}

static void keep_owner(const char *from, const char *to)
{
    const int file = open(from, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    shepard_keep_owner(file, to);
    close(file);
}

/* A folder takes the place of another, which goes with the stage, or comes back on failure. */
static bool exchange(const struct shepard_output_stage *stage, const char *from, const char *to)
{
    char *old = shepard_stage_scratch(stage, "replaced");
    bool moved = rename(to, old) == 0;
    if (moved && rename(from, to) != 0) {
        const int reason = errno;
        moved = false;
        rename(old, to);
        errno = reason;
    }
    CPLFree(old);
    return moved;
}

static bool move(const struct shepard_output_stage *stage, const char *name)
{
    char *to = place_of(stage, name);
    char *from = CPLStrdup(CPLFormFilename(stage->folder.path, name, NULL));
    keep_owner(from, to);
    const bool replaces_folder =
        stage->replaces_zarr && !strcmp(name, CPLGetFilename(stage->target));
    const bool moved = replaces_folder ? exchange(stage, from, to) : rename(from, to) == 0;
    const int reason = errno;
    CPLFree(from);
    CPLFree(to);
    errno = reason;
    return moved;
}

enum shepard_io_status shepard_stage_check_names(const struct shepard_output_stage *stage,
                                                 struct shepard_io_error *error)
{
    char **names = written_names(stage);
    enum shepard_io_status status = SHEPARD_IO_OK;
    for (int i = 0; !status && names && names[i]; i++) {
        char *place = place_of(stage, names[i]);
        status = shepard_input_files_check(stage->inputs, place, error);
        CPLFree(place);
    }
    CSLDestroy(names);
    return status;
}

/* The main file comes last: whoever sees it sees its side-car files too. */
static enum shepard_io_status move_all(const struct shepard_output_stage *stage, char **names,
                                       struct shepard_io_error *error)
{
    const char *main_name = CPLGetFilename(stage->target), *stuck = NULL;
    for (int i = 0; !stuck && names && names[i]; i++)
        if (strcmp(names[i], main_name) != 0 && !move(stage, names[i]))
            stuck = names[i];
    if (!stuck && CSLFindStringCaseSensitive(names, main_name) >= 0 && !move(stage, main_name))
        stuck = main_name;
    if (!stuck && names)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "the finished output \"%.300s\" cannot be renamed: %.200s%s%s",
                           stage->target, stuck ? stuck : "", stuck ? ": " : "",
                           stuck ? strerror(errno) : "no file was written");
}

static enum shepard_io_status commit_folder(const struct shepard_output_stage *stage,
                                            struct shepard_io_error *error)
{
    char **names = written_names(stage);
    char **stale = shepard_side_cars(stage->target, names);
    enum shepard_io_status status = shepard_stage_check_names(stage, error);
    if (!status)
        status = check_log(stage->target, error);
    if (!status)
        status = move_all(stage, names, error);
    for (int i = 0; !status && stale && stale[i]; i++)
        if (shepard_input_files_check(stage->inputs, stale[i], NULL) == SHEPARD_IO_OK)
            VSIUnlink(stale[i]);
    CSLDestroy(stale);
    CSLDestroy(names);
    return status;
}

/* The largest file that the process may write. */
static double size_limit(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY
               ? (double)limit.rlim_cur
               : INFINITY;
}

static void remove_probes(const struct shepard_output_stage *stage, int count)
{
    const int reason = errno;
    for (int i = 0; i < count; i++) {
        char *path = shepard_stage_scratch(stage, CPLSPrintf("probe%d", i));
        unlink(path);
        CPLFree(path);
    }
    errno = reason;
}

/* Whether there is room for a little more; in several files, for there may be a limit of their
 * size. */
static bool has_space(const struct shepard_output_stage *stage)
{
    static const char zeros[1 << 16];
    enum { PROBES = 16 };
    const size_t size = (size_t)fmin(sizeof zeros, size_limit());
    bool good = true;
    for (int i = 0; good && i < PROBES; i++) {
        char *path = shepard_stage_scratch(stage, CPLSPrintf("probe%d", i));
        const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        good = file >= 0 && write(file, zeros, size) == (ssize_t)size && fsync(file) == 0;
        const int reason = errno;
        if (file >= 0)
            close(file);
        CPLFree(path);
        errno = reason;
    }
    remove_probes(stage, PROBES);
    return good;
}

/* Whether one of the files is as large as may be: its end is missing. */
static bool is_cut(const struct shepard_output_stage *stage)
{
    char **names = written_names(stage);
    bool cut = false;
    for (int i = 0; names && names[i]; i++) {
        struct stat info;
        cut = cut || (stat(CPLFormFilename(stage->folder.path, names[i], NULL), &info) == 0 &&
                      (double)info.st_size >= size_limit());
    }
    CSLDestroy(names);
    return cut;
}

/* Many of GDAL's vector formats do not notice that a write failed. Where the disk is full, or
 * nearly so, what they wrote last may be missing: none of their buffers is larger than the probe.
 */
enum shepard_io_status shepard_stage_check_space(const struct shepard_output_stage *stage,
                                                 struct shepard_io_error *error)
{
    if (!stage->folder.path)
        return SHEPARD_IO_OK;
    if (is_cut(stage))
        return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                               "cannot write \"%.300s\": %s; raise the limit (ulimit -f)",
                               stage->target, strerror(EFBIG));
    errno = 0;
    if (has_space(stage))
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_WRITE, "path",
                           "cannot write \"%.300s\": %s; make room for it, and 1 MB more",
                           stage->target, strerror(errno ? errno : ENOSPC));
}

/* Standard output takes one file: that of a format of several would be of no use. */
static enum shepard_io_status check_single(const struct shepard_output_stage *stage,
                                           struct shepard_io_error *error)
{
    static const char *const spare[] = {"xml", "prj", "qmd", "cpg"};
    char **names = written_names(stage);
    int count = 0;
    for (int i = 0; names && names[i]; i++) {
        bool needed = true;
        for (size_t k = 0; k < sizeof spare / sizeof spare[0]; k++)
            needed = needed && !EQUAL(CPLGetExtension(names[i]), spare[k]);
        count += needed;
    }
    CSLDestroy(names);
    if (count <= 1)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "format",
                           "the format makes %d files, but standard output can take only one; "
                           "write to a file, or another format",
                           count);
}

enum shepard_io_status shepard_stage_commit(struct shepard_output_stage *stage,
                                            struct shepard_io_error *error)
{
    enum shepard_io_status status = shepard_stage_check_space(stage, error);
    if (!status && stage->to_stdout)
        status = check_single(stage, error);
    if (!status && stage->to_stdout)
        status = copy_to_stdout(stage, error);
    else if (!status && stage->folder.path)
        status = commit_folder(stage, error);
    stage->kept = stage->kept && status;
    end(stage);
    return status;
}
