/* SPDX-License-Identifier: MIT */
#include "sparse_view.h"

#include "small_file.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <inttypes.h>
#include <string.h>

/* A part without bytes has no region: GDAL wants a length. */
static char *append_region(char *xml, const struct shepard_view_part *part)
{
    if (part->length == 0)
        return xml;
    char *escaped = CPLEscapeString(part->path, -1, CPLES_XML);
    char *longer = CPLStrdup(CPLSPrintf(
        "%s<SubfileRegion><Filename relative=\"0\">%s</Filename><DestinationOffset>%" PRIu64
        "</DestinationOffset><SourceOffset>%" PRIu64 "</SourceOffset><RegionLength>%" PRIu64
        "</RegionLength></SubfileRegion>",
        xml, escaped, part->to, part->from, part->length));
    CPLFree(escaped);
    CPLFree(xml);
    return longer;
}

char *shepard_sparse_view_make(const char *path, const struct shepard_view_part *parts,
                               size_t count)
{
    const struct shepard_view_part *last = &parts[count - 1];
    char *xml = CPLStrdup(
        CPLSPrintf("<VSISparseFile><Length>%" PRIu64 "</Length>", last->to + last->length));
    for (size_t i = 0; i < count; i++)
        xml = append_region(xml, &parts[i]);
    char *whole = CPLStrdup(CPLSPrintf("%s</VSISparseFile>", xml));
    const bool good = shepard_small_file_write(path, whole, strlen(whole));
    CPLFree(whole);
    CPLFree(xml);
    return good ? CPLStrdup(CPLSPrintf("/vsisparse/%s", path)) : NULL;
}
