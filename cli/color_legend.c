/* SPDX-License-Identifier: MIT */
#include "color_legend.h"

#include "map_frame.h"
#include "ticks.h"

static const double left = 30, width = SHEPARD_DRAWING_WIDTH - 60, height = 11;

static void draw_colors(const struct shepard_color_legend *legend, struct shepard_html *html,
                        double y)
{
    enum { PARTS = 60 };
    for (int i = 0; i < PARTS; i++) {
        unsigned char color[3];
        shepard_color_at(legend->scale->ramp, (double)i / (PARTS - 1), color);
        /* A little overlap hides the seams. */
        shepard_html_format(
            html,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.0f\" fill=\"#%02x%02x%02x\"/>",
            left + width * i / PARTS, y, width / PARTS + (i + 1 < PARTS ? 0.5 : 0), height,
            color[0], color[1], color[2]);
    }
}

/* The outline, with a point at an end beyond which there are values. */
static void draw_outline(const struct shepard_color_legend *legend, struct shepard_html *html,
                         double y)
{
    const struct {
        bool pointed;
        double x, place, to;
    } ends[] = {{legend->min < legend->scale->low, left, 0, -9},
                {legend->max > legend->scale->high, left + width, 1, 9}};
    for (int i = 0; i < 2; i++) {
        unsigned char color[3];
        if (ends[i].pointed) {
            shepard_color_at(legend->scale->ramp, ends[i].place, color);
            shepard_html_format(html,
                                "<path class=\"tick\" d=\"M%.1f %.1fl%.1f %.1fL%.1f %.1f\" "
                                "fill=\"#%02x%02x%02x\"/>",
                                ends[i].x, y, ends[i].to, height / 2, ends[i].x, y + height,
                                color[0], color[1], color[2]);
        }
    }
    shepard_html_format(html,
                        "<rect class=\"edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.0f\"/>",
                        left, y, width, height);
}

double shepard_color_legend_draw(const struct shepard_color_legend *legend,
                                 struct shepard_html *html, double y)
{
    const struct shepard_ticks ticks =
        shepard_ticks_make(legend->scale->low, legend->scale->high, 6);
    const double bar = y + 18;
    shepard_html_format(html, "<g class=\"legend\"><text class=\"strong\" x=\"%.1f\" y=\"%.1f\">",
                        left, y + 11);
    shepard_html_text(html, legend->title);
    shepard_html_raw(html, "</text>");
    draw_colors(legend, html, bar);
    draw_outline(legend, html, bar);
    for (size_t i = 0; i < ticks.count; i++) {
        char text[40];
        const double x =
            left + width * shepard_color_scale_place(legend->scale, shepard_tick(&ticks, i));
        shepard_html_format(html,
                            "<path class=\"tick\" d=\"M%.1f %.1fv4\"/>"
                            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                            x, bar + height, x, bar + height + 15,
                            shepard_tick_text(&ticks, i, text));
    }
    shepard_html_raw(html, "</g>");
    return bar + height + 20;
}
