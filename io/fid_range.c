/* SPDX-License-Identifier: MIT */
#include "fid_range.h"

#include "share_first.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <inttypes.h>

/* First and last row number of a table. */
struct ends {
    int64_t first, last;
};

static bool is_database(GDALDatasetH dataset)
{
    const char *format = GDALGetDriverShortName(GDALGetDatasetDriver(dataset));
    return EQUAL(format, "GPKG") || EQUAL(format, "SQLite");
}

/* Of a table whose only key is its row number; views, and tables without such a key, give no row.
 * MIN and MAX in a query each, or SQLite reads all rows. */
static char *ends_query(const char *table, const char *fid)
{
    char *text = CPLEscapeString(table, -1, CPLES_SQL);
    char *name = CPLEscapeString(table, -1, CPLES_SQLI);
    char *key = CPLEscapeString(fid, -1, CPLES_SQLI);
    char *query = CPLStrdup(CPLSPrintf(
        "SELECT (SELECT MIN(\"%s\") FROM \"%s\"), (SELECT MAX(\"%s\") FROM \"%s\") "
        "FROM sqlite_master WHERE type = 'table' AND name = '%s' AND "
        "sql NOT LIKE 'CREATE VIRTUAL%%' AND "
        "(SELECT group_concat(upper(type)) FROM pragma_table_info('%s') WHERE pk > 0) = 'INTEGER'",
        key, name, key, name, text, text));
    CPLFree(key);
    CPLFree(name);
    CPLFree(text);
    return query;
}

static bool find_ends(const struct shepard_layer_selection *pick, struct ends *ends)
{
    const char *fid = OGR_L_GetFIDColumn(pick->layer);
    if (!fid[0])
        return false;
    char *query = ends_query(OGR_L_GetName(pick->layer), fid);
    OGRLayerH result = GDALDatasetExecuteSQL(pick->dataset, query, NULL, NULL);
    OGRFeatureH row = result ? OGR_L_GetNextFeature(result) : NULL;
    const bool found = row && OGR_F_GetFieldCount(row) == 2 && OGR_F_IsFieldSetAndNotNull(row, 0) &&
                       OGR_F_IsFieldSetAndNotNull(row, 1);
    if (found)
        *ends = (struct ends){OGR_F_GetFieldAsInteger64(row, 0), OGR_F_GetFieldAsInteger64(row, 1)};
    OGR_F_Destroy(row);
    GDALDatasetReleaseResultSet(pick->dataset, result);
    CPLFree(query);
    return found;
}

/* A share of the numbers is at most twice an even share of the rows where half of them are rows. */
static bool is_dense(const struct ends *ends, GIntBig rows)
{
    return rows > 0 && (double)ends->last - (double)ends->first < 2.0 * (double)rows;
}

/* The first number of a share. */
static int64_t cut(const struct ends *ends, const struct shepard_share *share, size_t number)
{
    const uint64_t numbers = (uint64_t)(ends->last - ends->first) + 1;
    return ends->first + (int64_t)shepard_share_first(numbers, number, share->count);
}

/* The first and the last share are open, so that each row is in one. */
static char *condition(const struct ends *ends, const struct shepard_share *share, const char *fid)
{
    char *key = CPLEscapeString(fid, -1, CPLES_SQLI);
    const int64_t from = cut(ends, share, share->number);
    const int64_t end = cut(ends, share, share->number + 1);
    const char *text =
        CPLSPrintf("\"%s\" >= %" PRId64 " AND \"%s\" < %" PRId64, key, from, key, end);
    if (share->number == 0)
        text = CPLSPrintf("\"%s\" < %" PRId64, key, end);
    else if (share->number + 1 == share->count)
        text = CPLSPrintf("\"%s\" >= %" PRId64, key, from);
    CPLFree(key);
    return CPLStrdup(text);
}

bool shepard_fid_range_set(const struct shepard_layer_selection *pick,
                           const struct shepard_share *share, uint64_t *rows)
{
    struct ends ends;
    if (!is_database(pick->dataset) || !find_ends(pick, &ends))
        return false;
    const GIntBig count = OGR_L_GetFeatureCount(pick->layer, TRUE);
    if (!is_dense(&ends, count))
        return false;
    char *range = condition(&ends, share, OGR_L_GetFIDColumn(pick->layer));
    const bool set = OGR_L_SetAttributeFilter(pick->layer, range) == OGRERR_NONE;
    CPLFree(range);
    *rows = (uint64_t)count;
    return set;
}
