/* SPDX-License-Identifier: MIT */
/* LAS files: every version and format, dimensions, filters, coordinate systems, several files, and
 * damaged ones. Random points, with the seed of SHEPARD_TEST_SEED or 1. */
#include "fixture.h"
#include "las_writer.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>

/* ---- Points ---------------------------------------------------------------------------------- */

static struct las_point random_point(unsigned format)
{
    const int old = format < 6;
    struct las_point point = {.x = (int32_t)random_bits(),
                              .y = (int32_t)random_bits(),
                              .z = (int32_t)random_bits(),
                              .intensity = random_below(65536),
                              .return_number = 1 + random_below(old ? 7 : 15),
                              .direction = random_below(2),
                              .edge = random_below(2),
                              .class = random_below(old ? 32 : 256),
                              .user = random_below(256),
                              .source = random_below(65536),
                              .synthetic = random_below(2),
                              .key = random_below(2),
                              .overlap = random_below(2),
                              .channel = random_below(4),
                              .angle = old ? (int)random_below(181) - 90
                                           : (int)random_below(60001) - 30000,
                              .gps = (double)(int64_t)random_bits() / 1048576.0,
                              .red = random_below(65536),
                              .green = random_below(65536),
                              .blue = random_below(65536),
                              .nir = random_below(65536),
                              .wave_index = random_below(256),
                              .wave_offset = random_bits(),
                              .wave_size = (uint32_t)random_bits(),
                              .amplitude = random_below(4) ? random_below(65536) : 65535,
                              .depth = (int32_t)random_bits(),
                              .exact = (double)(int64_t)random_bits() / 3.0};
    point.returns = point.return_number + random_below((old ? 8 : 16) - point.return_number);
    for (int i = 0; i < 4; i++)
        point.wave[i] = (float)random_below(100000) / 7.0f;
    for (int i = 0; i < 3; i++)
        point.normal[i] = (float)random_below(100000) / 9.0f;
    return point;
}

enum { POINTS = 300 };

static void random_points(struct las_point *points, size_t count, unsigned format)
{
    for (size_t i = 0; i < count; i++)
        points[i] = random_point(format);
}

static struct las_spec spec_of(unsigned minor, unsigned format, int extra)
{
    return (struct las_spec){.minor = minor,
                             .format = format,
                             .extra = extra,
                             .scale = {0.01, 0.001, 0.1},
                             .offset = {400000.5, -5000000, 100}};
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    VSILFILE *file = VSIFOpenL(path, "wb");
    assert_non_null(file);
    assert_int_equal(VSIFWriteL(bytes, 1, size, file), size);
    assert_int_equal(VSIFCloseL(file), 0);
}

static const char *write_las(const char *name, const struct las_spec *spec,
                             const struct las_point *points, size_t count)
{
    const char *path = in_folder(name);
    size_t size;
    unsigned char *bytes = las_write(spec, points, count, &size);
    write_bytes(path, bytes, size);
    free(bytes);
    return path;
}

/* ---- Every version, format and dimension ----------------------------------------------------- */

struct dimension {
    const char *name;
    unsigned formats; /* bit f: format f has it */
    double (*expected)(const struct las_point *point, const struct las_spec *spec);
};

enum {
    ALL = 0x7ff,
    EXTENDED = 0x7c0,
    TIMED = 0x7ff - 1 - 4,
    COLOURED = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 10,
    INFRARED = 1 << 8 | 1 << 10,
    WAVED = 1 << 4 | 1 << 5 | 1 << 9 | 1 << 10
};

#define EXPECTED(name, value)                                                                      \
    static double expected_##name(const struct las_point *p, const struct las_spec *spec)          \
    {                                                                                              \
        (void)spec;                                                                                \
        return value;                                                                              \
    }
EXPECTED(x, (double)p->x * spec->scale[0] + spec->offset[0])
EXPECTED(y, (double)p->y * spec->scale[1] + spec->offset[1])
EXPECTED(z, (double)p->z * spec->scale[2] + spec->offset[2])
EXPECTED(intensity, p->intensity)
EXPECTED(return_number, p->return_number)
EXPECTED(returns, p->returns)
EXPECTED(direction, p->direction)
EXPECTED(edge, p->edge)
EXPECTED(class, p->class)
EXPECTED(synthetic, p->synthetic)
EXPECTED(key, p->key)
EXPECTED(overlap, p->overlap)
EXPECTED(channel, p->channel)
EXPECTED(angle, spec->format < 6 ? p->angle : p->angle * 0.006)
EXPECTED(user, p->user)
EXPECTED(source, p->source)
EXPECTED(gps, p->gps)
EXPECTED(red, p->red)
EXPECTED(green, p->green)
EXPECTED(blue, p->blue)
EXPECTED(nir, p->nir)
EXPECTED(wave_index, p->wave_index)
EXPECTED(wave_offset, (double)p->wave_offset)
EXPECTED(wave_size, p->wave_size)
EXPECTED(wave_location, p->wave[0])
EXPECTED(z_t, p->wave[3])
EXPECTED(amplitude, p->amplitude == 65535 ? NAN : p->amplitude * 0.25 + 10)
EXPECTED(depth, p->depth)
EXPECTED(exact, p->exact)
EXPECTED(normal2, p->normal[2])

static const struct dimension dimensions[] = {
    {"x", ALL, expected_x},
    {"Y", ALL, expected_y},
    {"z", ALL, expected_z},
    {"intensity", ALL, expected_intensity},
    {"ReturnNumber", ALL, expected_return_number},
    {"number_of_returns", ALL, expected_returns},
    {"scan_direction_flag", ALL, expected_direction},
    {"edge_of_flight_line", ALL, expected_edge},
    {"Classification", ALL, expected_class},
    {"synthetic", ALL, expected_synthetic},
    {"key_point", ALL, expected_key},
    {"overlap", EXTENDED, expected_overlap},
    {"scanner_channel", EXTENDED, expected_channel},
    {"scan_angle", ALL, expected_angle},
    {"user_data", ALL, expected_user},
    {"point_source_id", ALL, expected_source},
    {"gps_time", TIMED, expected_gps},
    {"red", COLOURED, expected_red},
    {"green", COLOURED, expected_green},
    {"blue", COLOURED, expected_blue},
    {"nir", INFRARED, expected_nir},
    {"wavepacket_index", WAVED, expected_wave_index},
    {"wavepacket_offset", WAVED, expected_wave_offset},
    {"wavepacket_size", WAVED, expected_wave_size},
    {"return_point_wave_location", WAVED, expected_wave_location},
    {"z_t", WAVED, expected_z_t},
};

static const struct dimension extra_dimensions[] = {
    {"amplitude", ALL, expected_amplitude},
    {"depth", ALL, expected_depth},
    {"exact", ALL, expected_exact},
    {"normal2", ALL, expected_normal2},
};

static struct shepard_read_options read_as(const char *const *fields)
{
    return (struct shepard_read_options){.fields = fields, .z_multiply = 1.0};
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_dimension(const char *path, const struct dimension *dimension,
                            const struct las_spec *spec, const struct las_point *points)
{
    const char *const fields[] = {dimension->name, NULL};
    const struct shepard_read_options options = read_as(fields);
    if (!(dimension->formats >> spec->format & 1)) {
        const struct shepard_io_error error = read_error(path, &options);
        assert_int_equal(error.status, SHEPARD_IO_ERROR_FIELD);
        assert_non_null(strstr(error.message, "its dimensions: \"x\""));
        return;
    }
    struct shepard_point_set set = read_all(path, &options);
    assert_int_equal(set.count, POINTS);
    for (size_t i = 0; i < POINTS; i++) {
        const double expected = dimension->expected(&points[i], spec);
        if (set.x[i] != expected_x(&points[i], spec) || set.y[i] != expected_y(&points[i], spec) ||
            !same(set.values[0][i], expected))
            fail_msg("%s of format %u, point %zu: %.17g, not %.17g", dimension->name, spec->format,
                     i, set.values[0][i], expected);
    }
    shepard_point_set_clear(&set);
}

static void check_format(unsigned minor, unsigned format, int extra)
{
    struct las_point points[POINTS];
    const struct las_spec spec = spec_of(minor, format, extra);
    random_points(points, POINTS, format);
    const char *path = write_las("format.las", &spec, points, POINTS);
    for (size_t d = 0; d < sizeof dimensions / sizeof *dimensions; d++)
        check_dimension(path, &dimensions[d], &spec, points);
    for (size_t d = 0; extra && d < sizeof extra_dimensions / sizeof *extra_dimensions; d++)
        check_dimension(path, &extra_dimensions[d], &spec, points);
}

static void reads_every_format(void **state)
{
    static const unsigned newest[] = {1, 1, 3, 5, 10};
    (void)state;
    for (unsigned minor = 0; minor <= 4; minor++)
        for (unsigned format = 0; format <= newest[minor]; format++)
            check_format(minor, format, format % 2 == minor % 2);
}

static void height_is_the_default(void **state)
{
    (void)state;
    struct las_point points[POINTS];
    const struct las_spec spec = spec_of(4, 6, 0);
    random_points(points, POINTS, 6);
    const struct shepard_read_options options = read_as(NULL);
    struct shepard_point_set set = read_all(write_las("z.las", &spec, points, POINTS), &options);
    assert_string_equal(set.column[0].name, "Z");
    assert_string_equal(set.layer, "z");
    assert_null(set.srs);
    for (size_t i = 0; i < POINTS; i++)
        assert_true(set.values[0][i] == expected_z(&points[i], &spec));
    shepard_point_set_clear(&set);
}

/* Several columns and a weight of one reading. */
static void reads_columns_and_weight(void **state)
{
    (void)state;
    struct las_point points[POINTS];
    const struct las_spec spec = spec_of(2, 3, 0);
    const char *const fields[] = {"intensity,red", "gps_time", NULL};
    struct shepard_read_options options = read_as(fields);
    options.weight_field = "user_data";
    random_points(points, POINTS, 3);
    struct shepard_point_set set =
        read_all(write_las("columns.las", &spec, points, POINTS), &options);
    assert_int_equal(set.columns, 3);
    assert_string_equal(set.column[1].name, "red");
    for (size_t i = 0; i < POINTS; i++)
        assert_true(set.values[0][i] == points[i].intensity && set.values[1][i] == points[i].red &&
                    set.values[2][i] == points[i].gps && set.weights[i] == points[i].user);
    shepard_point_set_clear(&set);
}

/* ---- Choosing points ------------------------------------------------------------------------- */

struct choice {
    const char *classes; /* "" : all */
    int return_number;
    bool withheld, box;
};

static bool is_chosen(const struct las_point *point, const struct choice *choice)
{
    const bool last = point->return_number == point->returns;
    if (choice->classes[0] && !strchr(choice->classes, 'A' + (int)point->class))
        return false;
    if (choice->return_number == SHEPARD_LAS_LAST
            ? !last
            : choice->return_number && (int)point->return_number != choice->return_number)
        return false;
    return (choice->withheld || !point->withheld) && (!choice->box || point->x > 0);
}

static void check_choice(const char *path, const struct las_spec *spec,
                         const struct las_point *points, const struct choice *choice)
{
    bool classes[256] = {false};
    for (const char *c = choice->classes; *c; c++)
        classes[*c - 'A'] = true;
    struct shepard_read_options options = read_as(NULL);
    options.las = (struct shepard_las_choice){.classes = choice->classes[0] ? classes : NULL,
                                              .return_number = choice->return_number,
                                              .withheld = choice->withheld};
    options.spat = (struct shepard_bounds){choice->box, spec->offset[0], -1e9, 1e9, 1e9};
    struct shepard_point_set set = read_all(path, &options);
    size_t n = 0;
    for (size_t i = 0; i < POINTS; i++)
        if (is_chosen(&points[i], choice)) {
            assert_true(n < set.count && set.x[n] == expected_x(&points[i], spec));
            assert_true(set.values[0][n++] == expected_z(&points[i], spec));
        }
    assert_int_equal(n, set.count);
    shepard_point_set_clear(&set);
}

static void chooses_points(void **state)
{
    static const struct choice choices[] = {
        {"", 0, false, false},  {"", 0, true, false},
        {"C", 0, false, false}, {"AD", 0, true, false},
        {"", 1, false, false},  {"", SHEPARD_LAS_LAST, false, false},
        {"", 2, false, false},  {"BC", SHEPARD_LAS_LAST, false, true},
        {"", 0, false, true},   {"ABC", 1, true, true}};
    (void)state;
    for (unsigned format = 0; format < LAS_FORMATS; format += 3) {
        struct las_point points[POINTS];
        const struct las_spec spec = spec_of(4, format, 0);
        random_points(points, POINTS, format);
        for (size_t i = 0; i < POINTS; i++) {
            points[i].class = random_below(4);
            points[i].return_number = 1 + random_below(2);
            points[i].returns = points[i].return_number + random_below(2);
            points[i].withheld = random_below(5) == 0;
        }
        const char *path = write_las("choice.las", &spec, points, POINTS);
        for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
            check_choice(path, &spec, points, &choices[c]);
    }
}

static void says_what_was_left_out(void **state)
{
    (void)state;
    struct las_point points[POINTS];
    bool classes[256] = {[200] = true};
    const struct las_spec spec = spec_of(4, 6, 0);
    struct shepard_read_options options = read_as(NULL);
    random_points(points, POINTS, 6);
    for (size_t i = 0; i < POINTS; i++)
        points[i].withheld = points[i].class = i % 3 == 0;
    const char *path = write_las("left.las", &spec, points, POINTS);
    struct shepard_point_set set = read_all(path, &options);
    assert_int_equal(set.counts.withheld, POINTS / 3);
    assert_int_equal(set.counts.features, POINTS - POINTS / 3);
    shepard_point_set_clear(&set);
    options.las.classes = classes;
    struct shepard_io_error error = read_error(path, &options);
    assert_int_equal(error.status, SHEPARD_IO_ERROR_NO_POINTS);
    assert_non_null(strstr(error.message, "none of its 300 points passes -class"));
    classes[1] = true;
    error = read_error(path, &options);
    assert_non_null(strstr(error.message, "100 points are withheld"));
}

static void refuses_options_of_layers(void **state)
{
    (void)state;
    struct las_point points[2] = {random_point(0), random_point(0)};
    const struct las_spec spec = spec_of(2, 0, 0);
    const char *path = write_las("options.las", &spec, points, 2);
    struct shepard_read_options options = read_as(NULL);
    options.where = "z > 1";
    assert_non_null(strstr(read_error(path, &options).message, "-where is not for LAS files"));
    options.where = NULL;
    options.layer = "other";
    assert_non_null(strstr(read_error(path, &options).message, "-l is not for LAS files"));
    options.layer = "options";
    struct shepard_point_set set = read_all(path, &options);
    shepard_point_set_clear(&set);
    struct shepard_read_options las = read_as(NULL);
    las.las.return_number = 1;
    path = write_text("plain.csv", "x,y,z\n1,2,3\n4,5,6\n");
    assert_non_null(strstr(read_error(path, &las).message, "choose points of LAS files"));
}

/* ---- Coordinate systems ---------------------------------------------------------------------- */

static const char wkt_of_utm[] =
    "PROJCS[\"WGS 84 / UTM zone 32N\",GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\","
    "6378137,298.257223563]],PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]],"
    "PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"latitude_of_origin\",0],PARAMETER["
    "\"central_meridian\",9],PARAMETER[\"scale_factor\",0.9996],PARAMETER[\"false_easting\","
    "500000],PARAMETER[\"false_northing\",0],UNIT[\"metre\",1],AUTHORITY[\"EPSG\",\"32632\"]]";

static void check_srs(const struct las_spec *spec, const char *code)
{
    struct las_point points[POINTS];
    struct shepard_srs_description description;
    const struct shepard_read_options options = read_as(NULL);
    random_points(points, POINTS, spec->format);
    struct shepard_point_set set = read_all(write_las("srs.las", spec, points, POINTS), &options);
    assert_non_null(set.srs);
    assert_int_equal(shepard_io_describe_srs(set.srs, &description, NULL), SHEPARD_IO_OK);
    assert_string_equal(description.code, code);
    shepard_point_set_clear(&set);
}

static void knows_coordinate_systems(void **state)
{
    (void)state;
    struct las_spec spec = spec_of(4, 6, 1);
    spec.wkt = wkt_of_utm;
    check_srs(&spec, "EPSG:32632");
    spec.wkt_behind = 1;
    check_srs(&spec, "EPSG:32632");
    spec.wkt = NULL;
    spec.epsg = 2994;
    check_srs(&spec, "EPSG:2994");
    spec = spec_of(2, 1, 0);
    spec.epsg = 28992;
    check_srs(&spec, "EPSG:28992");
    spec.epsg = 4258;
    spec.geographic_epsg = 1;
    check_srs(&spec, "EPSG:4258");
    /* The flag says which of the two counts. */
    spec = spec_of(4, 6, 0);
    spec.wkt = wkt_of_utm;
    spec.epsg = 2994;
    check_srs(&spec, "EPSG:32632");
}

/* ---- Several files --------------------------------------------------------------------------- */

static enum shepard_io_status read_several(const char *const *paths, const char *srs,
                                           struct shepard_point_set *set, char *warnings,
                                           struct shepard_io_error *error)
{
    const struct shepard_source_options from = {.path = paths[0], .more = paths + 1};
    const struct shepard_io_control control = {.warning = collect_warning, .user = warnings};
    struct shepard_read_options options = read_as(NULL);
    struct shepard_source *source = NULL;
    options.srs = srs;
    warnings[0] = '\0';
    enum shepard_io_status status = shepard_source_open(&from, &source, &control, error);
    if (!status)
        status = shepard_source_read(source, &options, set, &control, error);
    shepard_source_close(source);
    return status;
}

/* Tiles of different formats, scales and offsets. */
static void reads_several_files(void **state)
{
    (void)state;
    static const unsigned formats[] = {3, 6, 0};
    struct las_point points[3][POINTS];
    struct las_spec specs[3];
    char warnings[2000];
    struct shepard_io_error error;
    VSIMkdir(in_folder("tiles"), 0700);
    for (unsigned i = 0; i < 3; i++) {
        char name[40];
        snprintf(name, sizeof name, "tiles/t%u.las", i);
        specs[i] = spec_of(i == 1 ? 4 : 2, formats[i], i == 0);
        specs[i].scale[0] *= 1 + i;
        specs[i].offset[1] += 1000 * i;
        random_points(points[i], POINTS, formats[i]);
        write_las(name, &specs[i], points[i], POINTS);
    }
    const char *const lists[2][4] = {{in_folder("tiles/t?.las")},
                                     {in_folder("tiles/t0.las"), in_folder("tiles/t[12].las")}};
    for (int l = 0; l < 2; l++) {
        struct shepard_point_set set = {0};
        assert_int_equal(read_several(lists[l], NULL, &set, warnings, &error), SHEPARD_IO_OK);
        assert_int_equal(set.count, 3 * POINTS);
        assert_string_equal(set.layer, "t0");
        assert_string_equal(warnings, "");
        for (size_t i = 0; i < set.count; i++) {
            const struct las_spec *spec = &specs[i / POINTS];
            const struct las_point *point = &points[i / POINTS][i % POINTS];
            assert_true(set.x[i] == expected_x(point, spec) &&
                        set.y[i] == expected_y(point, spec) &&
                        set.values[0][i] == expected_z(point, spec));
        }
        shepard_point_set_clear(&set);
    }
    const char *const gps[] = {"gps_time", NULL};
    const struct shepard_read_options options = read_as(gps);
    error = read_error(lists[0][0], &options);
    assert_non_null(strstr(error.message, "t2.las\" (point format 0)"));
}

static void refuses_mixtures(void **state)
{
    (void)state;
    struct las_point points[POINTS];
    struct las_spec spec = spec_of(4, 6, 0);
    char warnings[2000];
    struct shepard_io_error error;
    struct shepard_point_set set = {0};
    random_points(points, POINTS, 6);
    const char *plain = write_las("plain.las", &spec, points, POINTS);
    spec.epsg = 32632;
    const char *keys = write_las("keys.las", &spec, points, POINTS);
    spec.epsg = 0;
    spec.wkt = wkt_of_utm;
    const char *wkt = write_las("wkt.las", &spec, points, POINTS);
    spec.wkt = NULL;
    spec.epsg = 2994;
    const char *other = write_las("other.las", &spec, points, POINTS);
    const char *text = write_text("no.las", "x,y,z\n1,2,3\n");
    const char *const same_system[] = {keys, wkt, NULL};
    assert_int_equal(read_several(same_system, NULL, &set, warnings, &error), SHEPARD_IO_OK);
    assert_string_equal(warnings, "");
    shepard_point_set_clear(&set);
    const char *const mixed[] = {keys, wkt, other, NULL};
    assert_int_equal(read_several(mixed, NULL, &set, warnings, &error), SHEPARD_IO_ERROR_SRS);
    assert_non_null(strstr(error.message, "different coordinate systems"));
    assert_int_equal(read_several(mixed, "EPSG:32632", &set, warnings, &error), SHEPARD_IO_OK);
    shepard_point_set_clear(&set);
    const char *const some[] = {keys, plain, NULL};
    assert_int_equal(read_several(some, NULL, &set, warnings, &error), SHEPARD_IO_OK);
    assert_non_null(strstr(warnings, "plain.las has no coordinate system"));
    shepard_point_set_clear(&set);
    const char *const twice[] = {keys, plain, keys, NULL};
    assert_int_equal(read_several(twice, NULL, &set, warnings, &error), SHEPARD_IO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "named twice"));
    const char *const no_las[] = {keys, text, NULL};
    assert_int_equal(read_several(no_las, NULL, &set, warnings, &error), SHEPARD_IO_ERROR_OPEN);
    assert_non_null(strstr(error.message, "is not; join other files"));
    const char *const missing[] = {keys, in_folder("x*.las"), NULL};
    assert_int_equal(read_several(missing, NULL, &set, warnings, &error), SHEPARD_IO_ERROR_OPEN);
    assert_non_null(strstr(error.message, "no such file"));
}

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Points that are read are finite; an error has a text. True if it was read. */
static bool try_damaged(const unsigned char *bytes, size_t size, char *message)
{
    static const char path[] = "/vsimem/damaged.las";
    static const char *const fields[] = {"z", "intensity", "classification", NULL};
    const struct shepard_source_options from = {.path = path};
    const struct shepard_read_options options = read_as(fields);
    struct shepard_source *source = NULL;
    struct shepard_point_set set = {0};
    struct shepard_io_error error = {.message = ""};
    write_bytes(path, bytes, size);
    enum shepard_io_status status = shepard_source_open(&from, &source, NULL, &error);
    if (!status)
        status = shepard_source_read(source, &options, &set, NULL, &error);
    shepard_source_close(source);
    assert_true(status == SHEPARD_IO_OK || error.message[0]);
    for (size_t i = 0; i < set.count; i++)
        assert_true(isfinite(set.x[i]) && isfinite(set.y[i]));
    shepard_point_set_clear(&set);
    VSIUnlink(path);
    snprintf(message, sizeof error.message, "%s", error.message);
    return status == SHEPARD_IO_OK;
}

enum { FEW = 5 };

/* A file with all kinds of records. */
static unsigned char *write_rich(size_t *size)
{
    struct las_point points[FEW];
    struct las_spec spec = spec_of(4, 10, 1);
    spec.wkt = wkt_of_utm;
    spec.epsg = 2994;
    random_points(points, FEW, 10);
    return las_write(&spec, points, FEW, size);
}

static void refuses_files_cut_off(void **state)
{
    (void)state;
    size_t size;
    char message[1200];
    unsigned char *bytes = write_rich(&size);
    for (size_t cut = 0; cut < size; cut++)
        assert_false(try_damaged(bytes, cut, message));
    assert_non_null(strstr(message, "holds 4 points, and its header promises 5"));
    assert_true(try_damaged(bytes, size, message));
    free(bytes);
}

static void counts_in_64_bits(void **state)
{
    (void)state;
    const struct las_spec spec = spec_of(4, 6, 0);
    char message[1200];
    size_t size;
    unsigned char *bytes = las_write_head(&spec, 5000000000, &size);
    assert_false(try_damaged(bytes, size, message));
    assert_non_null(strstr(message, "holds 0 points, and its header promises 5000000000"));
    memset(bytes + 247, 0xff, 8);
    assert_false(try_damaged(bytes, size, message));
    assert_non_null(strstr(message, "18446744073709551615"));
    free(bytes);
}

static void survives_flipped_bits(void **state)
{
    (void)state;
    enum { TRIALS = 1000 };
    size_t size;
    char message[1200];
    unsigned char *bytes = write_rich(&size);
    for (int trial = 0; trial < TRIALS; trial++) {
        /* Half of them in the header, where they matter most. */
        const size_t at = random_bits() % (trial % 2 ? 375 : size);
        const unsigned char bit = (unsigned char)(1u << random_below(8));
        bytes[at] ^= bit;
        try_damaged(bytes, size, message);
        bytes[at] ^= bit;
    }
    free(bytes);
}

/* One field of the header each, with the message that it gives. */
static void names_what_is_damaged(void **state)
{
    static const struct {
        size_t at;
        unsigned char value;
        const char *message;
    } changes[] = {{24, 2, "of version 2.4"},
                   {25, 5, "of version 1.5"},
                   {95, 0, "header has a wrong size"},
                   {95, 200, "header has a wrong size"},
                   {99, 200, "begin outside of it"},
                   {104, 11, "of an unknown format"},
                   {105, 20, "shorter than their format"},
                   {138, 0x7f, NULL},
                   {138, 0xff, NULL},
                   {154, 0x7f, "has no value at any of the 5 points"}};
    (void)state;
    size_t size;
    char message[1200];
    unsigned char *bytes = write_rich(&size);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const unsigned char old = bytes[changes[i].at];
        bytes[changes[i].at] = changes[i].value;
        const bool good = try_damaged(bytes, size, message);
        if (changes[i].message) {
            assert_false(good);
            assert_non_null(strstr(message, changes[i].message));
        }
        bytes[changes[i].at] = old;
    }
    memset(bytes + 131, 0, 8);
    assert_false(try_damaged(bytes, size, message));
    assert_non_null(strstr(message, "no usable number"));
    free(bytes);
}

static void warns_of_damaged_records(void **state)
{
    (void)state;
    char warnings[2000];
    struct shepard_io_error error;
    struct shepard_point_set set = {0};
    size_t size;
    unsigned char *bytes = write_rich(&size);
    memset(bytes + 375 + 20, 0xff, 2);
    const char *const paths[] = {in_folder("records.las"), NULL};
    write_bytes(paths[0], bytes, size);
    free(bytes);
    assert_int_equal(read_several(paths, NULL, &set, warnings, &error), SHEPARD_IO_OK);
    assert_non_null(strstr(warnings, "a variable-length record goes beyond its place"));
    shepard_point_set_clear(&set);
}

/* A LAS file is no layer of places that a prediction is written to. */
static void is_no_query(void **state)
{
    (void)state;
    struct las_point points[2] = {random_point(0), random_point(0)};
    const struct las_spec spec = spec_of(2, 0, 0);
    const struct shepard_source_options from = {.path = write_las("q.las", &spec, points, 2)};
    const struct shepard_target_layer_options options = {0};
    struct shepard_source *source = NULL;
    struct shepard_target_layer *query = NULL;
    struct shepard_io_error error;
    assert_int_equal(shepard_source_open(&from, &source, NULL, &error), SHEPARD_IO_OK);
    assert_string_equal(shepard_source_format(source), "LAS");
    assert_string_equal(shepard_source_layer_name(source, 0), "q");
    assert_int_equal(shepard_target_layer_open(source, &options, &query, NULL, &error),
                     SHEPARD_IO_ERROR_FORMAT);
    shepard_source_close(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_format),
        cmocka_unit_test(height_is_the_default),
        cmocka_unit_test(reads_columns_and_weight),
        cmocka_unit_test(chooses_points),
        cmocka_unit_test(says_what_was_left_out),
        cmocka_unit_test(refuses_options_of_layers),
        cmocka_unit_test(knows_coordinate_systems),
        cmocka_unit_test(reads_several_files),
        cmocka_unit_test(refuses_mixtures),
        cmocka_unit_test(refuses_files_cut_off),
        cmocka_unit_test(counts_in_64_bits),
        cmocka_unit_test(survives_flipped_bits),
        cmocka_unit_test(names_what_is_damaged),
        cmocka_unit_test(warns_of_damaged_records),
        cmocka_unit_test(is_no_query),
    };
    return cmocka_run_group_tests(tests, fixture_begin_random, fixture_end);
}
