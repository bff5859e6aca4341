/* SPDX-License-Identifier: MIT */
/* Frame units (Eq. 20 of docs/math.md): the user's coordinates times a power of two, so that the
 * data's box has a size near 1 and no square of a distance overflows or vanishes. The product is
 * exact, so distances keep their bits. With anisotropy the frame's axes lie along and across its
 * angle, and the first is stretched (Eq. 38): distances in the frame are those of Eq. 37. */
#ifndef SHEPARD_CORE_FRAME_H
#define SHEPARD_CORE_FRAME_H

#include "base/host_device.h"
#include "shepard/shepard.h"

/* Coordinates nearer to 0 count as 0. Doubles that do not differ by at least 2^-52 of this, so
 * squares of distances are 0 or normal numbers, and so are their ratios to those across the data.
 */
#define SHEPARD_FRAME_LEAST 0x1p-440
/* Squared distances from here on may be those of a target that is held nearer than it is. */
#define SHEPARD_FRAME_FAR2 0x1p478
/* Targets are held within this of the data's box. */
#define SHEPARD_FRAME_AWAY 0x1p240
/* Places farther than this stay farther than SHEPARD_FRAME_AWAY when stretched, and finite. */
#define SHEPARD_FRAME_BEFORE 0x1p270

/* A ratio within [1e-6, 1e6] changes no length by more. */
#define SHEPARD_FRAME_STRETCH_MAX 0x1p20

struct shepard_box {
    double x_min, x_max, y_min, y_max;
};

static inline struct shepard_box shepard_box_scaled(const struct shepard_box *box, double scale)
{
    const struct shepard_box scaled = {box->x_min * scale, box->x_max * scale, box->y_min * scale,
                                       box->y_max * scale};
    return scaled;
}

/* Distances along a direction count 1 / ratio. A ratio of 1 stretches nothing. */
struct shepard_stretch {
    double ratio;
    double cosine, sine; /* of the direction */
    double angle;        /* of the direction, degrees */
};

/* How coordinates become places. */
struct shepard_space {
    enum shepard_metric metric;
    double radius;   /* of the sphere, user units */
    double vertical; /* what z is multiplied with in space */
};

struct shepard_frame {
    double scale;           /* frame = user * scale, a power of two, then stretched */
    struct shepard_box box; /* of the data, frame units */
    struct shepard_stretch stretch;
    double x_middle, y_middle; /* where something is stretched: the origin of the frame, scaled */
    struct shepard_space space;
    double z_min, z_max; /* of the data in space, frame units */
};

/* The stretch for options that have been checked, angle in degrees. */
struct shepard_stretch shepard_stretch_of(double ratio, double angle);

/* The frame for n >= 1 finite places (user units) with this box. */
struct shepard_frame shepard_frame_of(const struct shepard_box *box,
                                      const struct shepard_stretch *stretch, const double *x,
                                      const double *y, size_t n);

/* The box of the n places in a frame whose own box is not known yet. */
typedef struct shepard_box shepard_frame_boxer(const struct shepard_frame *frame, void *context);

/* The same for places given by a callback, which is called only if the frame is stretched. */
struct shepard_frame shepard_frame_of_boxes(const struct shepard_box *box,
                                            const struct shepard_stretch *stretch,
                                            shepard_frame_boxer *box_in, void *context);

/* The frame of a sphere, round its centre: the box is that of its longitudes and latitudes. */
struct shepard_frame shepard_frame_of_sphere(const struct shepard_space *space);

/* Adds a third coordinate in [low, high], user units by the vertical factor, to the frame of the
 * other two. */
struct shepard_frame shepard_frame_with_z(const struct shepard_frame *flat,
                                          const struct shepard_space *space, double low,
                                          double high);

/* Whether places have three coordinates. */
static inline bool shepard_frame_is_3d(const struct shepard_frame *frame)
{
    return frame->space.metric != SHEPARD_METRIC_PLANE;
}

/* The diameter of the sphere, frame units. */
static inline double shepard_frame_diameter(const struct shepard_frame *frame)
{
    return 2 * frame->space.radius * frame->scale;
}

/* A coordinate as the frame sees it. */
SHEPARD_HOST_DEVICE double shepard_frame_seen(double a)
{
    return a < SHEPARD_FRAME_LEAST && a > -SHEPARD_FRAME_LEAST ? 0 : a;
}

/* The least size, user units, that a length or a data point's coordinate has where it is not 0. */
double shepard_frame_least(const struct shepard_frame *frame);

/* A data point's coordinates in frame units. A target at the same place gets the same. */
void shepard_frame_place(const struct shepard_frame *frame, double *x, double *y);

/* A target's coordinates in frame units, held within 2^240 of the data: farther away all weights
 * are equal to double precision whatever the power in (0, 100], and squares stay finite. Whether
 * they are the target's own, not held. */
bool shepard_frame_target(const struct shepard_frame *frame, double *x, double *y);

/* A length in frame units, at most 2^245. */
double shepard_frame_length(const struct shepard_frame *frame, double length);

/* The length of an offset with anisotropy, user units (Eq. 37). */
double shepard_frame_distance(const struct shepard_frame *frame, double dx, double dy);

#endif
