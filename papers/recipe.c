/* SPDX-License-Identifier: MIT */
#include "recipe.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>

/* Streams of random numbers: places of the data, places of the targets, then one for each column.
 */
enum { STREAM_POINTS, STREAM_TARGETS, STREAM_VALUES };

/* Streams of one seed start far from one another: their starts are hashed twice. */
static struct shepard_random open_stream(uint64_t seed, size_t stream)
{
    struct shepard_random random = {seed};
    random.state = shepard_random_bits(&random) + stream;
    random.state = shepard_random_bits(&random);
    return random;
}

/* On a grid of 2^23 steps a side: float32 holds the places exactly, as it did in the papers, and
 * engines of both precisions work on the same data. */
static double draw_place(struct shepard_random *random)
{
    const double steps = 0x1p23;
    return SHEPARD_RECIPE_SIDE / steps * floor(steps * shepard_random_uniform(random));
}

static void draw_places(struct shepard_random random, size_t count, double *x, double *y)
{
    for (size_t i = 0; i < count; i++) {
        x[i] = draw_place(&random);
        y[i] = draw_place(&random);
    }
}

static void draw_values(const struct shepard_recipe *recipe, size_t column,
                        struct shepard_random random)
{
    const double fx = 6.0 + (double)column;
    for (size_t i = 0; i < recipe->n; i++) {
        const double u = recipe->x[i] / SHEPARD_RECIPE_SIDE;
        const double v = recipe->y[i] / SHEPARD_RECIPE_SIDE;
        recipe->values[column][i] =
            50.0 * sin(fx * u) * cos(5.0 * v) + 5.0 * shepard_random_normal(&random);
    }
}

static bool allocate(struct shepard_recipe *recipe)
{
    recipe->x = malloc(recipe->n * sizeof *recipe->x);
    recipe->y = malloc(recipe->n * sizeof *recipe->y);
    recipe->target_x = malloc(recipe->m * sizeof *recipe->target_x);
    recipe->target_y = malloc(recipe->m * sizeof *recipe->target_y);
    bool good = recipe->x && recipe->y && recipe->target_x && recipe->target_y;
    for (size_t c = 0; c < recipe->columns; c++) {
        recipe->values[c] = malloc(recipe->n * sizeof *recipe->values[c]);
        good = good && recipe->values[c];
    }
    return good;
}

bool shepard_recipe_draw(struct shepard_recipe *recipe, uint64_t seed)
{
    if (!allocate(recipe))
        return false;
    draw_places(open_stream(seed, STREAM_POINTS), recipe->n, recipe->x, recipe->y);
    draw_places(open_stream(seed, STREAM_TARGETS), recipe->m, recipe->target_x, recipe->target_y);
    for (size_t c = 0; c < recipe->columns; c++)
        draw_values(recipe, c, open_stream(seed, STREAM_VALUES + c));
    return true;
}

void shepard_recipe_free(struct shepard_recipe *recipe)
{
    for (size_t c = 0; c < recipe->columns; c++)
        free(recipe->values[c]);
    free(recipe->target_y);
    free(recipe->target_x);
    free(recipe->y);
    free(recipe->x);
    *recipe = (struct shepard_recipe){0};
}

double shepard_recipe_range(const struct shepard_recipe *recipe, size_t column, size_t n)
{
    const double *const z = recipe->values[column];
    double low = z[0], high = z[0];
    for (size_t i = 1; i < n; i++) {
        low = fmin(low, z[i]);
        high = fmax(high, z[i]);
    }
    return high - low;
}

struct shepard_data shepard_recipe_data(const struct shepard_recipe *recipe, size_t n)
{
    return (struct shepard_data){.count = n,
                                 .x = recipe->x,
                                 .y = recipe->y,
                                 .columns = recipe->columns,
                                 .values = (const double *const *)recipe->values};
}

struct shepard_targets shepard_recipe_targets(const struct shepard_recipe *recipe, size_t m)
{
    return (struct shepard_targets){.count = m, .x = recipe->target_x, .y = recipe->target_y};
}
