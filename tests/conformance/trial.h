/* SPDX-License-Identifier: MIT */
/* One random combination of data, options and places. */
#ifndef SHEPARD_TESTS_TRIAL_H
#define SHEPARD_TESTS_TRIAL_H

#include "model.h"
#include "scene.h"

/* Kinds of neighbourhood, 0 to TRIAL_HOODS - 1; 0 is all points. */
#define TRIAL_HOODS 19
/* Powers, 0 to TRIAL_POWERS - 1. */
#define TRIAL_POWERS 14

struct trial {
    struct scene scene;
    struct places places;
    struct model_options options;
    int hood;
};

struct shepard_neighbourhood trial_hood(int hood, const struct scene *scene);
double trial_power(int power);

/* Scene, neighbourhood and power as asked for, all else by chance; n points, m places. */
struct trial trial_make(enum scene_kind kind, int hood, int power, size_t n, size_t m,
                        struct chance *chance);
void trial_free(struct trial *trial);

/* Other options, by chance, for the same scene and places. */
void trial_draw(struct trial *trial, int hood, int power, struct chance *chance);

/* Whether results in single precision are held to single's accuracy: sums over all points, of
 * degree 0, only. */
bool trial_is_single(const struct trial *trial);

/* The tolerance that its sums have: that of the options over all points, else 0. */
double trial_eps(const struct trial *trial);

/* Anisotropy costs the coordinates their last bits: by how much the distances of a place this far
 * from the nearest point may be off. 0 without it, and at data points. */
double trial_blur(const struct trial *trial, double nearest);

/* Names the trial for check(). */
void trial_case(const struct trial *trial, const char *backend, uint64_t seed);

#endif
