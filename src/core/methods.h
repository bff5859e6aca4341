/* SPDX-License-Identifier: MIT */
/* What each method is: its names and keys as text, the ranges of its parameters, and what it needs.
 * How it predicts is up to the back ends. */
#ifndef SHEPARD_CORE_METHODS_H
#define SHEPARD_CORE_METHODS_H

#include "shepard/shepard.h"

/* What keys set. */
struct shepard_parameter_settings {
    struct shepard_parameters parameters;
    double anisotropy_ratio, anisotropy_angle; /* of struct shepard_points_options */
};

enum shepard_parameter_kind {
    SHEPARD_PARAMETER_REAL,   /* double */
    SHEPARD_PARAMETER_ANY,    /* double, NaN and infinities too */
    SHEPARD_PARAMETER_COUNT,  /* size_t */
    SHEPARD_PARAMETER_WORD,   /* enum: the number of the word among the choices */
    SHEPARD_PARAMETER_NUMBER, /* int: the word itself, a digit */
    SHEPARD_PARAMETER_AREA,   /* double, 0 for "auto" */
    SHEPARD_PARAMETER_GIVEN,  /* double, NaN for "auto" */
    SHEPARD_PARAMETER_FIVE,   /* double[5] */
    /* What another key prints: */
    SHEPARD_PARAMETER_SYNONYM, /* double, NaN for "auto" */
    SHEPARD_PARAMETER_INVERSE  /* double, 1 over the text's number, NaN for "auto" */
};

struct shepard_parameter_key {
    const char *name;
    size_t offset; /* in struct shepard_parameter_settings */
    enum shepard_parameter_kind kind;
    double above, least, most; /* value > above, least <= value <= most */
    const char *choices;       /* of words and numbers: "a|b" */
    bool of_points;            /* not of struct shepard_parameters */
};

/* The most keys of a method. */
#define SHEPARD_PARAMETER_KEYS_MAX 24

/* A name that text may begin with. Several may stand for one method, with other keys. */
struct shepard_parameter_form {
    const char *name;
    enum shepard_method method;
    const char *preset; /* where its defaults differ: "key=value:..." */
    const char *limits; /* the same where no k or radius limits the points; may be NULL */
    bool has_quadrants; /* limits of sectors are those of 4 sectors; without them there is 1 */
    const struct shepard_parameter_key *keys[SHEPARD_PARAMETER_KEYS_MAX + 1]; /* ends with NULL */
};

/* What a method needs. */
struct shepard_method_facts {
    const char *name; /* of the form that parameters are printed in */
    bool by_power;    /* weights are powers of distances: sums over all points and over many columns
                         at once serve it; else it predicts from the points of a neighbourhood */
    bool adaptive;    /* the power of a target follows from the density around it */
    bool kriging;     /* weights solve a system of covariances */
};

/* NULL: there is no such method. */
const struct shepard_method_facts *shepard_method_facts(enum shepard_method method);

/* Form i; NULL past the end. */
const struct shepard_parameter_form *shepard_parameter_form(size_t i);

#endif
