/* SPDX-License-Identifier: MIT */
/** Files that go with an output. */
#ifndef SHEPARD_IO_SIDE_CAR_H
#define SHEPARD_IO_SIDE_CAR_H

/**
 * Files of the output that stands at the target, to go with it: an old .aux.xml beside a new raster
 * would be taken for its own. What may be of use to another dataset is not among them, nor what has
 * one of the names of the new output. A list for CSLDestroy.
 */
char **shepard_side_cars(const char *target, char **names);

#endif
