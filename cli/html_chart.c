/* SPDX-License-Identifier: MIT */
#include "html_chart.h"

#include "map_frame.h"
#include "ticks.h"

#include <math.h>

static const double left = 58, top = 8, width = SHEPARD_DRAWING_WIDTH - 58 - 10;

static double height_of(const struct shepard_chart *chart)
{
    return chart->square ? width : 250;
}

static void widen(double *low, double *high)
{
    if (!(*high > *low)) {
        const double more = fmax(0.05 * fabs(*low), 1e-300);
        *low -= more;
        *high += more;
    }
}

double shepard_chart_x(const struct shepard_chart *chart, double x)
{
    return left + (x - chart->x_low) / (chart->x_high - chart->x_low) * width;
}

double shepard_chart_y(const struct shepard_chart *chart, double y)
{
    return top + (chart->y_high - y) / (chart->y_high - chart->y_low) * height_of(chart);
}

void shepard_chart_line(const struct shepard_chart *chart, struct shepard_html *html,
                        const char *style, const double from[2], const double to[2])
{
    shepard_html_format(html, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", style,
                        shepard_chart_x(chart, from[0]), shepard_chart_y(chart, from[1]),
                        shepard_chart_x(chart, to[0]), shepard_chart_y(chart, to[1]));
}

static void draw_x_axis(const struct shepard_chart *chart, struct shepard_html *html)
{
    const double height = height_of(chart);
    const struct shepard_ticks ticks = shepard_ticks_make(chart->x_low, chart->x_high, 6);
    for (size_t i = 0; i < ticks.count; i++) {
        char text[40];
        const double x = shepard_chart_x(chart, shepard_tick(&ticks, i));
        shepard_html_format(html,
                            "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/><text x=\"%.1f\" "
                            "y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                            x, top, height, x, top + height + 16,
                            shepard_tick_text(&ticks, i, text));
    }
    shepard_html_format(html, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                        left + width / 2, top + height + 33);
    shepard_html_text(html, chart->x_title);
    shepard_html_raw(html, "</text>");
}

static void draw_y_axis(const struct shepard_chart *chart, struct shepard_html *html)
{
    const double height = height_of(chart);
    const struct shepard_ticks ticks = shepard_ticks_make(chart->y_low, chart->y_high, 6);
    for (size_t i = 0; i < ticks.count; i++) {
        char text[40];
        const double y = shepard_chart_y(chart, shepard_tick(&ticks, i));
        shepard_html_format(html,
                            "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/><text x=\"%.1f\" "
                            "y=\"%.1f\" text-anchor=\"end\">%s</text>",
                            left, y, width, left - 5, y + 4, shepard_tick_text(&ticks, i, text));
    }
    shepard_html_format(html,
                        "<text transform=\"translate(12 %.1f) rotate(-90)\" "
                        "text-anchor=\"middle\">",
                        top + height / 2);
    shepard_html_text(html, chart->y_title);
    shepard_html_raw(html, "</text>");
}

void shepard_chart_begin(struct shepard_chart *chart, struct shepard_html *html)
{
    const double height = height_of(chart);
    widen(&chart->x_low, &chart->x_high);
    widen(&chart->y_low, &chart->y_high);
    shepard_html_raw(html, "<figure><h3>");
    shepard_html_text(html, chart->title);
    shepard_html_format(html, "</h3><svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"Chart: ",
                        SHEPARD_DRAWING_WIDTH, top + height + 40);
    shepard_html_text(html, chart->title);
    shepard_html_format(html,
                        "\"><rect class=\"ground\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"/>",
                        left, top, width, height);
    draw_x_axis(chart, html);
    draw_y_axis(chart, html);
    shepard_html_format(html,
                        "<rect class=\"edge\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
                        "height=\"%.1f\"/>",
                        left, top, width, height);
}

void shepard_chart_end(struct shepard_html *html, const char *caption)
{
    shepard_html_raw(html, "</svg><figcaption>");
    shepard_html_text(html, caption);
    shepard_html_raw(html, "</figcaption></figure>\n");
}
