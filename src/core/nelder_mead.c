/* SPDX-License-Identifier: MIT */
#include "core/nelder_mead.h"

#include <assert.h>
#include <string.h>

#define MAX SHEPARD_NELDER_MEAD_MAX

struct corner {
    double at[MAX], value;
};

struct simplex {
    const struct shepard_nelder_mead *search;
    struct corner corners[MAX + 1]; /* by rising value once sorted */
    size_t evaluations;
    enum shepard_status status;
};

static bool may_go_on(const struct simplex *simplex)
{
    return simplex->status == SHEPARD_OK && simplex->evaluations < simplex->search->evaluations;
}

static void evaluate(struct simplex *simplex, struct corner *corner)
{
    simplex->status =
        simplex->search->objective(simplex->search->context, corner->at, &corner->value);
    simplex->evaluations++;
}

/* By insertion: equal values keep their order. */
static void sort(struct simplex *simplex, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct corner own = simplex->corners[i];
        size_t at = i;
        for (; at > 0 && simplex->corners[at - 1].value > own.value; at--)
            simplex->corners[at] = simplex->corners[at - 1];
        simplex->corners[at] = own;
    }
}

/* The corner mirrored in the middle of the others and moved to `times` its distance. */
static struct corner reflect(struct simplex *simplex, double times)
{
    const size_t n = simplex->search->dimensions;
    struct corner corner;
    for (size_t d = 0; d < n; d++) {
        double middle = 0;
        for (size_t i = 0; i < n; i++)
            middle += simplex->corners[i].at[d];
        middle /= (double)n;
        corner.at[d] = middle + times * (middle - simplex->corners[n].at[d]);
    }
    evaluate(simplex, &corner);
    return corner;
}

/* Moves all corners half way to the best. */
static void shrink(struct simplex *simplex)
{
    const size_t n = simplex->search->dimensions;
    for (size_t i = 1; i <= n && may_go_on(simplex); i++) {
        struct corner corner;
        for (size_t d = 0; d < n; d++)
            corner.at[d] = (simplex->corners[0].at[d] + simplex->corners[i].at[d]) / 2;
        evaluate(simplex, &corner);
        if (simplex->status == SHEPARD_OK)
            simplex->corners[i] = corner;
    }
}

/* Replaces the worst corner, or shrinks the simplex. */
static void move(struct simplex *simplex)
{
    const size_t n = simplex->search->dimensions;
    struct corner *const corners = simplex->corners, *const worst = &corners[n];
    struct corner next = reflect(simplex, 1);
    if (simplex->status != SHEPARD_OK)
        return;
    if (next.value < corners[0].value && may_go_on(simplex)) {
        const struct corner farther = reflect(simplex, 2);
        if (simplex->status == SHEPARD_OK && farther.value < next.value)
            next = farther;
    } else if (next.value >= corners[n - 1].value && may_go_on(simplex)) {
        const bool outside = next.value < worst->value;
        const struct corner nearer = reflect(simplex, outside ? 0.5 : -0.5);
        if (simplex->status != SHEPARD_OK)
            return;
        if (nearer.value < (outside ? next.value : worst->value)) {
            next = nearer;
        } else {
            shrink(simplex);
            return;
        }
    }
    if (next.value < worst->value)
        *worst = next;
}

/* Corners at one step along each axis; returns how many there are. */
static size_t spread(struct simplex *simplex)
{
    const struct shepard_nelder_mead *search = simplex->search;
    size_t count = 1;
    for (size_t d = 0; d < search->dimensions && may_go_on(simplex); d++) {
        struct corner *corner = &simplex->corners[count];
        *corner = simplex->corners[0];
        corner->at[d] += search->steps[d];
        evaluate(simplex, corner);
        count += simplex->status == SHEPARD_OK;
    }
    return count;
}

enum shepard_status shepard_nelder_mead_run(const struct shepard_nelder_mead *search, double *at,
                                            double *value)
{
    const size_t n = search->dimensions;
    struct simplex simplex = {.search = search};
    assert(n >= 1 && n <= MAX);
    memcpy(simplex.corners[0].at, at, n * sizeof *at);
    simplex.corners[0].value = *value;
    const size_t count = spread(&simplex);
    sort(&simplex, count);
    while (count == n + 1 && may_go_on(&simplex) &&
           simplex.corners[n].value - simplex.corners[0].value >= search->tolerance) {
        move(&simplex);
        sort(&simplex, n + 1);
    }
    memcpy(at, simplex.corners[0].at, n * sizeof *at);
    *value = simplex.corners[0].value;
    return simplex.status;
}
