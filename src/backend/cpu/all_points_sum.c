/* SPDX-License-Identifier: MIT */
/* Sums over interactions by the kernels. */
#include "backend/cpu/worker.h"

static int largest_order(const struct shepard_interactions *interactions)
{
    int order = 0;
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        if (interactions->nodes[o] > 0)
            order = SHEPARD_ORDER(o);
    return order;
}

static struct shepard_node_list nodes_of(const struct shepard_interactions *interactions, int o)
{
    return (struct shepard_node_list){SHEPARD_ORDER(o), interactions->nodes[o],
                                      interactions->node[o]};
}

/* What sums of a kind are of: all kinds the same where sums are exact. */
static const struct shepard_sum_data *data_of(const struct shepard_cpu_worker *worker,
                                              enum shepard_cpu_kind kind)
{
    const struct shepard_cpu_engine *engine = worker->engine;
    return engine->farfield != NULL ? &engine->farfield->kind[kind].data : &engine->sums;
}

/* Starts, adds and finishes. */
void shepard_cpu_worker_sum(struct shepard_cpu_worker *worker,
                            const struct shepard_interactions *interactions,
                            enum shepard_cpu_kind kind)
{
    const struct shepard_sum_kernels *kernels = worker->engine->kernels->sum;
    const struct shepard_sum_data *data = data_of(worker, kind);
    struct shepard_sum_double *sum = &worker->sum_double;
    sum->order = largest_order(interactions);
    kernels->start_double(data, sum);
    for (size_t i = 0; i < interactions->runs; i++)
        kernels->add_points_double(data, sum, &interactions->run[i]);
    for (int o = 0; SHEPARD_ORDER(o) <= sum->order; o++) {
        const struct shepard_node_list list = nodes_of(interactions, o);
        kernels->add_nodes_double(data, sum, &list);
    }
    kernels->finish_double(data, sum);
}

void shepard_cpu_worker_sum_single(struct shepard_cpu_worker *worker,
                                   const struct shepard_interactions *interactions)
{
    const struct shepard_sum_kernels *kernels = worker->engine->kernels->sum;
    const struct shepard_sum_data *data = data_of(worker, SHEPARD_CPU_VALUES);
    struct shepard_sum_single *sum = &worker->sum_single;
    sum->order = largest_order(interactions);
    kernels->start_single(data, sum);
    for (size_t i = 0; i < interactions->runs; i++)
        kernels->add_points_single(data, sum, &interactions->run[i]);
    for (int o = 0; SHEPARD_ORDER(o) <= sum->order; o++) {
        const struct shepard_node_list list = nodes_of(interactions, o);
        kernels->add_nodes_single(data, sum, &list);
    }
}

/* Starts a batch of planes and adds the points. */
static void sum_points_planes(struct shepard_cpu_worker *worker,
                              const struct shepard_interactions *interactions, size_t batch)
{
    const struct shepard_sum_kernels *kernels = worker->engine->kernels->sum;
    const struct shepard_sum_data *data = data_of(worker, SHEPARD_CPU_VALUES);
    struct shepard_sum_single *sum = &worker->planes->of[batch];
    sum->order = largest_order(interactions);
    kernels->start_single(data, sum);
    for (size_t i = 0; i < interactions->runs; i++)
        kernels->add_points_single(data, sum, &interactions->run[i]);
    for (size_t j = 0; j < sum->targets; j++)
        worker->planes->shares[batch][j] = (struct shepard_plane_shares){
            .points = sum->w[j], .points_moment = sum->wxx[j] + sum->wyy[j]};
}

void shepard_cpu_worker_sum_planes(struct shepard_cpu_worker *worker,
                                   const struct shepard_interactions *interactions, size_t count)
{
    const struct shepard_sum_kernels *kernels = worker->engine->kernels->sum;
    const struct shepard_sum_data *data = data_of(worker, SHEPARD_CPU_VALUES);
    struct shepard_cpu_plane_sums *planes = worker->planes;
    for (size_t b = 0; b < count; b++)
        sum_points_planes(worker, interactions, b);
    for (int o = 0; SHEPARD_ORDER(o) <= planes->of[0].order; o++) {
        const struct shepard_node_list list = nodes_of(interactions, o);
        kernels->add_nodes_planes(data, planes->of, count, &list);
    }
    for (size_t b = 0; b < count; b++)
        for (size_t j = 0; j < planes->of[b].targets; j++)
            planes->shares[b][j].nodes_radius2 = planes->of[b].radius2[j];
}

void shepard_cpu_worker_count(struct shepard_cpu_worker *worker,
                              const struct shepard_interactions *interactions, size_t targets)
{
    for (size_t i = 0; i < interactions->runs; i++)
        worker->work.pairs += (double)(targets * interactions->run[i].count);
    for (int o = 0; o < SHEPARD_ORDERS_MAX; o++)
        worker->work.nodes += (double)(targets * interactions->nodes[o]);
}
