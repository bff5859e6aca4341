/* SPDX-License-Identifier: MIT */
#include "core/methods.h"

#include <float.h>
#include <math.h>

#define KEY static const struct shepard_parameter_key

#define AT(field) offsetof(struct shepard_parameter_settings, field)
#define IN(field) AT(parameters.field)
#define HOOD(field) IN(neighbourhood.field)

#define REAL SHEPARD_PARAMETER_REAL
#define COUNT SHEPARD_PARAMETER_COUNT
#define GIVEN SHEPARD_PARAMETER_GIVEN
#define WORD SHEPARD_PARAMETER_WORD, 0, 0, 0
#define NUMBER SHEPARD_PARAMETER_NUMBER, 0, 0, 0

/* Ranges: above, least, most. */
#define FINITE -INFINITY, -DBL_MAX, DBL_MAX
#define POSITIVE 0, 0, DBL_MAX
#define NOT_NEGATIVE -1, 0, DBL_MAX
#define EXPONENT 0, 0, 100
#define POINTS -1, 0, SHEPARD_POINTS_MAX
#define UP_TO_2 0, 0, 2
#define SOME_POINTS 0, 1, SHEPARD_POINTS_MAX

KEY power = {"power", IN(power), REAL, EXPONENT, NULL, false};
KEY smoothing = {"smoothing", IN(smoothing), REAL, NOT_NEGATIVE, NULL, false};
KEY radius1 = {"radius1", HOOD(radius1), REAL, NOT_NEGATIVE, NULL, false};
KEY radius2 = {"radius2", HOOD(radius2), REAL, NOT_NEGATIVE, NULL, false};
KEY angle = {"angle", HOOD(angle), REAL, FINITE, NULL, false};
KEY k = {"k", HOOD(max_points), COUNT, POINTS, NULL, false};
KEY max_points = {"max_points", HOOD(max_points), COUNT, POINTS, NULL, false};
KEY min_points = {"min_points", HOOD(min_points), COUNT, POINTS, NULL, false};
KEY sectors = {"sectors", HOOD(sectors), NUMBER, "1|4|8", false};
KEY max_per_sector = {
    "max_points_per_sector", HOOD(max_points_per_sector), COUNT, POINTS, NULL, false};
KEY min_per_sector = {
    "min_points_per_sector", HOOD(min_points_per_sector), COUNT, POINTS, NULL, false};
KEY max_per_quadrant = {
    "max_points_per_quadrant", HOOD(max_points_per_sector), COUNT, POINTS, NULL, false};
KEY min_per_quadrant = {
    "min_points_per_quadrant", HOOD(min_points_per_sector), COUNT, POINTS, NULL, false};
KEY adaptive_k = {"k", IN(adaptive.k), COUNT, SOME_POINTS, NULL, false};
KEY alphas = {"alphas", IN(adaptive.powers), SHEPARD_PARAMETER_FIVE, EXPONENT, NULL, false};
KEY r_min = {"rmin", IN(adaptive.r_min), REAL, NOT_NEGATIVE, NULL, false};
KEY r_max = {"rmax", IN(adaptive.r_max), REAL, POSITIVE, NULL, false};
KEY area = {"area", IN(adaptive.area), SHEPARD_PARAMETER_AREA, POSITIVE, NULL, false};
KEY expect = {"expect", IN(adaptive.expect), WORD, "auto|nn|knn", false};
KEY ratio = {"anisotropy_ratio", AT(anisotropy_ratio), REAL, -1, 1e-6, 1e6, NULL, true};
KEY direction = {"anisotropy_angle", AT(anisotropy_angle), REAL, FINITE, NULL, true};
KEY gstat_ratio = {"ratio", AT(anisotropy_ratio), SHEPARD_PARAMETER_INVERSE, -1, 1e-6, 1, NULL,
                   true};
KEY gstat_angle = {"angle", AT(anisotropy_angle), SHEPARD_PARAMETER_SYNONYM, FINITE, NULL, true};
KEY fitted_ratio = {"anisotropy_ratio", AT(anisotropy_ratio), GIVEN, -1, 1e-6, 1e6, NULL, true};
KEY fitted_direction = {"anisotropy_angle", AT(anisotropy_angle), GIVEN, FINITE, NULL, true};
KEY degree = {"degree", IN(degree), NUMBER, "0|1", false};
KEY ridge = {"ridge", IN(ridge), REAL, NOT_NEGATIVE, NULL, false};
KEY damping = {"damping", IN(damping), REAL, NOT_NEGATIVE, NULL, false};
KEY eps = {"eps", IN(eps), REAL, -1, 0, 0.01, NULL, false};
KEY precision = {"precision", IN(precision), WORD, "single|double", false};
KEY model = {"model", IN(kriging.covariance), WORD,
             "stable|exponential|spherical|matern32|gaussian|linear", false};
KEY psill = {"psill", IN(kriging.psill), GIVEN, NOT_NEGATIVE, NULL, false};
KEY range = {"range", IN(kriging.range), GIVEN, POSITIVE, NULL, false};
KEY nugget = {"nugget", IN(kriging.nugget), GIVEN, NOT_NEGATIVE, NULL, false};
KEY p = {"p", IN(kriging.p), GIVEN, UP_TO_2, NULL, false};
KEY kind = {"kind", IN(kriging.kind), WORD, "ordinary|simple|universal", false};
KEY mean = {"mean", IN(kriging.mean), GIVEN, FINITE, NULL, false};
KEY sd = {"sd", IN(kriging.sd), WORD, "auto|model|local", false};
KEY nodata = {"nodata", IN(nodata), SHEPARD_PARAMETER_ANY, FINITE, NULL, false};

#define GDAL_KEYS                                                                                  \
    &power, &smoothing, &radius1, &radius2, &angle, &max_points, &min_points, &max_per_quadrant,   \
        &min_per_quadrant
#define COMMON_KEYS &ratio, &direction, &degree, &ridge, &damping, &eps, &precision, &nodata

static const struct shepard_parameter_form forms[] = {
    {"invdist", SHEPARD_METHOD_IDW, "", NULL, true, {GDAL_KEYS, COMMON_KEYS}},
    {"invdistnn",
     SHEPARD_METHOD_IDW,
     "radius=1:max_points=12",
     NULL,
     true,
     {GDAL_KEYS, COMMON_KEYS}},
    {"idw",
     SHEPARD_METHOD_IDW,
     "",
     NULL,
     false,
     {&power, &smoothing, &k, &radius1, &radius2, &angle, &sectors, &min_points, &max_per_sector,
      &min_per_sector, COMMON_KEYS}},
    {"aidw",
     SHEPARD_METHOD_AIDW,
     "",
     NULL,
     false,
     {&adaptive_k, &alphas, &r_min, &r_max, &area, &expect, &smoothing, &max_points, &radius1,
      &radius2, &angle, &sectors, &min_points, &max_per_sector, &min_per_sector, COMMON_KEYS}},
    {"krige",
     SHEPARD_METHOD_KRIGE,
     "",
     "sectors=8:max_points_per_sector=2",
     false,
     {&model,
      &psill,
      &range,
      &nugget,
      &p,
      &kind,
      &mean,
      &k,
      &radius1,
      &radius2,
      &sectors,
      &min_points,
      &max_per_sector,
      &min_per_sector,
      &fitted_ratio,
      &fitted_direction,
      &gstat_ratio,
      &gstat_angle,
      &sd,
      &nodata}},
};

static const struct shepard_method_facts methods[] = {
    [SHEPARD_METHOD_IDW] = {.name = "idw", .by_power = true},
    [SHEPARD_METHOD_AIDW] = {.name = "aidw", .by_power = true, .adaptive = true},
    [SHEPARD_METHOD_KRIGE] = {.name = "krige", .kriging = true},
};

const struct shepard_method_facts *shepard_method_facts(enum shepard_method method)
{
    const size_t i = (size_t)method;
    return i < sizeof methods / sizeof *methods && methods[i].name != NULL ? &methods[i] : NULL;
}

const struct shepard_parameter_form *shepard_parameter_form(size_t i)
{
    return i < sizeof forms / sizeof forms[0] ? &forms[i] : NULL;
}
