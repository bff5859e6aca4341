/* SPDX-License-Identifier: MIT */
/** The verbs. Each takes the arguments behind its name and returns the exit code. */
#ifndef SHEPARD_CLI_VERB_H
#define SHEPARD_CLI_VERB_H

/** The one list of verbs: X(name, help). */
#define SHEPARD_VERB_LIST(X)                                                                       \
    X(grid, "points in, raster out; takes gdal_grid's command line")                               \
    X(points, "predictions at the points of another layer")                                        \
    X(validate, "errors of methods on data that they do not use")                                  \
    X(tune, "the method and parameters that predict held-out data best")                           \
    X(mosaic, "the parts of a raster, put together")                                               \
    X(info, "version, instruction set, threads, backends")

#define SHEPARD_VERB(name, help) int shepard_verb_##name(int argc, char **argv);
SHEPARD_VERB_LIST(SHEPARD_VERB)
#undef SHEPARD_VERB

#endif
