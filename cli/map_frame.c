/* SPDX-License-Identifier: MIT */
#include "map_frame.h"

#include "ticks.h"

#include <math.h>
#include <string.h>

static const double margin_left = 18, margin_right = 5, margin_top = 5, height_max = 440;

/* A box of some width: of one place or a line too. */
static struct shepard_bounds widen(const struct shepard_bounds *box)
{
    const double width = box->x_max - box->x_min, height = box->y_max - box->y_min;
    const double size = fmax(width, height);
    const double least = size > 0 ? size / 1000 : 1;
    const double x = width < least ? least / 2 : 0, y = height < least ? least / 2 : 0;
    return (struct shepard_bounds){true, box->x_min - x, box->y_min - y, box->x_max + x,
                                   box->y_max + y};
}

struct shepard_map_frame shepard_map_frame_fit(const struct shepard_bounds *box,
                                               const struct shepard_srs_description *srs)
{
    struct shepard_map_frame frame = {.box = widen(box), .srs = srs, .metres = srs->metres};
    const double degree = 3.14159265358979323846 / 180;
    double narrow = 1;
    if (srs->geographic) {
        narrow = fmax(cos(0.5 * (frame.box.y_min + frame.box.y_max) * degree), 0.05);
        frame.metres *= narrow;
    }
    const double width_max = SHEPARD_DRAWING_WIDTH - margin_left - margin_right;
    const double shape =
        (frame.box.y_max - frame.box.y_min) / ((frame.box.x_max - frame.box.x_min) * narrow);
    frame.width = fmin(width_max, height_max / shape);
    frame.height = frame.width * shape;
    frame.left = margin_left + 0.5 * (width_max - frame.width);
    frame.top = margin_top;
    return frame;
}

const char *shepard_map_unit(const struct shepard_srs_description *srs)
{
    static const char *const short_names[][2] = {
        {"metre", "m"}, {"degree", "°"}, {"foot", "ft"}, {"US survey foot", "US ft"}};
    for (size_t i = 0; i < sizeof short_names / sizeof short_names[0]; i++) {
        if (strcmp(srs->unit, short_names[i][0]) == 0) {
            return short_names[i][1];
        }
    }
    return srs->unit;
}

double shepard_map_frame_x(const struct shepard_map_frame *frame, double x)
{
    return frame->left +
           (x - frame->box.x_min) / (frame->box.x_max - frame->box.x_min) * frame->width;
}

double shepard_map_frame_y(const struct shepard_map_frame *frame, double y)
{
    return frame->top +
           (frame->box.y_max - y) / (frame->box.y_max - frame->box.y_min) * frame->height;
}

static void draw_x_ticks(const struct shepard_map_frame *frame, struct shepard_html *html)
{
    const size_t most = (size_t)fmax(1, frame->width / 70);
    const struct shepard_ticks ticks = shepard_ticks_make(frame->box.x_min, frame->box.x_max, most);
    const double bottom = frame->top + frame->height;
    for (size_t i = 0; i < ticks.count; i++) {
        char text[40];
        const double x = shepard_map_frame_x(frame, shepard_tick(&ticks, i));
        shepard_html_format(html,
                            "<path class=\"tick\" d=\"M%.1f %.1fv4\"/><text x=\"%.1f\" y=\"%.1f\" "
                            "text-anchor=\"middle\">%s%s</text>",
                            x, bottom, fmin(fmax(x, 30), SHEPARD_DRAWING_WIDTH - 30), bottom + 15,
                            shepard_tick_text(&ticks, i, text), frame->srs->geographic ? "°" : "");
    }
}

static void draw_y_ticks(const struct shepard_map_frame *frame, struct shepard_html *html)
{
    const size_t most = (size_t)fmax(1, frame->height / 75);
    const struct shepard_ticks ticks = shepard_ticks_make(frame->box.y_min, frame->box.y_max, most);
    for (size_t i = 0; i < ticks.count; i++) {
        char text[40];
        const double y = shepard_map_frame_y(frame, shepard_tick(&ticks, i));
        shepard_html_format(html,
                            "<path class=\"tick\" d=\"M%.1f %.1fh-4\"/>"
                            "<text transform=\"translate(%.1f %.1f) rotate(-90)\" "
                            "text-anchor=\"middle\">%s%s</text>",
                            frame->left, y, frame->left - 6,
                            fmin(fmax(y, 24), fmax(frame->top + frame->height - 20, 24)),
                            shepard_tick_text(&ticks, i, text), frame->srs->geographic ? "°" : "");
    }
}

/* ---- Scale bar ------------------------------------------------------------------------------- */

/* Metres and kilometres, where the unit is the metre or an angle; else the unit itself. */
static const char *bar_unit(const struct shepard_map_frame *frame, double *units)
{
    const bool metric = frame->metres > 0 && (frame->srs->geographic || frame->srs->metres == 1);
    const double longest = 0.3 * (frame->box.x_max - frame->box.x_min);
    if (!metric) {
        *units = 1;
        const char *const unit = shepard_map_unit(frame->srs);
        return unit[0] ? unit : "map units";
    }
    const bool long_bar = longest * frame->metres >= 1000;
    *units = (long_bar ? 1000 : 1) / frame->metres;
    return long_bar ? "km" : "m";
}

static void draw_scale_bar(const struct shepard_map_frame *frame, struct shepard_html *html,
                           double y)
{
    double units; /* map units of one unit of the bar */
    const char *const unit = bar_unit(frame, &units);
    const double box = frame->box.x_max - frame->box.x_min;
    const double length = shepard_round_down(0.3 * box / units);
    const double width = length * units / box * frame->width;
    shepard_html_format(html,
                        "<g class=\"scale-bar\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" "
                        "height=\"5\" fill=\"#fff\" stroke=\"#222\"/>"
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.2f\" height=\"5\" fill=\"#222\"/>"
                        "<text x=\"%.1f\" y=\"%.1f\">%.6g ",
                        frame->left, y, width, frame->left, y, 0.5 * width, frame->left + width + 6,
                        y + 6, length);
    shepard_html_text(html, unit);
    shepard_html_raw(html, "</text></g>");
}

double shepard_map_frame_draw(const struct shepard_map_frame *frame, struct shepard_html *html)
{
    const double bar = frame->top + frame->height + 25;
    shepard_html_format(html,
                        "<rect class=\"edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"/>",
                        frame->left, frame->top, frame->width, frame->height);
    draw_x_ticks(frame, html);
    draw_y_ticks(frame, html);
    draw_scale_bar(frame, html, bar);
    return bar + 14;
}
