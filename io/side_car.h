/* SPDX-License-Identifier: MIT */
/** Files that go with an output. */
#ifndef SHEPARD_IO_SIDE_CAR_H
#define SHEPARD_IO_SIDE_CAR_H

/** Files of the output that stands at the target, to be removed with it: an old .aux.xml next to a
 * new raster would be taken for its own. Not files that another dataset may use, nor names of the
 * new output. A list for CSLDestroy. */
char **shepard_side_cars(const char *target, char **names);

#endif
