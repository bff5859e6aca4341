/* SPDX-License-Identifier: MIT */
/* Devices and a backend cuda that are not there: what the library asks of them, and what it is
 * told. The backend makes points and fields, and predicts nothing. What is said to lie on a device
 * lies on the host. */
#ifndef SHEPARD_TESTS_PRETENCE_H
#define SHEPARD_TESTS_PRETENCE_H

#include "shepard/shepard.h"

struct pretence {
    size_t devices;
    const char *reason;                /* why the backend is not usable; "": it is */
    enum shepard_status points_status; /* what it answers when it is given points */
    const char *stream;                /* why a stream of arrays is refused; NULL: it is not */
    int given;                         /* times that it was given points */
    int asked;                         /* times that the driver would have been called */
    int made;                          /* points and fields made and not freed */
};

extern struct pretence pretence;

#endif
