/* SPDX-License-Identifier: MIT */
#include "model.h"

#include "check.h"
#include "scene.h"

#include <stdlib.h>
#include <string.h>

void model_options_init(struct model_options *options)
{
    shepard_points_options_init(&options->points);
    shepard_parameters_init(&options->parameters);
}

enum shepard_status model_create(const struct shepard_coordinates *coordinates,
                                 const struct shepard_values *values,
                                 const struct model_options *options, struct model **model,
                                 struct shepard_error *error)
{
    struct model made = {.parameters = options->parameters};
    enum shepard_status status =
        shepard_points_create(coordinates, &options->points, &made.points, error);
    if (status == SHEPARD_OK)
        status = shepard_field_create(made.points, values, &made.field, error);
    if (status != SHEPARD_OK) {
        shepard_points_free(made.points);
        return status;
    }
    *model = scene_memory(1, sizeof **model);
    **model = made;
    return SHEPARD_OK;
}

void model_free(struct model *model)
{
    if (model == NULL)
        return;
    shepard_field_free(model->field);
    shepard_points_free(model->points);
    free(model);
}

enum shepard_status model_prepare(const struct model *model, const struct shepard_output *output,
                                  struct shepard_error *error)
{
    return shepard_prepare(model->field, &model->parameters, output, NULL, error);
}

enum shepard_status model_predict(const struct model *model, const struct shepard_targets *targets,
                                  const struct shepard_output *output,
                                  const struct shepard_control *control,
                                  struct shepard_error *error)
{
    return shepard_predict(model->field, &model->parameters, targets, output, control, error);
}

static void fail_on_notice(const char *text, void *user)
{
    (void)user;
    check(false, "a notice: %s", text);
}

static size_t limit(size_t option)
{
    return option == 0 ? SIZE_MAX : option;
}

struct shepard_control model_control(const struct shepard_parameters *parameters,
                                     const struct shepard_targets *targets)
{
    const struct shepard_neighbourhood *hood = &parameters->neighbourhood;
    const size_t most = limit(hood->max_points), of_sector = limit(hood->max_points_per_sector);
    const size_t each = of_sector < most ? of_sector : most, sectors = (size_t)hood->sectors;
    const bool krige = parameters->method == SHEPARD_METHOD_KRIGE;
    const bool within = !krige && hood->radius1 > 0 && each == SIZE_MAX;
    const bool on_gpu = (within || each <= (krige ? 64 : 256)) &&
                        !(krige && most > 64 && each * sectors > 64) && targets->star_radii == NULL;
    return (struct shepard_control){.size = sizeof(struct shepard_control),
                                    .notice = on_gpu ? fail_on_notice : NULL};
}

enum shepard_status model_nearest(const struct model *model, const struct shepard_targets *targets,
                                  size_t k, uint32_t *indices, double *distances,
                                  const struct shepard_control *control,
                                  struct shepard_error *error)
{
    const struct shepard_nearest_output output = {
        .size = sizeof output, .indices = indices, .distances = shepard_output_doubles(distances)};
    return shepard_nearest(model->points, targets, k, &output, control, error);
}

enum shepard_status model_try(const struct shepard_coordinates *coordinates,
                              const struct shepard_values *values,
                              const struct model_options *options, struct shepard_error *error)
{
    struct model *model = NULL;
    enum shepard_status status = model_create(coordinates, values, options, &model, error);
    if (status == SHEPARD_OK)
        status = model_prepare(model, NULL, error);
    model_free(model);
    return status;
}

bool model_is_on(const struct model *model, enum shepard_backend backend)
{
    const char *name = model_points_info(model).backend;
    struct shepard_backend_info info;
    for (size_t i = 0; shepard_backend_get_info(i, &info); i++)
        if (info.backend == backend)
            return strcmp(info.name, name) == 0;
    return backend == SHEPARD_BACKEND_AUTO;
}

struct shepard_points_info model_points_info(const struct model *model)
{
    struct shepard_points_info info = {.size = sizeof info};
    shepard_points_get_info(model->points, &info);
    return info;
}

struct shepard_field_info model_field_info(const struct model *model)
{
    struct shepard_field_info info = {.size = sizeof info};
    shepard_field_get_info(model->field, &info);
    return info;
}
