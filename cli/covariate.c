/* SPDX-License-Identifier: MIT */
#include "covariate.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Names ----------------------------------------------------------------------------------- */

static bool add_item(struct shepard_covariate_list *list, const char *name,
                     struct shepard_sampled_raster *raster)
{
    struct shepard_covariate *const items = realloc(list->items, (list->count + 1) * sizeof *items);
    char *copy = NULL;
    list->items = items ? items : list->items;
    if (!items || !shepard_append_format(&copy, "%s", name)) {
        shepard_sampled_raster_close(raster);
        return shepard_say_error("out of memory");
    }
    items[list->count++] = (struct shepard_covariate){copy, raster};
    return true;
}

static bool open_raster(struct shepard_covariate_list *list, const char *name,
                        struct shepard_job *job)
{
    struct shepard_sampled_raster *raster = NULL;
    struct shepard_io_error error;
    const struct shepard_io_control control = shepard_job_io_control(job);
    shepard_input_files_add_dataset(job->inputs, name);
    if (shepard_sampled_raster_open(name, &raster, &control, &error)) {
        return shepard_say_error("-trend: %s", error.message);
    }
    return add_item(list, name, raster);
}

bool shepard_covariates_open(struct shepard_covariate_list *list, struct shepard_job *job)
{
    const struct shepard_text_list *const names = &job->options->trend;
    char methods[SHEPARD_METHOD_NAMES_SIZE];
    if (names->count > 0 && shepard_algorithm_by_gdal(&job->algorithm)) {
        return shepard_say_error("-trend: %s is computed by GDAL, which takes none; use %s",
                                 shepard_algorithm_name(&job->algorithm),
                                 shepard_algorithm_own_methods(methods));
    }
    for (size_t i = 0; i < names->count; i++) {
        const char *const name = names->items[i];
        if (!(shepard_io_names_raster(name)
                  ? open_raster(list, name, job)
                  : shepard_text_list_add(&list->fields, name, strlen(name)))) {
            return false;
        }
    }
    return true;
}

/* ---- Values at the points -------------------------------------------------------------------- */

/* Puts the fields of a layer in front of the rasters. */
static bool name_fields(struct shepard_covariate_list *list, const struct shepard_point_set *fields)
{
    const size_t rasters = list->count;
    for (size_t f = 0; f < fields->columns; f++) {
        if (!add_item(list, fields->column[f].name, NULL)) {
            return false;
        }
    }
    struct shepard_covariate *const items = list->items;
    for (size_t moved = 0; moved < rasters; moved++) {
        const struct shepard_covariate first = items[0];
        memmove(items, items + 1, (list->count - 1) * sizeof *items);
        items[list->count - 1] = first;
    }
    list->field_count = fields->columns;
    return true;
}

static bool read_fields(struct shepard_covariate_list *list, const struct shepard_input *input,
                        size_t layer, struct shepard_job *job)
{
    struct shepard_point_set *const fields = &list->layers[layer].fields;
    if (list->fields.count == 0) {
        return true;
    }
    if (!shepard_input_read_fields(input, layer, &list->fields, fields, job)) {
        return false;
    }
    if (layer > 0 && fields->columns != list->field_count) {
        return shepard_say_error("-trend: layer %s has %zu of the fields, layer %s has %zu",
                                 input->layers[layer].layer, fields->columns,
                                 input->layers[0].layer, list->field_count);
    }
    return layer > 0 || name_fields(list, fields);
}

static bool sample_rasters(const struct shepard_covariate_list *list,
                           const struct shepard_targets *places, double *const *room,
                           struct shepard_job *job)
{
    const struct shepard_io_control control = shepard_job_io_control(job);
    for (size_t j = list->field_count; j < list->count; j++) {
        struct shepard_io_error error;
        if (shepard_sampled_raster_read(list->items[j].raster, places->count, places->x.data,
                                        places->y.data, room[j - list->field_count], &control,
                                        &error)) {
            return shepard_say_error("-trend: %s", error.message);
        }
    }
    return true;
}

bool shepard_covariates_at(const struct shepard_covariate_list *list,
                           const struct shepard_targets *places,
                           const struct shepard_column *fields, double *const *room,
                           const double **at, struct shepard_job *job)
{
    for (size_t j = 0; j < list->count; j++) {
        at[j] = j < list->field_count ? fields[j].values : room[j - list->field_count];
    }
    return sample_rasters(list, places, room, job);
}

static bool sample_points(struct shepard_covariate_list *list,
                          const struct shepard_point_set *points,
                          struct shepard_covariate_layer *layer, struct shepard_job *job)
{
    const struct shepard_targets places =
        shepard_input_targets(points->count, points->x, points->y, NULL);
    layer->values = calloc(list->count, sizeof *layer->values);
    bool good = layer->values != NULL;
    for (size_t j = 0; j < list->count && good; j++) {
        layer->values[j] = j < list->field_count ? layer->fields.column[j].values
                                                 : malloc(points->count * sizeof(double));
        good = layer->values[j] != NULL;
    }
    return good ? sample_rasters(list, &places, layer->values + list->field_count, job)
                : shepard_say_error("out of memory");
}

bool shepard_covariates_lack(const struct shepard_covariate_list *list, const double *const *at,
                             size_t i)
{
    size_t j = 0;
    while (j < list->count && isfinite(at[j][i])) {
        j++;
    }
    return j < list->count;
}

/* ", elev.tif 3, dist 1": how many points lack which. */
static char *lacking_text(const struct shepard_covariate_list *list,
                          const struct shepard_covariate_layer *layer, size_t points)
{
    char *text = NULL;
    for (size_t j = 0; j < list->count; j++) {
        size_t lacking = 0;
        for (size_t i = 0; i < points; i++) {
            lacking += !isfinite(layer->values[j][i]);
        }
        if (lacking > 0) {
            shepard_append_format(&text, "%s%s %zu", text ? ", " : "", list->items[j].name,
                                  lacking);
        }
    }
    return text;
}

static bool leave_out(const struct shepard_covariate_list *list,
                      const struct shepard_point_set *points, struct shepard_covariate_layer *layer,
                      struct shepard_job *job)
{
    bool good = true;
    for (size_t i = 0; i < points->count; i++) {
        if (!shepard_covariates_lack(list, (const double *const *)layer->values, i)) {
            continue;
        }
        layer->lacking++;
        for (size_t c = 0; c < points->columns; c++) {
            points->values[c][i] = NAN;
        }
    }
    char *const text = layer->lacking > 0 ? lacking_text(list, layer, points->count) : NULL;
    if (layer->lacking == points->count) {
        good = shepard_say_error("-trend: no point of layer %s has a value of every covariate "
                                 "(without one: %s); do the covariates lie where the points are?",
                                 points->layer, text ? text : "all");
    } else if (layer->lacking > 0) {
        shepard_progress_note(&job->watch,
                              "layer %s: %zu of %zu points lack a covariate and are left out "
                              "(without one: %s)",
                              points->layer, layer->lacking, points->count, text ? text : "some");
    }
    free(text);
    return good;
}

/* What the library's calls read. */
static bool describe(const struct shepard_covariate_list *list,
                     struct shepard_covariate_layer *layer)
{
    layer->columns = calloc(list->count, sizeof *layer->columns);
    layer->names = calloc(list->count, sizeof *layer->names);
    if (!layer->columns || !layer->names) {
        return shepard_say_error("out of memory");
    }
    for (size_t j = 0; j < list->count; j++) {
        layer->columns[j] = shepard_doubles(layer->values[j]);
        layer->names[j] = list->items[j].name;
    }
    layer->covariates = (struct shepard_covariates){.size = sizeof layer->covariates,
                                                    .count = list->count,
                                                    .columns = layer->columns,
                                                    .names = layer->names};
    return true;
}

const struct shepard_covariates *
shepard_covariates_of_layer(const struct shepard_covariate_list *list, size_t layer)
{
    return list->count > 0 ? &list->layers[layer].covariates : NULL;
}

bool shepard_covariates_are_wrong(const struct shepard_error *error)
{
    static const char own[] = "covariates";
    return strncmp(error->argument, own, strlen(own)) == 0;
}

static bool set_srs(const struct shepard_covariate_list *list, const char *srs,
                    struct shepard_job *job)
{
    const struct shepard_io_control control = shepard_job_io_control(job);
    for (size_t j = 0; j < list->count; j++) {
        struct shepard_io_error error;
        if (shepard_sampled_raster_set_srs(list->items[j].raster, srs, &control, &error)) {
            return shepard_say_error("-trend: %s", error.message);
        }
    }
    return true;
}

bool shepard_covariates_read(struct shepard_covariate_list *list, const struct shepard_input *input,
                             const char *srs, struct shepard_job *job)
{
    if (job->options->trend.count == 0) {
        return true;
    }
    list->layers = calloc(input->count, sizeof *list->layers);
    if (!list->layers) {
        return shepard_say_error("out of memory");
    }
    list->layer_count = input->count;
    bool good = set_srs(list, srs, job);
    for (size_t i = 0; i < input->count && good; i++) {
        struct shepard_covariate_layer *const layer = &list->layers[i];
        good = read_fields(list, input, i, job) &&
               sample_points(list, &input->layers[i], layer, job) &&
               leave_out(list, &input->layers[i], layer, job) && describe(list, layer);
    }
    return good;
}

bool shepard_covariates_read_withheld(struct shepard_covariate_list *list,
                                      struct shepard_withheld_layer *layer, struct shepard_job *job)
{
    struct shepard_covariate_layer *const withheld = &list->withheld;
    if (list->count == 0) {
        return true;
    }
    withheld->fields = layer->fields;
    layer->fields = (struct shepard_point_set){0};
    return (withheld->fields.columns == list->field_count ||
            shepard_say_error("-trend with --truth: layer %s has %zu of the fields, SRC has %zu; "
                              "give the same to both",
                              layer->points.layer, withheld->fields.columns, list->field_count)) &&
           sample_points(list, &layer->points, withheld, job) &&
           leave_out(list, &layer->points, withheld, job);
}

static void free_layer(const struct shepard_covariate_list *list,
                       struct shepard_covariate_layer *layer)
{
    for (size_t j = list->field_count; layer->values && j < list->count; j++) {
        free(layer->values[j]);
    }
    free(layer->values);
    free(layer->columns);
    free(layer->names);
    shepard_point_set_clear(&layer->fields);
}

void shepard_covariates_free(struct shepard_covariate_list *list)
{
    for (size_t i = 0; i < list->layer_count; i++) {
        free_layer(list, &list->layers[i]);
    }
    free_layer(list, &list->withheld);
    for (size_t j = 0; j < list->count; j++) {
        shepard_sampled_raster_close(list->items[j].raster);
        free(list->items[j].name);
    }
    free(list->layers);
    free(list->items);
    shepard_text_list_free(&list->fields);
    *list = (struct shepard_covariate_list){0};
}
