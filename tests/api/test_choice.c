/* SPDX-License-Identifier: MIT */
/* test_choice [SEED]: which backend points get, and the errors of devices, on pretended ones. */
#include "check.h"
#include "cost.h"
#include "pretence.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTS 100
#define MANY 1000000000u

static double x[POINTS], y[POINTS], z[POINTS];

/* Blocks of memory that are held. */
static void *allocate(size_t size, void *user)
{
    void *block = malloc(size);
    atomic_fetch_add((atomic_int *)user, block != NULL);
    return block;
}

static void release(void *block, void *user)
{
    atomic_fetch_sub((atomic_int *)user, 1);
    free(block);
}

static atomic_int blocks;
static const struct shepard_allocator counting = {allocate, release, &blocks};

static void place_points(void)
{
    for (int i = 0; i < POINTS; i++) {
        x[i] = i % 10;
        y[i] = i / 10;
        z[i] = x[i] * y[i];
    }
}

/* What is said beforehand of the predictions. */
static struct shepard_parameters expected;

static struct shepard_points_options options_of(enum shepard_backend backend, size_t targets)
{
    struct shepard_points_options options;
    shepard_parameters_init(&expected);
    expected.method = SHEPARD_METHOD_AIDW;
    shepard_points_options_init(&options);
    options.backend = backend;
    options.expected_targets = targets;
    options.expected_parameters = &expected;
    options.threads = 2;
    options.allocator = &counting;
    return options;
}

/* Where the coordinates are said to lie. */
static struct shepard_memory memory;

static enum shepard_status make(const struct shepard_points_options *options,
                                struct shepard_points **points, struct shepard_error *error)
{
    const struct shepard_coordinates coordinates = {.size = sizeof coordinates,
                                                    .count = POINTS,
                                                    .x = shepard_doubles(x),
                                                    .y = shepard_doubles(y),
                                                    .memory = memory};
    *points = NULL;
    return shepard_points_create(&coordinates, options, points, error);
}

/* The backend of points with these options, and a part of their notice. A field can stand on them.
 */
static void chooses(const struct shepard_points_options *options, const char *backend,
                    const char *notice)
{
    const struct shepard_array column = shepard_doubles(z);
    const struct shepard_values values = {
        .size = sizeof values, .column_count = 1, .columns = &column};
    struct shepard_points *points;
    struct shepard_field *field = NULL;
    struct shepard_points_info info = {.size = sizeof info};
    struct shepard_error error = {.message = ""};
    if (!check(make(options, &points, &error) == SHEPARD_OK, "%s", error.message))
        return;
    shepard_points_get_info(points, &info);
    check(strcmp(info.backend, backend) == 0, "%s, not %s", info.backend, backend);
    check(notice == NULL ? info.notice[0] == '\0' : strstr(info.notice, notice) != NULL,
          "notice '%s'", info.notice);
    check(shepard_field_create(points, &values, &field, &error) == SHEPARD_OK, "%s", error.message);
    shepard_field_free(field);
    shepard_points_free(points);
    const int held = atomic_load(&blocks);
    check(pretence.made == 0 && held == 0, "%d objects, %d blocks left", pretence.made, held);
}

static void refuses(const struct shepard_points_options *options, enum shepard_status status,
                    const char *argument, const char *text)
{
    struct shepard_points *points;
    struct shepard_error error = {.message = ""};
    check(make(options, &points, &error) == status && error.status == status, "status %d, not %d",
          error.status, status);
    check(strcmp(error.argument, argument) == 0, "argument %s", error.argument);
    check(strstr(error.message, text) != NULL, "'%s' has no '%s'", error.message, text);
    check(make(options, &points, NULL) == status && points == NULL, "without an error to fill in");
    check(atomic_load(&blocks) == 0, "%d blocks left", atomic_load(&blocks));
}

static void small_jobs_ask_nothing(void)
{
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_AUTO, 0);
    check_case("small jobs");
    pretence = (struct pretence){.devices = 2, .reason = ""};
    chooses(&options, "cpu", NULL);
    options.expected_targets = 10000;
    chooses(&options, "cpu", NULL);
    options.expected_targets = MANY;
    expected.neighbourhood.max_points = 257; /* left to the CPU */
    chooses(&options, "cpu", NULL);
    check(pretence.asked == 0, "the driver was called %d times", pretence.asked);
    options.backend = SHEPARD_BACKEND_CPU;
    chooses(&options, "cpu", NULL);
    options.backend = SHEPARD_BACKEND_REF;
    chooses(&options, "ref", NULL);
    check(pretence.asked == 0, "the driver was called %d times by cpu or ref", pretence.asked);
}

static void large_jobs(void)
{
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_AUTO, MANY);
    check_case("large jobs");
    pretence = (struct pretence){.devices = 2, .reason = ""};
    chooses(&options, "cuda", NULL);
    options.device = 1;
    chooses(&options, "cuda", NULL);
    options.device = SHEPARD_DEVICE_ALL;
    chooses(&options, "cuda", NULL);
    options.device = 2; /* not there, but not asked for by name either */
    chooses(&options, "cpu", NULL);
    options.device = 0;
    pretence = (struct pretence){.reason = "no device"};
    chooses(&options, "cpu", NULL);
}

/* Coordinates on a device: cuda, whatever it costs, and what is wrong is said of what is wrong. */
static void on_a_device(void)
{
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_AUTO, 1);
    check_case("on a device");
    pretence = (struct pretence){.devices = 2, .reason = ""};
    memory.kind = SHEPARD_MEMORY_CUDA;
    chooses(&options, "cuda", NULL);
    options.device = 7;
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.device",
            "options.device is 7: there are 2 devices here, 0 (Pretence A), 1 (Pretence B)");
    options.device = 0;
    pretence = (struct pretence){.devices = 2, .reason = "", .stream = "it is capturing"};
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "coordinates.memory.stream",
            "coordinates.memory.stream: it is capturing");
    check(pretence.given == 0, "the stream is looked at after points were given");
    pretence = (struct pretence){.reason = "no device"};
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "coordinates.memory", "of the backend cpu");
    memory.kind = SHEPARD_MEMORY_HOST;
}

static void failures(void)
{
    const enum shepard_status elsewhere[] = {SHEPARD_ERROR_MEMORY, SHEPARD_ERROR_SIZE,
                                             SHEPARD_ERROR_BACKEND};
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_AUTO, MANY);
    for (size_t i = 0; i < 3; i++) {
        check_case("status %d of the GPU", elsewhere[i]);
        pretence = (struct pretence){.devices = 1, .reason = "", .points_status = elsewhere[i]};
        chooses(&options, "cpu", "pretended: no room for points");
        options.backend = SHEPARD_BACKEND_CUDA;
        refuses(&options, elsewhere[i], "", "no room for points");
        options.backend = SHEPARD_BACKEND_AUTO;
    }
    check_case("an error that is the caller's");
    pretence =
        (struct pretence){.devices = 1, .reason = "", .points_status = SHEPARD_ERROR_NO_POINTS};
    refuses(&options, SHEPARD_ERROR_NO_POINTS, "", "no room for points");
}

/* Parameters and columns that are expected decide, and are checked; those not said are the
 * defaults.
 */
static void expectations(void)
{
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_AUTO, MANY);
    check_case("expected parameters");
    pretence = (struct pretence){.devices = 2, .reason = ""};
    expected.power = -1;
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "options.expected_parameters",
            "parameters.power is -1");
    expected.power = 2;
    expected.size = 0;
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "options.expected_parameters",
            "parameters.size is 0");
    expected.size = sizeof expected;
    chooses(&options, "cuda", NULL);
    /* By default sums, over few points here: cheap. */
    options.expected_parameters = NULL;
    chooses(&options, "cpu", NULL);
}

static void by_name(void)
{
    struct shepard_points_options options = options_of(SHEPARD_BACKEND_CUDA, 0);
    check_case("by name");
    pretence = (struct pretence){.devices = 2, .reason = ""};
    chooses(&options, "cuda", NULL);
    options.device = SHEPARD_DEVICE_ALL;
    chooses(&options, "cuda", NULL);
    options.device = 7;
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.device",
            "options.device is 7: there are 2 devices here, 0 (Pretence A), 1 (Pretence B); use "
            "one of them, or SHEPARD_DEVICE_ALL");
    options.device = -2;
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "options.device", "options.device is -2");
    options.backend = SHEPARD_BACKEND_CPU;
    refuses(&options, SHEPARD_ERROR_ARGUMENT, "options.device", "options.device is -2");
    options.device = 7; /* of no error budget */
    chooses(&options, "cpu", NULL);
    options.backend = SHEPARD_BACKEND_CUDA;
    pretence.devices = 1;
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.device",
            "there is 1 device here, 0 (Pretence A); use that, or");
    pretence.devices = 26;
    options.device = 26;
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.device", "1 (Pretence B), 2 (Pretence C)");
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.device", ", ...; use one of them");
    pretence = (struct pretence){.reason = "no NVIDIA driver"};
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.backend",
            "cuda cannot be used here: no NVIDIA driver; use SHEPARD_BACKEND_AUTO");
    options.backend = (enum shepard_backend)4;
    refuses(&options, SHEPARD_ERROR_BACKEND, "options.backend", "options.backend is 4");
}

int main(int count, char **words)
{
    const uint64_t seed = count > 1 ? strtoull(words[1], NULL, 10) : 20261121;
    printf("seed %llu\n", (unsigned long long)seed);
    place_points();
    small_jobs_ask_nothing();
    large_jobs();
    on_a_device();
    failures();
    expectations();
    by_name();
    check_costs(seed);
    return check_finish("choice");
}
