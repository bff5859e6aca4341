/* SPDX-License-Identifier: MIT */
/**
 * shepard: surfaces from scattered measurements by inverse distance weighting and kriging.
 *
 * What it computes. Given n data points (x, y) with one or more value columns z, and a target s,
 *
 *     Z(s) = sum_i w_i z_i / sum_i w_i,    w_i = q_i (d(s, s_i)^2 + smoothing^2)^(-power / 2) (IDW)
 *
 * over all points or over a neighbourhood; q_i is an optional weight of the point. AIDW chooses the
 * power for each target from the density of the data around it. Degree 1 fits a plane with the
 * same weights instead of the mean. Kriging weighs the data by their covariances, and says how sure
 * a prediction is. docs/math.md numbers every formula and names its source.
 *
 * Life cycle. Points are prepared once; fields of values stand on them; a prediction takes a field
 * and parameters.
 *
 *     struct shepard_points_options options;
 *     struct shepard_parameters parameters;
 *     struct shepard_points *points = NULL;
 *     struct shepard_field *field = NULL;
 *     struct shepard_error error;
 *     shepard_points_options_init(&options); // defaults; then set what you need
 *     shepard_parameters_init(&parameters);
 *     struct shepard_coordinates coordinates = {.size = sizeof coordinates, .count = n};
 *     coordinates.x = shepard_doubles(x);
 *     coordinates.y = shepard_doubles(y);
 *     struct shepard_array column = shepard_doubles(z);
 *     struct shepard_values values = {.size = sizeof values, .column_count = 1};
 *     values.columns = &column;
 *     if (shepard_points_create(&coordinates, &options, &points, &error) ||
 *         shepard_field_create(points, &values, &field, &error)) { puts(error.message); return 1; }
 *     struct shepard_targets targets = {.size = sizeof targets, .count = m}; // a list of places
 *     targets.x = shepard_doubles(at_x);
 *     targets.y = shepard_doubles(at_y);
 *     struct shepard_output_array predicted = shepard_output_doubles(results); // double[m]
 *     struct shepard_output output = {.size = sizeof output, .values = &predicted};
 *     shepard_predict(field, &parameters, &targets, &output, NULL, &error);
 *     parameters.power = 3; // nothing is sorted again
 *     shepard_predict(field, &parameters, &targets, &output, NULL, &error);
 *     shepard_field_free(field);
 *     shepard_points_free(points);
 *
 * Sizes. Each struct that a caller fills begins with its size: an init function sets it, else write
 * .size = sizeof the_struct, which leaves all other members 0. Later versions add members at the
 * end, so that a program runs with the library of another version, without being compiled again:
 * members that its structs do not have take their defaults (0 where none is named). Members that
 * the library does not know must be 0, else the call is an error that names the size. Functions
 * whose name ends in _sized take the size of the struct that they fill; a program of C or C++ calls
 * those without, which pass it.
 *
 * Threads. The library has no global state that results depend on. Points and fields do not change
 * after their creation, except for data prepared at the first prediction that needs them: any
 * number of threads may use one at once. Inside a call the work is spread over
 * shepard_points_options.threads OpenMP threads. Results are the same bit for bit for any number of
 * threads, any window of a raster and any order of the targets. A call uses at most 64 KiB of the
 * stack of a thread, its own or OpenMP's (OMP_STACKSIZE); a GPU's driver may use more.
 *
 * Errors. A fallible function returns SHEPARD_OK (0) or a status; where the caller passes a
 * struct shepard_error it then says which argument was wrong and what to do. After an error nothing
 * is leaked and no object has changed; output arrays may have been written in part.
 *
 * Anisotropy. With options.anisotropy_ratio r other than 1 a prediction is made as if the data and
 * targets had been given in the plane of u = along / r, v = across, where along and across are
 * coordinates along options.anisotropy_angle and at right angles to it: distances are
 * d^2 = (along / r)^2 + across^2 everywhere, in weights, smoothing, radii, nearest and the planes
 * of degree 1. r > 1 makes the surface longer along the angle.
 *
 * Units. Coordinates and lengths share any one planar unit. Angles are degrees. Numbers are double,
 * those in arrays double or float. Shapes are written [rows, columns], row-major.
 *
 * The library prints nothing, never exits, and reads two environment variables: SHEPARD_ISA
 * limits the instruction set, for example to portable. An unknown name disables the backend cpu;
 * shepard_backend_get_info then gives the reason and the names. SHEPARD_CUDA_CHUNK is the largest
 * number of targets that the backend cuda works on at a time: by default 4194304, or 268435456 for
 * lists of targets with sums over all points and eps > 0. A larger value has no effect.
 * OpenMP itself may end the process: GCC's libgomp does so, with a message, if the system refuses
 * to make the threads that a call asks for (ulimit -u, a container's limit of processes). Set
 * shepard_points_options.threads in such places; with 1 the CPU backends make no thread.
 */
#ifndef SHEPARD_SHEPARD_H
#define SHEPARD_SHEPARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SHEPARD_API __attribute__((visibility("default")))
#else
#define SHEPARD_API
#endif

/* ---- Version --------------------------------------------------------------------------------- */

/** The version of this header. shepard_version gives that of the library. */
#define SHEPARD_VERSION_MAJOR 0
#define SHEPARD_VERSION_MINOR 2
#define SHEPARD_VERSION_PATCH 0
/** 10000 major + 100 minor + patch, for comparisons: #if SHEPARD_VERSION_NUMBER >= 200 */
#define SHEPARD_VERSION_NUMBER                                                                     \
    (SHEPARD_VERSION_MAJOR * 10000 + SHEPARD_VERSION_MINOR * 100 + SHEPARD_VERSION_PATCH)

/** The library's version, "major.minor.patch", static. */
SHEPARD_API const char *shepard_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

/** The one list of status codes: X(name, text). Values count up from 0 and stay what they are. */
#define SHEPARD_STATUS_LIST(X)                                                                     \
    X(SHEPARD_OK, "no error")                                                                      \
    X(SHEPARD_ERROR_ARGUMENT, "an argument is missing or outside its range")                       \
    X(SHEPARD_ERROR_NO_POINTS, "no usable data point")                                             \
    X(SHEPARD_ERROR_AREA, "the study area of AIDW is zero")                                        \
    X(SHEPARD_ERROR_TOLERANCE, "the precision cannot reach the tolerance")                         \
    X(SHEPARD_ERROR_SIZE, "too many points, targets or columns")                                   \
    X(SHEPARD_ERROR_MEMORY, "out of memory")                                                       \
    X(SHEPARD_ERROR_BACKEND, "the backend is not built in or not usable here")                     \
    X(SHEPARD_ERROR_CANCELLED, "cancelled by the progress callback")

#define SHEPARD_STATUS_ENUM(name, text) name,
enum shepard_status { SHEPARD_STATUS_LIST(SHEPARD_STATUS_ENUM) SHEPARD_STATUS_COUNT };
#undef SHEPARD_STATUS_ENUM

/** What went wrong in one call. Filled on failure only; pass NULL where it is not wanted. */
struct shepard_error {
    enum shepard_status status;
    char argument[64]; /**< the field or argument at fault, e.g. "parameters.power"; "" if none */
    char message[400]; /**< one sentence: what is wrong, and what to do */
};

/** The text of a status, static; "unknown status" for any other number. */
SHEPARD_API const char *shepard_status_text(enum shepard_status status);

/* ---- Arrays ---------------------------------------------------------------------------------- */

/** What the elements of an array are. Arithmetic is in double, but for SHEPARD_PRECISION_SINGLE. */
enum shepard_type {
    SHEPARD_FLOAT64, /**< double */
    SHEPARD_FLOAT32  /**< float. Read exactly; written rounded to nearest: what is larger than
                          every float becomes infinite */
};

/**
 * An array that the library reads, as NumPy or DLPack describe it. data and stride are multiples of
 * the size of an element. The stride may be negative: data is where element 0 is. A stride of 0
 * means no gaps, not one element for all: copy arrays that are broadcast. All zero: no array.
 */
struct shepard_array {
    const void *data;       /**< element 0; NULL: no array */
    enum shepard_type type; /**< 0: SHEPARD_FLOAT64 */
    ptrdiff_t stride;       /**< bytes from an element to the next; 0: no gaps between elements */
};

/** An array that the library writes; its elements do not overlap those of another. */
struct shepard_output_array {
    void *data;             /**< element 0; NULL: not wanted */
    enum shepard_type type; /**< 0: SHEPARD_FLOAT64 */
    ptrdiff_t stride;       /**< as shepard_array.stride */
};

/** Elements without gaps. */
static inline struct shepard_array shepard_doubles(const double *data)
{
    struct shepard_array array = {data, SHEPARD_FLOAT64, 0};
    return array;
}

static inline struct shepard_array shepard_floats(const float *data)
{
    struct shepard_array array = {data, SHEPARD_FLOAT32, 0};
    return array;
}

static inline struct shepard_output_array shepard_output_doubles(double *data)
{
    struct shepard_output_array array = {data, SHEPARD_FLOAT64, 0};
    return array;
}

static inline struct shepard_output_array shepard_output_floats(float *data)
{
    struct shepard_output_array array = {data, SHEPARD_FLOAT32, 0};
    return array;
}

/** Where arrays lie. */
enum shepard_memory_kind {
    SHEPARD_MEMORY_HOST, /**< memory of the program, pinned or managed by CUDA too */
    SHEPARD_MEMORY_CUDA  /**< a CUDA device (cudaMalloc and its like) or managed memory */
};

/**
 * The memory of all arrays of one struct; all zero: the host's.
 * Memory of CUDA is for points of SHEPARD_BACKEND_CUDA; SHEPARD_BACKEND_AUTO then takes that.
 * Arrays are read and written where they lie, those on another device than the points' copied from
 * device to device; the arrays of one struct lie on one device. The call waits for the work queued
 * on the stream before it reads or writes the arrays, and returns when it has read and written all:
 * work queued later, on any stream, sees the results and may change the arrays. The stream must not
 * be capturing a graph. Calls look at streams before they do anything else. The thread's current
 * device is the same after a call; where that is another one than the points', CUDA 12 makes a
 * context there.
 */
struct shepard_memory {
    enum shepard_memory_kind kind;
    void *stream; /**< cudaStream_t, of the device of the arrays, with managed memory of any device
                       (of the current device if the library was built with CUDA before 12.8);
                       NULL: the legacy default stream. Not used for SHEPARD_MEMORY_HOST */
};

/* ---- Data ------------------------------------------------------------------------------------ */

/** Largest number of data points, and of targets in one call. */
#define SHEPARD_POINTS_MAX 4000000000u
/** Largest number of value columns. */
#define SHEPARD_COLUMNS_MAX 4096u

/**
 * Where the data points are; borrowed for the call of shepard_points_create only.
 * A point is left out, and counted in shepard_points_info.skipped, if a coordinate is NaN or
 * infinite. Points at one place are all kept.
 * Coordinates may have any size, as long as they are not too far apart: one that is not 0 but less
 * than about 1e-133 of the extent of the points is an error, because its square would vanish.
 */
struct shepard_coordinates {
    size_t size;            /**< sizeof(struct shepard_coordinates) */
    size_t count;           /**< n, 1 to SHEPARD_POINTS_MAX */
    struct shepard_array x; /**< [n] */
    struct shepard_array y; /**< [n] */
    struct shepard_array z; /**< [n] of SHEPARD_METRIC_SPACE; else leave it empty */
    struct shepard_memory memory;
};

/**
 * What was measured at the points; borrowed for the call of shepard_field_create only.
 * Columns are arrays of their own or those of a matrix. A matrix z of doubles with shape
 * [n, column_count] has .columns = &first, .column_stride = sizeof(double), where first is
 * {z, SHEPARD_FLOAT64, column_count * sizeof(double)}.
 * A value that is NaN or infinite is missing: its point is left out in that column only. A point
 * with a weight of 0, NaN or infinity is left out in all columns; a negative weight is an error.
 */
struct shepard_values {
    size_t size;                         /**< sizeof(struct shepard_values) */
    size_t column_count;                 /**< value columns, 1 to SHEPARD_COLUMNS_MAX */
    const struct shepard_array *columns; /**< [column_count] arrays [n], in the order of the
                                              coordinates; of a matrix column 0 only */
    ptrdiff_t column_stride;             /**< of a matrix: bytes from column 0 to column 1, from 1
                                              to 2 ...; 0: no matrix */
    struct shepard_array weights;        /**< [n], each >= 0; empty: all 1. Less than 1e-100 of the
                                              largest counts as that. */
    struct shepard_memory memory;
};

/* ---- Points ---------------------------------------------------------------------------------- */

enum shepard_backend {
    SHEPARD_BACKEND_AUTO, /**< cuda where it can be used and an estimate says that it takes at most
                               half the time, its start included; else cpu */
    SHEPARD_BACKEND_REF,  /**< brute force, plain double, compensated sums: slow, the reference */
    SHEPARD_BACKEND_CPU,  /**< OpenMP and SIMD */
    SHEPARD_BACKEND_CUDA  /**< NVIDIA GPUs; the CPU does what they do not, with a notice */
};

/** options.device: all devices of the machine share the targets. */
#define SHEPARD_DEVICE_ALL (-1)

/**
 * How distances are measured. Coordinates are those of the metric.
 *
 * SHEPARD_METRIC_SPHERE: x is the longitude, y the latitude, in degrees. Any longitude is taken,
 * 180 and -180 are one meridian, and at a pole the longitude does not count. A data point whose
 * latitude is outside [-90, 90] is an error; a target there gets nodata. Distances are great
 * circles on a sphere of options.sphere_radius: in metres, as all lengths (radius, smoothing),
 * unless another unit is given. Places are known to 2^-52 of the radius, 1.4 nanometres. Sectors go
 * by the bearing at the target, x to the east and y to the north; at a pole as on the meridian 0.
 * AIDW's area is that of the smallest box of longitudes and latitudes that holds the data
 * (docs/math/distances.md).
 *
 * SHEPARD_METRIC_SPACE: z is a third coordinate of data and targets, multiplied by
 * options.vertical_factor. A point whose z is NaN or infinite is left out. Sectors go by x and y
 * alone. Anisotropy is that of x and y. AIDW's area is a volume, z multiplied: by default that of
 * the data's box, which must not be 0.
 *
 * Planes (degree 1) of a sphere are on the plane that touches it at the target. Kriging goes by
 * straight lines through space: on a sphere by chords, as its range does, with which every
 * covariance is valid; within a range a chord is hardly shorter than its arc.
 *
 * Both predict from neighbourhoods with radius1 = radius2, or from all points with eps = 0;
 * leave-one-out, stars, shepard_fit, holdouts, k nearest points and all diagnostics are as in the
 * plane. What they do not have is SHEPARD_ERROR_ARGUMENT: universal kriging, planes in space,
 * ellipses, anisotropy of a sphere. Ties go by the place, which on the sphere is the point of
 * space.
 *
 * The backend cuda puts such points in order on the CPU, for which their coordinates must be in the
 * memory of the host, and keeps a copy there. It computes k nearest points and predictions from
 * the neighbourhoods that it computes in the plane, kriging included; the CPU does the rest, with a
 * notice.
 */
enum shepard_metric {
    SHEPARD_METRIC_PLANE,  /**< Euclidean, in the plane of x and y */
    SHEPARD_METRIC_SPHERE, /**< great circles between longitudes x and latitudes y */
    SHEPARD_METRIC_SPACE   /**< Euclidean, in the space of x, y and z */
};

/** Memory for points, fields and scratch space of predictions. Both functions must be thread-safe.
 */
struct shepard_allocator {
    void *(*allocate)(size_t size, void *user); /**< size > 0; NULL: out of memory */
    void (*release)(void *block, void *user);   /**< block is never NULL */
    void *user;
};

/** Most segments of barriers. */
#define SHEPARD_SEGMENTS_MAX 1000000000u

/**
 * Lines that points do not act across, such as faults and shores; borrowed for the call of
 * shepard_points_create, by shepard_holdout_create until the holdout is freed. In the memory of the
 * host.
 *
 * A target does not use a point if the straight line between them, without its two ends, has a
 * place in common with a segment of a barrier: as if the data had no such point, wherever
 * neighbours are looked for (neighbourhoods, min_points, sectors, nearest, the power of AIDW,
 * leave-one-out, shepard_nearest). A target or point that lies on a barrier therefore sees both
 * sides of it, and nothing along it. This is decided without rounding, with anisotropy in the
 * stretched plane, whose coordinates are rounded. The order and direction of lines, and where they
 * are cut into segments, change nothing. Covariances of kriging are those of straight distances all
 * the same.
 *
 * Predictions need a neighbourhood (max_points, max_points_per_sector or a radius): all points are
 * an error. shepard_fit does not look at barriers; the backend cuda leaves points with barriers to
 * the CPU, with a notice of the points, and takes none in the memory of CUDA.
 * Memory: 70 bytes a segment, 60 more while they are sorted. Cost of a target: O(log m) of m
 * segments more if none comes near its neighbours; else a second search and O(log m) for each point
 * that it looks at. A target that sees fewer points than it looks for looks at all that no single
 * segment hides, within the radius.
 */
struct shepard_barriers {
    size_t size;            /**< sizeof(struct shepard_barriers) */
    size_t count;           /**< vertices and gaps, 0 to SHEPARD_SEGMENTS_MAX */
    struct shepard_array x; /**< [count] vertices of lines, one after the other, in the unit of the
                                 coordinates; NaN in x and y: between two lines */
    struct shepard_array y; /**< [count] */
};

/**
 * All the data of which some points are a part, where the rest is not in memory. A prediction from
 * the part has the bits of one from all if each point that it uses, or would use but for nearer
 * ones, is in the part: as the k nearest are where the part has all points within their distance.
 *
 * Only for SHEPARD_METRIC_PLANE and predictions from neighbourhoods (from all points:
 * shepard_essential.h); each point of the part has a
 * value in each column and a weight above 0; with anisotropy AIDW needs adaptive.area. The backend
 * cuda leaves such points to the CPU, with a notice.
 */
struct shepard_whole {
    size_t size;                         /**< sizeof(struct shepard_whole) */
    size_t points;                       /**< n of all, those with a value and a weight above 0 */
    double x_min, x_max, y_min, y_max;   /**< their box */
    size_t column_count;                 /**< value columns of each field on the points */
    const double *value_min, *value_max; /**< [column_count] of all; must outlive the points */
    double weight_max;                   /**< of all; > 0; without weights unused */
    /** The box of all places with finite coordinates, including places that have no value or no
     * weight above 0 and so are not counted as points; all 0: the box above. Where there are such
     * places, sums over all points (shepard_essential.h) need it to have the bits of a field that
     * holds them. It does not change predictions from neighbourhoods. */
    double place_x_min, place_x_max, place_y_min, place_y_max;
};

struct shepard_parameters;

/** What decides the geometry of points, and where to compute. Start from
 * shepard_points_options_init. */
struct shepard_points_options {
    size_t size;                  /**< sizeof(struct shepard_points_options) */
    enum shepard_metric metric;   /**< default SHEPARD_METRIC_PLANE */
    double anisotropy_ratio;      /**< distances along the angle are divided by it, those across
                                       it are not; 1e-6 to 1e6, default 1: isotropic; NaN: not
                                       given, to be fitted (shepard_fit) */
    double anisotropy_angle;      /**< degrees counter-clockwise from +x, any finite, default 0;
                                       NaN as the ratio */
    enum shepard_backend backend; /**< default SHEPARD_BACKEND_AUTO */
    int device;  /**< of SHEPARD_BACKEND_CUDA: number below shepard_cuda_info.devices, default 0, or
                      SHEPARD_DEVICE_ALL. SHEPARD_BACKEND_AUTO takes cpu if it does not exist, but
                      for coordinates in the memory of CUDA, with which that is an error */
    int threads; /**< 1 to 4096; 0 (default): OpenMP's own number; 1: the caller's only */
    size_t memory_limit;     /**< bytes of prepared data (moments) that a field keeps for later
                                  predictions, in equal parts for each set of gaps; a running
                                  prediction always gets what it needs. Default SIZE_MAX: no limit
                                  except 64 different combinations of eps, powers and precision */
    size_t expected_targets; /**< for SHEPARD_BACKEND_AUTO: how many predictions will be made; 0
                                  (default): as many as there are points */
    size_t expected_columns; /**< and of how many columns; 0 (default): 1 */
    const struct shepard_parameters *expected_parameters; /**< and with which parameters; NULL
                                                               (default): the defaults */
    const struct shepard_allocator *allocator; /**< copied; its functions and user must outlive the
                                                    points; NULL: malloc and free */
    const struct shepard_barriers *barriers;   /**< lines that points do not act across; copied;
                                                    NULL (default): none */
    double vertical_factor; /**< of SHEPARD_METRIC_SPACE: what z is multiplied with, 1e-100 to
                               1e100; default 1 */
    double sphere_radius;   /**< of SHEPARD_METRIC_SPHERE, 1e-100 to 1e100; default 6371008.8, the
                               mean   radius of the Earth in metres */
    const struct shepard_whole *part_of; /**< the data of which the points are a part; copied; NULL
                                            (default): they are all */
};

/** Sets every field of *options, a struct of so many bytes, to its default. */
SHEPARD_API void shepard_points_options_init_sized(struct shepard_points_options *options,
                                                   size_t size);

static inline void shepard_points_options_init(struct shepard_points_options *options)
{
    shepard_points_options_init_sized(options, sizeof *options);
}

/** Coordinates, sorted and in a tree: ready for searches, and for fields of values. */
struct shepard_points;

/**
 * Prepares points from coordinates; copies what it needs.
 * Cost: O(n log n) time, most of it spread over the threads; at most 40 bytes a point (24 more
 * while they are made), on a sphere or in space 48 (36 more).
 * Errors: SHEPARD_ERROR_ARGUMENT, _NO_POINTS, _SIZE, _MEMORY, _BACKEND. *points is set on success
 * only.
 */
SHEPARD_API enum shepard_status shepard_points_create(const struct shepard_coordinates *coordinates,
                                                      const struct shepard_points_options *options,
                                                      struct shepard_points **points,
                                                      struct shepard_error *error);

/** Frees points; NULL is allowed. Their fields have been freed, and no call that uses them runs. */
SHEPARD_API void shepard_points_free(struct shepard_points *points);

/* ---- Parameters ------------------------------------------------------------------------------ */

enum shepard_method {
    SHEPARD_METHOD_IDW,  /**< one power everywhere (Shepard 1968) */
    SHEPARD_METHOD_AIDW, /**< power from the local density (Lu & Wong 2008) */
    SHEPARD_METHOD_KRIGE /**< kriging (Matheron 1963); shepard_fit finds the covariance */
};

enum shepard_precision {
    SHEPARD_PRECISION_SINGLE, /**< all-points sums: float32 for far points, double for near ones; of
                               * planes only within a tolerance, where float32 is enough for it */
    SHEPARD_PRECISION_DOUBLE  /**< everything in double */
};

enum shepard_expectation {
    SHEPARD_EXPECT_AUTO, /**< NN with all points, KNN with a neighbourhood */
    SHEPARD_EXPECT_NN, /**< r_exp of the nearest neighbour, 1 / (2 sqrt(n / A)), the papers' form */
    SHEPARD_EXPECT_KNN /**< r_exp of the mean of the first k neighbour distances */
};

/**
 * Which data points a prediction uses. All zero (sectors 1): all points.
 * The limits combine: points inside the ellipse, of these the nearest max_points_per_sector of each
 * sector, of these at most max_points. With one sector these are the nearest max_points. With more,
 * points at the target's place come first; then each round takes the nearest unused point of each
 * sector, and the last round, if max_points cuts it short, the nearest of these. Points at equal
 * distances are taken by smaller x, then smaller y, then smaller values.
 * With anisotropy all this applies in the stretched plane: radius1 = radius2 = R is an ellipse of
 * the map, anisotropy_ratio R along the anisotropy_angle and R across it; an angle equal to
 * anisotropy_angle puts radius1 along it, in stretched units; boundaries of sectors lie along and
 * across anisotropy_angle; points at equal distances are taken by smaller u, then smaller v.
 */
struct shepard_neighbourhood {
    size_t max_points; /**< k; 0: no limit */
    size_t min_points; /**< fewer points used: nodata; 0: no minimum; at most max_points */
    double radius1;    /**< semi-axis along the angle, > 0, or 0: no limit (radius2 too); not less
                            than about 1e-133 of the extent of the points, and no limit from about
                            1e72 of it on */
    double radius2;    /**< semi-axis across it, > 0, or 0: no limit (radius1 too) */
    double angle;      /**< of radius1, degrees counter-clockwise from +x, any finite */
    int sectors;       /**< 1, 4 (quadrants) or 8 (octants); boundaries along the axes */
    size_t max_points_per_sector; /**< 0: no limit */
    size_t min_points_per_sector; /**< a sector with fewer: nodata; 0: no minimum; at most
                                       max_points_per_sector */
};

/** Parameters of AIDW; lengths in the data's unit. R = r_obs / r_exp, see docs/math.md. */
struct shepard_adaptive {
    size_t k;         /**< neighbours that give r_obs, >= 1, default 10; more than n: n */
    double powers[5]; /**< at mu = 0.1 0.3 0.5 0.7 0.9, each in (0, 100], 1.5 2 2.5 3 3.5 */
    double r_min;     /**< R at or below it: mu = 0; >= 0 and < r_max; default 0 */
    double r_max;     /**< R at or above it: mu = 1; default 2 */
    double area; /**< A > 0, unit^2 of the map; 0 (default): bounding box of the data points that
                      have a value in the column; with anisotropy, the box with sides along and
                      across its angle */
    enum shepard_expectation expect; /**< default SHEPARD_EXPECT_AUTO */
};

/**
 * Correlation rho of the values at two places h apart: gstat's models with their definition of the
 * range a. Semivariances are gamma(h) = nugget + psill (1 - rho(h)) for h > 0 and gamma(0) = 0.
 */
enum shepard_covariance {
    SHEPARD_COVARIANCE_STABLE,      /**< rho = exp(-(h / a)^p); gstat's Exc */
    SHEPARD_COVARIANCE_EXPONENTIAL, /**< rho = exp(-h / a); Exp */
    SHEPARD_COVARIANCE_SPHERICAL,   /**< rho = 1 - 1.5 h / a + 0.5 (h / a)^3, 0 from a on; Sph */
    SHEPARD_COVARIANCE_MATERN32,    /**< rho = (1 + h / a) exp(-h / a); Mat with kappa 1.5 */
    SHEPARD_COVARIANCE_GAUSSIAN,    /**< rho = exp(-(h / a)^2); Gau */
    SHEPARD_COVARIANCE_LINEAR       /**< gamma = nugget + psill h / a, without a bound; Lin with
                                         range 0 and the slope psill / a */
};

/** What is known of the mean of the values. */
enum shepard_kriging_kind {
    SHEPARD_KRIGING_ORDINARY, /**< it is the same in a neighbourhood, and unknown */
    SHEPARD_KRIGING_SIMPLE,   /**< it is given */
    SHEPARD_KRIGING_UNIVERSAL /**< it is an unknown plane of x and y in a neighbourhood; points on a
                                   line do not tell its slope across, which then counts as 0
                                   without adding to sd */
};

/** What the standard deviation of a prediction takes from the values. */
enum shepard_kriging_sd {
    SHEPARD_KRIGING_SD_AUTO,  /**< shepard_fit makes it SHEPARD_KRIGING_SD_LOCAL; else
                                   SHEPARD_KRIGING_SD_MODEL */
    SHEPARD_KRIGING_SD_MODEL, /**< nothing: the covariance alone says it, as in gstat */
    SHEPARD_KRIGING_SD_LOCAL  /**< how much they vary in the neighbourhood, against what the
                                   covariance says: values that vary more there have a larger sd
                                   (docs/math/kriging.md, Eq. 59a) */
};

/**
 * Parameters of kriging. With anisotropy h is sqrt(along^2 + (anisotropy_ratio across)^2), along
 * and across being parts of the offset along options.anisotropy_angle and at right angles to it:
 * range is that along the angle, and that across it is range / anisotropy_ratio.
 * NaN, the default: not given, to be fitted (shepard_fit). A prediction needs psill, range and
 * nugget, p of SHEPARD_COVARIANCE_STABLE and mean of SHEPARD_KRIGING_SIMPLE. p with another
 * covariance, or mean with another kind, is SHEPARD_ERROR_ARGUMENT.
 */
struct shepard_kriging {
    enum shepard_kriging_kind kind;     /**< default SHEPARD_KRIGING_ORDINARY */
    double mean;                        /**< of SHEPARD_KRIGING_SIMPLE, of all columns */
    enum shepard_covariance covariance; /**< default SHEPARD_COVARIANCE_STABLE */
    double psill;                       /**< partial sill, >= 0, in squared units of the values */
    double range;                       /**< a, > 0, in units of the coordinates */
    double nugget;                      /**< >= 0; 0 as psill: the values do not vary, sd is 0 */
    double p;                           /**< of SHEPARD_COVARIANCE_STABLE, in (0, 2] */
    enum shepard_kriging_sd sd;         /**< default SHEPARD_KRIGING_SD_AUTO */
};

/** Most data points in one system of kriging: in a neighbourhood, or of all points. */
#define SHEPARD_KRIGING_POINTS_MAX 4096
/** The same for leave-one-out over all points, which solves a system for each target. */
#define SHEPARD_KRIGING_LEFT_OUT_MAX 1024

/** Everything that a prediction can vary. Always start from shepard_parameters_init. Every field is
 * checked, also those that the method does not use. */
struct shepard_parameters {
    size_t size;                /**< sizeof(struct shepard_parameters) */
    enum shepard_method method; /**< default SHEPARD_METHOD_IDW */
    double power;               /**< of IDW, in (0, 100], default 2 */
    double smoothing;           /**< added to distances in quadrature, default 0; 0 or at least
                                     about 1e-133 of the extent of the points */
    int degree;                 /**< 0: weighted mean (default); 1: weighted plane */
    double ridge;               /**< of degree 1, on the slopes, >= 0, default 1e-3: times the
                                          squared median distance of the neighbourhood (all points:
                                          of the 10 nearest) */
    double damping;             /**< of degree 1, >= 0, default 0.2: the rise of the plane from the
                                          points' weighted centre to the target is divided by 1 + damping
                                          L, where L is the square of that offset in units of the
                                          points' spread (docs/math.md, Eq. 12b). 0: the plane itself */
    struct shepard_neighbourhood neighbourhood; /**< default: all points */
    struct shepard_adaptive adaptive;           /**< used by SHEPARD_METHOD_AIDW */
    double eps; /**< tolerance of sums over all points, a fraction of the value range, in [0, 0.01]:
                     no prediction is off by more, rounding included (docs/math/far-field.md).
                     0: every pair is summed, O(n) a target. Default 1e-4; actual errors are
                     usually some hundred times smaller. SHEPARD_PRECISION_SINGLE takes 0 or >=
                   8e-6, SHEPARD_PRECISION_DOUBLE 0 or >= 1e-12. Not used with a neighbourhood. */
    enum shepard_precision precision; /**< default SHEPARD_PRECISION_SINGLE */
    double nodata;                    /**< value where min_points are not met, default NaN */
    struct shepard_kriging kriging;   /**< used by SHEPARD_METHOD_KRIGE; stays the last member, so
                                           that it can grow with size */
};

/** Sets every field of *parameters, a struct of so many bytes, to its default. */
SHEPARD_API void shepard_parameters_init_sized(struct shepard_parameters *parameters, size_t size);

static inline void shepard_parameters_init(struct shepard_parameters *parameters)
{
    shepard_parameters_init_sized(parameters, sizeof *parameters);
}

/**
 * Parameters from text: "method:key=value:...", for example "idw:k=12:power=3". Keys that are left
 * out have their defaults. Letter case and the locale do not matter; numbers have a decimal point.
 *
 *     idw        power smoothing k radius1 radius2 angle sectors min_points max_points_per_sector
 *                min_points_per_sector
 *     aidw       k alphas (five numbers with commas between them: adaptive.powers) rmin rmax
 *                area (auto: 0) expect (auto, nn, knn) smoothing, and the neighbourhood as for idw
 *                but max_points instead of k
 *     idw, aidw  anisotropy_ratio anisotropy_angle (of options) degree ridge damping eps
 *                precision (single, double) nodata (also nan, inf, -inf)
 *     krige      model (stable, exponential, spherical, matern32, gaussian, linear) psill range
 *                nugget p kind (ordinary, simple, universal) mean sd (auto, model, local) k radius1
 *                radius2 sectors min_points max_points_per_sector min_points_per_sector
 *                anisotropy_ratio anisotropy_angle nodata; ratio is gstat's, 1 / anisotropy_ratio;
 *                angle is anisotropy_angle, counter-clockwise from +x, not that of neighbourhood
 *     invdist    idw with gdal_grid's keys: max_points instead of k, and, for 4 sectors,
 *                max_points_per_quadrant and min_points_per_quadrant
 *     invdistnn  the same with radius=1:max_points=12 by default
 *
 * k of idw and krige is neighbourhood.max_points, k of aidw is adaptive.k; radius sets both radii.
 * Counts are at most SHEPARD_POINTS_MAX. krige without k, radius, radius1 and radius2 has
 * sectors=8:max_points_per_sector=2, of which either can be given another number. Its numbers psill
 * range nugget p mean and the anisotropy's are auto (NaN: not given, see shepard_fit) where they
 * are left out, but for the anisotropy of a given range: ratio 1 and angle 0. Sets all of
 * *parameters, a struct of so many bytes, and the anisotropy in *options; options NULL: such a key
 * is an error. Errors: SHEPARD_ERROR_ARGUMENT: an unknown method or key (names the nearest), a key
 * given twice, a value that is not a number or out of range. A message about a value begins with
 * "key=value". Combinations of values (eps and precision, min_points and max_points) are checked by
 * predictions.
 */
SHEPARD_API enum shepard_status
shepard_parameters_parse_sized(const char *text, struct shepard_parameters *parameters, size_t size,
                               struct shepard_points_options *options, struct shepard_error *error);

static inline enum shepard_status shepard_parameters_parse(const char *text,
                                                           struct shepard_parameters *parameters,
                                                           struct shepard_points_options *options,
                                                           struct shepard_error *error)
{
    return shepard_parameters_parse_sized(text, parameters, sizeof *parameters, options, error);
}

/**
 * Writes parameters as text with all keys of the method, those of options too unless it is NULL.
 * shepard_parameters_parse reads the same bits back from it; fields that have no key (power of
 * aidw, adaptive of idw) get their defaults.
 * method: the name to use, as of shepard_parameters_method; NULL: idw, aidw or krige.
 * text: [size], ended by a zero, cut off if it is too long; may be NULL if size is 0.
 * Returns the length needed without the zero, as snprintf does; 0 if no text has this meaning
 * (another method's name, a value out of the range of its key, a wrong
 * size).
 */
SHEPARD_API size_t shepard_parameters_print(const struct shepard_parameters *parameters,
                                            const struct shepard_points_options *options,
                                            const char *method, char *text, size_t size);

/** Name i that a text may begin with ("invdist", "invdistnn", "idw", "aidw", "krige"); NULL past
 * the end. Static. */
SHEPARD_API const char *shepard_parameters_method(size_t i);

/**
 * The one of count candidates that is nearest to name by Damerau-Levenshtein distance, letter case
 * ignored. If more than a third of its letters are wrong in all, the first that begins as name
 * does, in at least four letters and all of its own but one ("krige" for "kriging"); else NULL.
 */
SHEPARD_API const char *shepard_nearest_name(const char *name, const char *const *candidates,
                                             size_t count);

/* ---- Fields ---------------------------------------------------------------------------------- */

/** Values at points, ready for predictions with any parameters. */
struct shepard_field;

/**
 * Puts values on points, in the order of the coordinates that the points were made from; copies
 * what it needs. Nothing is sorted. Columns that miss values at the same points share their
 * searches and sums. The backend cpu lets columns that miss other values share one search too, for
 * predictions from neighbourhoods: of columns that have at least half of the points, if no two
 * points are at one place and the targets are not SHEPARD_TARGETS_LEAVE_ONE_OUT. The results have
 * the same bits as those of a field of the column alone. The points must outlive the field.
 * Cost: O(n) time a column; 12 bytes a point for each column, 20 for weights. Columns with
 * different gaps: 40 bytes a point more for each different set of gaps, also of a single one; with
 * the backend cpu 16 bytes a point and column (columns in whole eights), 8 for weights, and the
 * former for each set of gaps when a prediction first needs it alone (sums over all points, few
 * points, count, nearest, power and effective of column 0). The first prediction with sums over all
 * points prepares moments: up to 160 bytes a point with SHEPARD_PRECISION_SINGLE, 60 more for each
 * further column; SHEPARD_PRECISION_DOUBLE about 150 (eps 1e-4) to 350 (1e-12). They are kept, for
 * as many different tolerances, powers and outputs as options.memory_limit has room for.
 *
 * Errors: SHEPARD_ERROR_ARGUMENT, _NO_POINTS (a column without a usable value), _SIZE, _MEMORY,
 * _BACKEND. *field is set on success only.
 */
SHEPARD_API enum shepard_status shepard_field_create(const struct shepard_points *points,
                                                     const struct shepard_values *values,
                                                     struct shepard_field **field,
                                                     struct shepard_error *error);

/** Frees a field; NULL is allowed. No prediction from it may be running. */
SHEPARD_API void shepard_field_free(struct shepard_field *field);

/** Seconds that the stages of a call took on a GPU, by its own clock; those of several GPUs, or of
 * chunks, add up. */
struct shepard_timing {
    double upload;   /**< from the host to the device */
    double sort;     /**< checks, frame, order along the curve */
    double tree;     /**< boxes */
    double moments;  /**< expansions */
    double nearest;  /**< nearest points, powers of AIDW, predictions from neighbourhoods */
    double sums;     /**< sums over all points, systems of kriging */
    double download; /**< results, put in order, to the host */
};

/** What points hold. */
struct shepard_points_info {
    size_t size;         /**< sizeof(struct shepard_points_info), set by the caller */
    size_t points;       /**< data points in use */
    size_t skipped;      /**< data points left out, see struct shepard_coordinates */
    double x_min, x_max; /**< bounding box of the points in use */
    double y_min, y_max;
    double area;         /**< of the box that AIDW takes by default (struct shepard_adaptive); of
                              SHEPARD_METRIC_SPACE its volume */
    size_t bytes;        /**< memory that the points hold on the host */
    size_t device_bytes; /**< and on GPUs, all together */
    int threads;         /**< threads that a call uses */
    const char *backend; /**< name of the backend, static */
    const char *isa;     /**< instruction set in use, static; "" where the backend has none */
    const char *notice;  /**< a sentence on what was done differently from what was asked when
                              they were made; "" if nothing; lives as long as the points */
    struct shepard_timing timing; /**< of their creation; all 0 if no GPU took part */
    size_t segments;              /**< of barriers */
};

/** Fills *info, whose size the caller has set; O(1). */
SHEPARD_API void shepard_points_get_info(const struct shepard_points *points,
                                         struct shepard_points_info *info);

/** What a field holds. */
struct shepard_field_info {
    size_t size;         /**< sizeof(struct shepard_field_info), set by the caller */
    size_t column_count; /**< value columns */
    size_t searches;     /**< different sets of gaps among the columns: 1 if no column has gaps */
    size_t bytes;        /**< memory that the field holds on the host, with prepared data */
    size_t device_bytes; /**< and on GPUs, all together */
    const char *notice;  /**< as shepard_points_info.notice */
    struct shepard_timing timing; /**< of its creation and of what predictions
                                       have prepared; all 0 if no GPU took part */
};

/** Fills *info, whose size the caller has set; O(number of gap sets). */
SHEPARD_API void shepard_field_get_info(const struct shepard_field *field,
                                        struct shepard_field_info *info);

/** Which search a column takes part in, below shepard_field_info.searches: columns with the same
 * number have the same gaps. */
SHEPARD_API size_t shepard_field_search(const struct shepard_field *field, size_t column);

/** Data points where column has a usable value, and the point a usable weight. */
SHEPARD_API size_t shepard_field_count(const struct shepard_field *field, size_t column);

/* ---- Fits ------------------------------------------------------------------------------------ */

struct shepard_control;
struct shepard_covariates;

/** How parameters of kriging were found. */
enum shepard_fit_form {
    SHEPARD_FIT_CONSTANT,  /**< all values or all places are equal: psill is 0, nugget the variance
                                of the values */
    SHEPARD_FIT_FEW,       /**< fewer than 10 points: by a rule (struct shepard_fit_data) */
    SHEPARD_FIT_LIKELIHOOD /**< by maximum likelihood */
};

/**
 * What parameters are fitted to; borrowed for the call. The arrays are the host's. A point is left
 * out if a coordinate or its value is NaN or infinite. Weights are an error: kriging takes none.
 */
struct shepard_fit_data {
    size_t size;                                   /**< sizeof(struct shepard_fit_data) */
    const struct shepard_coordinates *coordinates; /**< as of shepard_points_create */
    const struct shepard_values *values;           /**< as of shepard_field_create */
    size_t column;                                 /**< whose values */
    uint64_t seed; /**< of the sample of points that the likelihood is computed from; the same
                        data, in the same order, with the same seed give the same fit, whatever the
                        number of threads */
    const struct shepard_covariates *covariates; /**< of a trend (shepard_trend_fit): its
                        coefficients are found along with the covariance, which is then that of what
                        the trend leaves. A point that lacks one is left out. NULL: no trend */
};

/** What a fit has done; for reports. */
struct shepard_fit_info {
    size_t size; /**< sizeof(struct shepard_fit_info), set by the caller */
    enum shepard_fit_form form;
    bool fitted;         /**< false: all was given, and nothing done */
    bool anisotropic;    /**< anisotropy was fitted, and worth its parameters */
    size_t points;       /**< used */
    size_t clipped;      /**< values that were held nearer to the others: those farther than 3
                              interquartile ranges outside the quartiles, for the fit alone */
    size_t evaluations;  /**< of the likelihood */
    double objective;    /**< at the fit (docs/math/likelihood.md, Eq. 68) */
    double mean;         /**< of the values by generalized least squares, or as given */
    double range_along;  /**< range along anisotropy_angle */
    double range_across; /**< range at right angles to it */
    double nugget_part;  /**< nugget / (psill + nugget), 0 where both are 0 */
    double seconds;      /**< it took, by the clock */
};

/**
 * Completes the parameters of kriging from data: what is NaN in parameters->kriging, and the
 * anisotropy that is NaN in *options, is fitted by maximum likelihood; what is given is held. The
 * model is that of parameters->kriging.covariance. Points and fields are then made with *options,
 * and predictions with *parameters:
 *
 *     options.anisotropy_ratio = options.anisotropy_angle = NAN; // fit it, too
 *     parameters.method = SHEPARD_METHOD_KRIGE; // psill, range ... are NaN by default
 *     parameters.neighbourhood = (struct shepard_neighbourhood){.sectors = 8,
 *                                                               .max_points_per_sector = 2};
 *     struct shepard_fit_data data = {.size = sizeof data, .coordinates = &coordinates};
 *     data.values = &values;
 *     if (shepard_fit(&data, &parameters, &options, NULL, NULL, &error)) ...
 *     if (shepard_points_create(&coordinates, &options, &points, &error)) ...
 *
 * shepard_parameters_parse("krige", ...) sets the same. A ratio without an angle is held at angle
 * 0; an angle without a ratio is held, and the ratio fitted. sd becomes SHEPARD_KRIGING_SD_LOCAL if
 * it is SHEPARD_KRIGING_SD_AUTO and psill or nugget are fitted. Where nothing is NaN nothing is
 * done.
 *
 * Likelihood: Vecchia's approximation from 2,000 of the points, each conditioned on 15 neighbours
 * at all scales (docs/math/likelihood.md). Anisotropy is kept where it is worth its parameters.
 * With fewer than 30 points p is 1 and ratio 1 unless given. With fewer than 10 nothing is
 * searched: where neither psill, range nor p is given the model becomes SHEPARD_COVARIANCE_LINEAR
 * (with a known mean, it stays), without a nugget, whose slope fits the pairs' semivariances; else
 * nugget is 0 and range the diagonal of the points' box. Values that do not vary get psill = nugget
 * = 0. Results are finite whatever the data. psill and nugget keep their ratio but are held within
 * 1e-290 and 1e290, where squares of values do not fit.
 *
 * Cost: some 200 to 350 likelihoods, whatever n, and O(n) time; some 50 bytes a point meanwhile.
 * options->threads and ->allocator are used. info, control and error may be NULL.
 * Errors: SHEPARD_ERROR_ARGUMENT, _NO_POINTS (no point with a value), _SIZE, _MEMORY, _CANCELLED.
 * *parameters and *options change on success only.
 */
SHEPARD_API enum shepard_status
shepard_fit(const struct shepard_fit_data *data, struct shepard_parameters *parameters,
            struct shepard_points_options *options, struct shepard_fit_info *info,
            const struct shepard_control *control, struct shepard_error *error);

/* ---- Predictions ----------------------------------------------------------------------------- */

/**
 * A raster of cells; predictions are made at cell centres:
 * x of column j is x0 + (j + 0.5) dx, y of row i is y0 + (i + 0.5) dy; dy < 0 for north-up rasters.
 */
struct shepard_raster {
    double x0, y0;        /**< outer corner of cell (0, 0), finite */
    double dx, dy;        /**< cell size with sign, finite, not 0 */
    size_t columns, rows; /**< of the whole raster, each >= 1 */
};

/** A part of a raster. */
struct shepard_window {
    size_t column, row;   /**< first cell */
    size_t columns, rows; /**< extent, inside the raster; 0: nothing is predicted */
};

enum shepard_target_kind {
    SHEPARD_TARGETS_LIST,   /**< places x, y */
    SHEPARD_TARGETS_RASTER, /**< cell centres of a raster, row by row, the first row first */
    SHEPARD_TARGETS_WINDOW, /**< of a window of a raster. A cell gets the same bits whatever window
                                 it is asked for with */
    SHEPARD_TARGETS_LEAVE_ONE_OUT /**< the places of the data points, each predicted from the
                                       others */
};

/**
 * Where to predict, borrowed for the call. A target with a NaN or infinite coordinate gets
 * nodata. A coordinate below about 1e-133 of the extent of the data counts as 0.
 *
 * Leave-one-out (SHEPARD_TARGETS_LEAVE_ONE_OUT) validates: a target is a data point's place, and
 * its prediction is that of points and a field that were made without the point, and without the
 * points at the same place unless keep_coincident is set. What is left out has no part in anything:
 * values, weights, neighbourhoods, min_points, the nearest points that AIDW's power and the ridge
 * look at, count, nearest. Only what is the same for every target stays that of all points: n and
 * the area of AIDW (struct shepard_adaptive). A skipped point (struct shepard_coordinates) gets
 * nodata; one that has no usable value or weight in a column is predicted there as at any place,
 * without what the column has at it unless keep_coincident is set. Where no point is left, count is
 * 0. It costs what as many other targets cost; with smoothing more, because groups of points round
 * a target are then not summed together; and O(n) a call. The backend cuda leaves sums over all
 * points with smoothing and keep_coincident to the CPU. eps, rounding and the least weight of
 * 1e-100 stay relative to the range of values and the largest weight of all points, those left out
 * included: with extreme outliers use SHEPARD_PRECISION_DOUBLE or a neighbourhood.
 *
 * Stars (star_radii) are for validation (shepard_validate.h): a prediction is that of points and a
 * field that were made without what the star of the target covers, n and the area of AIDW apart, as
 * with leave-one-out. Radii and octants are those of the map, without anisotropy. Octant o of an
 * offset (dx, dy) from the target has bit 0 set if dx >= 0, bit 1 if dy >= 0, bit 2 if
 * |dx| > |dy|; on a sphere dx is to the east and dy to the north. The backend cuda leaves such
 * predictions to the CPU.
 */
struct shepard_targets {
    size_t size; /**< sizeof(struct shepard_targets) */
    enum shepard_target_kind kind;
    size_t count;                 /**< of a list: m, 0 to SHEPARD_POINTS_MAX */
    struct shepard_array x;       /**< of a list: [m] */
    struct shepard_array y;       /**< of a list: [m] */
    struct shepard_array z;       /**< of a list: [m] of SHEPARD_METRIC_SPACE; else empty */
    struct shepard_raster raster; /**< of SHEPARD_TARGETS_RASTER and _WINDOW */
    struct shepard_window window; /**< of SHEPARD_TARGETS_WINDOW */
    const uint32_t *indices;      /**< of SHEPARD_TARGETS_LEAVE_ONE_OUT: [count] points, as indices
                                       into the coordinates; the same may stand twice. NULL: all
                                       coordinates in their order, m is their number, and count is
                                       not used */
    bool keep_coincident;         /**< of SHEPARD_TARGETS_LEAVE_ONE_OUT: a point is left out alone.
                                       false: with all other points at its place, which would tell
                                       nearly all of its value */
    struct shepard_memory memory; /**< of x, y and z; indices are the host's */
    const double *star_radii;     /**< of a list and SHEPARD_TARGETS_LEAVE_ONE_OUT: [m, 8], the
                                       host's, each >= 0 or infinite. Target i does not use data
                                       points in its octant o nearer than star_radii[8 i + o]; NULL
                                       (default): it uses all */
    double raster_z; /**< of SHEPARD_TARGETS_RASTER and _WINDOW with SHEPARD_METRIC_SPACE: z of all
                          cells, finite; else 0 */
};

/* ---- Standard deviations ------------------------------------------------------------------- */

/** How the standard deviation depends on one quantity a of a target: by
 * slope (clip(ln(a + offset)) - centre), with clip to [low, high]. All are finite. */
struct shepard_sd_feature {
    double slope;
    double offset; /**< > 0, in the unit of a */
    double centre;
    double low, high; /**< low <= high */
};

/**
 * Standard deviation of predictions of one column by IDW and AIDW, of degree 0 and 1:
 *
 *     sd = scale exp((intercept + slope of nearest + slope of deviation) / 2)
 *
 * with the distance of the nearest data point and the deviation of the column, as struct
 * shepard_output has them (docs/math/standard-deviation.md). Plain numbers: they can be kept, and
 * used with any field of data that lie as densely, with the parameters that they were fitted for.
 */
struct shepard_sd_model {
    size_t size;      /**< sizeof(struct shepard_sd_model) */
    double scale;     /**< >= 0, in the unit of the values; 0: sd is 0 everywhere */
    double intercept; /**< finite */
    struct shepard_sd_feature nearest;
    struct shepard_sd_feature deviation;
};

/** Predictions that are known to be off by so much; borrowed for the call of shepard_sd_model_fit
 * only. The host's memory. An element that is not finite in one of the arrays is left out. */
struct shepard_sd_residuals {
    size_t size;                    /**< sizeof(struct shepard_sd_residuals) */
    size_t count;                   /**< m >= 1 */
    struct shepard_array residuals; /**< [m] measured value less prediction, or the reverse */
    struct shepard_array nearest;   /**< [m] as shepard_output.nearest, >= 0 */
    struct shepard_array deviation; /**< [m] as shepard_output.deviations of the column, >= 0 */
    const struct shepard_allocator *allocator; /**< of scratch, 32 bytes an element; NULL: malloc
                                                    and free */
};

/** Fewer residuals than these give a model with slopes of 0: their root mean square everywhere. */
#define SHEPARD_SD_RESIDUALS_MIN 20

/**
 * Fits *model, a struct of so many bytes, to residuals, by the least sum of a proper score. They
 * should come from targets as far from the data that predict them as those that the model is for:
 * leave-one-out (SHEPARD_TARGETS_LEAVE_ONE_OUT) where new targets lie among the data, else stars:
 * shepard_holdout_validate (shepard_validate.h) gives values, nearest and deviations of both, and
 * shepard_holdout_info.observed what was measured. About 2,000 are enough. The same residuals give
 * the same model. Errors: SHEPARD_ERROR_ARGUMENT (none is finite), _MEMORY.
 */
SHEPARD_API enum shepard_status
shepard_sd_model_fit_sized(const struct shepard_sd_residuals *residuals,
                           struct shepard_sd_model *model, size_t size,
                           struct shepard_error *error);

static inline enum shepard_status shepard_sd_model_fit(const struct shepard_sd_residuals *residuals,
                                                       struct shepard_sd_model *model,
                                                       struct shepard_error *error)
{
    return shepard_sd_model_fit_sized(residuals, model, sizeof *model, error);
}

/* ---- Results --------------------------------------------------------------------------------- */

/**
 * Where results go; empty arrays are not written. Sums are computed only if an output needs them.
 * Columns are arrays of their own or those of a matrix, as in struct shepard_values.
 * m is the number of targets. If the neighbourhood is not met, or the target is not finite, all
 * arrays get parameters.nodata except count (always set: the number of points found, 0 for a
 * target that is not finite) and nearest (set if a point was found). At the exact place of data
 * points (smoothing 0) only these have weight: value, deviation and effective are computed from
 * them alone; count, nearest (0) and power are those of the neighbourhood. If columns have
 * different gaps, count, nearest, power and effective are those of column 0.
 */
struct shepard_output {
    size_t size;                                   /**< sizeof(struct shepard_output) */
    const struct shepard_output_array *values;     /**< [columns] arrays [m], each may be empty:
                                                        predictions Z; NULL: none */
    const struct shepard_output_array *deviations; /**< [columns] arrays [m], each may be empty:
                                                        weighted standard deviation
                                                        sqrt(sum w (z - Z)^2 / sum w), Z of
                                                        degree 0; NULL: none. Of
                                                        SHEPARD_METHOD_KRIGE nodata */
    ptrdiff_t values_stride;                       /**< as shepard_values.column_stride */
    ptrdiff_t deviations_stride;                   /**< as shepard_values.column_stride */
    struct shepard_output_array count;             /**< [m] data points used */
    struct shepard_output_array nearest;           /**< [m] distance of the nearest data point used,
                                                        unsmoothed; with anisotropy in the stretched plane */
    struct shepard_output_array power;             /**< [m] power used; of SHEPARD_METHOD_KRIGE
                                                        nodata */
    struct shepard_output_array effective;    /**< [m] effective sample size (sum w)^2 / sum w^2; of
                                                   SHEPARD_METHOD_KRIGE nodata */
    const struct shepard_output_array *sds;   /**< [columns] arrays [m], each may be empty: standard
                                                   deviation of the difference between the prediction
                                                   and a new measurement there; NULL: none. Those of
                                                   other methods than SHEPARD_METHOD_KRIGE come from
                                                   sd_models, and are the host's */
    ptrdiff_t sds_stride;                     /**< as shepard_values.column_stride */
    const struct shepard_sd_model *sd_models; /**< [columns] one behind the other, all of the size
                                                   of the first; not looked at without sds, by
                                                   SHEPARD_METHOD_KRIGE and by shepard_prepare */
    struct shepard_memory memory;
};

/**
 * The diagnostics of struct shepard_output: TARGET(ID, array, name) where a target has one number,
 * COLUMN(ID, arrays, name) where it has one for each column. The command calls it name.
 */
#define SHEPARD_DIAGNOSTIC_LIST(TARGET, COLUMN)                                                    \
    TARGET(COUNT, count, "count")                                                                  \
    TARGET(NEAREST, nearest, "nearest")                                                            \
    TARGET(POWER, power, "alpha")                                                                  \
    COLUMN(DEVIATION, deviations, "deviation")                                                     \
    TARGET(EFFECTIVE, effective, "effective")                                                      \
    COLUMN(SD, sds, "sd")

/** Work of one call's sums. The call adds to it: zero it first. The backend ref does not count. */
struct shepard_work {
    double pairs; /**< pairs of target and data point that were summed one by one */
    double nodes; /**< pairs of target and group of points that were summed by an expansion; a
                     group that a GPU sums for many targets at once counts once for all of them */
};

/** Progress, cancellation, notices and counts of shepard_predict, shepard_prepare and
 * shepard_nearest; everything except the size may be zero. */
struct shepard_control {
    size_t size; /**< sizeof(struct shepard_control) */
    /** Called on the calling thread now and then, fraction rising from 0 to 1, never falling; false
     * cancels. A prediction that has to prepare something does not move on meanwhile; one that
     * waits for another's preparation reports when that ends. It must not predict from the same
     * field, prepare it, or wait for a thread that does. */
    bool (*progress)(double fraction, void *user);
    void *user;
    struct shepard_work *work; /**< NULL: not counted */
    /** Called on the calling thread, with user, if something is done differently from what was
     * asked, e.g. on the CPU instead of a GPU. text is one sentence, valid during the call. */
    void (*notice)(const char *text, void *user);
    struct shepard_timing *timing; /**< added to where a GPU takes part; NULL: not timed */
};

/**
 * Predicts at targets. control and error may be NULL.
 * A target at the exact place of data points gets their (weighted) mean, unless smoothing > 0.
 * Degree 0 predictions of IDW and AIDW lie within the range of the data's values.
 *
 * Kriging (docs/math/kriging.md) computes in double whatever the precision, systems that are near
 * singular in long double. It takes no weights of points, and at most SHEPARD_KRIGING_POINTS_MAX
 * points for a target. At the place of data points it gives their mean and sd 0, as gstat does,
 * with a nugget too. Points at one place count as one, of the mean of their values, if the nugget
 * is 0.
 *
 * Accuracy, as a fraction of the value range. Sums over all points are within parameters.eps of the
 * exact ones, planes (degree 1) included; the square of a deviation within 4 eps of the squared
 * range; effective within 7 eps of itself. Degree 0 values within an eps > 0 include the rounding
 * of the sums. With eps 0 or a neighbourhood, rounding is the only error. In double, which
 * neighbourhoods and exact planes always use, it is 1e-12, planes with the default ridge or more
 * included. Sums of every pair in single are within 2.1e-6 for power 2 and within 4.4e-6 for powers
 * up to 8 (proved: docs/math.md, Eq. 25); measured: 1.3e-8. Point weights over many decades may put
 * nearly all weight far from a target: except in the backend ref, planes then magnify rounding by
 * that distance over the spread of the heavy points (docs/math.md, Eq. 36a). With
 * SHEPARD_PRECISION_SINGLE, sums are in double nevertheless if deviations or effective are asked
 * for, for powers above 8, and for weights below 1e-20 of the largest; a GPU still sums the values
 * in single. Planes over all points are in double with smoothing, too, at targets outside the box
 * of the data, where float32 is not enough for eps, and on a GPU.
 *
 * A target's results do not depend on the other targets of the call, nor on threads; a cell of a
 * raster and a target at its centre may differ within eps.
 *
 * Cost: O(k + log n) a target with a neighbourhood of k points, O(log n) with all points, times
 * about log(1 / eps)^2; O(n) with eps 0, and for planes that magnify errors more than a thousand
 * times (data nearly on a line with a small ridge, weights below 1e-13 / eps of the largest; with a
 * damping of 0 also targets far outside the data). Kriging from k points takes O(k^3) a target;
 * from all n points O(n^3) once, on one thread, O(n) a target and O(n^2) for its sd, or O(n^2) in
 * long double where double is not accurate enough; leave-one-out O(n^3) a target. A system of k
 * points takes 8 k^2 bytes, of more than 64 points in each thread; that of all points 12 n^2.
 * Scratch: 36 bytes a target while targets are sorted, and a quarter of a megabyte a thread, more
 * with many columns or neighbours. The first prediction with other parameters may have to prepare
 * moments: O(n) times about log(1 / eps)^2, see shepard_field_create.
 *
 * Errors: SHEPARD_ERROR_ARGUMENT, _AREA (AIDW, area 0, data at one place or on one line along a
 * side of the bounding box), _TOLERANCE, _SIZE, _MEMORY, _CANCELLED, _BACKEND (a GPU was lost).
 */
SHEPARD_API enum shepard_status
shepard_predict(const struct shepard_field *field, const struct shepard_parameters *parameters,
                const struct shepard_targets *targets, const struct shepard_output *output,
                const struct shepard_control *control, struct shepard_error *error);

/**
 * Prepares in advance what shepard_predict would prepare at its first calls with these parameters,
 * any targets, and the arrays that output has (their addresses are not used; NULL: the values of
 * all columns, and nothing else). Afterwards such calls hold no more memory than before,
 * apart from leave-one-out that the backend cuda leaves to the CPU. With
 * columns of different gaps that includes the points of each set of gaps of these columns, which a
 * prediction that shares a search needs at some targets only. control and error may be NULL. Errors
 * as those of shepard_predict; what was prepared before a cancellation stays.
 */
SHEPARD_API enum shepard_status shepard_prepare(const struct shepard_field *field,
                                                const struct shepard_parameters *parameters,
                                                const struct shepard_output *output,
                                                const struct shepard_control *control,
                                                struct shepard_error *error);

/** No neighbour: fills the rest of a row of indices where k > n or the target is not finite. */
#define SHEPARD_NO_POINT UINT32_MAX

/** Where the results of shepard_nearest go. */
struct shepard_nearest_output {
    size_t size;                           /**< sizeof(struct shepard_nearest_output) */
    uint32_t *indices;                     /**< [m, k], into the coordinates that the points were
                                                made from; NULL: not wanted */
    struct shepard_output_array distances; /**< [m, k], NaN where there is none */
    struct shepard_memory memory;
};

/**
 * The k nearest data points of each target, exact, nearest first. Points at equal distances are
 * ordered by smaller x, then smaller y, then smaller index. Distances are those of the points'
 * metric and anisotropy. Errors: SHEPARD_ERROR_ARGUMENT (k = 0), _SIZE, _MEMORY, _CANCELLED,
 * _BACKEND (a GPU was lost).
 */
SHEPARD_API enum shepard_status shepard_nearest(const struct shepard_points *points,
                                                const struct shepard_targets *targets, size_t k,
                                                const struct shepard_nearest_output *output,
                                                const struct shepard_control *control,
                                                struct shepard_error *error);

/* ---- Trends ---------------------------------------------------------------------------------- */

/** Largest number of covariates. */
#define SHEPARD_COVARIATES_MAX 256

/**
 * Numbers that are known at the points and at the targets, such as the height of the ground, and
 * that the values may depend on; borrowed for the call of shepard_trend_fit only. In the memory of
 * the host.
 */
struct shepard_covariates {
    size_t size;                         /**< sizeof(struct shepard_covariates) */
    size_t count;                        /**< p, 1 to SHEPARD_COVARIATES_MAX */
    const struct shepard_array *columns; /**< [p] arrays [n], in the order of the coordinates; of a
                                              matrix column 0 only. NaN or infinite: missing */
    ptrdiff_t column_stride;             /**< as shepard_values.column_stride */
    const char *const *names;            /**< [p] for messages; NULL: covariates.columns[j] */
};

/** What shepard_trend_fit found. Arrays lie in the memory of the host; NULL or empty: not wanted.
 */
struct shepard_trend {
    size_t size;             /**< sizeof(struct shepard_trend) */
    double *coefficients;    /**< [columns, p] b, of each value column */
    double *standard_errors; /**< [columns, p] of the coefficients: of SHEPARD_METHOD_KRIGE what the
                                  covariance says; else as if the errors of the leave-one-out
                                  predictions had one variance and did not depend on each other: a
                                  guide, no test */
    double *rmse;         /**< [columns] root of the mean square of the leave-one-out errors, with
                               the trend; b was fitted to these very points; NaN: no point can be
                               predicted from others */
    double *rmse_without; /**< [columns] the same of the values alone */
    size_t *used;         /**< [columns] points that b was fitted to */
    const struct shepard_output_array *residuals; /**< [columns] arrays [n], each may be empty:
                                                       z - c b; NaN where the value or a covariate
                                                       is missing */
    ptrdiff_t residuals_stride;                   /**< as shepard_values.column_stride */
};

/**
 * Fits a trend: values are c b + a rest, c being the covariates, and predictions interpolate the
 * rest (docs/math/trend.md). b is what leaves the least leave-one-out error of that: predictions
 * are linear in the values, so z and each covariate are predicted at each point from the other
 * places once, and b is the least squares solution of (z - z_loo) on (c - c_loo).
 *
 * Of SHEPARD_METHOD_KRIGE b is that of generalized least squares by the covariance of parameters,
 * with an unknown mean (of SHEPARD_KRIGING_SIMPLE the known one), whatever the neighbourhood: by
 * Vecchia's approximation, from 15 neighbours of each of at most 10,000 points, a sample where
 * there are more. The covariance is that of the rest: shepard_fit with the same covariates finds
 * it. Points must have been made on the host: by SHEPARD_BACKEND_CPU, or SHEPARD_BACKEND_AUTO with
 * these parameters as options.expected_parameters. Leave-one-out predictions are made for rmse and
 * rmse_without only. Afterwards
 *
 *     ... make a field from the residuals, predict from it with the same parameters, and add c b
 *     of each target to its prediction; a target that lacks a covariate has no prediction ...
 *
 * Point weights weigh the squares, too; kriging takes none. A point that lacks a covariate counts
 * as one without a value; one that cannot be predicted from the others is not fitted to, but by
 * kriging. Give no function of x and y as a covariate: such trends run away outside the data. sds
 * of predictions from residuals do not include what is uncertain of b.
 * Cost: one leave-one-out prediction of the value columns with the same gaps and the covariates
 * together, and O(n p (p + columns)); 16 bytes a point for each of these columns.
 *
 * Errors: as those of shepard_predict, and SHEPARD_ERROR_ARGUMENT (a covariate that is constant, a
 * linear function of those before it, or one that the method predicts exactly from other points: it
 * is named; fewer points than covariates + 2), _NO_POINTS (a column without a point that
 * has a value and all covariates). control and error may be NULL.
 */
SHEPARD_API enum shepard_status
shepard_trend_fit(const struct shepard_points *points, const struct shepard_values *values,
                  const struct shepard_covariates *covariates,
                  const struct shepard_parameters *parameters, const struct shepard_trend *trend,
                  const struct shepard_control *control, struct shepard_error *error);

/* ---- Backends -------------------------------------------------------------------------------- */

/** What is known of a backend on this machine. All strings static. */
struct shepard_backend_info {
    enum shepard_backend backend;
    const char *name;   /**< "ref", "cpu", "cuda" */
    bool usable;        /**< built in and able to run here */
    const char *isa;    /**< instruction set in use; "" if the backend has none */
    const char *reason; /**< why it is not usable; "" if it is usable */
};

/** Number of backends that the library knows, built in or not. */
SHEPARD_API size_t shepard_backend_count(void);

/** Fills *info, a struct of so many bytes, for backend number i < shepard_backend_count(), fastest
 * last; false past the end. */
SHEPARD_API bool shepard_backend_get_info_sized(size_t i, struct shepard_backend_info *info,
                                                size_t size);

static inline bool shepard_backend_get_info(size_t i, struct shepard_backend_info *info)
{
    return shepard_backend_get_info_sized(i, info, sizeof *info);
}

/** CUDA on this machine. */
struct shepard_cuda_info {
    bool built;         /**< this build has CUDA */
    int runtime;        /**< version of the CUDA runtime built in, 1000 major + 10 minor; 0: none */
    int driver;         /**< newest CUDA that the driver supports, in the same form; 0: no driver */
    size_t devices;     /**< devices that can be used */
    const char *reason; /**< why no device can be used, static; "" if one can */
};

/** Fills *info, a struct of so many bytes. The first call looks for the driver, which may take a
 * second. */
SHEPARD_API void shepard_cuda_get_info_sized(struct shepard_cuda_info *info, size_t size);

static inline void shepard_cuda_get_info(struct shepard_cuda_info *info)
{
    shepard_cuda_get_info_sized(info, sizeof *info);
}

/** A CUDA device. */
struct shepard_device_info {
    char name[256];      /**< product name */
    size_t memory_bytes; /**< total memory */
    int major, minor;    /**< compute capability */
    int multiprocessors; /**< number of them */
};

/** Fills *info, a struct of so many bytes, for device i < shepard_cuda_info.devices; false past the
 * end. */
SHEPARD_API bool shepard_device_get_info_sized(size_t i, struct shepard_device_info *info,
                                               size_t size);

static inline bool shepard_device_get_info(size_t i, struct shepard_device_info *info)
{
    return shepard_device_get_info_sized(i, info, sizeof *info);
}

#ifdef __cplusplus
}
#endif

#endif
