/* SPDX-License-Identifier: MIT */
/* What errors of the weights do to a plane: no more than Eq. 36b of docs/math.md allows. */
#include "suite.h"

#include "core/fit.h"

#include <math.h>
#include <string.h>

#define POINTS 24
#define TRIALS 20000
/* The plane's own rounding, relative to its condition and magnification. */
#define ROUNDING 1e-14

/* Points as seen from the target; values within -1 and 1, both of which they have. */
struct scene {
    int n;
    double x[POINTS], y[POINTS], z[POINTS], w[POINTS];
    double ridge_h2, damping;
};

struct outcome {
    double value, magnification, condition;
};

/* Few points, many of them on a line or in clusters, near the target or far from it, of weights
 * over twelve decades. */
static struct scene draw_scene(unsigned long *seed)
{
    static const double dampings[] = {0, 0, 0.2, 1, 30};
    const double spread = scaled_chance(seed, -6, 0), away = scaled_chance(seed, -3, 3);
    const double flat = chance(seed) < 0.3 ? scaled_chance(seed, -4, 0) : 1;
    const bool clusters = chance(seed) < 0.4;
    struct scene scene = {.n = 3 + (int)pick(seed, POINTS - 2)};
    scene.ridge_h2 = chance(seed) < 0.4 ? 0 : scaled_chance(seed, -8, 1);
    scene.damping = chance(seed) < 0.5 ? dampings[pick(seed, 5)] : chance(seed);
    for (int i = 0; i < scene.n; i++) {
        const double centre = clusters && chance(seed) < 0.5 ? 1 : 0;
        const double size = clusters ? spread : 1;
        scene.x[i] = away + centre + size * (chance(seed) - 0.5);
        scene.y[i] = flat * (centre + size * (chance(seed) - 0.5));
        scene.z[i] = i < 2                ? 2 * i - 1
                     : chance(seed) < 0.7 ? 2. * (double)pick(seed, 2) - 1
                                          : 2 * chance(seed) - 1;
        scene.w[i] = scaled_chance(seed, -6, 6);
    }
    return scene;
}

/* The prediction with weights w. */
static struct outcome predict(const struct scene *scene, const double *w)
{
    struct shepard_spread spread = {0};
    double sum = 0, mean = 0, xz = 0, yz = 0;
    for (int i = 0; i < scene->n; i++) {
        sum += w[i];
        spread.x += w[i] * scene->x[i];
        spread.y += w[i] * scene->y[i];
        mean += w[i] * scene->z[i];
    }
    spread.x /= sum;
    spread.y /= sum;
    mean /= sum;
    for (int i = 0; i < scene->n; i++) {
        const double p = w[i] / sum, x = scene->x[i] - spread.x, y = scene->y[i] - spread.y;
        spread.xx += p * x * x;
        spread.xy += p * x * y;
        spread.yy += p * y * y;
        xz += p * x * (scene->z[i] - mean);
        yz += p * y * (scene->z[i] - mean);
    }
    struct shepard_slopes slopes = shepard_fit_slopes(&spread, scene->ridge_h2);
    shepard_fit_damp(&spread, scene->damping, &slopes);
    return (struct outcome){mean + shepard_fit_rise(&spread, &slopes, xz, yz),
                            shepard_fit_magnification(&spread, &slopes, scene->damping),
                            slopes.pivot / slopes.rest};
}

/* Each weight off by the part tau of it, in the direction that raises the prediction. */
static void raise_prediction(const struct scene *scene, double tau, double *w)
{
    const double value = predict(scene, scene->w).value;
    double off[POINTS];
    memcpy(w, scene->w, sizeof scene->w);
    for (int i = 0; i < scene->n; i++) {
        w[i] *= 1 + tau;
        off[i] = predict(scene, w).value > value ? tau : -tau;
        w[i] = scene->w[i];
    }
    for (int i = 0; i < scene->n; i++)
        w[i] *= 1 + off[i];
}

void check_planes(struct tally *tally, unsigned long seed)
{
    double worst = 0;
    for (int i = 0; i < TRIALS; i++) {
        const struct scene scene = draw_scene(&seed);
        const double tau = chance(&seed) < 0.5 ? 1e-4 : 6.5e-3;
        double w[POINTS];
        raise_prediction(&scene, tau, w);
        const struct outcome off = predict(&scene, w);
        if (!(off.magnification < 1e6))
            continue;
        /* The value range is 2; 17 tau / (1 - tau): what the magnification may change by. */
        const double error = fabs(off.value - predict(&scene, scene.w).value) / 2;
        const double rounding = ROUNDING * off.condition * off.magnification;
        const double part = (error - rounding) / (tau / 2 * off.magnification);
        worst = fmax(worst, part / (1 + 20 * tau));
        tally_check(tally, part <= 1 + 20 * tau,
                    "plane of %d points, damping %g: weights off by %g give %g, %g of the bound",
                    scene.n, scene.damping, tau, error, part);
    }
    tally_check(tally, worst > 0.95, "planes reach %g of their bound at most", worst);
}
