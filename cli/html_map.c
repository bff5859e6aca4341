/* SPDX-License-Identifier: MIT */
#include "html_map.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>

/* ---- The picture of the band ----------------------------------------------------------------- */

/* Number 0 is transparent; the others run along the scale. */
static void make_palette(const struct shepard_color_scale *scale, unsigned char palette[256][4])
{
    for (int i = 0; i < 256; i++) {
        shepard_color_at(scale->ramp, fmax(i - 1, 0) / 254.0, palette[i]);
        palette[i][3] = i > 0 ? 255 : 0;
    }
}

/* Rows from north to south, columns from west to east. */
static void fill_cells(const struct shepard_html_map *map, unsigned char *cells)
{
    const struct shepard_overview *const overview = map->overview;
    const bool up = map->raster->dy > 0, back = map->raster->dx < 0;
    for (size_t row = 0; row < overview->rows; row++) {
        const size_t from_row = up ? overview->rows - 1 - row : row;
        for (size_t column = 0; column < overview->columns; column++) {
            const size_t from = back ? overview->columns - 1 - column : column;
            const double value = shepard_overview_at(overview, from, from_row);
            cells[row * overview->columns + column] =
                isnan(value)
                    ? 0
                    : (unsigned char)(1 +
                                      lround(254 * shepard_color_scale_place(&map->scale, value)));
        }
    }
}

/* Cells at the far edges of an overview may reach beyond the raster. */
static void place_picture(const struct shepard_html_map *map, const struct shepard_map_frame *frame,
                          struct shepard_html *html)
{
    const struct shepard_overview *const overview = map->overview;
    const double columns = (double)(overview->columns * overview->step);
    const double rows = (double)(overview->rows * overview->step);
    const double width = frame->width * columns / (double)map->raster->columns;
    const double height = frame->height * rows / (double)map->raster->rows;
    shepard_html_format(
        html,
        "<image x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" preserveAspectRatio=\"none\" "
        "style=\"image-rendering:%s\" href=\"data:image/png;base64,",
        frame->left + (map->raster->dx < 0 ? frame->width - width : 0),
        frame->top + (map->raster->dy > 0 ? frame->height - height : 0), width, height,
        overview->columns < 300 ? "pixelated" : "auto");
}

static bool draw_picture(const struct shepard_html_map *map, const struct shepard_map_frame *frame,
                         struct shepard_html *html)
{
    unsigned char palette[256][4], *png = NULL;
    unsigned char *const cells = malloc(map->overview->columns * map->overview->rows);
    size_t size = 0;
    struct shepard_io_error error;
    if (!cells) {
        return shepard_say_error("out of memory");
    }
    make_palette(&map->scale, palette);
    fill_cells(map, cells);
    const struct shepard_png_image image = {map->overview->columns, map->overview->rows, cells,
                                            (const unsigned char(*)[4])palette};
    const bool good = shepard_png_encode(&image, &png, &size, &error) == SHEPARD_IO_OK ||
                      shepard_say_error("--report: %s", error.message);
    if (good) {
        place_picture(map, frame, html);
        shepard_html_base64(html, png, size);
        shepard_html_raw(html, "\"/>");
    }
    shepard_io_free(png);
    free(cells);
    return good;
}

/* ---- The figure ------------------------------------------------------------------------------ */

static struct shepard_bounds box_of(const struct shepard_html_map *map)
{
    if (!map->overview) {
        const double space =
            0.04 * fmax(map->box.x_max - map->box.x_min, map->box.y_max - map->box.y_min);
        return (struct shepard_bounds){true, map->box.x_min - space, map->box.y_min - space,
                                       map->box.x_max + space, map->box.y_max + space};
    }
    const struct shepard_raster *const raster = map->raster;
    const double x = raster->x0 + raster->dx * (double)raster->columns;
    const double y = raster->y0 + raster->dy * (double)raster->rows;
    return (struct shepard_bounds){true, fmin(raster->x0, x), fmin(raster->y0, y),
                                   fmax(raster->x0, x), fmax(raster->y0, y)};
}

static double height_of(const struct shepard_map_frame *frame)
{
    return frame->top + frame->height + 97;
}

static void begin(const struct shepard_html_map *map, const struct shepard_map_frame *frame,
                  struct shepard_html *html)
{
    const size_t id = html->length; /* no other figure begins there */
    shepard_html_raw(html, "<figure><h3>");
    shepard_html_text(html, map->title);
    shepard_html_format(html, "</h3><svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"Map: ",
                        SHEPARD_DRAWING_WIDTH, height_of(frame));
    shepard_html_text(html, map->title);
    shepard_html_format(html,
                        "\"><clipPath id=\"map%zu\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"/></clipPath><rect class=\"ground\" x=\"%.1f\" "
                        "y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/><g clip-path=\"url(#map%zu)\">",
                        id, frame->left, frame->top, frame->width, frame->height, frame->left,
                        frame->top, frame->width, frame->height, id);
}

static void say_dots(const struct shepard_html_map *map, size_t drawn, size_t inside,
                     struct shepard_html *html)
{
    shepard_html_raw(html, "<figcaption>");
    if (inside == 0) {
        shepard_html_raw(html, map->dots.count > 0 ? "No data point lies in this map. " : "");
    } else if (drawn < inside) {
        shepard_html_format(html, "%zu of the %zu data points here are drawn, chosen at random. ",
                            drawn, inside);
    } else {
        shepard_html_format(html, "%zu data point%s. ", inside, inside == 1 ? "" : "s");
    }
    shepard_html_text(html, map->caption);
    shepard_html_raw(html, "</figcaption></figure>\n");
}

bool shepard_html_map_draw(const struct shepard_html_map *map, struct shepard_html *html)
{
    const struct shepard_bounds box = box_of(map);
    const struct shepard_map_frame frame = shepard_map_frame_fit(&box, map->srs);
    const struct shepard_color_legend legend = {&map->scale, map->label, map->min, map->max};
    size_t inside = 0;
    begin(map, &frame, html);
    if (map->overview && !draw_picture(map, &frame, html)) {
        return false;
    }
    shepard_html_raw(html, "</g>");
    const size_t drawn = shepard_map_dots_draw(&map->dots, &frame, &map->scale, html, &inside);
    shepard_color_legend_draw(&legend, html, shepard_map_frame_draw(&frame, html) + 4);
    shepard_html_raw(html, "</svg>");
    say_dots(map, drawn, inside, html);
    return true;
}
