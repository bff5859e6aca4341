/* SPDX-License-Identifier: MIT */
#include "scores.h"

#include "report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double shepard_score_skill(const struct shepard_score_table *table,
                           const struct shepard_score_row *row)
{
    const double ratio = row->scores.rmse / table->reference_rmse;
    return 1 - ratio * ratio;
}

/* A blank and a number, right-aligned in a field of this width; a dash where it is not finite. */
static void print_number(int width, const char *format, double number)
{
    char text[32] = "-";
    if (isfinite(number)) {
        snprintf(text, sizeof text, format, number);
    }
    printf(" %*s", width, text);
}

static void print_row(const struct shepard_score_table *table, const struct shepard_score_row *row,
                      int width)
{
    const struct shepard_scores *const scores = &row->scores;
    printf("%-*s %8zu", width, row->text, scores->count);
    print_number(10, "%.4g", scores->me);
    print_number(10, "%.4g", scores->mae);
    print_number(10, "%.4g", scores->rmse);
    print_number(10, "%.4g", scores->crps);
    print_number(7, "%.3f", scores->coverage);
    print_number(7, "%.3f", shepard_score_skill(table, row));
    print_number(8, "%.3f", row->seconds);
    putchar('\n');
}

void shepard_score_table_print(const struct shepard_score_table *table)
{
    int width = 9;
    for (size_t i = 0; i < table->count; i++) {
        const int length = (int)strlen(table->rows[i].text);
        width = length > width ? length : width;
    }
    printf("%-*s %8s %10s %10s %10s %10s %7s %7s %8s\n", width, "algorithm", "n", "ME", "MAE",
           "RMSE", "CRPS", "in 95%", "skill", "seconds");
    for (size_t i = 0; i < table->count; i++) {
        print_row(table, &table->rows[i], width);
    }
    for (size_t i = 0; i < table->count; i++) {
        const struct shepard_score_row *const row = &table->rows[i];
        if (row->fitted) {
            printf("%s: fitted to all data, -a %s\n", row->text, row->fitted);
        }
        if (row->trend.coefficients) {
            shepard_column_trend_print(&row->trend, 0, table->covariates, row->text);
        }
    }
}

void shepard_score_table_add(const struct shepard_score_table *table, struct shepard_json *json)
{
    shepard_json_text(json, "skill_reference", SHEPARD_SKILL_REFERENCE);
    shepard_json_number(json, "skill_reference_rmse", table->reference_rmse);
    struct shepard_json *const list = shepard_json_array(json, "scores");
    for (size_t i = 0; i < table->count; i++) {
        const struct shepard_score_row *const row = &table->rows[i];
        const struct shepard_scores *const scores = &row->scores;
        struct shepard_json *const item = shepard_json_object(list, NULL);
        shepard_json_text(item, "algorithm", row->text);
        if (row->algorithm) {
            shepard_report_add_method(item, row->algorithm);
        }
        if (row->fitted) {
            shepard_json_text(item, "fitted", row->fitted);
        }
        if (row->trend.coefficients) {
            shepard_report_add_trend(shepard_json_object(item, "trend"), &row->trend, 0,
                                     table->covariates, table->layer);
        }
        shepard_json_number(item, "n", (double)scores->count);
        shepard_json_number(item, "missing", (double)scores->missing);
        shepard_json_number(item, "me", scores->me);
        shepard_json_number(item, "mae", scores->mae);
        shepard_json_number(item, "rmse", scores->rmse);
        shepard_json_number(item, "n_sd", (double)scores->sd_count);
        shepard_json_number(item, "crps", scores->crps);
        shepard_json_number(item, "coverage_95", scores->coverage);
        shepard_json_number(item, "interval_score_95", scores->interval);
        shepard_json_number(item, "skill", shepard_score_skill(table, row));
        shepard_json_number(item, "seconds", row->seconds);
    }
}
