/* SPDX-License-Identifier: MIT */
/* What errors of the sums do to a plane: no more than Eq. 36d of docs/math.md allows, however the
 * errors add up. */
#include "suite.h"

#include "core/plane_single.h"

#include <math.h>

#define PARTS 12
#define NODE_POINTS 4
#define TRIALS 4000

/* Sums of w times 1, x, y, xx, xy, yy, and of w z times 1, x, y. */
#define SUMS 9

/* Points that are summed together: one by one, about the target; or as a node, about its centre and
 * in units of its radius. */
struct part {
    bool node;
    double x, y, radius; /* of a node */
    double sums[SUMS], moved[SUMS];
    double size[SUMS]; /* what an error of a sum counts relative to */
};

struct scene {
    int n;
    struct part parts[PARTS];
    double ridge_h2, damping;
    double points, nodes; /* errors */
};

static void add_point(struct part *part, double w, double x, double y, double z)
{
    const double terms[SUMS] = {1, x, y, x * x, x * y, y * y, z, x * z, y * z};
    for (int k = 0; k < SUMS; k++) {
        part->sums[k] += w * terms[k];
        part->size[k] += part->node ? w : fabs(w * terms[k]);
    }
}

/* From sums about a part's centre to those about the target. */
static void move(const struct part *part, const double *s, double *moved)
{
    const double x = part->x, y = part->y, r = part->radius;
    moved[0] = s[0];
    moved[1] = x * s[0] + r * s[1];
    moved[2] = y * s[0] + r * s[2];
    moved[3] = x * x * s[0] + 2 * x * r * s[1] + r * r * s[3];
    moved[4] = x * y * s[0] + x * r * s[2] + y * r * s[1] + r * r * s[4];
    moved[5] = y * y * s[0] + 2 * y * r * s[2] + r * r * s[5];
    moved[6] = s[6];
    moved[7] = x * s[6] + r * s[7];
    moved[8] = y * s[6] + r * s[8];
}

/* A node holds its points within its radius, and one of them may have nearly all of the weight. */
static void draw_part(struct part *part, double away, double flat, unsigned long *seed)
{
    const int points = 1 + (int)pick(seed, NODE_POINTS);
    const double x = away + chance(seed) - 0.5, y = flat * (chance(seed) - 0.5);
    const double w = scaled_chance(seed, -8, 8);
    *part = (struct part){.node = chance(seed) < 0.6, .radius = 1};
    if (part->node) {
        part->x = x;
        part->y = y;
        part->radius = (0.05 + 0.5 * chance(seed)) * hypot(x, y);
    }
    for (int i = 0; i < points; i++) {
        const double r = chance(seed), angle = 7 * chance(seed);
        const double z = chance(seed) < 0.6 ? 2. * (double)pick(seed, 2) - 1 : 2 * chance(seed) - 1;
        const double own = w * scaled_chance(seed, -10, 0);
        if (part->node)
            add_point(part, own, r * cos(angle), r * sin(angle), z);
        else
            add_point(part, own, x + 0.1 * r * cos(angle), y + flat * r * sin(angle), z);
    }
    move(part, part->sums, part->moved);
}

static struct scene draw_scene(unsigned long *seed)
{
    static const double dampings[] = {0, 0.2, 1, 30};
    struct scene scene = {.n = 2 + (int)pick(seed, PARTS - 1)};
    const double away = chance(seed) < 0.5 ? 0 : scaled_chance(seed, -3, 1);
    const double flat = chance(seed) < 0.3 ? scaled_chance(seed, -3, 0) : 1;
    scene.ridge_h2 = chance(seed) < 0.4 ? 0 : scaled_chance(seed, -20, -4);
    scene.damping = dampings[pick(seed, 4)];
    scene.points = chance(seed) < 0.3 ? 0 : 1e-5;
    scene.nodes = scene.points > 0 && chance(seed) < 0.3 ? 0 : 1e-5;
    for (int i = 0; i < scene.n; i++)
        draw_part(&scene.parts[i], away, flat, seed);
    return scene;
}

struct outcome {
    bool good;
    double value, bound; /* half value ranges; of the error, value ranges */
};

/* The prediction from sums that may be wrong, and what it takes its error to be at most. */
static struct outcome predict(const struct scene *scene)
{
    const struct shepard_plane_single single = {
        .used = true, .points = scene->points, .nodes = scene->nodes};
    struct shepard_plane_shares shares = {0};
    double s[SUMS] = {0};
    for (int i = 0; i < scene->n; i++) {
        const struct part *part = &scene->parts[i];
        for (int k = 0; k < SUMS; k++)
            s[k] += part->moved[k];
        shares.points += part->node ? 0 : part->moved[0];
        shares.points_moment += part->node ? 0 : part->moved[3] + part->moved[5];
        shares.nodes_radius2 += part->node ? part->radius * part->radius * part->moved[0] : 0;
    }
    shares.points /= s[0];
    shares.points_moment /= s[0];
    shares.nodes_radius2 /= s[0];
    for (int k = 1; k < SUMS; k++)
        s[k] /= s[0];
    const struct shepard_spread spread = {s[1], s[2], s[3] - s[1] * s[1], s[4] - s[1] * s[2],
                                          s[5] - s[2] * s[2]};
    struct shepard_slopes slopes = shepard_fit_slopes(&spread, scene->ridge_h2);
    shepard_fit_damp(&spread, scene->damping, &slopes);
    return (struct outcome){
        shepard_fit_direct(&spread, scene->ridge_h2, scene->damping).good,
        s[6] + shepard_fit_rise(&spread, &slopes, s[7] - s[6] * s[1], s[8] - s[6] * s[2]),
        shepard_plane_single_error(&single, &shares, &spread, &slopes, scene->damping)};
}

/* Makes each sum wrong by as much as it may be, in the direction that raises the prediction. */
static void raise_prediction(struct scene *scene)
{
    double off[PARTS][SUMS], sums[SUMS];
    const double value = predict(scene).value;
    for (int i = 0; i < scene->n; i++) {
        struct part *part = &scene->parts[i];
        const double error = part->node ? scene->nodes : scene->points;
        for (int k = 0; k < SUMS; k++) {
            for (int j = 0; j < SUMS; j++)
                sums[j] = part->sums[j] + (j == k ? error * part->size[k] : 0);
            move(part, sums, part->moved);
            off[i][k] = predict(scene).value > value ? error : -error;
        }
        move(part, part->sums, part->moved);
    }
    for (int i = 0; i < scene->n; i++) {
        struct part *part = &scene->parts[i];
        for (int k = 0; k < SUMS; k++)
            sums[k] = part->sums[k] + off[i][k] * part->size[k];
        move(part, sums, part->moved);
    }
}

void check_plane_single(struct tally *tally, unsigned long seed)
{
    double worst = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct scene scene = draw_scene(&seed);
        const double value = predict(&scene).value;
        raise_prediction(&scene);
        const struct outcome off = predict(&scene);
        if (!off.good)
            continue;
        const double error = fabs(off.value - value) / 2, part = (error - 1e-13) / off.bound;
        worst = fmax(worst, part);
        tally_check(tally, part <= 1,
                    "plane of %d parts, damping %g: sums that are off by %g and %g give %g, %g of "
                    "the bound",
                    scene.n, scene.damping, scene.points, scene.nodes, error, part);
    }
    printf("planes from inexact sums: at most %.2g of their bound\n", worst);
    tally_check(tally, worst > 0.3, "planes reach %g of their bound at most", worst);
}
