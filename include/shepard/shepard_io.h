/* SPDX-License-Identifier: MIT */
/**
 * shepard_io: files in, files out, through GDAL. The only part of shepard that sees GDAL; no GDAL
 * type shows here.
 *
 * Life cycle.
 *
 *     shepard_io_init();                                            // once, before anything else
 *     struct shepard_source *source = NULL;
 *     struct shepard_point_set points = {0};
 *     struct shepard_io_error error;
 *     const struct shepard_source_options from = {.path = "points.gpkg"};
 *     const struct shepard_read_options read = {.z_multiply = 1.0};
 *     if (shepard_source_open(&from, &source, NULL, &error) ||
 *         shepard_source_read(source, &read, &points, NULL, &error)) { puts(error.message); ... }
 *     ... make points from points.x, points.y, a field from points.values; predict ...
 *     struct shepard_raster_file *file = NULL;
 *     shepard_raster_file_create(&spec, &file, NULL, &error);       // under a temporary name
 *     shepard_raster_file_write(file, 0, &window, values, NULL, &error);   // as often as needed
 *     shepard_raster_file_commit(file, NULL, &error);               // renamed; or _abandon(file)
 *     shepard_point_set_clear(&points);
 *     shepard_source_close(source);
 *     shepard_io_exit();
 *
 * Errors. A fallible function returns SHEPARD_IO_OK (0) or a status and fills *error (which may be
 * NULL) with one text for the user: what is wrong, what GDAL said, what to do. After an error
 * nothing is leaked, no output is left behind and an existing output is untouched (except for those
 * written directly: databases, /vsi paths other than /vsistdout/, APPEND_SUBDATASET). GDAL's
 * warnings go to struct shepard_io_control.warning, or nowhere. The library prints nothing,
 * except what a user asks of GDAL itself: --debug, --formats and similar options.
 *
 * Ownership. Everything an options struct points to is borrowed for the call. Lists of strings
 * end with NULL; NULL is the empty list.
 *
 * Threads. Different objects may be used by different threads; one object by one at a time.
 */
#ifndef SHEPARD_SHEPARD_IO_H
#define SHEPARD_SHEPARD_IO_H

#include "shepard/shepard.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors and progress --------------------------------------------------------------------- */

/** The one list of status codes: X(name, text). Values count up from 0 and stay what they are. */
#define SHEPARD_IO_STATUS_LIST(X)                                                                  \
    X(SHEPARD_IO_OK, "no error")                                                                   \
    X(SHEPARD_IO_ERROR_ARGUMENT, "an argument is missing or wrong")                                \
    X(SHEPARD_IO_ERROR_OPEN, "a file cannot be opened")                                            \
    X(SHEPARD_IO_ERROR_LAYER, "no such layer")                                                     \
    X(SHEPARD_IO_ERROR_FIELD, "no such field, or not a numeric one")                               \
    X(SHEPARD_IO_ERROR_NO_POINTS, "no usable point")                                               \
    X(SHEPARD_IO_ERROR_FORMAT, "no such format, or it cannot hold the output")                     \
    X(SHEPARD_IO_ERROR_SIZE, "too large")                                                          \
    X(SHEPARD_IO_ERROR_READ, "reading failed")                                                     \
    X(SHEPARD_IO_ERROR_WRITE, "writing failed")                                                    \
    X(SHEPARD_IO_ERROR_SRS, "a coordinate system is unknown or cannot be transformed")             \
    X(SHEPARD_IO_ERROR_MEMORY, "out of memory")                                                    \
    X(SHEPARD_IO_ERROR_CANCELLED, "cancelled by the progress callback")

#define SHEPARD_IO_STATUS_ENUM(name, text) name,
enum shepard_io_status { SHEPARD_IO_STATUS_LIST(SHEPARD_IO_STATUS_ENUM) SHEPARD_IO_STATUS_COUNT };
#undef SHEPARD_IO_STATUS_ENUM

/** What went wrong in one call. Filled on failure only; pass NULL where it is not wanted. */
struct shepard_io_error {
    enum shepard_io_status status;
    char
        argument[40]; /**< the option at fault as a field name, e.g. "path", "fields"; "" if none */
    char message[1200]; /**< what is wrong, and what to do; no line breaks, no final one */
};

/** The text of a status, static; "unknown status" for any other number. */
SHEPARD_API const char *shepard_io_status_text(enum shepard_io_status status);

/** Progress, cancellation and warnings; everything may be left zero. */
struct shepard_io_control {
    /** Called on the calling thread now and then, fraction rising from 0 to 1; false cancels. */
    bool (*progress)(double fraction, void *user);
    /** Called for each warning, GDAL's or ours; message is one sentence, borrowed. */
    void (*warning)(const char *message, void *user);
    void *user;
};

/* ---- GDAL as a whole ------------------------------------------------------------------------- */

/** Registers GDAL's drivers. Calling it again does no harm. */
SHEPARD_API void shepard_io_init(void);

/**
 * Whether GDAL may use the network, which it may after shepard_io_init. Without it, links in data
 * (a VRT's sources under /vsicurl/, the crs of a GeoJSON file) lead nowhere; databases are not
 * concerned.
 */
SHEPARD_API void shepard_io_allow_network(bool allowed);

/**
 * Lets GDAL's cache of blocks of rasters take at most so many bytes, unless its option
 * GDAL_CACHEMAX says how many. By default it takes 5 % of the machine's memory.
 */
SHEPARD_API void shepard_io_limit_cache(size_t bytes);

/**
 * Lets files be read and written on so many threads; by default on the calling one alone. Features
 * are then read on a second thread while those before are used. From the first raster on that is
 * written, GDAL compresses and decompresses blocks on so many threads, at most 64, fewer where the
 * system does not give as many, unless its option GDAL_NUM_THREADS says how many; an error on such
 * a thread, which GDAL's calls do not return, fails the raster: this sets GDAL's error handler.
 * Files are the same, byte by byte. For the process; not while files are open.
 */
SHEPARD_API void shepard_io_use_threads(int threads);

/** Frees what GDAL holds; every object of this library must be gone. */
SHEPARD_API void shepard_io_exit(void);

/** GDAL's version as it runs, e.g. "3.6.2", static. */
SHEPARD_API const char *shepard_io_gdal_version(void);

/**
 * Handles GDAL's general options: --optfile FILE, --config KEY VALUE, --debug ON, --formats,
 * --format NAME, --version, --license, --locale, --pause, --mempreload, --help-general.
 * On success *argc and *argv are a new list without them, to be freed with
 * shepard_io_arguments_free; argv[0] is kept. *done is set where an option printed what was asked
 * for (--formats, --version, ...) and the program should end with success; then *argc and *argv
 * are as they were and nothing is to be freed. A program that has a --version of its own looks for
 * it before it calls this.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT (*argc, *argv as they were).
 */
SHEPARD_API enum shepard_io_status shepard_io_arguments(int *argc, char ***argv, bool *done,
                                                        struct shepard_io_error *error);

/** Frees a list made by shepard_io_arguments; NULL is allowed. */
SHEPARD_API void shepard_io_arguments_free(char **argv);

/** Frees what this library handed out, a string or bytes; NULL is allowed. */
SHEPARD_API void shepard_io_free(void *memory);

/**
 * The WKT of a coordinate system given in any way a user writes it (EPSG:32632, PROJ string, WKT,
 * file). *wkt (free with shepard_io_free) is set on success only; geographic may be NULL.
 * Errors: SHEPARD_IO_ERROR_SRS.
 */
SHEPARD_API enum shepard_io_status shepard_io_srs(const char *definition, char **wkt,
                                                  bool *geographic, struct shepard_io_error *error);

/** What people and maps call a coordinate system. */
struct shepard_srs_description {
    char name[120]; /**< "Amersfoort / RD New"; "" where it is unknown */
    char code[40];  /**< "EPSG:28992"; "" where it has none */
    char unit[40];  /**< "metre", "degree"; "" where it is unknown */
    double metres;  /**< of one unit; of a degree, and its like, along the equator; 0: unknown */
    bool geographic;
};

/**
 * Describes a coordinate system given in any way; all is empty of NULL.
 * Errors: SHEPARD_IO_ERROR_SRS (*description is empty).
 */
SHEPARD_API enum shepard_io_status
shepard_io_describe_srs(const char *definition, struct shepard_srs_description *description,
                        struct shepard_io_error *error);

/** Whether two definitions mean the same horizontal coordinate system; false of NULL. */
SHEPARD_API bool shepard_io_same_srs(const char *a, const char *b);

/** Whether at least half of the places could have longitude and latitude in degrees: |x| <= 360,
 * |y| <= 90. Places with NaN do not count. */
SHEPARD_API bool shepard_io_are_degrees(size_t count, const double *x, const double *y);

/* ---- Reading points -------------------------------------------------------------------------- */

/** Where points come from. */
struct shepard_source_options {
    const char
        *path; /**< anything OGR reads; a LAS file, or a pattern of such files ("tile?.las"); "-",
                  "/vsistdin/" and "/dev/stdin": standard input, any format, read as a whole into
                  memory; a text file whose name OGR does not know is tried as CSV */
    const char *const
        *open_options;       /**< -oo, "NAME=VALUE"; CSV gets AUTODETECT_TYPE=YES unless given */
    const char *const *more; /**< LAS files and patterns that are read with path as one layer */
};

/** An open source. */
struct shepard_source;

/**
 * Opens a source. *source is set on success only; close it with shepard_source_close.
 * Errors: SHEPARD_IO_ERROR_OPEN (no such file, a folder without layers, not a vector format),
 * _ARGUMENT, _MEMORY.
 */
SHEPARD_API enum shepard_io_status shepard_source_open(const struct shepard_source_options *options,
                                                       struct shepard_source **source,
                                                       const struct shepard_io_control *control,
                                                       struct shepard_io_error *error);

/** Closes a source; NULL is allowed. */
SHEPARD_API void shepard_source_close(struct shepard_source *source);

/** Short name of the source's format, e.g. "GPKG"; lives as long as the source. */
SHEPARD_API const char *shepard_source_format(const struct shepard_source *source);

/** Number of layers. */
SHEPARD_API size_t shepard_source_layer_count(const struct shepard_source *source);

/** Name of layer i, lives as long as the source; NULL past the end. */
SHEPARD_API const char *shepard_source_layer_name(const struct shepard_source *source, size_t i);

/** A box; used where `given`. */
struct shepard_bounds {
    bool given;
    double x_min, y_min, x_max, y_max;
};

/** -clipsrc: input points outside are left out. At most one of box, wkt, path and spat_extent. */
struct shepard_clip {
    struct shepard_bounds box; /**< four numbers */
    const char *wkt;           /**< POLYGON or MULTIPOLYGON */
    const char *path;          /**< a data source of polygons, with layer or sql, and where */
    const char *layer;         /**< -clipsrclayer; NULL: the first one */
    const char *sql;           /**< -clipsrcsql */
    const char *where;         /**< -clipsrcwhere */
    bool spat_extent;          /**< the box of shepard_read_options.spat, which must be given */
};

/** The decimal sign of numbers in columns of text. A point always is one. */
enum shepard_decimal {
    SHEPARD_DECIMAL_AUTO,  /**< a comma too, where that is clear; else an error that says why not */
    SHEPARD_DECIMAL_COMMA, /**< a comma too */
    SHEPARD_DECIMAL_POINT  /**< a point only; an error where a condition or SQL read commas too */
};

/** Which points represent a line, a polygon or a collection with one. Points and MultiPoints are
 * always taken as they are. */
enum shepard_geometry_use {
    SHEPARD_GEOMETRY_POINTS,   /**< nothing: it is an error */
    SHEPARD_GEOMETRY_VERTICES, /**< each of its vertices, rings closed, as gdal_grid has it */
    SHEPARD_GEOMETRY_CENTROIDS /**< its centroid, which has no Z and may lie outside of it */
};

/** The last return of each pulse, in struct shepard_las_choice. */
enum { SHEPARD_LAS_LAST = -1 };

/** Which points of LAS files to read; {0}: all that are not withheld. */
struct shepard_las_choice {
    const bool *classes; /**< -class: [256] those that are read; NULL: all */
    int return_number;   /**< -return: 1 to 15; SHEPARD_LAS_LAST: where it is the number of returns;
                              0: all */
    bool withheld;       /**< -withheld: also those with the flag "withheld" */
};

/** What to read, of one layer or SQL result. Of LAS files, fields and weight_field are dimensions
 * (intensity, classification, ..., extra bytes by their names), and layer, sql, where, x_field and
 * y_field are errors. */
struct shepard_read_options {
    const char *layer;         /**< -l; NULL: the only one (an error where there are several) */
    const char *sql;           /**< -sql, instead of layer */
    const char *where;         /**< -where; also applied to the result of sql */
    const char *const *fields; /**< -zfield: names, lists of names with commas between, where no
                                  field has this name, and ranges ("d001-d365", in the order of the
                                  numbers), one value column each; NULL: Z of the geometry, or, in
                                  a table without geometry, its column z, point_z, z_coord,
                                  elevation, elev, altitude, alt, height, depth, value or val (an
                                  error where it has two of them), else its only numeric one */
    const char
        *x_field; /**< -xfield and -yfield, both or none, instead of the geometry; NULL: the */
    const char
        *y_field; /**< geometry, or columns x,y / lon,lat / easting,northing and their like */
    const char *weight_field; /**< weight of each point; NULL: none */
    const char *z_field;      /**< -zdim: the third coordinate, a field or "Z", that of the
                                   geometry; not transformed with x and y. NULL: none */
    double z_increase;        /**< value = (z + z_increase) * z_multiply; not for weights */
    double z_multiply;        /**< set it to 1 */
    bool has_nodata;
    double nodata; /**< -a_nodata_in: a value, before the increase, that is missing */
    enum shepard_decimal decimal; /**< -decimal */
    bool skip_invalid;            /**< --skip-invalid: any number of texts that are not numbers may
                                     be left out; else more than 1 % of a column is an error */
    struct shepard_bounds spat;   /**< -spat, in the coordinates of the layer */
    struct shepard_clip clip;     /**< -clipsrc; with spat both apply. Polygons of a file are
                                       transformed to the layer's coordinate system, edges divided into
                                       parts of 1/1000 of their box; where one system is unknown, both
                                       are assumed to be the same, with a warning. Box and wkt are
                                       in the coordinates of the layer */
    const char *srs;              /**< -s_srs, any definition: of the coordinates, instead of the
                                       layer's own; NULL: the layer's own, or EPSG:4326 where they come
                                       from columns named lon and lat and the layer has none */
    const char *target_srs; /**< -t_srs, any definition: the points are transformed to it after
                                 spat and clip; NULL: they stay as they are */
    enum shepard_geometry_use geometry; /**< -geometry */
    struct shepard_las_choice las;      /**< of LAS files; an error of others if it is not {0} */
};

/** Values of a column that are lost because they are texts that are not numbers. Texts that mean
 * a missing value ("", "NA", "n/a", "#N/A", "NaN", "null", "none", "nodata", "-", ...) are not
 * among them. */
struct shepard_text_loss {
    size_t count;
    size_t row;    /**< of the first one, from 1, among the features that were read */
    char text[40]; /**< its beginning */
};

/** What was left out, and why. A point of a MultiPoint and a vertex count as one point. */
struct shepard_read_counts {
    size_t features;       /**< features that OGR delivered: after where, and spat or clip */
    size_t no_geometry;    /**< features without geometry, or with x or y NULL: left out */
    size_t empty_geometry; /**< features with an empty geometry: left out */
    size_t not_finite;     /**< points with a coordinate NaN, infinite or a text: left out */
    size_t no_z;    /**< points without a third coordinate where z_field asks for it: left out */
    size_t outside; /**< points not inside spat or clip (on their edge is outside): left out */
    size_t weight_null;              /**< points kept without a weight (NaN): none in the table */
    size_t weight_not_finite;        /**< the same: NaN, infinite, or a text that is no number */
    size_t untransformed;            /**< points that target_srs has no coordinates for: left out */
    struct shepard_text_loss x_lost; /**< of a table's coordinates, part of not_finite */
    struct shepard_text_loss y_lost;
    struct shepard_text_loss z_lost;      /**< part of no_z */
    struct shepard_text_loss weight_lost; /**< part of weight_not_finite */
    size_t withheld; /**< points of LAS files that are flagged as withheld: left out */
};

/** A value that occurs several times at one end of a column's range and is farther from the other
 * values than they are from each other: it may mean missing values. */
struct shepard_stray {
    size_t count; /**< how often it occurs; 0: there is no such value */
    double value; /**< before z_increase and z_multiply, as the other two */
    double others_min, others_max;
};

/** One value column. Missing values are NaN in the array; their points are kept. */
struct shepard_column {
    char *name;      /**< the field's name as the layer spells it; "Z" for the geometry's Z */
    bool by_default; /**< options.fields named none */
    double *values;  /**< [count] */
    size_t null; /**< points without a value: NULL, "", "NA", "NaN", "null"; 2-D geometry for Z */
    size_t not_finite; /**< points with a value NaN or infinite, or a text that is no number */
    size_t nodata;     /**< part of null: points with the value options.nodata */
    struct shepard_text_loss lost; /**< part of not_finite */
    struct shepard_stray stray;
};

/** Points read from one layer. Start from {0}; free with shepard_point_set_clear. */
struct shepard_point_set {
    size_t count;                  /**< n >= 1 */
    double *x;                     /**< [n], finite */
    double *y;                     /**< [n], finite */
    double *z;                     /**< [n], finite; NULL without z_field */
    double *weights;               /**< [n], NaN where missing; NULL without weight_field */
    size_t columns;                /**< value columns, >= 1 */
    struct shepard_column *column; /**< [columns] */
    double *const *values;         /**< [columns] the columns' arrays, for shepard_values.columns */
    struct shepard_bounds extent;  /**< of these points, with a value or without, whatever the
                                     format; gdal_grid's without where, spat and clip */
    char *srs;        /**< WKT of x and y; NULL: unknown, as where the layer says "Undefined" */
    char *source_srs; /**< the same before target_srs was applied */
    bool transformed; /**< from source_srs to srs */
    bool geographic;  /**< srs has longitude and latitude */
    char *layer;      /**< the layer's name */
    char *x_name, *y_name; /**< the columns that gave x and y; NULL: the geometry */
    char *z_name;          /**< the column that gave z, "Z" of the geometry; NULL without z_field */
    struct shepard_read_counts counts;
};

/**
 * Reads the points of one layer, by column batches, in feature order. *points must be {0}; on
 * failure it stays so. A source may be read several times.
 * Memory: 8 (2 + columns) bytes a point, and as much again for a moment.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _LAYER, _FIELD, _NO_POINTS, _OPEN (clip.path), _READ, _SRS,
 * _MEMORY, _CANCELLED.
 */
SHEPARD_API enum shepard_io_status shepard_source_read(struct shepard_source *source,
                                                       const struct shepard_read_options *options,
                                                       struct shepard_point_set *points,
                                                       const struct shepard_io_control *control,
                                                       struct shepard_io_error *error);

/** A checksum of places, values and weights: the same whatever their order, and that of
 * shepard_spill_info of the same points. */
SHEPARD_API uint64_t shepard_point_set_checksum(const struct shepard_point_set *points);

/** Frees what points holds and sets it to {0}; NULL is allowed. */
SHEPARD_API void shepard_point_set_clear(struct shepard_point_set *points);

/* ---- Points on disk -------------------------------------------------------------------------- */

/** The points of a layer in a file of its own, those near each other together: for more points than
 * memory holds. */
struct shepard_spill;

struct shepard_spill_options {
    const char *folder; /**< of the temporary file; NULL: what TMPDIR says, else /tmp */
    size_t memory;      /**< bytes for sorting; at least 4 MiB are taken */
    int threads;        /**< to use; 0: one for each core */
    bool sample;        /**< nothing is written: what is known is known of all points, but buckets
                             are of some of them, taken evenly, which are in memory */
};

/** Points that stand one behind the other in the file, and their box. */
struct shepard_spill_bucket {
    double x_min, x_max, y_min, y_max;
    size_t count; /**< 1 to SHEPARD_SPILL_BUCKET_MAX */
};

#define SHEPARD_SPILL_BUCKET_MAX 1024

/** What is known of all points in the file. */
struct shepard_spill_info {
    size_t points; /**< with a value in any column and a weight above 0: the others are
                        left out */
    size_t read;   /**< as shepard_source_read would have given them */
    size_t gaps;   /**< of these, points with values in some columns and not in others */
    struct shepard_bounds box;     /**< of the points */
    size_t columns;                /**< of values */
    size_t *value_count;           /**< [columns] points with a value, until the spill is closed; */
    double *value_min, *value_max; /**< [columns] the ends of these values */
    double weight_max;             /**< 0: without weights */
    uint64_t checksum;             /**< of all that were read: shepard_point_set_checksum */
    size_t bucket_count;
    const struct shepard_spill_bucket *buckets; /**< [bucket_count], until the spill is closed */
    uint64_t bytes;                             /**< of the file */
};

/**
 * Reads the points of one layer, as shepard_source_read does, into a file in Hilbert order.
 * *points, which must be {0}, gets all but the points: in their place the lower left and the upper
 * right corner of their extent, with the least and the largest value of each column. No z_field.
 * First removes what killed runs left in the folder. Disk: 16 bytes a point, and 8 for each column
 * and for the weight; twice as much while it sorts on a file system that takes no part of a file
 * back. Memory: options.memory, and 56 bytes for each bucket. Errors: as shepard_source_read, and
 * SHEPARD_IO_ERROR_WRITE.
 */
SHEPARD_API enum shepard_io_status
shepard_source_spill(struct shepard_source *source, const struct shepard_read_options *options,
                     const struct shepard_spill_options *to, struct shepard_point_set *points,
                     struct shepard_spill **spill, const struct shepard_io_control *control,
                     struct shepard_io_error *error);

SHEPARD_API void shepard_spill_get_info(const struct shepard_spill *spill,
                                        struct shepard_spill_info *info);

/** Reads `count` buckets from `first` on, of the points that they hold x, y, the value of each
 * column, NaN where it is missing, and, if weight_max is above 0, the weight: number f of point i
 * becomes numbers[f * stride + i]. Errors: SHEPARD_IO_ERROR_READ (what was written is not there any
 * more). */
SHEPARD_API enum shepard_io_status shepard_spill_read(struct shepard_spill *spill, size_t first,
                                                      size_t count, double *numbers, size_t stride,
                                                      struct shepard_io_error *error);

/** A new file in the folder of the points, without a name, for reading and writing: its descriptor,
 * to be closed; -1: *error. */
SHEPARD_API int shepard_spill_new_file(struct shepard_spill *spill, struct shepard_io_error *error);

/** Removes the file; NULL is allowed. */
SHEPARD_API void shepard_spill_close(struct shepard_spill *spill);

/* ---- Points that several processes read together --------------------------------------------- */

/** Which share of the points: number is 0 to count - 1. */
struct shepard_share {
    size_t number, count;
};

/** The two ends of a column's values, before z_increase and z_multiply. Start from {0}. */
struct shepard_value_ends {
    size_t count;
    double min, next_min;  /**< the smallest value and the next one; equal if there is only one */
    double max, next_max;  /**< the same at the other end */
    size_t at_min, at_max; /**< how often they occur */
};

/** Makes *ends those of its values and of others. */
SHEPARD_API void shepard_value_ends_join(struct shepard_value_ends *ends,
                                         const struct shepard_value_ends *others);

/** The stray value of a column with these ends: one that occurs several times at an end of the
 * range and is farther from the other values than they are from each other; count 0: no value is.
 */
SHEPARD_API struct shepard_stray shepard_value_ends_stray(const struct shepard_value_ends *ends);

/** A share of the points of a layer. Start from {0}; free records. */
struct shepard_shared_points {
    size_t count;    /**< points with a value and a weight above 0 */
    size_t fields;   /**< of a record: x, y, value and, with weight_field, the weight */
    bool numbered;   /**< one more number stands behind these: the point's among all of the layer */
    double *records; /**< [count, fields + numbered] */
    struct shepard_spill_info info; /**< of this share, without buckets */
    size_t value_count;             /**< of info, */
    double value_ends[2];           /**< and its value_min and value_max */
    struct shepard_value_ends ends; /**< of what was read: of the share if by_range, else of all */
    bool by_range; /**< nothing else was read: *points too knows of the share only. The same for all
                      shares of a source that does not change meanwhile. LAS files; with several
                      shares, where they have a geometry and no text is read: tables of GeoPackage
                      and SQLite whose row numbers have no more gaps than rows, FlatGeobuf files
                      with an index; not with where, sql, spat and clip. Of all else each process
                      reads the whole layer */
};

/**
 * Reads a layer of one value column, as shepard_source_spill does, and keeps one share of its
 * points, which go round in runs of some thousand or, by_range, follow one another in the source.
 * *points gets the corners, those of all points unless by_range; of an empty range the lower left
 * ones are INFINITY, the others -INFINITY. Memory: 24 bytes, with weights or a number 8 more, for
 * each point of the share, and up to as much for a moment. Errors: as shepard_source_read, but a
 * share may be empty.
 */
SHEPARD_API enum shepard_io_status
shepard_source_read_share(struct shepard_source *source, const struct shepard_read_options *options,
                          const struct shepard_share *share, struct shepard_point_set *points,
                          struct shepard_shared_points *shared,
                          const struct shepard_io_control *control, struct shepard_io_error *error);

/** Which lines to read: -barrier. */
struct shepard_line_options {
    const char *path;       /**< a vector source of lines or polygons, whose rings are lines */
    const char *layer;      /**< -barrier_layer; NULL: the first one */
    const char *target_srs; /**< WKT: lines are transformed to it; NULL: unknown, they stay as they
                                 are */
};

/** Lines, as struct shepard_barriers takes them. Start from {0}. */
struct shepard_line_set {
    size_t count;  /**< vertices, and a gap behind each line, whose x and y are NaN */
    double *x, *y; /**< [count] */
    size_t lines, segments;
};

/**
 * Reads the lines of a layer; curves become lines near them. Long edges that are transformed are
 * divided first, into parts of at most a thousandth of the layer's extent. *lines is {0} after an
 * error. control and error may be NULL. Errors: SHEPARD_IO_ERROR_ARGUMENT (other geometries, no
 * line, a coordinate that is not finite), _OPEN, _LAYER, _READ, _SRS, _MEMORY, _CANCELLED.
 */
SHEPARD_API enum shepard_io_status shepard_line_set_read(const struct shepard_line_options *options,
                                                         struct shepard_line_set *lines,
                                                         const struct shepard_io_control *control,
                                                         struct shepard_io_error *error);

/** Frees lines and sets *lines to {0}. */
SHEPARD_API void shepard_line_set_clear(struct shepard_line_set *lines);

/**
 * Whether a coordinate system (any definition) may be written on these points without transforming
 * them: fails where it is projected and they are in degrees, and the reverse. Points are in degrees
 * by their own system and values; where they have no system, if they would lie where the projected
 * one is used as degrees but not as they are.
 * Errors: SHEPARD_IO_ERROR_SRS.
 */
SHEPARD_API enum shepard_io_status
shepard_point_set_check_srs(const struct shepard_point_set *points, const char *definition,
                            struct shepard_io_error *error);

/* ---- Files that are read --------------------------------------------------------------------- */

/**
 * The real files that a run reads, known by device and inode: what none of its outputs may replace.
 * Functions that write take it in struct shepard_output_guard.
 */
struct shepard_input_files;

/** An empty set; NULL: out of memory. Free it with shepard_input_files_free. */
SHEPARD_API struct shepard_input_files *shepard_input_files_new(void);

/** Frees a set; NULL is allowed. */
SHEPARD_API void shepard_input_files_free(struct shepard_input_files *files);

/**
 * Adds each real file that a name mentions, behind any driver prefixes ("CSV:in.csv") and /vsi
 * handlers ("/vsizip/{in.zip}/p.csv"), and the sources of virtual datasets among them. Opens no
 * dataset. NULL and "" add nothing.
 */
SHEPARD_API void shepard_input_files_add(struct shepard_input_files *files, const char *name);

/** Adds the files that an SQL statement (or NULL) names in single quotes. */
SHEPARD_API void shepard_input_files_add_sql(struct shepard_input_files *files, const char *sql);

/** Adds all files of an open source, those of its open options included. */
SHEPARD_API void shepard_input_files_add_source(struct shepard_input_files *files,
                                                const struct shepard_source *source);

/** Adds all files of the dataset at a path, which is opened for it if it is no stream. */
SHEPARD_API void shepard_input_files_add_dataset(struct shepard_input_files *files,
                                                 const char *path);

/**
 * Fails, with both names, if an output at this path would write over one of the files. files may
 * be NULL. Errors: SHEPARD_IO_ERROR_ARGUMENT.
 */
SHEPARD_API enum shepard_io_status
shepard_input_files_check(const struct shepard_input_files *files, const char *output,
                          struct shepard_io_error *error);

/** What an output may replace. */
struct shepard_output_guard {
    const struct shepard_input_files *inputs; /**< none of these; NULL: not checked */
    bool overwrite; /**< also a GeoPackage, SQLite or spreadsheet file with other contents than one
                         earlier output: several layers or rasters, a raster where a layer is
                         written, a layer where a raster is */
};

/* ---- Writing rasters ------------------------------------------------------------------------- */

/** One band. */
struct shepard_band {
    const char *description; /**< band name; NULL: none */
    bool has_nodata;
    double nodata;        /**< written to the file's header; values are stored as they come */
    const char *variable; /**< of a stack: name of what the band is a level of; NULL: none */
};

/**
 * A share of the blocks that the file of a raster is made of, so that several runs, on several
 * machines, compute one raster: part i of n has a contiguous run of them in row-major order, whose
 * length differs by at most one from that of other parts. {0}: the whole raster. A GeoTIFF only.
 */
struct shepard_raster_part {
    size_t number; /**< 1 to count; 0: the whole raster */
    size_t count;
};

/** Windows that a part has at most: the end of a row of blocks, whole rows, the start of a row. */
enum { SHEPARD_PART_WINDOWS = 3 };

/** A raster to be written. */
struct shepard_raster_spec {
    const char *path;             /**< file, /vsimem/..., /vsizip/..., /vsistdout/ or "-" */
    const char *format;           /**< -of, a GDAL short name, any case; NULL: from the extension,
                                       GTiff if there is none */
    struct shepard_raster raster; /**< georeference and size */
    size_t bands;                 /**< >= 1 */
    const struct shepard_band *band;     /**< [bands]; NULL: no names, no nodata */
    const char *type;                    /**< -ot, GDAL's name, any case; NULL: "Float64" */
    const char *srs;                     /**< WKT or any definition; NULL: none */
    const char *const *creation_options; /**< -co, "NAME=VALUE" */
    const char *const *metadata;         /**< of the file, "KEY=VALUE" */
    struct shepard_output_guard guard;
    /** Of a stack: heights, each once. Bands are whole stacks, one after the other, each with a
     * band at each height in this order. netCDF and Zarr have a variable of three dimensions for
     * each stack, its heights rising; other formats bands. */
    const double *heights;
    size_t height_count; /**< 0: no stack */
    /** The blocks that will be written: the file has the size of the whole raster, and the blocks
     * of other parts, which read as nodata, take no space in it. */
    struct shepard_raster_part part;
    /** What the cells depend on besides raster, bands and metadata, "NAME=VALUE" each, a NULL at
     * the end: finished windows then survive the run, and a run with the same spec goes on with
     * them (shepard_raster_file_keep). NULL: a run that fails leaves nothing. A GeoTIFF in a folder
     * only.
     */
    const char *const *resume_inputs;
    const char *whole; /**< with resume_inputs, of a file that is put together with others later:
                            the output of all, which errors name; NULL: path */
};

/** What a raster is going to take, from a trial with a part of it. */
struct shepard_raster_trial {
    char format[40];   /**< GDAL's short name */
    char options[400]; /**< creation options, those by default too, spaces between */
    size_t columns;    /**< of the part */
    size_t rows;
    double seconds;      /**< to write the whole raster */
    double file_bytes;   /**< of the whole file */
    double memory_bytes; /**< that GDAL holds meanwhile */
};

/**
 * Estimates what a raster will take: writes a part of it, values [bands, rows, columns], into
 * memory. Formats that cannot be written there (netCDF) are taken for uncompressed, and for
 * as fast as a disk. Errors: as shepard_raster_file_create.
 */
SHEPARD_API enum shepard_io_status shepard_raster_file_try(const struct shepard_raster_spec *spec,
                                                           size_t columns, size_t rows,
                                                           const double *values,
                                                           struct shepard_raster_trial *trial,
                                                           struct shepard_io_error *error);

/** A raster being written. */
struct shepard_raster_file;

/**
 * Georeference, size and coordinate system of a raster that GDAL reads. *srs (a code such as
 * EPSG:28992 or WKT; NULL: unknown; free with shepard_io_free) and *raster are set on success only.
 * Errors: SHEPARD_IO_ERROR_OPEN, _ARGUMENT (no georeference, or rotated).
 */
SHEPARD_API enum shepard_io_status shepard_raster_read_reference(const char *path,
                                                                 struct shepard_raster *raster,
                                                                 char **srs,
                                                                 struct shepard_io_error *error);

/** Whether a data type of GDAL (any case; NULL: "Float64") stores value unchanged. */
SHEPARD_API bool shepard_raster_type_holds(const char *type, double value);

/** The numbers that a type of cells holds. */
struct shepard_cell_range {
    double low, high; /**< finite */
    bool integer;     /**< only whole numbers */
    bool single;      /**< float32 */
};

/** The range of a data type of GDAL (any case; NULL: "Float64"); false where there is no such. */
SHEPARD_API bool shepard_raster_type_range(const char *type, struct shepard_cell_range *range);

/** GDAL's names of data types that a raster may have, i = 0, 1, ...; NULL past the end. Static. */
SHEPARD_API const char *shepard_raster_type_name(size_t i);

/** An output, before there is anything to write. */
struct shepard_output_spec {
    const char *path;
    const char *format;     /**< NULL: from the extension */
    bool vector;            /**< or a raster */
    const char *layer_name; /**< of a vector output; NULL: the file's base name */
    const char *const *creation_options;
    const char *const *layer_options; /**< of a vector output, -lco */
    struct shepard_output_guard guard;
    struct shepard_raster_part part; /**< of a raster */
    bool resume;                     /**< a raster with resume_inputs */
};

/**
 * Whether an output could be begun: GDAL writes the format, it takes the creation options, files
 * can be made in the folder, and the guard lets it, with its side-car files, replace what stands
 * there. Leaves nothing there. For outputs that come after long work; the functions below check the
 * same. Errors: SHEPARD_IO_ERROR_ARGUMENT, _FORMAT, _WRITE.
 */
SHEPARD_API enum shepard_io_status shepard_output_check(const struct shepard_output_spec *spec,
                                                        const struct shepard_io_control *control,
                                                        struct shepard_io_error *error);

/**
 * Creates a raster, in a temporary folder next to its place; nothing shows at path before
 * shepard_raster_file_commit. /vsi paths other than /vsistdout/ are written directly.
 * Formats that can only be copied to (PNG, AAIGrid, XYZ, ...) are built in memory or, over 512 MB,
 * in a temporary file.
 * *file is set on success only; end it with shepard_raster_file_commit or _abandon.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _FORMAT (unknown; cannot write; a wrong creation option; a
 * type or number of bands that it cannot hold), _SIZE, _SRS, _WRITE (no such folder, no
 * permission), _MEMORY.
 */
SHEPARD_API enum shepard_io_status shepard_raster_file_create(
    const struct shepard_raster_spec *spec, struct shepard_raster_file **file,
    const struct shepard_io_control *control, struct shepard_io_error *error);

/**
 * The size of the blocks that the file is made of: windows of whole blocks are written best.
 */
SHEPARD_API void shepard_raster_file_block(const struct shepard_raster_file *file, size_t *columns,
                                           size_t *rows);

/**
 * The windows of whole blocks that are to be written, in the order in which they are written best;
 * returns how many there are: 1 of a whole raster, 0 of a part that has no block because there are
 * fewer blocks than parts. With resume_inputs those from the first block on that no earlier run has
 * finished; they must be written in the order of their blocks, row by row.
 */
SHEPARD_API size_t shepard_raster_file_windows(const struct shepard_raster_file *file,
                                               struct shepard_window windows[SHEPARD_PART_WINDOWS]);

/**
 * Writes a window of band b (from 0), values row-major, rounded and clamped to the raster's type
 * as GDAL does. Errors: SHEPARD_IO_ERROR_ARGUMENT, _WRITE. The file stays open after an error.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_file_write(struct shepard_raster_file *file, size_t b,
                          const struct shepard_window *window, const double *values,
                          const struct shepard_io_control *control, struct shepard_io_error *error);

/**
 * With resume_inputs: keeps a window that was written in all bands, whatever becomes of this run,
 * with size bytes of what the caller counts. It survives the end of the process at once, and a
 * power failure after a second. Without resume_inputs nothing is done. Errors:
 * SHEPARD_IO_ERROR_WRITE.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_file_keep(struct shepard_raster_file *file, const void *state, size_t size,
                         const struct shepard_io_control *control, struct shepard_io_error *error);

/**
 * Whether an earlier run has kept windows; *blocks: how many of the *all blocks of a band are
 * finished. Fills state, of the size given with the last window, with what the caller had counted
 * then.
 */
SHEPARD_API bool shepard_raster_file_resumed(const struct shepard_raster_file *file, void *state,
                                             size_t size, size_t *blocks, size_t *all);

/**
 * Which blocks of each band are finished, row by row: of a raster with resume_inputs those that an
 * earlier run has finished and those of this one. NULL, and *blocks 0, of other rasters, and where
 * the earlier run came to its end. Runs that share a raster leave out what one of them has: they
 * may write windows in any order, each a run of blocks in that order.
 */
SHEPARD_API const bool *shepard_raster_file_finished(const struct shepard_raster_file *file,
                                                     size_t *blocks);

/**
 * Finishes the raster and puts it, with its side-car files, in the place of an existing one.
 * Frees file, also on failure, when it does what shepard_raster_file_abandon does.
 * Errors: SHEPARD_IO_ERROR_WRITE, _FORMAT, _CANCELLED.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_file_commit(struct shepard_raster_file *file,
                           const struct shepard_io_control *control,
                           struct shepard_io_error *error);

/**
 * With resume_inputs: finishes the raster where it is kept, and leaves it there to what reads it
 * and to later runs, which find all of it. Frees file, also on failure. Errors: as those of
 * shepard_raster_file_commit.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_file_leave(struct shepard_raster_file *file,
                          const struct shepard_io_control *control, struct shepard_io_error *error);

/** Where the raster of a path is kept, until it is committed; to be freed by shepard_io_free. */
SHEPARD_API char *shepard_raster_file_kept_path(const char *path);

/** Removes everything written so far and frees file; NULL is allowed. */
SHEPARD_API void shepard_raster_file_abandon(struct shepard_raster_file *file);

/* ---- Parts put together ---------------------------------------------------------------------- */

/** A mosaic of the parts of one raster. */
struct shepard_mosaic_spec {
    const char *path;                    /**< as in struct shepard_raster_spec */
    const char *format;                  /**< "GTiff", "VRT" or "COG"; NULL: from the extension */
    size_t count;                        /**< >= 1 */
    const char *const *sources;          /**< [count] GeoTIFFs */
    const char *const *creation_options; /**< of a COG */
    struct shepard_output_guard guard;
};

/** What became of it. */
struct shepard_mosaic_info {
    char format[40]; /**< GDAL's short name */
    size_t columns, rows;
    size_t blocks;  /**< of the raster */
    size_t missing; /**< of these: in no source, so that they read as nodata */
    size_t parts;   /**< the sources are all the parts of so many; 0: they do not say so */
};

/**
 * Puts together GeoTIFFs of the same size and place, each of which has some of the blocks. Blocks
 * are copied as they are coded, without decoding them, into a GeoTIFF, or named in a VRT; of a COG
 * GDAL codes them anew, for it needs overviews. The output shows when it is whole. *info is set on
 * success only. Errors: SHEPARD_IO_ERROR_OPEN, _READ (a source), _ARGUMENT (no sources; they differ
 * in size, place, type, nodata, coding of blocks, data or method; two have the same block; one of
 * their parts is missing), _FORMAT, _WRITE, _MEMORY, _CANCELLED.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_mosaic_make(const struct shepard_mosaic_spec *spec, struct shepard_mosaic_info *info,
                           const struct shepard_io_control *control,
                           struct shepard_io_error *error);

/** A folder next to an output, for parts of it. */
struct shepard_part_folder;

/**
 * Makes it. Until it is removed, it is known as that of a living run; one that a killed run left is
 * removed by the next run that writes there. *folder is set on success only. Errors:
 * SHEPARD_IO_ERROR_WRITE, _MEMORY.
 */
SHEPARD_API enum shepard_io_status
shepard_part_folder_make(const char *output, struct shepard_part_folder **folder,
                         const struct shepard_io_control *control, struct shepard_io_error *error);

/**
 * Makes one that stays, or takes that of an earlier run, with the files that are kept there: for an
 * output that is put together from parts with the file names part1.tif, part2.tif and so on.
 * *folder is set on success only; end it by leaving or removing it. Errors: SHEPARD_IO_ERROR_WRITE
 * (another run has it, too), _MEMORY.
 */
SHEPARD_API enum shepard_io_status shepard_part_folder_take(const char *output,
                                                            struct shepard_part_folder **folder,
                                                            struct shepard_io_error *error);

/** What runs with resume_inputs have left of an output. */
struct shepard_kept_files {
    bool whole;   /**< a raster of the output's own path */
    size_t parts; /**< the highest number of a part in the folder of parts; 0 without parts */
};

/** Looks for them. */
SHEPARD_API void shepard_kept_files_find(const char *output, struct shepard_kept_files *found);

/** Leaves it, with all in it, to another run; NULL is allowed. */
SHEPARD_API void shepard_part_folder_leave(struct shepard_part_folder *folder);

/** Its path, as long as it is there. */
SHEPARD_API const char *shepard_part_folder_path(const struct shepard_part_folder *folder);

/** Removes it, with all in it; NULL is allowed. */
SHEPARD_API void shepard_part_folder_remove(struct shepard_part_folder *folder);

/* ---- Numbers out of rasters ------------------------------------------------------------------ */

/** A raster of one band that numbers are taken from, at any places. */
struct shepard_sampled_raster;

/** Whether a name stands for a raster: a file, or anything else that GDAL takes for one. */
SHEPARD_API bool shepard_io_names_raster(const char *name);

/**
 * Opens a raster; it may be rotated. *raster is set on success only; close it with
 * shepard_sampled_raster_close. Errors: SHEPARD_IO_ERROR_OPEN, _ARGUMENT (no georeference, several
 * bands), _SIZE (more than 10^12 cells), _MEMORY.
 */
SHEPARD_API enum shepard_io_status
shepard_sampled_raster_open(const char *path, struct shepard_sampled_raster **raster,
                            const struct shepard_io_control *control,
                            struct shepard_io_error *error);

/** Closes a raster; NULL is allowed. */
SHEPARD_API void shepard_sampled_raster_close(struct shepard_sampled_raster *raster);

/**
 * The coordinate system of places, any definition: they are transformed to the raster's. Where one
 * of the two is unknown both are taken to be the same, with a warning; where both are (NULL),
 * without. Errors: SHEPARD_IO_ERROR_SRS.
 */
SHEPARD_API enum shepard_io_status
shepard_sampled_raster_set_srs(struct shepard_sampled_raster *raster, const char *srs,
                               const struct shepard_io_control *control,
                               struct shepard_io_error *error);

/**
 * Numbers at places, bilinear between the centres of the four cells around each; that of the cell
 * that the place lies in where one of them has none, and half a cell along the edges. NaN outside
 * the raster, and where the cell has no value. Scale and offset of the band are applied.
 * Memory: 32 bytes a place, 8 a tile of 512 x 512 cells, and one tile: a raster is never held as a
 * whole. Errors: SHEPARD_IO_ERROR_READ, _MEMORY.
 */
SHEPARD_API enum shepard_io_status shepard_sampled_raster_read(
    struct shepard_sampled_raster *raster, size_t count, const double *x, const double *y,
    double *values, const struct shepard_io_control *control, struct shepard_io_error *error);

/* ---- Pictures -------------------------------------------------------------------------------- */

/** A picture of at most 256 colours. */
struct shepard_png_image {
    size_t columns, rows;              /**< 1 to 65535 each */
    const unsigned char *cells;        /**< [rows, columns] numbers of colours */
    const unsigned char (*palette)[4]; /**< [256] red, green, blue, opacity */
};

/**
 * Encodes a picture as PNG. *bytes (free with shepard_io_free) and *size are set on success only.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _FORMAT (GDAL has no driver PNG), _WRITE.
 */
SHEPARD_API enum shepard_io_status shepard_png_encode(const struct shepard_png_image *image,
                                                      unsigned char **bytes, size_t *size,
                                                      struct shepard_io_error *error);

/* ---- Masks ----------------------------------------------------------------------------------- */

/** Polygons in which the cells of a raster are wanted. */
struct shepard_raster_mask_options {
    const char *path;  /**< a data source of polygons */
    const char *layer; /**< NULL: the first one */
    const char *sql;   /**< instead of layer */
    const char *where;
};

/** The polygons. */
struct shepard_raster_mask;

/**
 * Reads the polygons. *mask is set on success only.
 * Errors: SHEPARD_IO_ERROR_OPEN, _LAYER, _READ, _ARGUMENT (a wrong condition or statement, a
 * geometry that is no polygon, no polygon at all).
 */
SHEPARD_API enum shepard_io_status
shepard_raster_mask_open(const struct shepard_raster_mask_options *options,
                         struct shepard_raster_mask **mask,
                         const struct shepard_io_control *control, struct shepard_io_error *error);

/**
 * Transforms the polygons to the coordinate system of the raster, any definition; NULL: unknown.
 * Their edges are first divided into parts of 1/1000 of the polygons' box. Where one of the two
 * systems is unknown, both are assumed to be the same, with a warning. Errors:
 * SHEPARD_IO_ERROR_SRS.
 */
SHEPARD_API enum shepard_io_status
shepard_raster_mask_transform(struct shepard_raster_mask *mask, const char *srs,
                              const struct shepard_io_control *control,
                              struct shepard_io_error *error);

/** The box of the polygons. */
SHEPARD_API struct shepard_bounds
shepard_raster_mask_extent(const struct shepard_raster_mask *mask);

/**
 * Sets inside, row-major, [window->rows, window->columns], to 1 for the cells of a window whose
 * centre lies in a polygon and not in a hole of it, else to 0. Of polygons that share an edge at
 * least one has each centre on it. After shepard_raster_mask_transform, one call at a time.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _MEMORY.
 */
SHEPARD_API enum shepard_io_status shepard_raster_mask_cells(const struct shepard_raster_mask *mask,
                                                             const struct shepard_raster *raster,
                                                             const struct shepard_window *window,
                                                             unsigned char *inside,
                                                             struct shepard_io_error *error);

/** Frees it; NULL is allowed. */
SHEPARD_API void shepard_raster_mask_free(struct shepard_raster_mask *mask);

/* ---- Query points and vector output ---------------------------------------------------------- */

/** Where to predict. */
struct shepard_target_layer_options {
    const char *layer; /**< NULL: the only one */
    const char *sql;   /**< instead of layer */
    const char *where;
    const char *x_field; /**< as in struct shepard_read_options */
    const char *y_field;
    const char *z_field;     /**< -qzdim; as in struct shepard_read_options */
    const char *srs;         /**< -q_srs; as in struct shepard_read_options */
    const char *default_srs; /**< of targets whose own is unknown; NULL: target_srs */
    const char *target_srs;  /**< of the data points, any definition; the targets are transformed to
                                  it where both are known and differ; NULL: unknown */
    bool write_target_srs; /**< shepard_target_layer_write transforms the features to target_srs too
                            */
    enum shepard_geometry_use geometry; /**< -qgeometry; a target is one place, so that a MultiPoint
                                             of several points too needs SHEPARD_GEOMETRY_CENTROIDS,
                                             and SHEPARD_GEOMETRY_VERTICES is as _POINTS */
    enum shepard_decimal decimal;       /**< as in struct shepard_read_options */
    bool skip_invalid;                  /**< the same */
    const char *const *fields;          /**< as in struct shepard_read_options, but NULL: none */
};

/** The targets of one layer, in feature order. */
struct shepard_target_layer;

/** The places, borrowed from the query. */
struct shepard_target_layer_targets {
    size_t count;         /**< m, features, may be 0 */
    const double *x;      /**< [m] in target_srs; NaN where a feature has no usable point */
    const double *y;      /**< [m] */
    const double *z;      /**< [m]; NULL without z_field */
    size_t missing;       /**< features without a usable point */
    size_t untransformed; /**< of these: outside the area where target_srs can be computed */
    bool transformed;     /**< the coordinates were transformed */
    struct shepard_text_loss x_lost; /**< of a table's coordinates, part of missing */
    struct shepard_text_loss y_lost;
    struct shepard_text_loss z_lost;
    const char *srs;                     /**< of the layer, srs or its own, WKT; NULL: unknown */
    bool geographic;                     /**< that has longitude and latitude */
    size_t columns;                      /**< of options.fields */
    const struct shepard_column *column; /**< [columns], each of m values */
};

/**
 * Reads the targets of one layer of points. source is borrowed and must stay open until
 * shepard_target_layer_free. *query is set on success only.
 * Errors: as shepard_source_read, but a layer without features is not an error.
 */
SHEPARD_API enum shepard_io_status
shepard_target_layer_open(struct shepard_source *source,
                          const struct shepard_target_layer_options *options,
                          struct shepard_target_layer **query,
                          const struct shepard_io_control *control, struct shepard_io_error *error);

/** Frees a query; NULL is allowed. */
SHEPARD_API void shepard_target_layer_free(struct shepard_target_layer *query);

/** Fills *targets; O(1). */
SHEPARD_API void shepard_target_layer_get_targets(const struct shepard_target_layer *query,
                                                  struct shepard_target_layer_targets *targets);

/** A column to be added. */
struct shepard_new_column {
    const char *name;     /**< made unique with _2, _3, ... where it exists, with a warning */
    const double *values; /**< [m]; NaN, infinite and nodata become NULL */
    bool integer;         /**< written as 64-bit integers, for counts */
    double nodata;        /**< a further value that becomes NULL, as NaN does; NaN: none */
};

/** A vector file to be written. */
struct shepard_vector_spec {
    const char *path;       /**< as in struct shepard_raster_spec */
    const char *format;     /**< -f, any case; NULL: from the extension, GPKG without one (CSV
                                 for standard output) */
    const char *layer_name; /**< NULL: the file's base name */
    const char *const *creation_options; /**< -dsco */
    const char *const *layer_options; /**< -lco; CSV gets GEOMETRY=AS_XY for layers with geometry */
    size_t columns;
    const struct shepard_new_column *column; /**< [columns] */
    struct shepard_output_guard guard;
    size_t features; /**< write the first ones only; 0: all */
};

/**
 * Writes the query's features, attributes, geometry and order kept, with the new columns, under a
 * temporary name that is renamed at the end. A table without geometry becomes points where the
 * format has geometry. Geometries keep their coordinates unless write_target_srs says otherwise;
 * one that cannot be transformed is left out, its feature stays. CSV to CSV keeps the texts of the
 * columns. Columns whose names are there already, or those of the coordinates in CSV, get _2, _3,
 * ... with a warning. Errors: SHEPARD_IO_ERROR_ARGUMENT, _FORMAT, _READ, _WRITE, _MEMORY,
 * _CANCELLED.
 */
SHEPARD_API enum shepard_io_status shepard_target_layer_write(
    struct shepard_target_layer *query, const struct shepard_vector_spec *spec,
    const struct shepard_io_control *control, struct shepard_io_error *error);

/** What a vector file is going to take, from trials with its first features. */
struct shepard_vector_trial {
    char format[40];     /**< GDAL's short name */
    size_t features;     /**< that were written */
    double seconds;      /**< to write all */
    double file_bytes;   /**< of the whole file */
    double memory_bytes; /**< that GDAL holds meanwhile, where it is much */
};

/**
 * Estimates what shepard_target_layer_write will take: writes spec->features features, >= 1, and a
 * tenth of them, into memory; columns hold numbers for these. Formats that cannot be written there
 * get seconds and bytes of 0. Errors: as shepard_target_layer_write.
 */
SHEPARD_API enum shepard_io_status shepard_target_layer_try(struct shepard_target_layer *query,
                                                            const struct shepard_vector_spec *spec,
                                                            struct shepard_vector_trial *trial,
                                                            struct shepard_io_error *error);

/** Places that become a layer. */
struct shepard_point_layer {
    size_t count;    /**< m, may be 0 */
    const double *x; /**< [m], finite */
    const double *y; /**< [m] */
    const char *srs; /**< any definition; NULL: unknown */
};

/**
 * Writes the places with the new columns, as shepard_target_layer_write does. CSV has the columns
 * X and Y before them.
 */
SHEPARD_API enum shepard_io_status
shepard_point_layer_write(const struct shepard_point_layer *points,
                          const struct shepard_vector_spec *spec,
                          const struct shepard_io_control *control, struct shepard_io_error *error);

/* ---- GDAL's own gridding --------------------------------------------------------------------- */

/** What a -a string of GDAL's says. */
struct shepard_gdal_algorithm {
    char name[40];     /**< "linear", "average", ... */
    bool nodata_given; /**< nodata= stands in the string */
    double nodata;     /**< as given, else GDAL's default, 0 */
};

/** Name i of GDAL's algorithms ("linear", "average", "nearest", ...); NULL past the end. Static. */
SHEPARD_API const char *shepard_gdal_algorithm_name(size_t i);

/**
 * Checks "name:key=value:..." for one of GDAL's algorithms (invdist and invdistnn included, for
 * comparisons). Errors: SHEPARD_IO_ERROR_ARGUMENT: an unknown name or key (names the nearest), a
 * value that is no number or is out of range.
 */
SHEPARD_API enum shepard_io_status
shepard_gdal_algorithm_parse(const char *text, struct shepard_gdal_algorithm *algorithm,
                             struct shepard_io_error *error);

/** Points prepared for one of GDAL's algorithms. */
struct shepard_gdal_grid;

/**
 * Prepares points (copied; those with a NaN or infinite value left out) for an algorithm.
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _NO_POINTS, _SIZE (GDAL takes 2^31 - 1 points), _MEMORY,
 * _WRITE (GDAL failed).
 */
SHEPARD_API enum shepard_io_status shepard_gdal_grid_create(const char *algorithm, size_t count,
                                                            const double *x, const double *y,
                                                            const double *z,
                                                            struct shepard_gdal_grid **grid,
                                                            struct shepard_io_error *error);

/**
 * Computes a window (NULL: all) of a raster into values, row-major, [rows, columns].
 * Errors: SHEPARD_IO_ERROR_ARGUMENT, _SIZE, _WRITE (GDAL failed), _CANCELLED.
 */
SHEPARD_API enum shepard_io_status
shepard_gdal_grid_run(const struct shepard_gdal_grid *grid, const struct shepard_raster *raster,
                      const struct shepard_window *window, double *values,
                      const struct shepard_io_control *control, struct shepard_io_error *error);

/** Frees it; NULL is allowed. */
SHEPARD_API void shepard_gdal_grid_free(struct shepard_gdal_grid *grid);

#ifdef __cplusplus
}
#endif

#endif
