/* SPDX-License-Identifier: MIT */
#include "layout.h"

#include "scene.h"

#include <stdlib.h>
#include <string.h>

#define UNTOUCHED 0x5a

static size_t size_of(enum shepard_type type)
{
    return type == SHEPARD_FLOAT32 ? sizeof(float) : sizeof(double);
}

/* Rows of columns or columns of rows, each with gaps. */
struct array_layout layout_make(size_t n, size_t columns, enum shepard_type type,
                                struct chance *chance)
{
    const size_t size = size_of(type), gap = 1 + chance_below(chance, 3);
    const bool rows = chance_below(chance, 2);
    const size_t inner = size * gap;
    const size_t outer = inner * (rows ? columns : n) + size * chance_below(chance, 3);
    struct array_layout layout = {.n = n, .columns = columns, .type = type};
    layout.stride = (ptrdiff_t)(rows ? outer : inner);
    layout.column_stride = (ptrdiff_t)(rows ? inner : outer);
    layout.bytes = outer * (rows ? n : columns) + size;
    layout.block = scene_memory(layout.bytes, 1);
    memset(layout.block, UNTOUCHED, layout.bytes);
    layout.first = layout.block;
    if (chance_below(chance, 2)) {
        layout.first += (ptrdiff_t)(n - 1) * layout.stride;
        layout.stride = -layout.stride;
    }
    if (chance_below(chance, 2)) {
        layout.first += (ptrdiff_t)(columns - 1) * layout.column_stride;
        layout.column_stride = -layout.column_stride;
    }
    return layout;
}

void layout_free(struct array_layout *layout)
{
    free(layout->block);
    *layout = (struct array_layout){0};
}

static char *at(const struct array_layout *layout, size_t column, size_t i)
{
    return layout->first + (ptrdiff_t)column * layout->column_stride +
           (ptrdiff_t)i * layout->stride;
}

/* The bytes of a number in the layout's type. */
static const void *bytes_of(const struct array_layout *layout, double number, double *room)
{
    const float single = (float)number;
    memcpy(room, layout->type == SHEPARD_FLOAT32 ? (const void *)&single : (const void *)&number,
           size_of(layout->type));
    return room;
}

void layout_write(const struct array_layout *layout, size_t column, const double *from)
{
    double room;
    for (size_t i = 0; i < layout->n; i++)
        memcpy(at(layout, column, i), bytes_of(layout, from[i], &room), size_of(layout->type));
}

struct shepard_array layout_array(const struct array_layout *layout, size_t column)
{
    return (struct shepard_array){at(layout, column, 0), layout->type, layout->stride};
}

struct shepard_output_array layout_output(const struct array_layout *layout, size_t column)
{
    return (struct shepard_output_array){at(layout, column, 0), layout->type, layout->stride};
}

static double number_at(const struct array_layout *layout, size_t column, size_t i)
{
    float single;
    double number;
    memcpy(&single, at(layout, column, i), sizeof single);
    if (layout->type == SHEPARD_FLOAT32)
        return (double)single;
    memcpy(&number, at(layout, column, i), sizeof number);
    return number;
}

bool layout_holds(const struct array_layout *layout, size_t column, const double *want)
{
    double room;
    for (size_t i = 0; i < layout->n; i++)
        if (memcmp(at(layout, column, i), bytes_of(layout, want[i], &room),
                   size_of(layout->type)) != 0 &&
            !(isnan(want[i]) && isnan(number_at(layout, column, i))))
            return false;
    return true;
}

bool layout_is_clean(const struct array_layout *layout)
{
    char *copy = scene_memory(layout->bytes, 1);
    memcpy(copy, layout->block, layout->bytes);
    for (size_t c = 0; c < layout->columns; c++)
        for (size_t i = 0; i < layout->n; i++)
            memset(copy + (at(layout, c, i) - layout->block), UNTOUCHED, size_of(layout->type));
    size_t touched = 0;
    for (size_t i = 0; i < layout->bytes; i++)
        touched += copy[i] != UNTOUCHED;
    free(copy);
    return touched == 0;
}
