/* SPDX-License-Identifier: MIT */
/** The tables that are made again, and the series of cases that each is made of. */
#ifndef SHEPARD_PAPERS_SERIES_H
#define SHEPARD_PAPERS_SERIES_H

#include "workload.h"

/** The tables, in the order in which they are made. */
enum shepard_table {
    SHEPARD_TABLE_AIDW,
    SHEPARD_TABLE_STAGES,
    SHEPARD_TABLE_IDW,
    SHEPARD_TABLE_JOINT,
    SHEPARD_TABLE_DOUBLE,
    SHEPARD_TABLE_NEW,
    SHEPARD_TABLE_ERRATA, /**< has no series: it counts, and times nothing */
    SHEPARD_TABLES
};

/** A table's word for --table, its heading, and what else is to be known of it: whole lines, or "";
 * static. */
const char *shepard_table_name(enum shepard_table table);
const char *shepard_table_title(enum shepard_table table);
const char *shepard_table_note(enum shepard_table table);

/** What changes from case to case. */
enum shepard_variable {
    SHEPARD_VARIABLE_SIZE,    /**< n = m */
    SHEPARD_VARIABLE_POINTS,  /**< n */
    SHEPARD_VARIABLE_TARGETS, /**< m */
    SHEPARD_VARIABLE_RATIO,   /**< n / m */
    SHEPARD_VARIABLE_COLUMNS  /**< value columns */
};

/** Largest number of cases of a series, and so of sizes. */
#define SHEPARD_SERIES_CASES 24

struct shepard_series {
    enum shepard_table table;
    enum shepard_variable variable;
    char id[32];     /**< unique: "aidw", "idw-p3-targets" */
    char title[100]; /**< what is fixed, what varies */
    struct shepard_workload cases[SHEPARD_SERIES_CASES];
    size_t count; /**< of cases */
};

/** The variable's value in a case. */
double shepard_series_at(const struct shepard_series *series, size_t i);

/** The same as text: "10K", "0.01"; returns the buffer. */
const char *shepard_series_label(const struct shepard_series *series, size_t i, char text[24]);

/** Whether a contestant computes the cases of this series and belongs into its table. */
bool shepard_series_takes(const struct shepard_series *series, size_t who);

/** A size in the papers' unit: "10K" for 10240, digits for what is no multiple of 1024. */
const char *shepard_size_text(size_t size, char text[24]);

/** Reads a size, "10K" (1K = 1024), "1M" (1024K) or digits; false where it is none, or not from 1
 * to SHEPARD_POINTS_MAX. */
bool shepard_size_parse(const char *text, size_t *size);

#endif
