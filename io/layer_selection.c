/* SPDX-License-Identifier: MIT */
#include "layer_selection.h"

#include "layer_field.h"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <string.h>

static const char **layer_names(GDALDatasetH dataset, size_t *count)
{
    *count = (size_t)GDALDatasetGetLayerCount(dataset);
    const char **names = CPLCalloc(*count + 1, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = OGR_L_GetName(GDALDatasetGetLayer(dataset, (int)i));
    return names;
}

static enum shepard_io_status fail_layer(GDALDatasetH dataset, const char *path, const char *layer,
                                         struct shepard_io_error *error)
{
    char list[700] = "";
    size_t count;
    const char **names = layer_names(dataset, &count);
    shepard_text_append_names(list, sizeof list, names, count, SHEPARD_NAMES_SHOWN);
    const char *nearest = layer ? shepard_nearest_name(layer, names, count) : NULL;
    CPLFree(names);
    if (!layer)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_LAYER, "layer",
                               "\"%.200s\" has %zu layers: choose with -l NAME or -sql; layers: %s",
                               path, count, list);
    if (nearest)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_LAYER, "layer",
                               "no layer \"%.100s\" in \"%.200s\"; did you mean \"%.100s\"? "
                               "Layers: %s",
                               layer, path, nearest, list);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_LAYER, "layer",
                           "no layer \"%.100s\" in \"%.200s\"; layers: %s", layer, path, list);
}

/* A database that is open for reading still lets VACUUM INTO or ATTACH write a file. */
static bool is_query(const char *sql)
{
    static const char *const verbs[] = {"SELECT", "WITH", "VALUES"};
    for (;;) {
        sql += strspn(sql, " \t\r\n(");
        if (strncmp(sql, "--", 2) == 0)
            sql += strcspn(sql, "\n");
        else if (strncmp(sql, "/*", 2) == 0 && strstr(sql, "*/"))
            sql = strstr(sql, "*/") + 2;
        else
            break;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (EQUALN(sql, verbs[i], strlen(verbs[i])))
            return true;
    return false;
}

static enum shepard_io_status pick_any(struct shepard_layer_selection *pick, const char *path,
                                       const struct shepard_layer_choice *choice,
                                       struct shepard_gdal_error_scope *trap,
                                       struct shepard_io_error *error)
{
    if (choice->sql) {
        if (!is_query(choice->sql))
            return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sql",
                                   "the SQL statement \"%.200s\" must only read: give one that "
                                   "begins with SELECT, WITH or VALUES",
                                   choice->sql);
        pick->layer = GDALDatasetExecuteSQL(pick->dataset, choice->sql, NULL, NULL);
        pick->from_sql = true;
        if (pick->layer)
            return SHEPARD_IO_OK;
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sql",
                               "the SQL statement \"%.200s\" gives no layer%s", choice->sql,
                               shepard_gdal_error_scope_text(trap));
    }
    if (choice->layer)
        pick->layer = GDALDatasetGetLayerByName(pick->dataset, choice->layer);
    else if (choice->first || GDALDatasetGetLayerCount(pick->dataset) == 1)
        pick->layer = GDALDatasetGetLayer(pick->dataset, 0);
    return pick->layer ? SHEPARD_IO_OK : fail_layer(pick->dataset, path, choice->layer, error);
}

/* SQL databases look at a condition only when they read, and GDAL may do that in a thread of its
   own whose messages nobody catches: reading one feature here brings them out. */
static bool takes_condition(const struct shepard_layer_selection *pick, const char *where,
                            const struct shepard_gdal_error_scope *trap)
{
    if (OGR_L_SetAttributeFilter(pick->layer, where) != OGRERR_NONE)
        return false;
    const char *format = GDALGetDriverShortName(GDALGetDatasetDriver(pick->dataset));
    if (EQUAL(format, "GPKG") || EQUAL(format, "SQLite")) {
        OGR_F_Destroy(OGR_L_GetNextFeature(pick->layer));
        OGR_L_ResetReading(pick->layer);
    }
    return !trap->text[0];
}

enum shepard_io_status shepard_layer_selection_find(struct shepard_layer_selection *pick,
                                                    GDALDatasetH dataset, const char *path,
                                                    const struct shepard_layer_choice *choice,
                                                    struct shepard_gdal_error_scope *trap,
                                                    struct shepard_io_error *error)
{
    pick->dataset = dataset;
    if (choice->layer && choice->sql)
        return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "sql",
                               "give either a layer (-l) or an SQL statement (-sql), not both");
    const enum shepard_io_status status = pick_any(pick, path, choice, trap, error);
    if (status || !choice->where || takes_condition(pick, choice->where, trap))
        return status;
    char fields[500] = "";
    shepard_append_fields(pick->layer, fields, sizeof fields);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "where",
                           "the condition \"%.200s\" cannot be used%s; %s", choice->where,
                           shepard_gdal_error_scope_text(trap), fields);
}

void shepard_layer_selection_release(struct shepard_layer_selection *pick)
{
    if (pick->layer && pick->from_sql) {
        GDALDatasetReleaseResultSet(pick->dataset, pick->layer);
    } else if (pick->layer) {
        OGR_L_SetIgnoredFields(pick->layer, NULL);
        OGR_L_SetAttributeFilter(pick->layer, NULL);
        OGR_L_SetSpatialFilter(pick->layer, NULL);
        OGR_L_ResetReading(pick->layer);
    }
    *pick = (struct shepard_layer_selection){0};
}
