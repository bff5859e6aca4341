/* SPDX-License-Identifier: MIT */
#include "trial_folder.h"

#include "output_driver.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <stdint.h>
#include <time.h>

double shepard_trial_clock(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct shepard_trial_folder shepard_trial_folder_make(GDALDriverH driver, const char *path)
{
    /* An address that nothing else has while the folder is there. */
    char *unique = VSIStrdup("");
    const char *extension = CPLGetExtension(path);
    struct shepard_trial_folder made = {
        .folder = CPLStrdup(CPLSPrintf("/vsimem/shepard-trial-%p", (void *)unique))};
    made.path = CPLStrdup(CPLFormFilename(
        made.folder, "trial", extension[0] ? extension : shepard_driver_extension(driver)));
    VSIFree(unique);
    /* GDAL writes CSV into folders that are there only. */
    VSIMkdir(made.folder, 0700);
    return made;
}

double shepard_trial_folder_bytes(const struct shepard_trial_folder *folder)
{
    char **names = VSIReadDirRecursive(folder->folder);
    double bytes = 0;
    for (int i = 0; names && names[i]; i++) {
        VSIStatBufL info;
        if (VSIStatL(CPLFormFilename(folder->folder, names[i], NULL), &info) == 0 &&
            VSI_ISREG(info.st_mode))
            bytes += (double)info.st_size;
    }
    CSLDestroy(names);
    return bytes;
}

void shepard_trial_folder_free(struct shepard_trial_folder *folder)
{
    VSIRmdirRecursive(folder->folder);
    CPLFree(folder->folder);
    CPLFree(folder->path);
}
