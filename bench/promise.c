/* SPDX-License-Identifier: MIT */
#include "promise.h"

#include <assert.h>
#include <math.h>

void shepard_promises_add(struct shepard_promises *promises, struct shepard_promise promise)
{
    assert(promises->count < SHEPARD_PROMISES_MAX);
    promises->list[promises->count++] = promise;
}

static const char *verdict(const struct shepard_promise *promise)
{
    if (isnan(promise->measured))
        return "not measured";
    return promise->measured <= promise->most ? "pass" : "MISS";
}

static void print_number(double number)
{
    if (isnan(number))
        printf(" %10s", "-");
    else
        printf(" %10.4g", number);
}

static void print_promise(const struct shepard_promise *promise)
{
    printf("%-62s", promise->text);
    print_number(promise->most);
    print_number(promise->aim);
    print_number(promise->measured);
    printf("  %s\n", verdict(promise));
}

static void record_promise(const struct shepard_promise *promise, struct shepard_record *record)
{
    shepard_record_begin(record, "figure");
    shepard_record_text(record, "figure", promise->text);
    shepard_record_number(record, "at_most", promise->most);
    shepard_record_number(record, "aim", promise->aim);
    shepard_record_number(record, "measured", promise->measured);
    shepard_record_text(record, "verdict", verdict(promise));
    shepard_record_end(record);
}

bool shepard_promises_report(const struct shepard_promises *promises, struct shepard_record *record)
{
    bool good = true;
    printf("\n%-62s %10s %10s %10s\n", "figure", "at most", "aim", "measured");
    for (size_t i = 0; i < promises->count; i++) {
        const struct shepard_promise *promise = &promises->list[i];
        print_promise(promise);
        record_promise(promise, record);
        good = good && !(promise->measured > promise->most);
    }
    return good;
}
