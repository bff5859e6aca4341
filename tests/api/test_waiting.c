/* SPDX-License-Identifier: MIT */
/* test_waiting [SEED]: threads that ask for what another one is making sleep until it is there. */
#include "check.h"

#include "base/random.h"
#include "shepard/shepard.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define POINTS 3000
#define CALLERS 4
/* Seconds that the making takes at least, and the part of them that a waiting thread may work. */
#define MAKING 0.3
#define WORKING 0.25

static double x[POINTS], y[POINTS], z[POINTS];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Gives the first block of prepared data late: one with a number for each point. */
static atomic_bool late;

static void *allocate_late(size_t size, void *user)
{
    (void)user;
    if (size >= POINTS * sizeof(float) && atomic_exchange(&late, false)) {
        const struct timespec making = {0, (long)(MAKING * 1e9)};
        nanosleep(&making, NULL);
    }
    return malloc(size);
}

static void release(void *block, void *user)
{
    (void)user;
    free(block);
}

static struct shepard_points *points;
static struct shepard_field *field;
static double expected[1];

static bool make_field(void)
{
    static const struct shepard_allocator allocator = {allocate_late, release, NULL};
    const struct shepard_array column = shepard_doubles(z);
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y)};
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.backend = SHEPARD_BACKEND_CPU;
    options.threads = 1;
    options.allocator = &allocator;
    return shepard_points_create(&coordinates, &options, &points, NULL) == SHEPARD_OK &&
           shepard_field_create(points, &values, &field, NULL) == SHEPARD_OK;
}

static enum shepard_status predict(double *value)
{
    static const double at = 0.5;
    struct shepard_parameters parameters;
    const struct shepard_targets targets = {
        .size = sizeof targets, .count = 1, .x = shepard_doubles(&at), .y = shepard_doubles(&at)};
    const struct shepard_output_array column = shepard_output_doubles(value);
    const struct shepard_output output = {.size = sizeof output, .values = &column};
    shepard_parameters_init(&parameters);
    return shepard_predict(field, &parameters, &targets, &output, NULL, NULL);
}

struct caller {
    pthread_t thread;
    double worked, lasted; /* seconds */
    double value;
    enum shepard_status status;
};

static void *call(void *user)
{
    struct caller *caller = user;
    const double start = seconds(CLOCK_MONOTONIC);
    caller->status = predict(&caller->value);
    caller->lasted = seconds(CLOCK_MONOTONIC) - start;
    caller->worked = seconds(CLOCK_THREAD_CPUTIME_ID);
    return NULL;
}

static void check_callers(void)
{
    struct caller callers[CALLERS];
    check_case("%d threads at a cold field", CALLERS);
    if (!check(make_field(), "a field"))
        return;
    atomic_store(&late, true);
    for (int i = 0; i < CALLERS; i++)
        check(pthread_create(&callers[i].thread, NULL, call, &callers[i]) == 0, "a thread");
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    check(predict(expected) == SHEPARD_OK, "the prediction afterwards");
    for (int i = 0; i < CALLERS; i++) {
        const struct caller *caller = &callers[i];
        check(caller->status == SHEPARD_OK && caller->value == expected[0],
              "thread %d: status %d, %g", i, caller->status, caller->value);
        check(caller->lasted >= 0.9 * MAKING, "thread %d waited %g s only", i, caller->lasted);
        check(caller->worked <= WORKING * MAKING, "thread %d worked for %g s", i, caller->worked);
    }
    shepard_field_free(field);
    shepard_points_free(points);
}

int main(int count, char **words)
{
    const uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 20261123;
    struct shepard_random random = {seed};
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < POINTS; i++) {
        x[i] = shepard_random_uniform(&random);
        y[i] = shepard_random_uniform(&random);
        z[i] = shepard_random_uniform(&random);
    }
    check_callers();
    return check_finish("waiting");
}
