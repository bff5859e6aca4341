/* SPDX-License-Identifier: MIT */
/** Where the reading of one layer's points stands, and its parts: what is read (point_choice.c),
 * the stream of batches (point_stream.c, point_texts.c), the points of a batch (point_table.c). */
#ifndef SHEPARD_IO_POINT_STATE_H
#define SHEPARD_IO_POINT_STATE_H

#include "clip_area.h"
#include "layer_field.h"
#include "layer_selection.h"
#include "point_batch.h"
#include "point_reader.h"
#include "value_ends.h"
#include "value_tally.h"
#include "xy_columns.h"

/* What a field is read for. */
enum shepard_field_role {
    SHEPARD_FIELD_VALUE,       /* a value column */
    SHEPARD_FIELD_WEIGHT,      /* the weight of each point */
    SHEPARD_FIELD_Z_COORDINATE /* the third coordinate */
};

/* A field that is read with x and y. */
struct shepard_value_field {
    int field;      /* in the layer, or, of LAS, in fields; -1: Z of the geometry */
    char *name;     /* of the column that it becomes */
    int64_t child;  /* in the rows that are read */
    double *values; /* [capacity] */
    struct shepard_value_tally tally;
    struct shepard_value_ends ends;
    double least, most; /* of the values that a sink has */
    enum shepard_field_role role;
};

struct shepard_point_state {
    const struct shepard_reading *reading;
    const struct shepard_read_options *options;
    struct shepard_point_set *points;
    struct shepard_layer_selection pick; /* the layer with its column types */
    struct shepard_layer_selection text; /* the same with columns as text; layer NULL: not needed */
    GDALDatasetH view;                   /* rows of a share, without the others; NULL: not needed */
    OGRLayerH rows;                      /* of these the one that is read */
    struct shepard_xy_columns xy;
    struct shepard_value_tally x_tally, y_tally; /* of a table's coordinates */
    struct shepard_clip_area area;
    struct shepard_value_field *fields; /* the value columns, then the weight and z */
    size_t field_count;
    size_t capacity;
    double total; /* features expected; 0: unknown */
    int64_t x_child, y_child, geometry_child;
    struct shepard_point_batch batch;
    struct shepard_sunk_points sunk; /* what is handed over */
    bool srs_by_names;               /* EPSG:4326, since the columns are called lon and lat */
};

/** Chooses layers, fields and the area, and has GDAL leave out the rest. */
enum shepard_io_status shepard_state_choose(struct shepard_point_state *reader);

/** Has GDAL hand out the rows of the share only, if there is one and that can be done fast. No
 * spatial filter is set yet. */
void shepard_state_choose_range(struct shepard_point_state *reader);

/** Whether a condition or SQL chooses the features: OGR then reads columns by their types. */
bool shepard_state_goes_by_type(const struct shepard_point_state *reader);

/** The option that names a field of this role, as in struct shepard_io_error. */
const char *shepard_field_argument(enum shepard_field_role role);

/** Name of a field of the layer. */
const char *shepard_state_field_name(const struct shepard_point_state *reader, int field);

/** Name of the layer. */
const char *shepard_state_layer_name(const struct shepard_point_state *reader);

/** Appends the names of the fields that can be values to a message. */
void shepard_state_append_fields(const struct shepard_point_state *reader, char *text, size_t size);

/** Adds a field to be read; its name is freed with the others if that succeeds. */
enum shepard_io_status shepard_state_add_field(struct shepard_point_state *reader,
                                               const struct shepard_value_field *field);

/** Fails for want of values; what: the start of the message. */
enum shepard_io_status shepard_state_fail_no_z(const struct shepard_point_state *reader,
                                               const char *what);

/** Room for so many points in all arrays, more or less than before; false where memory is out. */
bool shepard_state_resize(struct shepard_point_state *reader, size_t capacity);

/** Makes room for as many points as the layer says that it has features. */
void shepard_state_expect(struct shepard_point_state *reader);

/** Finds the CRS of the coordinates: source_srs of the points. */
enum shepard_io_status shepard_state_choose_crs(struct shepard_point_state *reader);

/** Takes out the points without a third coordinate where there is one; a target keeps its row. */
void shepard_state_drop_without_z(struct shepard_point_state *reader);

/** Sets srs of the points that were read, and transforms them to it. */
enum shepard_io_status shepard_state_finish_crs(struct shepard_point_state *reader);

/** Leaves out the places of the batch that cannot be used, and stores the others behind the points
 * that there are. shepard_state_end_batch counts them in, when their values are stored too. */
enum shepard_io_status shepard_state_take_places(struct shepard_point_state *reader);

/** Stores the heights of the batch's places as the values of a field. */
void shepard_state_take_z(const struct shepard_point_state *reader,
                          struct shepard_value_field *field);

/** Stores the numbers of the batch's rows (number[0], kind[0]) as the values of a field. */
void shepard_state_take_numbers(const struct shepard_point_state *reader,
                                struct shepard_value_field *field);

/** Takes the points that there are to -t_srs; those that have no place there are left out. */
enum shepard_io_status shepard_state_transform(struct shepard_point_state *reader);

/** None has. */
enum shepard_io_status shepard_state_fail_untransformed(const struct shepard_point_state *reader);

/** Makes the sink, if there is one, ready for points of the fields that were chosen. */
enum shepard_io_status shepard_state_begin_sink(struct shepard_point_state *reader);

/** Hands the points that there are over to the sink, in -t_srs. */
enum shepard_io_status shepard_state_hand_over(struct shepard_point_state *reader);

/** Counts the points of the batch in. */
void shepard_state_end_batch(struct shepard_point_state *reader);

/** Rows as they are read. */
struct shepard_rows {
    size_t count;
    const struct ArrowSchema *schema; /* and array: of Arrow's */
    const struct ArrowArray *array;
    const OGRFeatureH *features; /* in place of Arrow's; NULL: they are Arrow's */
};

/** Adds the points of a batch. */
enum shepard_io_status shepard_state_take(struct shepard_point_state *reader,
                                          const struct shepard_rows *rows);

/** Fails where it is not clear which sign is the decimal one, or where too many values are lost as
 * they are texts. */
enum shepard_io_status shepard_state_check_texts(const struct shepard_point_state *reader);

/** Fails where the same is not clear in columns that OGR reads by their types, or where OGR reads
 * them otherwise than the options say. */
enum shepard_io_status shepard_state_check_typed(const struct shepard_point_state *reader);

/** The column of a field in rows of some form; -1: it has none. field as in struct
 * shepard_value_field, -1 for x and y of geometries. */
typedef int64_t shepard_find_column(const struct shepard_point_state *reader, int field,
                                    const void *rows);

/** Finds the columns of x, y and all fields; false: one has none. */
bool shepard_state_find_columns(struct shepard_point_state *reader, shepard_find_column *find,
                                const void *rows);

/** Whether all columns are texts of features, which it finds. */
bool shepard_state_find_texts(struct shepard_point_state *reader);

/** Reads these. */
enum shepard_io_status shepard_state_read_texts(struct shepard_point_state *reader);

/** Reports progress; fails where that cancels. */
enum shepard_io_status shepard_state_report(const struct shepard_point_state *reader);

/** Fails where GDAL fails. */
enum shepard_io_status shepard_state_fail_read(const struct shepard_point_state *reader);

/** Reads all batches. */
enum shepard_io_status shepard_state_read(struct shepard_point_state *reader);

#endif
