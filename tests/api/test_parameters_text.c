/* SPDX-License-Identifier: MIT */
/* Parameters as text: what is printed is read back bit for bit, and each error says what is wrong.
 *
 *   test_parameters_text [SEED]
 */
#include "base/random.h"

#include "shepard/shepard.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { ROUNDS = 10000, TEXT_SIZE = 1000 };

static uint64_t seed;

/* ---- Random parameters ----------------------------------------------------------------------- */

static double uniform(struct shepard_random *random)
{
    return shepard_random_uniform(random);
}

static size_t below(struct shepard_random *random, size_t count)
{
    return (size_t)(uniform(random) * (double)count);
}

/* Greater than 0 and at most `most`: every other time a plain number, else any digits and size. */
static double positive(struct shepard_random *random, double most)
{
    static const double plain[] = {0.001, 0.05, 0.1, 1, 2, 2.5, 3, 10, 100};
    if (below(random, 2) == 0)
        return fmin(plain[below(random, sizeof plain / sizeof plain[0])], most);
    const double least = most > 1e300 ? -300 : log10(most) - 8;
    return fmin(pow(10, least + uniform(random) * (log10(most) - least)), most);
}

static double positive_or_0(struct shepard_random *random, double most)
{
    return below(random, 3) == 0 ? 0 : positive(random, most);
}

static double any(struct shepard_random *random)
{
    const double size = positive(random, DBL_MAX);
    return below(random, 2) == 0 ? size : -size;
}

static size_t limit(struct shepard_random *random)
{
    return (size_t)floor(positive_or_0(random, SHEPARD_POINTS_MAX));
}

static double any_nodata(struct shepard_random *random)
{
    static const double others[] = {NAN, INFINITY, -INFINITY, -9999, -0.0};
    const size_t i = below(random, 10);
    return i < 5 ? others[i] : any(random);
}

static void fill_neighbourhood(struct shepard_random *random, struct shepard_neighbourhood *hood)
{
    static const int sectors[] = {1, 4, 8};
    const bool bounded = below(random, 2) == 0;
    *hood = (struct shepard_neighbourhood){
        .max_points = limit(random),
        .min_points = limit(random),
        .radius1 = bounded ? positive(random, DBL_MAX) : 0,
        .radius2 = bounded ? positive(random, DBL_MAX) : 0,
        .angle = any(random),
        .sectors = sectors[below(random, 3)],
        .max_points_per_sector = limit(random),
        .min_points_per_sector = limit(random),
    };
}

static void fill_adaptive(struct shepard_random *random, struct shepard_adaptive *adaptive)
{
    adaptive->k = 1 + limit(random) / 2;
    for (int i = 0; i < 5; i++)
        adaptive->powers[i] = positive(random, 100);
    adaptive->r_min = positive_or_0(random, 1e6);
    adaptive->r_max = adaptive->r_min * (1 + uniform(random)) + positive(random, 1);
    adaptive->area = positive_or_0(random, DBL_MAX);
    adaptive->expect = (enum shepard_expectation)below(random, 3);
}

/* A number, or none. */
static double given(struct shepard_random *random, double number)
{
    return below(random, 3) == 0 ? NAN : number;
}

/* What has no key keeps its default. */
static void fill_kriging(struct shepard_random *random, struct shepard_parameters *parameters)
{
    struct shepard_parameters defaults;
    shepard_parameters_init(&defaults);
    parameters->ridge = defaults.ridge;
    parameters->damping = defaults.damping;
    parameters->eps = defaults.eps;
    parameters->precision = defaults.precision;
    fill_neighbourhood(random, &parameters->neighbourhood);
    parameters->neighbourhood.angle = 0;
    parameters->kriging = (struct shepard_kriging){
        .kind = (enum shepard_kriging_kind)below(random, 3),
        .mean = given(random, any(random)),
        .covariance = (enum shepard_covariance)below(random, 6),
        .psill = given(random, positive_or_0(random, DBL_MAX)),
        .range = given(random, positive(random, DBL_MAX)),
        .nugget = given(random, positive_or_0(random, DBL_MAX)),
        .p = given(random, positive(random, 2)),
        .sd = (enum shepard_kriging_sd)below(random, 3),
    };
    if (parameters->kriging.covariance != SHEPARD_COVARIANCE_STABLE)
        parameters->kriging.p = NAN;
    if (parameters->kriging.kind != SHEPARD_KRIGING_SIMPLE)
        parameters->kriging.mean = NAN;
}

static void fill(struct shepard_random *random, struct shepard_parameters *parameters,
                 struct shepard_points_options *options)
{
    shepard_parameters_init(parameters);
    shepard_points_options_init(options);
    parameters->smoothing = positive_or_0(random, DBL_MAX);
    parameters->degree = (int)below(random, 2);
    parameters->ridge = positive_or_0(random, DBL_MAX);
    parameters->damping = positive_or_0(random, DBL_MAX);
    parameters->eps = positive_or_0(random, 0.01);
    parameters->precision = below(random, 2) ? SHEPARD_PRECISION_DOUBLE : SHEPARD_PRECISION_SINGLE;
    parameters->nodata = any_nodata(random);
    options->anisotropy_ratio = fmax(positive(random, 1e6), 1e-6);
    options->anisotropy_angle = any(random);
    if (below(random, 3) == 0) {
        parameters->method = SHEPARD_METHOD_KRIGE;
        parameters->smoothing = 0;
        parameters->degree = 0;
        fill_kriging(random, parameters);
        options->anisotropy_ratio = given(random, options->anisotropy_ratio);
        if (isnan(options->anisotropy_ratio))
            options->anisotropy_angle = given(random, options->anisotropy_angle);
    } else if (below(random, 2)) {
        parameters->method = SHEPARD_METHOD_AIDW;
        fill_adaptive(random, &parameters->adaptive);
        fill_neighbourhood(random, &parameters->neighbourhood);
    } else {
        parameters->power = positive(random, 100);
        fill_neighbourhood(random, &parameters->neighbourhood);
    }
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_neighbourhood(const struct shepard_neighbourhood *a,
                               const struct shepard_neighbourhood *b)
{
    return a->max_points == b->max_points && a->min_points == b->min_points &&
           same_bits(a->radius1, b->radius1) && same_bits(a->radius2, b->radius2) &&
           same_bits(a->angle, b->angle) && a->sectors == b->sectors &&
           a->max_points_per_sector == b->max_points_per_sector &&
           a->min_points_per_sector == b->min_points_per_sector;
}

static bool same_adaptive(const struct shepard_adaptive *a, const struct shepard_adaptive *b)
{
    return a->k == b->k && memcmp(a->powers, b->powers, sizeof a->powers) == 0 &&
           same_bits(a->r_min, b->r_min) && same_bits(a->r_max, b->r_max) &&
           same_bits(a->area, b->area) && a->expect == b->expect;
}

static bool same_kriging(const struct shepard_kriging *a, const struct shepard_kriging *b)
{
    const double of_a[] = {a->mean, a->psill, a->range, a->nugget, a->p};
    const double of_b[] = {b->mean, b->psill, b->range, b->nugget, b->p};
    bool same = a->kind == b->kind && a->covariance == b->covariance && a->sd == b->sd;
    for (size_t i = 0; i < sizeof of_a / sizeof of_a[0]; i++)
        same = same && (isnan(of_a[i]) ? isnan(of_b[i]) : same_bits(of_a[i], of_b[i]));
    return same;
}

static bool same_parameters(const struct shepard_parameters *a, const struct shepard_parameters *b)
{
    return a->size == b->size && a->method == b->method && same_bits(a->power, b->power) &&
           same_bits(a->smoothing, b->smoothing) && a->degree == b->degree &&
           same_bits(a->ridge, b->ridge) && same_bits(a->damping, b->damping) &&
           same_neighbourhood(&a->neighbourhood, &b->neighbourhood) &&
           same_adaptive(&a->adaptive, &b->adaptive) && same_bits(a->eps, b->eps) &&
           a->precision == b->precision && same_bits(a->nodata, b->nodata) &&
           same_kriging(&a->kriging, &b->kriging);
}

static void require_round_trip(const struct shepard_parameters *parameters,
                               const struct shepard_points_options *options, const char *method)
{
    char text[TEXT_SIZE], again[TEXT_SIZE];
    struct shepard_parameters parsed;
    struct shepard_points_options parsed_options;
    struct shepard_error error = {.message = ""};
    shepard_points_options_init(&parsed_options);
    const size_t length = shepard_parameters_print(parameters, options, method, text, sizeof text);
    assert_in_range(length, 1, sizeof text - 1);
    assert_int_equal(length, strlen(text));
    if (shepard_parameters_parse(text, &parsed, &parsed_options, &error))
        fail_msg("%s is refused: %s", text, error.message);
    if (!same_parameters(parameters, &parsed) ||
        !same_bits(options->anisotropy_ratio, parsed_options.anisotropy_ratio) ||
        !same_bits(options->anisotropy_angle, parsed_options.anisotropy_angle))
        fail_msg("%s changes", text);
    shepard_parameters_print(&parsed, &parsed_options, method, again, sizeof again);
    assert_string_equal(text, again);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void prints_what_it_reads_back(void **state)
{
    (void)state;
    struct shepard_random random = {seed};
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    for (int i = 0; i < ROUNDS; i++) {
        fill(&random, &parameters, &options);
        require_round_trip(&parameters, &options, NULL);
        struct shepard_neighbourhood *hood = &parameters.neighbourhood;
        if (parameters.method == SHEPARD_METHOD_IDW) {
            const bool quadrants = hood->max_points_per_sector || hood->min_points_per_sector;
            hood->sectors = quadrants ? 4 : 1;
            require_round_trip(&parameters, &options, "invdist");
            require_round_trip(&parameters, &options, "INVDISTNN");
        }
    }
}

static void prints_defaults(void **state)
{
    (void)state;
    struct shepard_parameters parameters;
    struct shepard_points_options options;
    char text[TEXT_SIZE];
    shepard_parameters_init(&parameters);
    shepard_points_options_init(&options);
    shepard_parameters_print(&parameters, &options, NULL, text, sizeof text);
    assert_string_equal(
        text, "idw:power=2:smoothing=0:k=0:radius1=0:radius2=0:angle=0:sectors=1:min_points=0:"
              "max_points_per_sector=0:min_points_per_sector=0:anisotropy_ratio=1:"
              "anisotropy_angle=0:degree=0:ridge=1e-3:damping=0.2:eps=1e-4:precision=single:"
              "nodata=nan");
    parameters.method = SHEPARD_METHOD_AIDW;
    shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text);
    assert_string_equal(text,
                        "aidw:k=10:alphas=1.5,2,2.5,3,3.5:rmin=0:rmax=2:area=auto:expect=auto:"
                        "smoothing=0:max_points=0:radius1=0:radius2=0:angle=0:sectors=1:"
                        "min_points=0:max_points_per_sector=0:min_points_per_sector=0:"
                        "degree=0:ridge=1e-3:damping=0.2:eps=1e-4:precision=single:"
                        "nodata=nan");
}

static void numbers_are_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{1000, "1000"},
                 {250000, "250000"},
                 {2.5e6, "2.5e6"},
                 {0.05, "0.05"},
                 {1.0 / 3, "0.3333333333333333"},
                 {-9999, "-9999"},
                 {1e-6, "1e-6"},
                 {0.00125, "0.00125"},
                 {123456789, "123456789"},
                 {1e22, "1e22"},
                 {-0.0, "-0"},
                 {DBL_MAX, "1.7976931348623157e308"},
                 {5e-324, "5e-324"}};
    struct shepard_parameters parameters;
    shepard_parameters_init(&parameters);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[TEXT_SIZE];
        parameters.nodata = cases[i].value;
        shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text);
        assert_string_equal(strstr(text, "nodata=") + 7, cases[i].text);
    }
}

static void buffers_of_any_size(void **state)
{
    (void)state;
    struct shepard_parameters parameters;
    char whole[TEXT_SIZE], text[TEXT_SIZE];
    shepard_parameters_init(&parameters);
    const size_t length = shepard_parameters_print(&parameters, NULL, NULL, whole, sizeof whole);
    assert_int_equal(shepard_parameters_print(&parameters, NULL, NULL, NULL, 0), length);
    for (size_t size = 1; size <= length + 1; size++) {
        memset(text, '#', sizeof text);
        assert_int_equal(shepard_parameters_print(&parameters, NULL, NULL, text, size), length);
        assert_int_equal(strlen(text), size - 1);
        assert_memory_equal(text, whole, size - 1);
        assert_int_equal(text[size], '#');
    }
}

static void what_no_text_says(void **state)
{
    (void)state;
    struct shepard_parameters parameters;
    char text[TEXT_SIZE];
    shepard_parameters_init(&parameters);
    assert_int_equal(shepard_parameters_print(&parameters, NULL, "aidw", text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(shepard_parameters_print(&parameters, NULL, "kriging", text, sizeof text), 0);
    parameters.neighbourhood.sectors = 8;
    assert_int_equal(shepard_parameters_print(&parameters, NULL, "invdist", text, sizeof text), 0);
    parameters.neighbourhood.max_points = (size_t)SHEPARD_POINTS_MAX + 1;
    assert_int_equal(shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    shepard_parameters_init(&parameters);
    parameters.precision = (enum shepard_precision)7;
    assert_int_equal(shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text), 0);
    shepard_parameters_init(&parameters);
    parameters.method = SHEPARD_METHOD_KRIGE;
    parameters.neighbourhood.radius1 = 2;
    parameters.neighbourhood.radius2 = 1;
    assert_int_not_equal(shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text), 0);
    parameters.neighbourhood.angle = 30;
    assert_int_equal(shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text), 0);
}

static void reads_names_and_keys(void **state)
{
    (void)state;
    struct shepard_parameters p;
    struct shepard_points_options options;
    shepard_points_options_init(&options);
    options.threads = 3;
    options.anisotropy_ratio = 9;
    assert_int_equal(shepard_parameters_parse("IDW:K=12:sectors=8:radius1=5:radius=7::eps=0:", &p,
                                              &options, NULL),
                     SHEPARD_OK);
    assert_int_equal(p.method, SHEPARD_METHOD_IDW);
    assert_int_equal(p.neighbourhood.max_points, 12);
    assert_int_equal(p.neighbourhood.sectors, 8);
    assert_true(p.neighbourhood.radius1 == 7 && p.neighbourhood.radius2 == 7 && p.eps == 0);
    assert_true(options.anisotropy_ratio == 1 && options.threads == 3);
    assert_int_equal(
        shepard_parameters_parse("aidw:k=15:alphas=1,2,3,4,5:area=2e6:expect=KNN", &p, NULL, NULL),
        SHEPARD_OK);
    assert_int_equal(p.method, SHEPARD_METHOD_AIDW);
    assert_int_equal(p.adaptive.k, 15);
    assert_int_equal(p.adaptive.expect, SHEPARD_EXPECT_KNN);
    assert_true(p.adaptive.powers[4] == 5 && p.adaptive.area == 2e6 && isnan(p.nodata));
    assert_int_equal(p.neighbourhood.max_points, 0);
    assert_int_equal(shepard_parameters_parse("aidw:k=15:max_points=12:radius=5:sectors=8:"
                                              "max_points_per_sector=2:damping=1",
                                              &p, NULL, NULL),
                     SHEPARD_OK);
    assert_int_equal(p.adaptive.k, 15);
    assert_int_equal(p.adaptive.expect, SHEPARD_EXPECT_AUTO);
    assert_int_equal(p.neighbourhood.max_points, 12);
    assert_int_equal(p.neighbourhood.sectors, 8);
    assert_int_equal(p.neighbourhood.max_points_per_sector, 2);
    assert_true(p.neighbourhood.radius1 == 5 && p.neighbourhood.radius2 == 5 && p.damping == 1);
    assert_int_equal(shepard_parameters_parse("invdistnn:max_points_per_quadrant=3:"
                                              "anisotropy_ratio=2.5:anisotropy_angle=-30",
                                              &p, &options, NULL),
                     SHEPARD_OK);
    assert_int_equal(p.neighbourhood.sectors, 4);
    assert_int_equal(p.neighbourhood.max_points, 12);
    assert_true(p.neighbourhood.radius2 == 1 && options.anisotropy_ratio == 2.5 &&
                options.anisotropy_angle == -30);
    assert_int_equal(shepard_parameters_parse("invdist", &p, NULL, NULL), SHEPARD_OK);
    assert_int_equal(p.neighbourhood.max_points, 0);
    assert_int_equal(p.neighbourhood.sectors, 1);
}

/* A message in which * stands for the names of all methods. */
/* Its neighbourhood, and gstat's names of the anisotropy. */
static void reads_kriging(void **state)
{
    (void)state;
    struct shepard_parameters p;
    struct shepard_points_options options;
    const struct shepard_neighbourhood *hood = &p.neighbourhood;
    shepard_points_options_init(&options);
    assert_int_equal(shepard_parameters_parse("krige", &p, NULL, NULL), SHEPARD_OK);
    assert_int_equal(p.method, SHEPARD_METHOD_KRIGE);
    assert_int_equal(p.kriging.covariance, SHEPARD_COVARIANCE_STABLE);
    assert_true(isnan(p.kriging.psill) && isnan(p.kriging.range) && isnan(p.kriging.nugget));
    assert_true(hood->sectors == 8 && hood->max_points_per_sector == 2 && hood->max_points == 0);
    assert_int_equal(shepard_parameters_parse("krige:k=0:sectors=1", &p, NULL, NULL), SHEPARD_OK);
    assert_true(hood->sectors == 1 && hood->max_points_per_sector == 0 && hood->max_points == 0);
    assert_int_equal(shepard_parameters_parse("krige:sectors=4", &p, NULL, NULL), SHEPARD_OK);
    assert_true(hood->sectors == 4 && hood->max_points_per_sector == 2 && hood->max_points == 0);
    assert_int_equal(shepard_parameters_parse("krige:max_points_per_sector=3", &p, NULL, NULL),
                     SHEPARD_OK);
    assert_true(hood->sectors == 8 && hood->max_points_per_sector == 3 && hood->max_points == 0);
    assert_int_equal(shepard_parameters_parse("krige:radius=3", &p, NULL, NULL), SHEPARD_OK);
    assert_true(hood->sectors == 1 && hood->max_points_per_sector == 0 && hood->radius2 == 3);
    const char *text = "krige:model=matern32:psill=2:range=auto:ratio=0.4:angle=-30:kind=universal";
    assert_int_equal(shepard_parameters_parse(text, &p, &options, NULL), SHEPARD_OK);
    assert_int_equal(p.kriging.covariance, SHEPARD_COVARIANCE_MATERN32);
    assert_int_equal(p.kriging.kind, SHEPARD_KRIGING_UNIVERSAL);
    assert_true(p.kriging.psill == 2 && isnan(p.kriging.range));
    assert_true(options.anisotropy_ratio == 1 / 0.4 && options.anisotropy_angle == -30);
    assert_int_equal(shepard_parameters_parse("krige:p=1", &p, &options, NULL), SHEPARD_OK);
    assert_true(isnan(options.anisotropy_ratio) && isnan(options.anisotropy_angle));
    assert_int_equal(shepard_parameters_parse("krige:angle=20", &p, &options, NULL), SHEPARD_OK);
    assert_true(isnan(options.anisotropy_ratio) && options.anisotropy_angle == 20);
    assert_int_equal(shepard_parameters_parse("krige:range=9", &p, &options, NULL), SHEPARD_OK);
    assert_true(options.anisotropy_ratio == 1 && options.anisotropy_angle == 0);
    assert_int_equal(
        shepard_parameters_parse("krige:range=9:ratio=auto:sd=local", &p, &options, NULL),
        SHEPARD_OK);
    assert_true(isnan(options.anisotropy_ratio) && p.kriging.sd == SHEPARD_KRIGING_SD_LOCAL);
    assert_int_equal(
        shepard_parameters_parse("krige:ratio=0.4:anisotropy_ratio=2.5", &p, &options, NULL),
        SHEPARD_ERROR_ARGUMENT);
    assert_int_equal(shepard_parameters_parse("krige:ratio=1.5", &p, &options, NULL),
                     SHEPARD_ERROR_ARGUMENT);
    assert_int_equal(shepard_parameters_parse("krige:power=2", &p, &options, NULL),
                     SHEPARD_ERROR_ARGUMENT);
}

static void check_message(const char *got, const char *wanted)
{
    char names[120] = "";
    const size_t start = strcspn(wanted, "*");
    for (size_t i = 0; wanted[start] != '\0' && shepard_parameters_method(i) != NULL; i++) {
        strcat(names, i > 0 ? ", " : "");
        strcat(names, shepard_parameters_method(i));
    }
    assert_memory_equal(got, wanted, start);
    assert_string_equal(got + start, names);
}

static void each_error_says_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *argument, *message;
    } cases[] = {
        {"", "text", "the method is missing; example: idw:power=2"},
        {"::", "text", "the method is missing; example: idw:power=2"},
        {"adiw", "text", "unknown method 'adiw'; did you mean aidw?"},
        {"kriging:k=5", "text", "unknown method 'kriging'; did you mean krige?"},
        {"spline", "text", "unknown method 'spline'; there are *"},
        {"idw:power", "text", "idw: 'power' is not of the form key=value"},
        {"idw:=3", "text", "idw: '=3' is not of the form key=value"},
        {"idw:k=3:power=2:K=4", "text",
         "idw: 'k=3' and 'K=4': the key is given twice; give it once"},
        {"invdist:pwoer=3", "text", "invdist: unknown key 'pwoer'; did you mean power?"},
        {"aidw:quux=3", "text",
         "aidw: unknown key 'quux'; its keys are k, alphas, rmin, rmax, area, expect, smoothing, "
         "max_points, radius1, radius2, angle, sectors, min_points, max_points_per_sector, "
         "min_points_per_sector, anisotropy_ratio, anisotropy_angle, degree, ridge, damping, eps, "
         "precision, nodata"},
        {"idw:max_points=3", "text", "idw: unknown key 'max_points'; here it is called k"},
        {"invdist:k=3", "text", "invdist: unknown key 'k'; here it is called max_points"},
        {"power=2", "text", "unknown method 'power=2'; there are *"},
        {"idw:power=abc", "power", "power=abc: 'abc' is not a number"},
        {"idw:power=", "power", "power=: '' is not a number"},
        {"idw:power=2x", "power", "power=2x: '2x' is not a number"},
        {"idw:power=0x10", "power", "power=0x10: '0x10' is not a number"},
        {"idw:power= 2", "power", "power= 2: ' 2' is not a number"},
        {"idw:power=2,5", "power", "power=2,5: '2,5' is not a number"},
        {"idw:power=1e999", "power", "power=1e999: '1e999' is not a number"},
        {"idw:angle=inf", "angle", "angle=inf: 'inf' is not a number"},
        {"idw:power=0", "power",
         "power=0 is out of range, it must be greater than 0 and at most 100"},
        {"idw:eps=0.1", "eps", "eps=0.1 is out of range, it must be at least 0 and at most 0.01"},
        {"idw:smoothing=-1", "smoothing", "smoothing=-1 is out of range, it must be at least 0"},
        {"idw:k=2.5", "k", "k=2.5: it must be a whole number"},
        {"aidw:k=0", "k", "k=0 is out of range, it must be at least 1 and at most 4e9"},
        {"idw:sectors=3", "sectors", "sectors=3 is not valid; use one of 1|4|8"},
        {"idw:precision=triple", "precision",
         "precision=triple is not valid; use one of single|double"},
        {"aidw:alphas=1,2", "alphas", "alphas=1,2: it must be five numbers separated by commas"},
        {"aidw:alphas=1,2,3,4,0", "alphas",
         "alphas=0 is out of range, it must be greater than 0 and at most 100"},
        {"aidw:rmin=3", "rmin", "aidw: rmin must be smaller than rmax"},
        {"idw:radius1=3", "radius1",
         "idw: radius1 and radius2 go together; give both, or radius for a circle"},
        {"krige:model=exponential:p=1.5", "p",
         "krige: only model=stable uses p; give that, or leave p out"},
        {"krige:mean=-3", "mean",
         "krige: only kind=simple uses mean; give that, or leave mean out"},
        {"idw:anisotropy_ratio=2", "options",
         "idw: anisotropy_ratio belongs to points, not to parameters: leave it out, or give "
         "options for it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct shepard_parameters parameters = {.power = 77};
        struct shepard_error error;
        assert_int_equal(shepard_parameters_parse(cases[i].text, &parameters, NULL, &error),
                         SHEPARD_ERROR_ARGUMENT);
        assert_int_equal(error.status, SHEPARD_ERROR_ARGUMENT);
        assert_string_equal(error.argument, cases[i].argument);
        check_message(error.message, cases[i].message);
        assert_true(parameters.power == 77);
    }
}

static void an_error_leaves_options_alone(void **state)
{
    (void)state;
    struct shepard_parameters parameters;
    struct shepard_points_options options = {.anisotropy_ratio = 5};
    assert_int_equal(
        shepard_parameters_parse("idw:anisotropy_ratio=2:k=x", &parameters, &options, NULL),
        SHEPARD_ERROR_ARGUMENT);
    assert_true(options.anisotropy_ratio == 5);
    assert_int_equal(shepard_parameters_parse(NULL, &parameters, NULL, NULL),
                     SHEPARD_ERROR_ARGUMENT);
    assert_int_equal(shepard_parameters_parse("idw", NULL, NULL, NULL), SHEPARD_ERROR_ARGUMENT);
}

static void long_texts_are_safe(void **state)
{
    (void)state;
    struct shepard_parameters parameters;
    struct shepard_error error;
    char text[5000];
    static const char *const starts[] = {"", "idw:", "idw:k", "idw:power=", "aidw:alphas=1,2,3,4,"};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        memset(text, '9', sizeof text - 1);
        text[sizeof text - 1] = '\0';
        memcpy(text, starts[i], strlen(starts[i]));
        assert_int_equal(shepard_parameters_parse(text, &parameters, NULL, &error),
                         SHEPARD_ERROR_ARGUMENT);
        assert_true(strlen(error.message) > 0);
    }
}

static void the_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "es_ES.UTF-8"};
    struct shepard_parameters parameters;
    char text[TEXT_SIZE], spoken[8];
    size_t i = 0;
    while (i < 4 && setlocale(LC_ALL, names[i]) == NULL)
        i++;
    if (i == 4) {
        print_message("no locale with a decimal comma\n");
        skip();
    }
    snprintf(spoken, sizeof spoken, "%.1f", 2.5);
    assert_string_equal(spoken, "2,5");
    const enum shepard_status status =
        shepard_parameters_parse("idw:power=2.5", &parameters, NULL, NULL);
    shepard_parameters_print(&parameters, NULL, NULL, text, sizeof text);
    snprintf(spoken, sizeof spoken, "%.1f", 2.5);
    setlocale(LC_ALL, "C");
    assert_int_equal(status, SHEPARD_OK);
    assert_true(parameters.power == 2.5);
    assert_non_null(strstr(text, "power=2.5:"));
    assert_string_equal(spoken, "2,5"); /* the caller's locale stays */
}

static void methods_are_listed(void **state)
{
    (void)state;
    assert_string_equal(shepard_parameters_method(0), "invdist");
    assert_string_equal(shepard_parameters_method(3), "aidw");
    size_t count = 4;
    while (shepard_parameters_method(count) != NULL)
        count++;
    assert_true(count < 100);
    assert_null(shepard_parameters_method(SIZE_MAX));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_what_it_reads_back),
        cmocka_unit_test(prints_defaults),
        cmocka_unit_test(numbers_are_short),
        cmocka_unit_test(buffers_of_any_size),
        cmocka_unit_test(what_no_text_says),
        cmocka_unit_test(reads_names_and_keys),
        cmocka_unit_test(reads_kriging),
        cmocka_unit_test(each_error_says_what_is_wrong),
        cmocka_unit_test(an_error_leaves_options_alone),
        cmocka_unit_test(long_texts_are_safe),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(methods_are_listed),
    };
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : (uint64_t)time(NULL);
    printf("seed %" PRIu64 "\n", seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
