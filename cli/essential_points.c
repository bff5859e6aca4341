/* SPDX-License-Identifier: MIT */
#include "essential_points.h"

#include "error_text.h"
#include "message.h"
#include "near_points.h"
#include "spilled_field.h"
#include "together.h"

static bool asks_for_other_sums(const struct shepard_diagnostics *diagnostics)
{
    return shepard_diagnostics_have(diagnostics, SHEPARD_RESULT_DEVIATION) ||
           shepard_diagnostics_have(diagnostics, SHEPARD_RESULT_EFFECTIVE) ||
           shepard_diagnostics_have(diagnostics, SHEPARD_RESULT_SD);
}

bool shepard_essential_suits(const struct shepard_job *job)
{
    const struct shepard_parameters *const parameters = &job->algorithm.parameters;
    const struct shepard_neighbourhood *const hood = &parameters->neighbourhood;
    const bool all = hood->max_points == 0 && hood->max_points_per_sector == 0 &&
                     hood->radius1 == 0 && hood->radius2 == 0;
    const bool sums =
        parameters->method == SHEPARD_METHOD_IDW || parameters->method == SHEPARD_METHOD_AIDW;
    return shepard_near_may_spread(job) && all && sums && parameters->degree == 0 &&
           parameters->eps > 0 && job->algorithm.options.anisotropy_ratio == 1 &&
           !asks_for_other_sums(&job->diagnostics);
}

bool shepard_essential_suits_points(const struct shepard_input *input)
{
    return input->info.points > SHEPARD_BRANCH_POINTS;
}

/* With the places that have no value: layers of points elsewhere have the corners of all. */
static struct shepard_whole whole_of(const struct shepard_input *input)
{
    const struct shepard_bounds *const places = &input->layers[0].extent;
    struct shepard_whole whole = shepard_spilled_whole(&input->info);
    whole.place_x_min = places->x_min;
    whole.place_x_max = places->x_max;
    whole.place_y_min = places->y_min;
    whole.place_y_max = places->y_max;
    return whole;
}

bool shepard_essential_fetch(struct shepard_essential_points *essential,
                             struct shepard_input *input,
                             const struct shepard_column_group *surface,
                             const struct shepard_raster *raster,
                             const struct shepard_rank_region *region, struct shepard_job *job)
{
    const struct shepard_whole whole = whole_of(input);
    struct shepard_points_options points = surface->options;
    struct shepard_error error;
    points.part_of = &whole;
    const struct shepard_essential_options options = {.size = sizeof options,
                                                      .points = &points,
                                                      .parameters = &surface->parameters,
                                                      .raster = *raster,
                                                      .windows = region->windows,
                                                      .window_count = region->count};
    essential->surface = *surface;
    const bool good = shepard_rank_tree_make(&essential->tree, &input->spread, &options, &error) ||
                      error.status == SHEPARD_OK ||
                      shepard_say_library_error(&job->algorithm, error.message);
    essential->surface.field = essential->tree.field;
    shepard_spread_forget(&input->spread);
    return shepard_together(good);
}

void shepard_essential_points_free(struct shepard_essential_points *essential)
{
    shepard_rank_tree_free(&essential->tree);
    *essential = (struct shepard_essential_points){0};
}
