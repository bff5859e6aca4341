/* SPDX-License-Identifier: MIT */
/* What GPUs compute themselves, and what they leave to the CPU with which words. Needs no device.
 */
#include "check.h"

#include "backend/cuda/refusal.h"

#include <string.h>

#define KRIGE SHEPARD_METHOD_KRIGE
#define IDW SHEPARD_METHOD_IDW
#define AIDW SHEPARD_METHOD_AIDW

/* Of 1,000 points. word: of the reason; NULL: a GPU computes it. */
static const struct refusal_case {
    enum shepard_method method;
    struct shepard_neighbourhood hood;
    const char *word;
} cases[] = {
    {IDW, {.sectors = 1}, NULL},
    {AIDW, {.sectors = 1}, NULL},
    {AIDW, {.sectors = 1, .max_points = 9}, NULL},
    {IDW, {.sectors = 1, .max_points = 256}, NULL},
    {IDW, {.sectors = 1, .max_points = 257}, "neighbourhoods"},
    {IDW, {.sectors = 1, .max_points = 256, .radius1 = 2, .radius2 = 2}, NULL},
    {IDW, {.sectors = 1, .max_points = 256, .radius1 = 2, .radius2 = 1}, NULL},
    {IDW, {.sectors = 1, .max_points = 257, .radius1 = 2, .radius2 = 1}, "neighbourhoods"},
    {IDW, {.sectors = 1, .max_points = 9, .radius1 = 2, .radius2 = 1, .angle = 30}, NULL},
    {IDW, {.sectors = 1, .radius1 = 2, .radius2 = 2}, NULL},
    {AIDW, {.sectors = 1, .radius1 = 2, .radius2 = 1}, NULL},
    {IDW, {.sectors = 8, .radius1 = 2, .radius2 = 2, .min_points_per_sector = 1}, NULL},
    {IDW, {.sectors = 4, .min_points_per_sector = 1}, "neighbourhoods"},
    {IDW, {.sectors = 8, .max_points_per_sector = 256, .min_points_per_sector = 1}, NULL},
    {IDW, {.sectors = 8, .max_points_per_sector = 257}, "neighbourhoods"},
    {IDW, {.sectors = 4, .max_points = 256}, NULL},
    {IDW, {.sectors = 4, .max_points = 100, .max_points_per_sector = 3}, NULL},
    {KRIGE, {.sectors = 1}, "kriging"},
    {KRIGE, {.sectors = 1, .max_points = 64}, NULL},
    {KRIGE, {.sectors = 1, .max_points = 65}, "kriging"},
    {KRIGE, {.sectors = 8, .max_points_per_sector = 8}, NULL},
    {KRIGE, {.sectors = 8, .max_points_per_sector = 9}, "kriging"},
    {KRIGE, {.sectors = 8, .max_points_per_sector = 9, .max_points = 64}, NULL},
    {KRIGE, {.sectors = 4, .max_points_per_sector = 3, .radius1 = 2, .radius2 = 1}, NULL},
    {KRIGE, {.sectors = 4, .radius1 = 2, .radius2 = 1}, "kriging"},
};

static void try_case(const struct refusal_case *one)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.method = one->method;
    parameters.neighbourhood = one->hood;
    const char *reason = shepard_cuda_refusal(&parameters, SHEPARD_METRIC_PLANE, 1000);
    check(one->word == NULL ? *reason == '\0' : strstr(reason, one->word) != NULL, "'%s'", reason);
}

static void of_planes(void)
{
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    parameters.degree = 1;
    parameters.neighbourhood.max_points = 12;
    check_case("planes");
    check(*shepard_cuda_refusal(&parameters, SHEPARD_METRIC_SPHERE, 1000) == '\0', "a plane");
    parameters.neighbourhood.max_points = 0;
    check(*shepard_cuda_refusal(&parameters, SHEPARD_METRIC_PLANE, 1000) == '\0',
          "a plane over all points");
    check(*shepard_cuda_refusal(&parameters, SHEPARD_METRIC_SPHERE, 1000) != '\0',
          "a plane over all points of a sphere");
}

static void of_parameters(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case("case %zu", i);
        try_case(&cases[i]);
    }
}

/* A standard deviation is kriging's own; another method's needs more than a GPU knows. */
static void of_output(void)
{
    double sd;
    const struct shepard_output_array sds = shepard_output_doubles(&sd);
    const struct shepard_output output = {.size = sizeof output, .sds = &sds};
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    check_case("sd");
    check(*shepard_cuda_refusal_of_output(&parameters, &output) != '\0', "sd of IDW is taken");
    parameters.method = KRIGE;
    check(*shepard_cuda_refusal_of_output(&parameters, &output) == '\0', "sd of kriging is not");
}

int main(void)
{
    of_parameters();
    of_planes();
    of_output();
    return check_finish("refusal");
}
