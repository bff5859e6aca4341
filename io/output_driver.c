/* SPDX-License-Identifier: MIT */
#include "output_driver.h"

#include "standard_output.h"
#include "string_list.h"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <string.h>

bool shepard_driver_can(GDALDriverH driver, const char *capability)
{
    const char *value = GDALGetMetadataItem(driver, capability, NULL);
    return value && EQUAL(value, "YES");
}

bool shepard_driver_lists(GDALDriverH driver, const char *list, const char *word)
{
    const char *known = GDALGetMetadataItem(driver, list, NULL);
    char **words = CSLTokenizeString2(known ? known : "", " ", 0);
    const bool has = !known || CSLFindString(words, word) >= 0;
    CSLDestroy(words);
    return has;
}

static bool writes(GDALDriverH driver, bool vector)
{
    if (!shepard_driver_can(driver, vector ? GDAL_DCAP_VECTOR : GDAL_DCAP_RASTER))
        return false;
    return shepard_driver_can(driver, GDAL_DCAP_CREATE) ||
           (!vector && shepard_driver_can(driver, GDAL_DCAP_CREATECOPY));
}

/* ---- By name --------------------------------------------------------------------------------- */

static const char **writer_names(bool vector, size_t *count)
{
    const char **names = CPLCalloc((size_t)GDALGetDriverCount() + 1, sizeof *names);
    *count = 0;
    for (int i = 0; i < GDALGetDriverCount(); i++)
        if (writes(GDALGetDriver(i), vector))
            names[(*count)++] = GDALGetDriverShortName(GDALGetDriver(i));
    return names;
}

static enum shepard_io_status find_by_name(const char *format, bool vector, GDALDriverH *driver,
                                           struct shepard_io_error *error)
{
    *driver = GDALGetDriverByName(format);
    if (*driver && writes(*driver, vector))
        return SHEPARD_IO_OK;
    size_t count;
    const char **names = writer_names(vector, &count);
    const char *nearest = shepard_nearest_name(format, names, count);
    CPLFree(names);
    char guess[120] = "";
    if (nearest && !EQUAL(nearest, format))
        shepard_text_append(guess, sizeof guess, "did you mean \"%s\"? ", nearest);
    const char *kind = vector ? "vector files" : "rasters";
    const char *what = *driver ? "GDAL cannot write in" : "GDAL does not have";
    return shepard_io_fail(
        error, SHEPARD_IO_ERROR_FORMAT, "format",
        "%s the format \"%.100s\" for %s; %sshepard --formats lists what it writes (rw)", what,
        format, kind, guess);
}

/* ---- By extension ---------------------------------------------------------------------------- */

static bool has_extension(GDALDriverH driver, const char *extension)
{
    const char *known = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSIONS, NULL);
    if (!known)
        known = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSION, NULL);
    char **list = CSLTokenizeString2(known ? known : "", " ", 0);
    const bool found = CSLFindString(list, extension) >= 0;
    CSLDestroy(list);
    return found;
}

static bool connects(GDALDriverH driver, const char *path)
{
    const char *prefix = GDALGetMetadataItem(driver, GDAL_DMD_CONNECTION_PREFIX, NULL);
    return prefix && prefix[0] && EQUALN(path, prefix, strlen(prefix));
}

bool shepard_driver_writes_there(GDALDriverH driver, const char *path,
                                 const char *const *creation_options)
{
    const char *append = CSLFetchNameValue(shepard_list(creation_options), "APPEND_SUBDATASET");
    return connects(driver, path) || (append && CPLTestBool(append));
}

const char *shepard_driver_extension(GDALDriverH driver)
{
    const char *extension = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSION, NULL);
    if (!extension || !extension[0])
        extension = GDALGetMetadataItem(driver, GDAL_DMD_EXTENSIONS, NULL);
    return extension ? extension : "";
}

/* The first in GDAL's order; for .nc the GMT driver comes before netCDF, which is what is meant. */
static GDALDriverH find_by_extension(const char *path, const char *extension, bool vector)
{
    GDALDriverH found = NULL;
    for (int i = 0; i < GDALGetDriverCount(); i++) {
        GDALDriverH driver = GDALGetDriver(i);
        if (!writes(driver, vector))
            continue;
        const bool fits =
            (extension[0] && has_extension(driver, extension)) || connects(driver, path);
        if (fits && (!found || EQUAL(GDALGetDriverShortName(driver), "netCDF")))
            found = driver;
    }
    return found;
}

/* Where a path has no extension. */
static const char *fallback(const struct shepard_driver_choice *choice)
{
    if (!choice->vector)
        return "GTiff";
    return shepard_is_stdout(choice->path) ? "CSV" : "GPKG";
}

enum shepard_io_status shepard_find_driver(const struct shepard_driver_choice *choice,
                                           GDALDriverH *driver, struct shepard_io_error *error)
{
    if (choice->format)
        return find_by_name(choice->format, choice->vector, driver, error);
    char *extension = CPLStrdup(CPLGetExtension(choice->path));
    *driver = find_by_extension(choice->path, extension, choice->vector);
    /* GDAL 3.6 does not say that this is an extension of it. */
    if (!*driver && !choice->vector && EQUAL(extension, "zarr"))
        *driver = GDALGetDriverByName("Zarr");
    if (!*driver && !extension[0])
        *driver = GDALGetDriverByName(fallback(choice));
    enum shepard_io_status status = SHEPARD_IO_OK;
    if (!*driver)
        status = shepard_io_fail(
            error, SHEPARD_IO_ERROR_FORMAT, "path",
            "no format that GDAL writes %s in has the extension \".%.40s\" of \"%.200s\"; name the "
            "format with %s, for example %s",
            choice->vector ? "vector files" : "rasters", extension, choice->path,
            choice->vector ? "-f" : "-of", fallback(choice));
    CPLFree(extension);
    return status;
}

/* ---- Creation options ------------------------------------------------------------------------ */

struct catcher {
    char text[500];
};

static void catch_warning(const char *message, void *user)
{
    struct catcher *catcher = user;
    shepard_text_append(catcher->text, sizeof catcher->text, "%s%s", catcher->text[0] ? "; " : "",
                        message);
}

static char **option_names(GDALDriverH driver)
{
    const char *xml = GDALGetMetadataItem(driver, GDAL_DMD_CREATIONOPTIONLIST, NULL);
    CPLXMLNode *tree = xml ? CPLParseXMLString(xml) : NULL;
    char **names = NULL;
    for (CPLXMLNode *node = tree ? tree->psChild : NULL; node; node = node->psNext) {
        const char *name = CPLGetXMLValue(node, "name", NULL);
        if (node->eType == CXT_Element && name)
            names = CSLAddString(names, name);
    }
    CPLDestroyXMLNode(tree);
    return names;
}

/* "; did you mean ...?" for the first option whose name the driver does not have. */
static void append_guess(GDALDriverH driver, const char *const *options, char *text, size_t size)
{
    char **names = option_names(driver);
    for (; options && *options && !text[0]; options++) {
        char *key = NULL;
        CPLParseNameValue(*options, &key);
        if (key && CSLFindString(names, key) < 0) {
            const char *nearest =
                shepard_nearest_name(key, (const char *const *)names, (size_t)CSLCount(names));
            if (nearest)
                shepard_text_append(text, size, "; did you mean \"%s\"?", nearest);
        }
        CPLFree(key);
    }
    CSLDestroy(names);
}

enum shepard_io_status shepard_check_creation_options(GDALDriverH driver,
                                                      const char *const *options,
                                                      struct shepard_io_error *error)
{
    for (const char *const *option = options; option && *option; option++)
        if (!strchr(*option, '='))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "creation_options",
                                   "the creation option \"%.100s\" is not of the form NAME=VALUE",
                                   *option);
    struct catcher catcher = {""};
    const struct shepard_io_control control = {.warning = catch_warning, .user = &catcher};
    struct shepard_gdal_error_scope trap;
    shepard_gdal_error_scope_begin(&trap, &control);
    const bool valid = GDALValidateCreationOptions(driver, shepard_list(options));
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_OK);
    if (valid)
        return SHEPARD_IO_OK;
    char guess[120] = "";
    append_guess(driver, options, guess, sizeof guess);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_FORMAT, "creation_options",
                           "a creation option is invalid (GDAL: %s)%s; shepard --format %s lists "
                           "the options",
                           catcher.text, guess, GDALGetDriverShortName(driver));
}
