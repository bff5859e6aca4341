/* SPDX-License-Identifier: MIT */
#include "point_state.h"
#include "field_list.h"

const char *shepard_state_field_name(const struct shepard_point_state *reader, int field)
{
    return shepard_field_name(reader->pick.layer, field);
}

bool shepard_state_goes_by_type(const struct shepard_point_state *reader)
{
    return reader->options->sql || reader->options->where;
}
