/* SPDX-License-Identifier: MIT */
#include "raster_type.h"

#include <float.h>
#include <math.h>

static const char *const type_names[] = {"Float64", "Float32",  "Byte",    "UInt16", "Int16",
                                         "UInt32",  "Int32",    "UInt64",  "Int64",  "CInt16",
                                         "CInt32",  "CFloat32", "CFloat64"};
enum { TYPE_NAMES = sizeof type_names / sizeof *type_names };

const char *shepard_raster_type_name(size_t i)
{
    return i < TYPE_NAMES ? type_names[i] : NULL;
}

GDALDataType shepard_type_by_name(const char *name)
{
    return name ? GDALGetDataTypeByName(name) : GDT_Float64;
}

bool shepard_raster_type_holds(const char *type, double value)
{
    const GDALDataType data_type = shepard_type_by_name(type);
    if (data_type == GDT_Unknown)
        return false;
    if (isnan(value))
        return GDALDataTypeIsFloating(data_type);
    int clamped = FALSE, rounded = FALSE;
    GDALAdjustValueToDataType(data_type, value, &clamped, &rounded);
    return !clamped && !rounded;
}

bool shepard_raster_type_range(const char *type, struct shepard_cell_range *range)
{
    const GDALDataType data_type = shepard_type_by_name(type);
    if (data_type == GDT_Unknown)
        return false;
    const int parts = GDALDataTypeIsComplex(data_type) ? 2 : 1;
    const int bits = GDALGetDataTypeSizeBits(data_type) / parts;
    *range = (struct shepard_cell_range){-DBL_MAX, DBL_MAX, false, false};
    if (!GDALDataTypeIsFloating(data_type)) {
        const bool sign = GDALDataTypeIsSigned(data_type);
        range->integer = true;
        range->high = ldexp(1.0, bits - sign) - 1.0;
        range->low = sign ? -ldexp(1.0, bits - 1) : 0.0;
    } else if (bits == 32) {
        *range = (struct shepard_cell_range){-(double)FLT_MAX, (double)FLT_MAX, false, true};
    }
    return true;
}

enum shepard_io_status shepard_fail_type(const char *type, struct shepard_io_error *error)
{
    char list[300] = "";
    shepard_text_append_names(list, sizeof list, type_names, TYPE_NAMES, TYPE_NAMES);
    const char *nearest = shepard_nearest_name(type, type_names, TYPE_NAMES);
    return shepard_io_fail(error, SHEPARD_IO_ERROR_ARGUMENT, "type",
                           "there is no data type \"%.40s\"%s%s%s; there are %s", type,
                           nearest ? "; did you mean \"" : "", nearest ? nearest : "",
                           nearest ? "\"?" : "", list);
}
