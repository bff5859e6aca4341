/* SPDX-License-Identifier: MIT */
#include "residual_figures.h"

#include "error_figures.h"
#include "message.h"
#include "shuffle.h"

#include <math.h>
#include <stdlib.h>

/* Those with an observation and a prediction, in random order. */
static bool collect(const struct shepard_residuals *residuals, size_t algorithm,
                    struct shepard_prediction_errors *errors)
{
    const size_t m = residuals->count;
    const double *const predicted = residuals->predicted + algorithm * m;
    size_t *const items = malloc((m + 1) * sizeof *items);
    if (!items) {
        return shepard_say_error("out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < m; i++) {
        if (isfinite(residuals->observed[i]) && isfinite(predicted[i])) {
            items[count++] = i;
        }
    }
    shepard_shuffle_sample(items, count, count);
    const bool good = shepard_prediction_errors_make(errors, count, false, residuals->nearest);
    for (size_t k = 0; good && k < count; k++) {
        const size_t i = items[k];
        const struct shepard_prediction_error error = {residuals->x[i],
                                                       residuals->y[i],
                                                       residuals->observed[i],
                                                       predicted[i],
                                                       NAN,
                                                       residuals->nearest ? residuals->nearest[i]
                                                                          : NAN};
        shepard_prediction_errors_add(errors, &error);
    }
    free(items);
    return good;
}

bool shepard_residual_figures_draw(const struct shepard_residual_figures *figures,
                                   struct shepard_html *html)
{
    struct shepard_prediction_errors errors = {0};
    struct shepard_srs_description srs;
    const struct shepard_error_figures drawn = {
        .errors = &errors, .field = figures->field, .srs = &srs};
    bool good = collect(figures->residuals, figures->algorithm, &errors);
    if (good && errors.count > 0) {
        shepard_io_describe_srs(figures->residuals->srs, &srs, NULL);
        shepard_html_raw(html, "<p>The figures show <code>");
        shepard_html_algorithm(html, figures->text);
        shepard_html_raw(html, "</code>, ");
        shepard_html_text(html, figures->why);
        shepard_html_raw(html, ".</p>\n<div class=\"figures\">\n");
        good = shepard_error_figures_draw(&drawn, html);
        shepard_html_raw(html, "</div>\n");
    }
    shepard_prediction_errors_free(&errors);
    return good;
}
