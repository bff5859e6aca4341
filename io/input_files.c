/* SPDX-License-Identifier: MIT */
#include "output_stage.h"
#include "source.h"
#include "standard_output.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <ogr_api.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file is what its device and inode say, whatever its names. */
struct input_file {
    dev_t device;
    ino_t inode;
    size_t name; /* index of the name that the user gave */
};

struct shepard_input_files {
    struct input_file *file;
    size_t count;
    char **names; /* as the user gave them */
};

/* ---- The files that a name mentions ---------------------------------------------------------- */

enum { NAME_MAX_SCANNED = 4096, VRT_DEPTH_MAX = 8 };

/* A path and nothing else: no driver's prefix, no chain of /vsi handlers, no text of its own. */
static bool is_path(const char *name)
{
    return strncmp(name, "/vsi", 4) != 0 && !strchr(name, ':');
}

/* Whether name + i stands behind the name of a handler, as in /vsigzip/in.gz. */
static bool follows_handler(const char *name, size_t i)
{
    if (i < 2 || name[i - 1] != '/')
        return false;
    size_t slash = i - 1;
    while (slash > 0 && name[slash - 1] != '/')
        slash--;
    return slash > 0 && strncmp(name + slash, "vsi", 3) == 0;
}

static bool may_begin(const char *name, size_t i)
{
    return i == 0 || strchr(":,={\"'?&|", name[i - 1]) || follows_handler(name, i);
}

static bool may_end(char next)
{
    return next == '\0' || strchr("}\"',:?/&|", next) != NULL;
}

static bool is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Appends each part of the name, from i on, that is the path of a file. */
static char **add_parts(char **paths, const char *name, size_t i)
{
    const size_t length = strlen(name + i);
    char part[NAME_MAX_SCANNED];
    for (size_t n = 1; n <= length; n++) {
        if (!may_end(name[i + n]))
            continue;
        CPLStrlcpy(part, name + i, n + 1);
        if (is_file(part))
            paths = CSLAddString(paths, part);
    }
    return paths;
}

/*
 * The real files that a name mentions, however many prefixes and handlers stand around them: each
 * part between two separators is tried. A list for CSLDestroy.
 */
static char **mentioned_files(const char *name)
{
    char **paths = NULL;
    if (is_file(name) || is_path(name))
        return is_file(name) ? CSLAddString(NULL, name) : NULL;
    if (name[0] == '{' || strlen(name) >= NAME_MAX_SCANNED)
        return NULL;
    for (size_t i = 0; name[i]; i++)
        if (may_begin(name, i))
            paths = add_parts(paths, name, i);
    return paths;
}

/* ---- The set --------------------------------------------------------------------------------- */

struct shepard_input_files *shepard_input_files_new(void)
{
    return VSICalloc(1, sizeof(struct shepard_input_files));
}

void shepard_input_files_free(struct shepard_input_files *files)
{
    if (!files)
        return;
    VSIFree(files->file);
    CSLDestroy(files->names);
    VSIFree(files);
}

static const struct input_file *find(const struct shepard_input_files *files, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return NULL;
    for (size_t i = 0; i < files->count; i++)
        if (files->file[i].device == info.st_dev && files->file[i].inode == info.st_ino)
            return &files->file[i];
    return NULL;
}

/* False: it is there already. */
static bool insert(struct shepard_input_files *files, const char *path)
{
    struct stat info;
    if (find(files, path) || stat(path, &info) != 0)
        return false;
    files->file = CPLRealloc(files->file, (files->count + 1) * sizeof *files->file);
    files->file[files->count++] =
        (struct input_file){info.st_dev, info.st_ino, (size_t)CSLCount(files->names) - 1};
    return true;
}

/* ---- Virtual files --------------------------------------------------------------------------- */

static void add_mentioned(struct shepard_input_files *files, const char *name, int depth);

/* The sources of a virtual dataset, by the elements that name them. */
static void add_sources(struct shepard_input_files *files, const CPLXMLNode *node,
                        const char *folder, int depth)
{
    static const char *const elements[] = {"SrcDataSource", "SourceFilename", "SourceDataset"};
    for (; node; node = node->psNext) {
        const char *text = NULL;
        for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
            if (node->eType == CXT_Element && EQUAL(node->pszValue, elements[i]))
                text = CPLGetXMLValue(node, NULL, NULL);
        if (text) {
            const char *colon = strrchr(text, ':');
            add_mentioned(files, text, depth);
            add_mentioned(files, CPLProjectRelativeFilename(folder, colon ? colon + 1 : text),
                          depth);
        }
        add_sources(files, node->psChild, folder, depth);
    }
}

/* xml is the text of a virtual dataset in the folder, or anything else. */
static void add_virtual(struct shepard_input_files *files, const char *xml, const char *folder,
                        int depth)
{
    if (depth >= VRT_DEPTH_MAX || !(strstr(xml, "<OGRVRT") || strstr(xml, "<VRTDataset")))
        return;
    CPLXMLNode *tree = CPLParseXMLString(xml);
    char *kept = CPLStrdup(folder);
    add_sources(files, tree, kept, depth + 1);
    CPLFree(kept);
    CPLDestroyXMLNode(tree);
}

static void look_into(struct shepard_input_files *files, const char *path, int depth)
{
    enum { VRT_SIZE_MAX = 1 << 24 };
    char start[512] = "";
    VSILFILE *file = VSIFOpenL(path, "rb");
    if (!file)
        return;
    start[VSIFReadL(start, 1, sizeof start - 1, file)] = '\0';
    GByte *text = NULL;
    const char *blank = start + strspn(start, "\xef\xbb\xbf \t\r\n");
    if (blank[0] == '<' && VSIIngestFile(file, path, &text, NULL, VRT_SIZE_MAX))
        add_virtual(files, (const char *)text, CPLGetPath(path), depth);
    VSIFree(text);
    VSIFCloseL(file);
}

static void add_mentioned(struct shepard_input_files *files, const char *name, int depth)
{
    if (name[0] == '<') {
        add_virtual(files, name, "", depth);
        return;
    }
    char *kept = CPLStrdup(name);
    char **paths = mentioned_files(kept);
    for (int i = 0; paths && paths[i]; i++)
        if (insert(files, paths[i]))
            look_into(files, paths[i], depth);
    CSLDestroy(paths);
    CPLFree(kept);
}

/* ---- Adding ---------------------------------------------------------------------------------- */

void shepard_input_files_add(struct shepard_input_files *files, const char *name)
{
    if (!name || !name[0])
        return;
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    files->names = CSLAddString(files->names, name);
    add_mentioned(files, name, 0);
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
}

void shepard_input_files_add_sql(struct shepard_input_files *files, const char *sql)
{
    char **parts = CSLTokenizeString2(sql ? sql : "", "'", CSLT_ALLOWEMPTYTOKENS);
    for (int i = 1; parts && i < CSLCount(parts); i += 2)
        shepard_input_files_add(files, parts[i]);
    CSLDestroy(parts);
}

/* Files that the CSV driver reads with a table, or with those of a folder, and does not list. */
static void add_tables(struct shepard_input_files *files, GDALDatasetH dataset, const char *path)
{
    static const char *const extensions[] = {"csv", "tsv", "psv", "csvt", "prj"};
    enum { FIRST_SIDE_CAR = 3 };
    VSIStatBufL stat;
    const bool folder = VSIStatL(path, &stat) == 0 && VSI_ISDIR(stat.st_mode);
    const int tables = folder ? GDALDatasetGetLayerCount(dataset) : 1;
    for (int t = 0; t < tables; t++) {
        char *table = CPLStrdup(
            folder ? CPLFormFilename(path, OGR_L_GetName(GDALDatasetGetLayer(dataset, t)), "csv")
                   : path);
        for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
            if (folder || i >= FIRST_SIDE_CAR)
                add_mentioned(files, CPLResetExtension(table, extensions[i]), 0);
        CPLFree(table);
    }
}

static void add_dataset(struct shepard_input_files *files, GDALDatasetH dataset, const char *path)
{
    const char *format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    char **listed = GDALGetFileList(dataset);
    for (int i = 0; listed && listed[i]; i++)
        add_mentioned(files, listed[i], 0);
    CSLDestroy(listed);
    if (EQUAL(format, "OGR_VRT"))
        look_into(files, path, 0);
    if (EQUAL(format, "CSV"))
        add_tables(files, dataset, EQUALN(path, "CSV:", 4) ? path + 4 : path);
}

void shepard_input_files_add_source(struct shepard_input_files *files,
                                    const struct shepard_source *source)
{
    shepard_input_files_add(files, source->path);
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, NULL);
    for (size_t i = 0; source->las && i < source->las->count; i++)
        shepard_input_files_add(files, source->las->file[i].path);
    if (!source->las)
        add_dataset(files, source->dataset, source->open_path);
    for (char **option = source->open_options; option && *option; option++) {
        const char *value = strchr(*option, '=');
        add_mentioned(files, value ? value + 1 : *option, 0);
    }
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
}

void shepard_input_files_add_dataset(struct shepard_input_files *files, const char *path)
{
    struct shepard_gdal_error_scope trap;
    shepard_input_files_add(files, path);
    if (!path || !path[0] || shepard_is_stream(path))
        return;
    shepard_gdal_error_scope_begin(&trap, NULL);
    GDALDatasetH dataset = shepard_open_vector(path, NULL);
    if (dataset)
        add_dataset(files, dataset, path);
    GDALClose(dataset);
    shepard_gdal_error_scope_clear(&trap);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
}

/* ---- Checking -------------------------------------------------------------------------------- */

static const char *reader_of(const struct shepard_input_files *files, const char *output)
{
    const char *name = NULL;
    char **paths = mentioned_files(output);
    for (int i = 0; !name && paths && paths[i]; i++) {
        const struct input_file *file = find(files, paths[i]);
        name = file ? files->names[file->name] : NULL;
    }
    CSLDestroy(paths);
    /* A database has no file. */
    const int same = name ? -1 : CSLFindStringCaseSensitive(files->names, output);
    return same >= 0 ? files->names[same] : name;
}

enum shepard_io_status shepard_input_files_check(const struct shepard_input_files *files,
                                                 const char *output, struct shepard_io_error *error)
{
    const char *name = files && !shepard_is_stdout(output) ? reader_of(files, output) : NULL;
    if (!name)
        return SHEPARD_IO_OK;
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "path",
                           "\"%.400s\" is both input (\"%.400s\") and output; give the output "
                           "another name",
                           output, name);
}
