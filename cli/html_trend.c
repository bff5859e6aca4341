/* SPDX-License-Identifier: MIT */
#include "html_trend.h"

#include <stdio.h>

enum { KEY_SIZE = 128 };

static void add_number(struct shepard_html *html, double value, const char *key, const char *member)
{
    char path[KEY_SIZE];
    snprintf(path, sizeof path, "%.70s.%s", key, member);
    shepard_html_number(html, value, path);
}

static void add_coefficient(struct shepard_html *html, const struct shepard_column_trend *trend,
                            size_t column, const struct shepard_covariate_list *covariates,
                            size_t j, const char *key)
{
    const size_t k = column * covariates->count + j;
    char path[KEY_SIZE];
    snprintf(path, sizeof path, "%.70s.covariates.%zu", key, j);
    shepard_html_row_begin(html, covariates->items[j].name);
    add_number(html, trend->coefficients[k], path, "coefficient");
    shepard_html_raw(html, ", standard error ");
    add_number(html, trend->standard_errors[k], path, "standard_error");
    shepard_html_row_end(html);
}

void shepard_html_trend(struct shepard_html *html, const char *words, const char *name,
                        const struct shepard_column_trend *trend, size_t column,
                        const struct shepard_covariate_list *covariates, const char *key)
{
    const struct {
        const char *name, *member;
        double value;
    } rows[] = {{"points used", "points", (double)trend->used[column]},
                {"RMSE with it, leave-one-out", "rmse_leave_one_out", trend->rmse[column]},
                {"RMSE without it", "rmse_leave_one_out_without", trend->rmse_without[column]}};
    shepard_html_table_begin_of(html, words, name);
    for (size_t j = 0; j < covariates->count; j++) {
        add_coefficient(html, trend, column, covariates, j, key);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        shepard_html_row_begin(html, rows[i].name);
        add_number(html, rows[i].value, key, rows[i].member);
        shepard_html_row_end(html);
    }
    shepard_html_table_end(html);
}
