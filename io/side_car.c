/* SPDX-License-Identifier: MIT */
#include "side_car.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <string.h>

/* A list of GDAL's has a name; NULL has none. */
static bool has(char **names, const char *name)
{
    return CSLFindStringCaseSensitive(names, name) >= 0;
}

/* Whether a file of the old output, with its stem but another extension, is its side-car file.
 * Not a dataset itself: the files of a VRT include its sources. */
static bool is_side_car(const char *target, const char *stem, const char *file)
{
    return strncmp(file, stem, strlen(stem)) == 0 && strcmp(file, target) != 0 &&
           GDALIdentifyDriver(file, NULL) == NULL;
}

/* Whether another dataset has files with the target's stem, such as roads.shp next to roads.asc:
 * side-car files may belong to it. */
static bool shares_stem(const char *target, const char *stem, char **files, char **names)
{
    char *folder = CPLStrdup(CPLGetPath(target));
    const char *name = CPLGetFilename(stem);
    char **all = VSIReadDir(folder[0] ? folder : ".");
    bool shares = false;
    for (int i = 0; all && all[i]; i++) {
        char *own = CPLStrdup(CPLFormFilename(folder, all[i], NULL));
        shares = shares || (strncmp(all[i], name, strlen(name)) == 0 && !has(files, own) &&
                            strcmp(own, target) != 0 && !has(names, all[i]));
        CPLFree(own);
    }
    CSLDestroy(all);
    CPLFree(folder);
    return shares;
}

char **shepard_side_cars(const char *target, char **names)
{
    static const char *const own[] = {".aux.xml", ".ovr", ".msk"};
    VSIStatBufL stat;
    if (VSIStatL(target, &stat) != 0)
        return NULL;
    GDALDatasetH old = GDALOpenEx(target, GDAL_OF_RASTER | GDAL_OF_VECTOR, NULL, NULL, NULL);
    char **files = old ? GDALGetFileList(old) : NULL, **stale = NULL;
    GDALClose(old);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        stale = CSLAddString(stale, CPLSPrintf("%s%s", target, own[i]));
    char *stem = CPLStrdup(CPLResetExtension(target, ""));
    const bool shares = files && shares_stem(target, stem, files, names);
    for (int i = 0; !shares && files && files[i]; i++)
        if (is_side_car(target, stem, files[i]) && !has(stale, files[i]))
            stale = CSLAddString(stale, files[i]);
    for (int i = CSLCount(stale) - 1; i >= 0; i--)
        if (has(names, CPLGetFilename(stale[i])))
            stale = CSLRemoveStrings(stale, i, 1, NULL);
    CPLFree(stem);
    CSLDestroy(files);
    return stale;
}
