/* SPDX-License-Identifier: MIT */
/**
 * shepard: surfaces from scattered measurements by inverse distance weighting.
 *
 * What it computes. Given n data points (x, y) with one or more value columns z, and a target s,
 *
 *     Z(s) = sum_i w_i z_i / sum_i w_i,    w_i = q_i (d(s, s_i)^2 + smoothing^2)^(-power / 2) (IDW)
 *
 * over all points or over a neighbourhood; q_i is an optional weight of the point. AIDW chooses the
 * power for each target from the density of the data round it. Degree 1 fits a plane with the same
 * weights in place of the mean. docs/math.md numbers every formula and names its source.
 *
 * Life cycle.
 *
 *     struct shepard_options options;
 *     shepard_options_init(&options);                          // defaults; then set what you need
 *     struct shepard_data data = {.count = n, .x = x, .y = y, .columns = 1, .values = columns};
 *     struct shepard_model *model = NULL;
 *     struct shepard_error error;
 *     if (shepard_model_create(&data, &options, &model, &error)) { puts(error.message); return 1; }
 *     shepard_predict_points(model, &targets, &output, NULL, &error);   // as often as you like
 *     shepard_predict_raster(model, &raster, NULL, &output, NULL, &error);
 *     shepard_model_free(model);
 *
 * Threads. The library has no global state. A model never changes after its creation: any number of
 * threads may predict from one model at once. Inside a call the work is spread over
 * shepard_options.threads OpenMP threads. Results do not depend on the number of threads, on the
 * window of a raster that is asked for, nor on the order of the targets, bit for bit. A call uses
 * at most 64 KiB of the stack of a thread, its own or OpenMP's (OMP_STACKSIZE); a GPU's driver may
 * use more.
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
 * Units. Coordinates and lengths share any one planar unit. Angles are degrees. All numbers in the
 * interface are double. Shapes are written [rows, columns], row-major.
 *
 * The library prints nothing, never exits, and reads two environment variables: SHEPARD_ISA
 * (scalar, baseline, avx2, avx512, neon) limits the instruction set. An unknown name disables the
 * backend cpu; shepard_backend_get_info then gives the reason. SHEPARD_CUDA_CHUNK is the largest
 * number of targets that the backend cuda works on at a time, default 4194304.
 * OpenMP itself may end the process: GCC's libgomp does so, with a message, if the system refuses
 * to make the threads that a call asks for (ulimit -u, a container's limit of processes). Set
 * shepard_options.threads in such places; with 1 the CPU backends make no thread.
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
    char argument[64]; /**< the field or argument at fault, e.g. "options.power"; "" if none */
    char message[400]; /**< one sentence: what is wrong, and what to do */
};

/** The text of a status, static; "unknown status" for any other number. */
SHEPARD_API const char *shepard_status_text(enum shepard_status status);

/** The library's version, "major.minor.patch", static. */
SHEPARD_API const char *shepard_version(void);

/* ---- Data ------------------------------------------------------------------------------------ */

/** Largest number of data points, and of targets in one call. */
#define SHEPARD_POINTS_MAX 4000000000u
/** Largest number of value columns. */
#define SHEPARD_COLUMNS_MAX 4096u

/**
 * Data points, borrowed for the call of shepard_model_create only.
 * A point is left out, and counted in shepard_model_info.skipped, where a coordinate, any of its
 * values or its weight is NaN or infinite, or its weight is 0 (a negative weight is an error).
 * Points at one place are all kept.
 * Coordinates may have any size, as long as they are not too far apart: one that is not 0 but less
 * than about 1e-133 of the extent of the points is an error, for its square would vanish.
 */
struct shepard_data {
    size_t count;                /**< n, 1 to SHEPARD_POINTS_MAX */
    const double *x;             /**< [n] */
    const double *y;             /**< [n] */
    size_t columns;              /**< value columns, 1 to SHEPARD_COLUMNS_MAX */
    const double *const *values; /**< [columns] pointers to [n] */
    const double *weights;       /**< [n], each >= 0; NULL: all 1. Less than 1e-100 of the
                                     largest counts as that. */
};

/* ---- Options --------------------------------------------------------------------------------- */

enum shepard_method {
    SHEPARD_IDW, /**< one power everywhere (Shepard 1968) */
    SHEPARD_AIDW /**< power from the local density (Lu & Wong 2008) */
};

enum shepard_precision {
    SHEPARD_SINGLE, /**< all-points sums of degree 0: float32 for far points, double for near ones
                     */
    SHEPARD_DOUBLE  /**< everything in double */
};

enum shepard_expectation {
    SHEPARD_EXPECT_NN, /**< r_exp of the nearest neighbour, 1 / (2 sqrt(n / A)), the papers' form */
    SHEPARD_EXPECT_KNN /**< r_exp of the mean of the first k neighbour distances */
};

enum shepard_backend {
    SHEPARD_BACKEND_AUTO, /**< cuda where it can be used and an estimate says that it takes at most
                               half the time, its start included; else cpu */
    SHEPARD_BACKEND_REF,  /**< brute force, plain double, compensated sums: slow, the truth */
    SHEPARD_BACKEND_CPU,  /**< OpenMP and SIMD */
    SHEPARD_BACKEND_CUDA  /**< NVIDIA GPUs; what these do not do is done as by cpu, with a notice */
};

/** options.device: all devices of the machine share the targets. */
#define SHEPARD_DEVICE_ALL (-1)

/**
 * Which data points a prediction uses. All zero (sectors 1): all points.
 * The limits combine: points inside the ellipse, of these the nearest max_points_per_sector of each
 * sector, of these at most max_points. With one sector these are the nearest max_points. With more,
 * points at the target's place come first; then each round takes the nearest unused point of each
 * sector, and the last round, if max_points cuts it short, the nearest of these. Points at equal
 * distances are taken by smaller x, then smaller y, then smaller values.
 * With anisotropy all this is of the stretched plane: radius1 = radius2 = R is an ellipse of the
 * map, anisotropy_ratio R along the anisotropy_angle and R across it; an angle equal to
 * anisotropy_angle puts radius1, counted so, along it; boundaries of sectors lie along and across
 * anisotropy_angle; equal distances go by smaller u, then smaller v.
 */
struct shepard_neighbourhood {
    size_t max_points; /**< k; 0: no limit */
    size_t min_points; /**< fewer than these used: nodata; 0: none asked for; at most max_points */
    double radius1;    /**< semi-axis along the angle, > 0, or 0: no limit (radius2 too); not less
                            than about 1e-133 of the extent of the points, and no limit from about
                            1e72 of it on */
    double radius2;    /**< semi-axis across it, > 0, or 0: no limit (radius1 too) */
    double angle;      /**< of radius1, degrees counter-clockwise from +x, any finite */
    int sectors;       /**< 1, 4 (quadrants) or 8 (octants); boundaries along the axes */
    size_t max_points_per_sector; /**< 0: no limit */
    size_t min_points_per_sector; /**< a sector with fewer: nodata; 0: none asked for; at most
                                       max_points_per_sector */
};

/** Parameters of AIDW; lengths in the data's unit. R = r_obs / r_exp, see docs/math.md. */
struct shepard_adaptive {
    size_t k;         /**< neighbours behind r_obs, >= 1, default 10; more than n: n */
    double alphas[5]; /**< powers at mu = 0.1 0.3 0.5 0.7 0.9, each in (0, 100], 1.5 2 2.5 3 3.5 */
    double r_min;     /**< R at or below it: mu = 0; >= 0 and < r_max; default 0 */
    double r_max;     /**< R at or above it: mu = 1; default 2 */
    double area; /**< A > 0, unit^2 of the map; 0 (default): bounding box of the data points, with
                      anisotropy the one with sides along and across its angle */
    enum shepard_expectation expect; /**< default SHEPARD_EXPECT_NN */
};

/** Memory for models and for scratch space of predictions. Both functions must be thread-safe. */
struct shepard_allocator {
    void *(*allocate)(size_t size, void *user); /**< size > 0; NULL: out of memory */
    void (*release)(void *block, void *user);   /**< block is never NULL */
    void *user;
};

/** Everything a model is made with. Always start from shepard_options_init. Every field is checked,
 * also those that the method does not use. */
struct shepard_options {
    enum shepard_method method; /**< default SHEPARD_IDW */
    double power;               /**< of IDW, in (0, 100], default 2 */
    double smoothing;           /**< added to distances in quadrature, default 0; 0 or at least
                                     about 1e-133 of the extent of the points */
    double anisotropy_ratio;    /**< distances along the angle count 1 / ratio, across it fully;
                                     1e-6 to 1e6, default 1: isotropic */
    double anisotropy_angle;    /**< degrees counter-clockwise from +x, any finite, default 0 */
    int degree;                 /**< 0: weighted mean (default); 1: weighted plane */
    double ridge;               /**< of degree 1, on the slopes, >= 0, default 1e-3: times the
                                          squared median distance of the neighbourhood (all points:
                                          of the 10 nearest) */
    struct shepard_neighbourhood neighbourhood; /**< default: all points */
    struct shepard_adaptive adaptive;           /**< used by SHEPARD_AIDW */
    double eps; /**< tolerance of sums over all points, a fraction of the value range, in [0, 0.01]:
                     no prediction is off by more, rounding included (docs/math.md, section 10).
                     0: every pair is summed, O(n) a target. Default 1e-5. SHEPARD_SINGLE takes 0
                     or >= 8e-6, SHEPARD_DOUBLE 0 or >= 1e-12. Not used with a neighbourhood. */
    enum shepard_precision precision; /**< default SHEPARD_SINGLE */
    double nodata;                    /**< value where min_points are not met, default NaN */
    enum shepard_backend backend;     /**< default SHEPARD_BACKEND_AUTO */
    int device; /**< of SHEPARD_BACKEND_CUDA: number below shepard_cuda_info.devices, default 0, or
                     SHEPARD_DEVICE_ALL. SHEPARD_BACKEND_AUTO takes cpu where there is no such one
                 */
    size_t expected_targets; /**< how many predictions will be made, for SHEPARD_BACKEND_AUTO to
                                  choose by; 0 (default): as many as there are points */
    int threads; /**< 1 to 4096; 0 (default): OpenMP's own number; 1: the caller's only */
    const struct shepard_allocator *allocator; /**< copied; its functions and user must outlive
 the model; NULL: malloc and free */
};

/** Sets every field of *options to its default. */
SHEPARD_API void shepard_options_init(struct shepard_options *options);

/* ---- Model ----------------------------------------------------------------------------------- */

/** Data prepared for predictions with fixed options. */
struct shepard_model;

/**
 * Builds a model from data; copies what it needs.
 * Cost: O(n log n) time, most of it spread over the threads. Memory with one value column and no
 * weights: at most 64 bytes a point, 12 more for each further column, 16 for weights (16 more while
 * it is built). Sums over all points within an eps: at most 160 with SHEPARD_SINGLE, 60 more for
 * each further column; SHEPARD_DOUBLE about 100 (eps 1e-4) to 350 (1e-12), and up to half of what
 * goes beyond 64 more for each further column. Deviations and effective need more, which is made at
 * the first prediction that asks for them.
 *
 * Errors: SHEPARD_ERROR_ARGUMENT,
 * _NO_POINTS, _AREA (AIDW, area 0, data at one place or on one line along a side of the
 * bounding box),
 * _TOLERANCE, _SIZE, _MEMORY, _BACKEND. *model is set on success only.
 */
SHEPARD_API enum shepard_status shepard_model_create(const struct shepard_data *data,
                                                     const struct shepard_options *options,
                                                     struct shepard_model **model,
                                                     struct shepard_error *error);

/** Frees a model; NULL is allowed. No prediction from it may be running. */
SHEPARD_API void shepard_model_free(struct shepard_model *model);

/** Seconds that the stages of a call took on a GPU, by its own clock; those of several GPUs, or of
 * chunks, add up. */
struct shepard_timing {
    double upload;   /**< from the host to the device */
    double sort;     /**< checks, frame, order along the curve */
    double tree;     /**< boxes */
    double moments;  /**< expansions */
    double nearest;  /**< nearest points, powers of AIDW, predictions from neighbourhoods */
    double sums;     /**< sums over all points */
    double download; /**< results, put in order, to the host */
};

/** What a model holds. */
struct shepard_model_info {
    size_t points;       /**< data points in use */
    size_t skipped;      /**< data points left out, see struct shepard_data */
    size_t columns;      /**< value columns */
    double x_min, x_max; /**< bounding box of the points in use */
    double y_min, y_max;
    double area;         /**< A of AIDW, unit^2: the option, or its default */
    size_t bytes;        /**< memory the model holds on the host */
    size_t device_bytes; /**< and on GPUs, all together */
    int threads;         /**< threads a prediction uses */
    const char *backend; /**< name of the backend, static */
    const char *isa;     /**< instruction set in use, static; "" where the backend has none */
    const char *notice;  /**< what was done otherwise than asked for when it was made, a sentence;
                              "" if nothing; lives as long as the model */
    struct shepard_timing timing; /**< of its making; all 0 where no GPU took part */
};

/** Fills *info; O(1). */
SHEPARD_API void shepard_model_get_info(const struct shepard_model *model,
                                        struct shepard_model_info *info);

/* ---- Predictions ----------------------------------------------------------------------------- */

/** Places to predict at, borrowed for the call. A target with a NaN or infinite coordinate gets
 * nodata. A coordinate below about 1e-133 of the extent of the data counts as 0. */
struct shepard_targets {
    size_t count;    /**< m, 0 to SHEPARD_POINTS_MAX */
    const double *x; /**< [m] */
    const double *y; /**< [m] */
};

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

/**
 * Where results go; NULL pointers are not written, and nothing is summed where none needs sums. m
 * is the number of targets, or of cells of the window (row-major, first row first). Where the
 * neighbourhood is not met, or the target is not finite, every array gets options.nodata, but
 * count, which always gets the number of points found (0 for a target that is not finite), and
 * nearest, where a point was found. At the exact place of data points (smoothing 0) these alone
 * have weight: the value is their mean, deviation and effective are of them alone; count, nearest
 * (0) and alpha are of the neighbourhood.
 */
struct shepard_output {
    double *const *values;     /**< [columns] pointers to [m], each may be NULL: predictions Z */
    double *const *deviations; /**< [columns] pointers to [m], each may be NULL: weighted standard
                                    deviation sqrt(sum w (z - Z)^2 / sum w), Z of degree 0 */
    double *count;             /**< [m] data points used */
    double *nearest;           /**< [m] distance of the nearest data point used, unsmoothed; with
                                    anisotropy counted by it */
    double *alpha;             /**< [m] power used */
    double *effective;         /**< [m] effective sample size (sum w)^2 / sum w^2 */
};

/** What the sums of one call took. Added to: zero it first. The backend ref does not count. */
struct shepard_work {
    double pairs; /**< pairs of target and data point that were summed one by one */
    double nodes; /**< pairs of target and group of points that were summed by an expansion; one
                     that a GPU sums for many targets together counts once for all of them */
};

/** Progress, cancellation, notices and counts; all may be left zero. */
struct shepard_control {
    /** Called on the calling thread now and then, fraction rising from 0 to 1; false cancels. */
    bool (*progress)(double fraction, void *user);
    void *user;
    struct shepard_work *work; /**< NULL: not counted */
    /** Called on the calling thread, with user, if something is not done as asked for, e.g. on the
     * CPU instead of a GPU. text is one sentence, valid during the call. */
    void (*notice)(const char *text, void *user);
    struct shepard_timing *timing; /**< added to where a GPU takes part; NULL: not timed */
};

/**
 * Predicts at points. control and error may be NULL.
 * A target at the exact place of data points gets their (weighted) mean, unless smoothing > 0.
 * Degree 0 predictions lie within the range of the data's values.
 * Accuracy, as a fraction of the value range: sums over all points are within options.eps of the
 * exact ones, planes (degree 1) included; the square of a deviation within 4 eps of the squared
 * range; effective within 7 eps of itself. Rounding adds to that (with eps 0 or a neighbourhood
 * it is the only error): double, 1e-12, planes with the default ridge or more included; single,
 * 1e-6. Point weights over many decades may put nearly all weight far from a target: except in the
 * backend ref, planes then magnify rounding by that distance over the spread of the heavy points
 * (docs/math.md, Eq. 36a). If deviations or effective are asked for, and for powers above 8 or
 * weights below 1e-20 of the largest, single sums in double as well; a GPU then still sums the
 * values in single. A target's results do not depend on the other targets of the call, nor on
 * threads; a cell of a
 * raster and a target at its centre may differ within eps. Cost: O(k + log n) a target with a
 * neighbourhood of k points, O(log n) with all points, times about log(1 / eps)^2; O(n) with eps 0,
 * and for planes that magnify errors more than a thousand times (targets far outside the data, data
 * nearly on a line with a small ridge, weights below 1e-13 / eps of the largest). Scratch: 36 bytes
 * a target while targets are sorted, and a quarter of a megabyte a thread, more with many columns
 * or neighbours. Errors: SHEPARD_ERROR_ARGUMENT, _SIZE, _MEMORY, _CANCELLED, _BACKEND (a GPU was
 * lost).
 */
SHEPARD_API enum shepard_status shepard_predict_points(const struct shepard_model *model,
                                                       const struct shepard_targets *targets,
                                                       const struct shepard_output *output,
                                                       const struct shepard_control *control,
                                                       struct shepard_error *error);

/**
 * Predicts at the cell centres of a raster's window (NULL: the whole raster); otherwise as
 * shepard_predict_points. A cell gets the same bits whatever window it is asked for with.
 */
SHEPARD_API enum shepard_status
shepard_predict_raster(const struct shepard_model *model, const struct shepard_raster *raster,
                       const struct shepard_window *window, const struct shepard_output *output,
                       const struct shepard_control *control, struct shepard_error *error);

/** No neighbour: fills the rest of a row of indices where k > n or the target is not finite. */
#define SHEPARD_NONE UINT32_MAX

/**
 * The k nearest data points of each target, exact, nearest first, equal distances in the order that
 * struct shepard_neighbourhood gives. The model's neighbourhood is not applied, its anisotropy is.
 * indices: [m, k], into the data as given to shepard_model_create; may be NULL.
 * distances: [m, k], NaN where there is none; may be NULL.
 * Errors: SHEPARD_ERROR_ARGUMENT (k = 0), _SIZE, _MEMORY, _CANCELLED, _BACKEND (a GPU was lost).
 */
SHEPARD_API enum shepard_status
shepard_nearest_points(const struct shepard_model *model, const struct shepard_targets *targets,
                       size_t k, uint32_t *indices, double *distances,
                       const struct shepard_control *control, struct shepard_error *error);

/* ---- Backends -------------------------------------------------------------------------------- */

/** What is known of a backend on this machine. All strings static. */
struct shepard_backend_info {
    enum shepard_backend backend;
    const char *name;   /**< "ref", "cpu", "cuda" */
    bool usable;        /**< built in and able to run here */
    const char *isa;    /**< instruction set in use; "" where it has none */
    const char *reason; /**< why it is not usable; "" where it is */
};

/** Number of backends that the library knows, built in or not. */
SHEPARD_API size_t shepard_backend_count(void);

/** Fills *info for backend number i < shepard_backend_count(), fastest last; false past the end. */
SHEPARD_API bool shepard_backend_get_info(size_t i, struct shepard_backend_info *info);

/** CUDA on this machine. */
struct shepard_cuda_info {
    bool built;         /**< this build has CUDA */
    int runtime;        /**< version of the CUDA runtime built in, 1000 major + 10 minor; 0: none */
    int driver;         /**< newest CUDA that the driver knows, counted so; 0: no driver */
    size_t devices;     /**< devices that can be used */
    const char *reason; /**< why none can be used, static; "" where one can */
};

/** Fills *info. The first call looks for the driver, which may take a second. */
SHEPARD_API void shepard_cuda_get_info(struct shepard_cuda_info *info);

/** A CUDA device. */
struct shepard_device_info {
    char name[256];      /**< the maker's name for it */
    size_t memory_bytes; /**< its memory, all of it */
    int major, minor;    /**< compute capability */
    int multiprocessors; /**< number of them */
};

/** Fills *info for device i < shepard_cuda_info.devices; false past the end. */
SHEPARD_API bool shepard_device_get_info(size_t i, struct shepard_device_info *info);

#ifdef __cplusplus
}
#endif

#endif
