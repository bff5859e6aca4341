/* SPDX-License-Identifier: MIT */
/* The only file that sees MPI. What goes wrong in it ends all ranks, with MPI's message. */
#include "ranks.h"

#include "kept_memory.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

static bool begun;
static int on_machine;

static void find_place(void)
{
    MPI_Comm machine;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &on_machine);
    MPI_Comm_free(&machine);
}

bool shepard_ranks_begin(void)
{
    int provided;
    if (shepard_ranks_started() > 1) {
        shepard_memory_keep();
        begun = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) == MPI_SUCCESS;
        if (begun) {
            find_place();
        }
    }
    return true;
}

void shepard_ranks_end(void)
{
    if (begun) {
        MPI_Finalize();
    }
    begun = false;
}

int shepard_rank(void)
{
    int rank = 0;
    if (begun) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    }
    return rank;
}

int shepard_rank_count(void)
{
    int count = 1;
    if (begun) {
        MPI_Comm_size(MPI_COMM_WORLD, &count);
    }
    return count;
}

int shepard_rank_on_machine(void)
{
    return on_machine;
}

int shepard_ranks_first(bool holds)
{
    int first = holds ? shepard_rank() : shepard_rank_count();
    if (begun) {
        MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    }
    return first;
}

void shepard_ranks_sum(uint64_t *numbers, size_t count)
{
    if (begun) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    }
}

void shepard_ranks_least(double *numbers, size_t count)
{
    if (begun) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    }
}

void shepard_ranks_most(double *numbers, size_t count)
{
    if (begun) {
        MPI_Allreduce(MPI_IN_PLACE, numbers, (int)count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
}

void shepard_ranks_tell(char *text, size_t size)
{
    if (begun) {
        MPI_Bcast(text, (int)size, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* What MPI takes: how many items of each rank, and how many are before them. */
struct rank_places {
    int *counts, *before; /* [ranks], one block */
};

static bool make_places(struct rank_places *places, const size_t *counts)
{
    const int ranks = shepard_rank_count();
    size_t sum = 0;
    places->counts = malloc(2 * (size_t)ranks * sizeof *places->counts);
    places->before = places->counts + ranks;
    for (int i = 0; places->counts && i < ranks && sum <= INT_MAX; i++) {
        places->counts[i] = (int)counts[i];
        places->before[i] = (int)sum;
        sum += counts[i];
    }
    return places->counts && sum <= INT_MAX;
}

/* Room for what comes: counts are known. */
static bool make_room(struct shepard_rank_items *in)
{
    in->count = 0;
    for (int i = 0; i < shepard_rank_count(); i++) {
        in->count += in->counts[i];
    }
    void *const items = realloc(in->items, in->count * in->size + 1);
    in->items = items ? items : in->items;
    return items != NULL;
}

/* What MPI sends or gathers at once, all ranks ready: items of one type. */
struct transfer {
    const void *out;
    struct rank_places from, to;
    MPI_Datatype item;
    void *in;
};

static void exchange(const struct transfer *transfer)
{
    MPI_Alltoallv(transfer->out, transfer->from.counts, transfer->from.before, transfer->item,
                  transfer->in, transfer->to.counts, transfer->to.before, transfer->item,
                  MPI_COMM_WORLD);
}

static void gather(const struct transfer *transfer)
{
    MPI_Allgatherv(transfer->out, transfer->from.counts[shepard_rank()], transfer->item,
                   transfer->in, transfer->to.counts, transfer->to.before, transfer->item,
                   MPI_COMM_WORLD);
}

/* counts: [ranks] of what is sent; of a gathering, of what each sends. */
static bool move(const void *out, const size_t *counts, struct shepard_rank_items *in,
                 void (*how)(const struct transfer *transfer))
{
    struct transfer transfer = {.out = out};
    const bool good = make_room(in) && make_places(&transfer.from, counts) &&
                      make_places(&transfer.to, in->counts);
    const bool all = shepard_ranks_first(!good) == shepard_rank_count();
    if (all) {
        transfer.in = in->items;
        MPI_Type_contiguous((int)in->size, MPI_BYTE, &transfer.item);
        MPI_Type_commit(&transfer.item);
        how(&transfer);
        MPI_Type_free(&transfer.item);
    } else {
        shepard_rank_items_free(in);
    }
    free(transfer.from.counts);
    free(transfer.to.counts);
    return all;
}

/* Numbers of each rank: false on all ranks where one is out of memory. */
static bool make_counts(struct shepard_rank_items *in, size_t size)
{
    *in = (struct shepard_rank_items){.size = size,
                                      .items = in->items,
                                      .counts =
                                          calloc((size_t)shepard_rank_count(), sizeof *in->counts)};
    if (shepard_ranks_first(!in->counts) == shepard_rank_count()) {
        return true;
    }
    shepard_rank_items_free(in);
    return false;
}

bool shepard_ranks_gather(const void *mine, size_t count, size_t size,
                          struct shepard_rank_items *all)
{
    if (!begun) {
        return shepard_rank_items_copy(mine, count, size, all);
    }
    if (!make_counts(all, size)) {
        return false;
    }
    const uint64_t own = count;
    MPI_Allgather(&own, 1, MPI_UINT64_T, all->counts, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return move(mine, all->counts, all, gather);
}

bool shepard_ranks_exchange(const struct shepard_rank_items *out, struct shepard_rank_items *in)
{
    if (!begun) {
        return shepard_rank_items_copy(out->items, out->count, out->size, in);
    }
    if (!make_counts(in, out->size)) {
        return false;
    }
    MPI_Alltoall(out->counts, 1, MPI_UINT64_T, in->counts, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    return move(out->items, out->counts, in, exchange);
}
