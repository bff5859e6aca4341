/* SPDX-License-Identifier: MIT */
/* Items that are read ahead: all of them, in their order, whoever is slower; errors and warnings on
 * the calling thread; nothing is left of those that nobody wanted. On one thread and on two. */
#include "fixture.h"

#include "read_ahead.h"

#include <cpl_error.h>
#include <stdatomic.h>
#include <time.h>

/* Numbers from 0 on, as allocated items. */
struct numbers {
    int next, count;
    int error_at;   /* the item at which an error is reported; -1: none */
    bool spoils;    /* that item cannot be read then */
    int warning_at; /* the same for a warning */
    unsigned seed;  /* of the delays; 0: none */
    atomic_int alive;
};

struct item {
    int *number;
};

static void delay(unsigned *state)
{
    if (*state == 0)
        return;
    *state = *state * 1103515245 + 12345;
    const struct timespec time = {.tv_nsec = (long)(*state >> 16) % 200 * 1000};
    nanosleep(&time, NULL);
}

static bool read_number(void *item, const struct shepard_gdal_error_scope *trap, void *user)
{
    struct numbers *numbers = user;
    assert_string_equal(trap->text, "");
    assert_null(((struct item *)item)->number);
    delay(&numbers->seed);
    if (numbers->next == numbers->warning_at)
        CPLError(CE_Warning, CPLE_AppDefined, "warned of %d", numbers->next);
    if (numbers->next == numbers->error_at) {
        CPLError(CE_Failure, CPLE_AppDefined, "no number after %d", numbers->next);
        if (numbers->spoils)
            return false;
    }
    if (numbers->next == numbers->count)
        return false;
    int *number = malloc(sizeof *number);
    *number = numbers->next++;
    ((struct item *)item)->number = number;
    atomic_fetch_add(&numbers->alive, 1);
    return true;
}

static void clear_number(void *item, void *user)
{
    struct numbers *numbers = user;
    int **number = &((struct item *)item)->number;
    if (*number)
        atomic_fetch_sub(&numbers->alive, 1);
    free(*number);
    *number = NULL;
}

/* Of the calling thread. */
static char warned[100];

static void note_warning(const char *message, void *user)
{
    *(int *)user += 1;
    snprintf(warned, sizeof warned, "%s", message);
}

/* Items are read before they are wanted. */
enum { AHEAD = 3 };

/* How many are handed out where at most so many are wanted. */
static int use(struct numbers *numbers, int wanted, unsigned delays, char *error, int *warnings)
{
    const struct shepard_item_reader reader = {sizeof(struct item), read_number, clear_number,
                                               numbers};
    const struct shepard_io_control control = {.warning = note_warning, .user = warnings};
    struct shepard_gdal_error_scope trap;
    int used = 0;
    shepard_gdal_error_scope_begin(&trap, &control);
    struct shepard_read_ahead *ahead = shepard_read_ahead_begin(&reader, &control);
    assert_non_null(ahead);
    const struct item *item;
    while (used < wanted && (item = shepard_read_ahead_next(ahead))) {
        delay(&delays);
        assert_int_equal(*item->number, used);
        used++;
    }
    if (used < wanted)
        assert_null(shepard_read_ahead_next(ahead));
    shepard_read_ahead_end(ahead);
    strcpy(error, trap.text);
    shepard_gdal_error_scope_end(&trap, SHEPARD_IO_ERROR_READ);
    assert_int_equal(numbers->alive, 0);
    assert_true(numbers->next <= used + AHEAD);
    return used;
}

static void check_all(int threads)
{
    char error[700];
    shepard_io_use_threads(threads);
    for (int round = 0; round < 200; round++) {
        const int count = (int)random_below(20), wanted = (int)random_below(30);
        const unsigned slow = round & 1 ? 1 + random_below(1000000) : 0;
        const unsigned slow_use = round & 2 ? 1 + random_below(1000000) : 0;
        int warnings = 0;
        struct numbers numbers = {
            .count = count, .error_at = -1, .warning_at = (int)random_below(20), .seed = slow};
        const bool warns = numbers.warning_at < count && numbers.warning_at < wanted;
        assert_int_equal(use(&numbers, wanted, slow_use, error, &warnings),
                         count < wanted ? count : wanted);
        assert_string_equal(error, "");
        assert_true(warnings == 1 || !warns);
    }
}

static void all_items(void **state)
{
    (void)state;
    check_all(1);
    check_all(2);
}

static void check_error(int threads, bool spoils)
{
    shepard_io_use_threads(threads);
    for (int at = 0; at < 8; at++) {
        char error[700];
        int warnings = 0;
        struct numbers numbers = {
            .count = 10, .error_at = at, .spoils = spoils, .warning_at = at, .seed = 1};
        assert_int_equal(use(&numbers, 20, 0, error, &warnings), spoils ? at : at + 1);
        char expected[40];
        snprintf(expected, sizeof expected, "no number after %d", at);
        assert_string_equal(error, expected);
        assert_int_equal(warnings, 1);
        snprintf(expected, sizeof expected, "warned of %d", at);
        assert_string_equal(warned, expected);
        /* An error after the last item that is wanted is not reported. */
        numbers = (struct numbers){.count = 10, .error_at = at, .warning_at = -1};
        assert_int_equal(use(&numbers, at, 0, error, &warnings), at);
        assert_string_equal(error, "");
    }
}

static void errors_where_they_are_used(void **state)
{
    (void)state;
    check_error(1, true);
    check_error(1, false);
    check_error(2, true);
    check_error(2, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_items),
        cmocka_unit_test(errors_where_they_are_used),
    };
    return cmocka_run_group_tests(tests, fixture_begin_random, fixture_end);
}
