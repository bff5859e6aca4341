/* SPDX-License-Identifier: MIT */
#include "map_dots.h"

#include "shuffle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Colours that are told apart: points of one colour are one path. */
enum { CLASSES = 25, ALL_CLASSES = -1 };

static bool is_inside(const struct shepard_map_dots *dots, const struct shepard_bounds *box,
                      size_t i)
{
    return isfinite(dots->values[i]) && dots->x[i] >= box->x_min && dots->x[i] <= box->x_max &&
           dots->y[i] >= box->y_min && dots->y[i] <= box->y_max;
}

static int class_of(const struct shepard_map_dots *dots, const struct shepard_color_scale *scale,
                    size_t i)
{
    return (int)lround(shepard_color_scale_place(scale, dots->values[i]) * (CLASSES - 1));
}

/* More than these are no coloured discs on a picture, but dark specks. */
enum { DISCS_MAX = 800 };

/* Many points are drawn small. */
static double width_of(const struct shepard_map_dots *dots, size_t drawn, int class)
{
    const double width = fmin(fmax(60 / sqrt((double)drawn), 1.6), 6);
    const double far = fabs(2.0 * class / (CLASSES - 1) - 1);
    return dots->by_size ? width * (0.6 + far) : width;
}

struct choice {
    const struct shepard_map_dots *dots;
    const struct shepard_map_frame *frame;
    const struct shepard_color_scale *scale;
    size_t *items;
    size_t count;
};

/* The points of one class, or of all. */
static void draw_layer(const struct choice *choice, int class, const char *color, double width,
                       struct shepard_html *html)
{
    shepard_html_format(html, "<path stroke=\"%s\" stroke-width=\"%.1f\" d=\"", color, width);
    for (size_t k = 0; k < choice->count; k++) {
        const size_t i = choice->items[k];
        if (class == ALL_CLASSES || class_of(choice->dots, choice->scale, i) == class) {
            shepard_html_format(html, "M%.1f %.1fh0",
                                shepard_map_frame_x(choice->frame, choice->dots->x[i]),
                                shepard_map_frame_y(choice->frame, choice->dots->y[i]));
        }
    }
    shepard_html_raw(html, "\"/>");
}

static bool has_class(const struct choice *choice, int class)
{
    size_t k = 0;
    while (k < choice->count && class_of(choice->dots, choice->scale, choice->items[k]) != class) {
        k++;
    }
    return k < choice->count;
}

/* A dark rim, a light one where a picture is below, and the colour. */
static void draw_disc(const struct choice *choice, int class, struct shepard_html *html)
{
    unsigned char color[3];
    const double width = width_of(choice->dots, choice->count, class);
    const bool by_size = choice->dots->by_size;
    shepard_color_at(choice->scale->ramp, (double)class / (CLASSES - 1), color);
    draw_layer(choice, class, by_size ? "#666" : "#222", width + (by_size ? 0.6 : 2.4), html);
    if (!by_size) {
        draw_layer(choice, class, "#fff", width + 1.4, html);
    }
    char name[8];
    snprintf(name, sizeof name, "#%02x%02x%02x", color[0], color[1], color[2]);
    draw_layer(choice, class, name, width, html);
}

/* Classes in the order of drawing: from the middle of the scale outward where size says how far. */
static void draw_classes(const struct choice *choice, struct shepard_html *html)
{
    for (int k = 0; k < CLASSES; k++) {
        const int outward = CLASSES / 2 + (k % 2 ? 1 : -1) * ((k + 1) / 2);
        const int class = choice->dots->by_size ? outward : k;
        if (has_class(choice, class)) {
            draw_disc(choice, class, html);
        }
    }
}

size_t shepard_map_dots_draw(const struct shepard_map_dots *dots,
                             const struct shepard_map_frame *frame,
                             const struct shepard_color_scale *scale, struct shepard_html *html,
                             size_t *inside)
{
    struct choice choice = {dots, frame, scale, NULL, 0};
    *inside = 0;
    choice.items = malloc((dots->count + 1) * sizeof *choice.items);
    html->failed = html->failed || !choice.items;
    for (size_t i = 0; choice.items && i < dots->count; i++) {
        if (is_inside(dots, &frame->box, i)) {
            choice.items[(*inside)++] = i;
        }
    }
    choice.count = shepard_shuffle_sample(choice.items, *inside, dots->most);
    shepard_html_raw(html, "<g fill=\"none\" stroke-linecap=\"round\">");
    if (dots->plain || (!dots->by_size && choice.count > DISCS_MAX)) {
        const double width = fmin(fmax(30 / sqrt((double)choice.count + 1), 1), 2.6);
        draw_layer(&choice, ALL_CLASSES, "#111", width, html);
    } else {
        draw_classes(&choice, html);
    }
    shepard_html_raw(html, "</g>");
    free(choice.items);
    return choice.count;
}
