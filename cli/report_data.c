/* SPDX-License-Identifier: MIT */
#include "report_data.h"

#include "message.h"

#include <stdlib.h>

bool shepard_report_data_make(struct shepard_report_data *data,
                              const struct shepard_results *results,
                              const struct shepard_raster *raster)
{
    const size_t count =
        results->count < SHEPARD_REPORT_MAPS ? results->count : SHEPARD_REPORT_MAPS;
    data->overviews = calloc(count, sizeof *data->overviews);
    data->held_out = calloc(SHEPARD_REPORT_COLUMNS, sizeof *data->held_out);
    if (!data->overviews || !data->held_out) {
        return shepard_say_error("out of memory");
    }
    bool good = true;
    while (good && data->overview_count < count) {
        good = shepard_overview_make(&data->overviews[data->overview_count++], raster);
    }
    return good;
}

bool shepard_report_data_hold_out(struct shepard_report_data *data,
                                  const struct shepard_results *results,
                                  const struct shepard_column_groups *groups,
                                  const struct shepard_input *input, struct shepard_job *job)
{
    bool good = true;
    for (size_t i = 0; good && i < results->count; i++) {
        const struct shepard_result *const result = &results->items[i];
        const struct shepard_column_group *const group = &groups->items[result->surface];
        if (result->kind == SHEPARD_RESULT_VALUE && group->field &&
            data->held_out_count < SHEPARD_REPORT_COLUMNS) {
            good = shepard_leave_one_out_run(&data->held_out[data->held_out_count++], group,
                                             result->column, &input->layers[group->layer], job);
        }
    }
    return good;
}

void shepard_report_data_free(struct shepard_report_data *data)
{
    for (size_t i = 0; i < data->overview_count; i++) {
        shepard_overview_free(&data->overviews[i]);
    }
    for (size_t i = 0; i < data->held_out_count; i++) {
        shepard_leave_one_out_free(&data->held_out[i]);
    }
    free(data->overviews);
    free(data->held_out);
    *data = (struct shepard_report_data){0};
}
