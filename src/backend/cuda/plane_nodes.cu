/* SPDX-License-Identifier: MIT */
/* What nodes give to sums of planes, by expansions, in double: for each node a product of matrices.
 * Its rows are targets, its columns sums, and what it adds up are terms: powers of the target's
 * place seen from the node, times numbers of the node. A block prepares some nodes at a time in
 * shared memory; each of its warps takes up to 32 targets, a lane's each, and of few targets a part
 * of the nodes. kernel/sum_double_impl.h mirrors sums_in_axes. */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/coarse_power.cuh"
#include "backend/cuda/groups.cuh"
#include "backend/cuda/plane_expansion.cuh"
#include "backend/cuda/plane_moments.cuh"
#include "cuda/matrix_product.cuh"

namespace shepard
{

namespace
{

constexpr int warps = 4, threads = 32 * warps;

/* Targets of a block at a time, and of a product: a tile. */
constexpr int targets_most = 32 * warps, tile_targets = 8;
constexpr int tiles_most = 32 / tile_targets; /* of a warp */

/* A list has so many parts of one length, whose sums are added up by themselves: how many warps
 * share a list does not change a sum. */
constexpr int parts = 4;
static_assert(parts == warps, "each warp prepares a node, and sums some parts");

/* ---- shared memory --------------------------------------------------------------------------- */

/* A node, ready to be summed; of a local expansion the terms alone. */
struct ready_node {
    int order; /* -1: no node, and what follows is of no use */
    double x, y, scale;
    plane_terms terms;
};

/* How the lanes' targets see a node, for the lanes that take part in their products: real and
 * imaginary parts of w V^m, V = re + i im, one for each column of a product, and what takes them
 * from m to m + 2. The lanes of a target read different rows, those of others neighbouring places:
 * from different banks. */
struct view_room {
    static constexpr int pitch = 36;

    double number[4][pitch], next[4][pitch]; /* of m = 0 and 1; of m = 2 and 3 */
    double twice[pitch], square[pitch];      /* 2 Re V^2, |V^2|^2 */
    double h[pitch];
};

/* Factors that products need, and sums that they make, of each lane's target. */
constexpr int lane_pitch = 33;

/* What a warp's lanes exchange: how their targets see a node, then what it gives to them. */
union exchange_room {
    view_room view;
    double sums[plane_sets][lane_pitch];
};

/* A warp's next node. */
struct warp_room {
    raw_node raw;
    alignas(16) double moments[2 * moments_apart(plane_order + degrees_more)];
};

struct block_room {
    ready_node ready[copies][parts];
    warp_room of_warp[warps];
    double sums[plane_sets][targets_most];
};

/* Of each pair, for the lanes' targets. */
struct lane_factors {
    double of[pairs_most][lane_pitch];
};

/* ---- factors of terms ------------------------------------------------------------------------ */

/* Of the term m, k: of the power that all of a group have, in the numbers of the nodes. */
class factors_in_nodes
{
  public:
    static constexpr bool smooth = false, per_lane = false;

    struct room_type {
        double of_pair[pairs_most]; /* a_(m + k) a_k */
    };

    /* All threads of a block. */
    __device__ static void open_group(double power, room_type &room)
    {
        for (int pair = (int)threadIdx.x; pair < pairs_most; pair += threads) {
            const term_pair own = pair_of(pair);
            room.of_pair[pair] = shepard_rising_over(power / 2, own.m + own.k) *
                                 shepard_rising_over(power / 2, own.k);
        }
    }
    __device__ explicit factors_in_nodes(room_type &room) : room_(room) {}
    __device__ void open(double) {}
    __device__ void look_at(const seen<double> &) {}
    __device__ double of_node(int pair) const { return room_.of_pair[pair]; }

  private:
    const room_type &room_;
};

/* Of each target's own. */
class factors_of_target
{
  public:
    static constexpr bool smooth = false, per_lane = true;

    struct room_type {
        lane_factors of_warp[warps];
    };

    __device__ static void open_group(double, room_type &) {}
    __device__ explicit factors_of_target(room_type &room) : own_(room.of_warp[threadIdx.x / 32]) {}
    __device__ void open(double lambda)
    {
        double a[plane_order + 1] = {1}; /* (lambda)_i / i! */
#pragma unroll
        for (int i = 1; i <= plane_order; i++)
            a[i] = a[i - 1] * (lambda + (i - 1)) / i;
#pragma unroll
        for (int degree = 0; degree <= plane_order; degree++)
#pragma unroll
            for (int k = 0; 2 * k <= degree; k++)
                own_.of[pair_at(degree - 2 * k, k)][threadIdx.x % 32] =
                    real_product(a[degree - k], a[k]);
    }
    __device__ void look_at(const seen<double> &) {}
    __device__ double of_node(int) const
    {
        return 1;
    }
    __device__ double at(int pair, int lane) const
    {
        return own_.of[pair][lane];
    }

  private:
    lane_factors &own_;
};

/* With smoothing (Eq. 28a), powers of h in them: of a group's power, or of each target's own. */
template <bool OnePower> class factors_of_node
{
  public:
    static constexpr bool smooth = true, per_lane = true;

    static constexpr int coefficients = smooth_numbers(plane_order);

    struct room_type {
        lane_factors of_warp[warps];
        double coefficient[coefficients];
    };

    __device__ static void open_group(double power, room_type &room)
    {
        if constexpr (OnePower)
            for (int i = (int)threadIdx.x; i < coefficients; i += threads)
                room.coefficient[i] = smooth_number(i, power / 2);
    }
    __device__ explicit factors_of_node(room_type &room)
        : room_(room), own_(room.of_warp[threadIdx.x / 32])
    {
    }
    __device__ void open(double lambda)
    {
        if constexpr (!OnePower)
            fill_rising<double, plane_order>(lambda, rising_);
    }
    __device__ void look_at(const seen<double> &node)
    {
        factors_smoothed<OnePower, false, double, plane_order> made = {OnePower ? room_.coefficient
                                                                                : rising_};
        made.template make<plane_order>(node);
#pragma unroll
        for (int pair = 0; pair < pairs_most; pair++)
            own_.of[pair][threadIdx.x % 32] = made.made[pair];
    }
    __device__ double of_node(int) const
    {
        return 1;
    }
    __device__ double at(int pair, int lane) const
    {
        return own_.of[pair][lane];
    }

  private:
    const room_type &room_;
    lane_factors &own_;
    double rising_[OnePower ? 1 : rising_numbers(plane_order)];
};

/* ---- sums ------------------------------------------------------------------------------------ */

/* What a warp does: targets first ... first + count - 1 of the block's, which of those that share a
 * list's parts. */
struct warp_share {
    int first, count;
    int sets_log2, split; /* of targets; of the list, into parts / sets */

    __device__ int sets() const { return 1 << sets_log2; }
    __device__ int splits() const { return parts >> sets_log2; }

    /* Sets of targets are as even as their tiles allow. */
    __device__ static warp_share of(int members)
    {
        const int warp = (int)threadIdx.x / 32;
        warp_share share;
        share.sets_log2 = members <= 32 ? 0 : members <= 64 ? 1 : 2;
        share.split = warp >> share.sets_log2;
        const int tiles = (members + tile_targets - 1) / tile_targets;
        const int set = warp & (share.sets() - 1);
        const int each = tiles >> share.sets_log2, more = tiles & (share.sets() - 1);
        share.first = tile_targets * (set * each + min(set, more));
        share.count = max(min(members - share.first, tile_targets * (each + (set < more))), 0);
        return share;
    }
};

/* What products make of eight targets: of the lane's target two sums, and its part of the ninth. */
struct tile_sums {
    double first, second, ninth;
};

__device__ __forceinline__ double sum_of_four_lanes(double part)
{
    part = real_sum(part, __shfl_xor_sync(whole_warp, part, 1));
    return real_sum(part, __shfl_xor_sync(whole_warp, part, 2));
}

/* Sums about one place for all of a group's targets, to which the numbers of nodes are moved. They
 * stay in the lanes that products leave them in. */
class sums_from_origin
{
  public:
    static constexpr bool one_origin = true;

    __device__ sums_from_origin(const plane_pass &, std::uint32_t) {}

    /* Adds what a node gives. */
    template <int Tiles>
    __device__ __forceinline__ void take(const tile_sums (&of)[Tiles], exchange_room &)
    {
#pragma unroll
        for (int i = 0; i < Tiles; i++) {
            sums_[i].first = real_sum(sums_[i].first, of[i].first);
            sums_[i].second = real_sum(sums_[i].second, of[i].second);
            sums_[i].ninth = real_sum(sums_[i].ninth, of[i].ninth);
        }
    }
    __device__ void close_node(const ready_node &, const exchange_room &) {}

    /* Calls add(set, which target of the warp's, sum), and begins again. */
    template <class Add> __device__ __forceinline__ void give(const Add &add)
    {
        const int lane = (int)threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < tiles_most; i++) {
            const int target = tile_targets * i + lane / 4;
            const double ninth = sum_of_four_lanes(sums_[i].ninth);
            add(2 * (lane % 4), target, sums_[i].first);
            add(2 * (lane % 4) + 1, target, sums_[i].second);
            if (lane % 4 == 0)
                add(last_set, target, ninth);
            sums_[i] = {};
        }
    }

  private:
    tile_sums sums_[tiles_most] = {};
};

/* Axes along (p, q). */
struct turned {
    double p, q;

    __device__ void turn(double *x, double *y) const
    {
        const double before = *x;
        *x = real_fma(p, before, real_product(q, *y));
        *y = real_fma(p, *y, -real_product(q, before));
    }
    /* Second moments: p p xx + 2 p q xy + q q yy, and so on. */
    __device__ void turn_second(double *xx, double *xy, double *yy) const
    {
        double first = *xx, second = *xy, third = *xy, fourth = *yy;
        turn(&first, &third);   /* x with x and y of the axes, */
        turn(&second, &fourth); /* y with both */
        *xx = real_fma(p, first, real_product(q, second));
        *xy = real_fma(p, second, -real_product(q, first));
        *yy = real_fma(p, fourth, -real_product(q, third));
    }
};

/* Sums in each target's own axes, by its lane. */
class sums_in_axes
{
  public:
    static constexpr bool one_origin = false;

    __device__ sums_in_axes(const plane_pass &plane, std::uint32_t target)
        : axes_(plane.axes[target])
    {
    }

    template <int Tiles>
    __device__ __forceinline__ void take(const tile_sums (&of)[Tiles], exchange_room &room)
    {
        const int lane = (int)threadIdx.x % 32;
        __syncwarp();
#pragma unroll
        for (int i = 0; i < Tiles; i++) {
            const int target = tile_targets * i + lane / 4;
            const double ninth = sum_of_four_lanes(of[i].ninth);
            room.sums[2 * (lane % 4)][target] = of[i].first;
            room.sums[2 * (lane % 4) + 1][target] = of[i].second;
            if (lane % 4 == 0)
                room.sums[last_set][target] = ninth;
        }
    }
    /* Adds a node's, about its centre and over its radius. */
    __device__ void close_node(const ready_node &node, const exchange_room &room)
    {
        __syncwarp();
        double sums[plane_sets];
#pragma unroll
        for (int set = 0; set < plane_sets; set++)
            sums[set] = room.sums[set][threadIdx.x % 32];
        offset_of_node offset = {node.x - axes_.x, node.y - axes_.y, number_length * node.scale};
        const turned axes = {axes_.main_x, axes_.main_y};
        axes.turn(&offset.a, &offset.c);
        axes.turn(&sums[1], &sums[2]);
        axes.turn(&sums[7], &sums[8]);
        axes.turn_second(&sums[3], &sums[4], &sums[5]);
        move_sums(offset, sums);
#pragma unroll
        for (int set = 0; set < plane_sets; set++)
            sums_[set] = real_sum(sums_[set], sums[set]);
    }

    /* Calls add(set, which target of the warp's, sum), and begins again. */
    template <class Add> __device__ __forceinline__ void give(const Add &add)
    {
#pragma unroll
        for (int set = 0; set < plane_sets; set++) {
            add(set, (int)threadIdx.x % 32, sums_[set]);
            sums_[set] = 0;
        }
    }

  private:
    const shepard_axes axes_;
    double sums_[plane_sets] = {};
};

template <bool Form2, class Factors, class Sums> struct plane_nodes {
    const sum_job &job;
    const far_view<double> &far;
    block_room &block;
    warp_room &own;
    exchange_room *const exchange; /* [together] of the warp */
    Factors factors;
    spot<double> origin; /* of sums that have one */
    warp_share share;
    int listed, part_length; /* nodes in all, and of a part but the last ones */
    term_pair pair;          /* that the lane prepares */

    /* Nodes that a warp looks at together: one where each takes much room. */
    static constexpr int together = Factors::per_lane ? 1 : 2;

    struct lane_state {
        lane_target<double> target;
        coarse_power power;
        Sums sums; /* of the part now */
    };

    __device__ plane_nodes(const sum_job &of, const far_view<double> &nodes, block_room &room,
                           exchange_room (&rooms)[warps][together],
                           typename Factors::room_type &factor_room, const spot<double> &from)
        : job(of), far(nodes), block(room), own(room.of_warp[threadIdx.x / 32]),
          exchange(rooms[threadIdx.x / 32]), factors(factor_room), origin(from), listed(0)
    {
        const list_head &head = job.lists.head[blockIdx.x];
        for (int o = 0; o < job.lists.orders; o++)
            listed += head.nodes[o];
        part_length = (listed + parts - 1) / parts;
        pair = pair_of(min((int)threadIdx.x % 32, pairs_most - 1));
    }

    /* ---- nodes are prepared ---- */

    /* Of a turn's nodes, one for each warp: split by split. */
    __device__ int number_of(int turn, int i) const
    {
        const int log2 = share.sets_log2, split = i >> log2;
        return ((split * part_length + turn) << log2) + (i & (share.sets() - 1));
    }

    struct listed_node {
        int order; /* -1: no node */
        std::uint32_t node;
    };

    __device__ listed_node node_of(int turn) const
    {
        const list_head &head = job.lists.head[blockIdx.x];
        int number = number_of(turn, (int)threadIdx.x / 32);
        if (turn >= part_length || number >= listed)
            return {-1, 0};
        int o = 0;
        while (number >= head.nodes[o])
            number -= head.nodes[o++];
        return {SHEPARD_ORDER(o), job.lists.nodes_of(blockIdx.x, o)[number]};
    }

    /* Begins to copy a node and its moments. */
    __device__ listed_node fetch(int turn) const
    {
        const listed_node next = node_of(turn);
        if (next.order >= 0) {
            const int lane = (int)threadIdx.x % 32;
            if (lane < raw_bytes / 16)
                __pipeline_memcpy_async(
                    reinterpret_cast<char *>(&own.raw) + 16 * lane,
                    reinterpret_cast<const char *>(&far.nodes[next.node]) + 16 * lane, 16);
            fetch_moments(job.total, far, next.node, moments_apart(next.order + degrees_more),
                          own.moments);
        }
        __pipeline_commit();
        return next;
    }

    __device__ void put_term(const term_numbers &numbers, double factor, plane_terms &to) const
    {
        const double re = pair.m > 0 ? 2 * factor : factor, im = 2 * factor;
#pragma unroll
        for (int set = 0; set < plane_sets; set++) {
            double *const at = to.at(set, pair.m, pair.k);
            at[0] = real_product(re, numbers.of[set].re);
            if (pair.m > 0)
                at[1] = real_product(im, numbers.of[set].im);
        }
    }

    /* What has been copied. */
    __device__ void prepare(const listed_node &node, ready_node &to) const
    {
        const int lane = (int)threadIdx.x % 32;
        __pipeline_wait_prior(0);
        __syncwarp();
        if (lane == 0) {
            to.order = node.order;
            to.x = own.raw.x;
            to.y = own.raw.y;
            to.scale = own.raw.scale;
        }
        if (lane < pairs_most && pair.m + 2 * pair.k <= node.order) {
            term_numbers numbers = numbers_of(own.moments, moments_apart(node.order + degrees_more),
                                              job.total.columns > 0, pair);
            if (Sums::one_origin)
                move_sums(
                    {own.raw.x - origin.x, own.raw.y - origin.y, number_length * own.raw.scale},
                    numbers.of);
            put_term(numbers, number_factor * factors.of_node(lane), to.terms);
        }
        __syncwarp();
    }

    /* ---- nodes are summed ---- */

    /* What products take of eight targets, and what they make. The lane's column of the targets'
     * matrix is the real or the imaginary part of w V^m, m even or odd: its number. */
    struct tile_state {
        double number, next;  /* of m and m + 2 */
        double twice, square; /* as in view_room */
        double h;
        double sums[2], ninth;

        /* To m + 2: V^(m + 4) = 2 Re V^2 V^(m + 2) - |V^2|^2 V^m, in both parts. */
        __device__ __forceinline__ void go_on()
        {
            const double after = real_fma(twice, next, -real_product(square, number));
            number = next;
            next = after;
        }
    };

    /* What the warp sees, for all lanes. */
    __device__ __forceinline__ void show(const seen<double> &view, view_room &to) const
    {
        const int lane = (int)threadIdx.x % 32;
        const complex_number v = {view.re, view.im};
        const complex_number v2 = product(v, v);
        complex_number number = {view.weight, 0}, next = scaled(view.weight, v2);
#pragma unroll
        for (int odd = 0; odd < 2; odd++) {
            to.number[2 * odd][lane] = number.re;
            to.number[2 * odd + 1][lane] = number.im;
            to.next[2 * odd][lane] = next.re;
            to.next[2 * odd + 1][lane] = next.im;
            number = scaled(view.weight, v);
            next = product(next, v);
        }
        to.twice[lane] = 2 * v2.re;
        to.square[lane] = real_fma(v2.re, v2.re, real_product(v2.im, v2.im));
        to.h[lane] = view.h;
    }

    __device__ __forceinline__ tile_state begin_tile(const view_room &view, int number) const
    {
        const int lane = (int)threadIdx.x % 32, column = lane % 4;
        const int target = tile_targets * number + lane / 4;
        tile_state tile = {};
        tile.number = view.number[column][target];
        tile.next = view.next[column][target];
        tile.twice = view.twice[target];
        tile.square = view.square[target];
        tile.h = view.h[target];
        return tile;
    }

    /* The lane's number for a step: the factor is in the node's numbers, or the target's own. */
    __device__ __forceinline__ double factored(double number, int tile, int m, int k) const
    {
        const int lane = (int)threadIdx.x % 32;
        if constexpr (Factors::per_lane)
            return real_product(number, factors.at(lane % 4 < 2 ? pair_at(m, k) : pair_at(m + 1, k),
                                                   tile_targets * tile + lane / 4));
        return number;
    }

    /* What a node gives to all targets of the warp. */
    template <int Order, int Tiles>
    __device__ __forceinline__ void multiply(const plane_terms &terms, exchange_room &room,
                                             Sums &sums) const
    {
        const int lane = (int)threadIdx.x % 32;
        tile_state tiles[Tiles];
#pragma unroll
        for (int i = 0; i < Tiles; i++)
            tiles[i] = begin_tile(room.view, i);
#pragma unroll
        for (int m = 0; m <= Order; m += 2) {
            double number[Tiles];
#pragma unroll
            for (int i = 0; i < Tiles; i++)
                number[i] = tiles[i].number;
#pragma unroll
            for (int k = 0; m + 2 * k <= Order; k++) {
                const double b = terms.step[step_pitch * step_at(m, k) + lane];
                const double last = terms.last[4 * step_at(m, k) + lane % 4];
                double a[Tiles];
#pragma unroll
                for (int i = 0; i < Tiles; i++) {
                    a[i] = factored(number[i], i, m, k);
                    tiles[i].ninth = real_fma(a[i], last, tiles[i].ninth);
                    if (!Factors::smooth)
                        number[i] = real_product(number[i], tiles[i].h);
                }
#pragma unroll
                for (int i = 0; i + 1 < Tiles; i += 2)
                    add_two_products(a[i], a[i + 1], b, tiles[i].sums, tiles[i + 1].sums);
                if (Tiles % 2 != 0)
                    add_product(a[Tiles - 1], b, tiles[Tiles - 1].sums);
            }
#pragma unroll
            for (int i = 0; i < Tiles; i++)
                tiles[i].go_on();
        }
        tile_sums made[Tiles];
#pragma unroll
        for (int i = 0; i < Tiles; i++)
            made[i] = {tiles[i].sums[0], tiles[i].sums[1], tiles[i].ninth};
        sums.take(made, room);
    }

    template <int Order>
    __device__ __forceinline__ void multiply_all(const plane_terms &terms, exchange_room &room,
                                                 Sums &sums) const
    {
        if (share.count > 3 * tile_targets)
            multiply<Order, 4>(terms, room, sums);
        else if (share.count > 2 * tile_targets)
            multiply<Order, 3>(terms, room, sums);
        else if (share.count > tile_targets)
            multiply<Order, 2>(terms, room, sums);
        else
            multiply<Order, 1>(terms, room, sums);
    }

    /* Brings a local expansion, whose offsets are counted from another place: all threads of a
     * block. */
    __device__ void bring_local(plane_terms &from, const offset_of_node &by, plane_terms &to) const
    {
        for (int i = (int)threadIdx.x; i < 2 * pairs_most; i += threads) {
            const term_pair of = pair_of(i / 2);
            const int part = i % 2;
            double numbers[plane_sets];
#pragma unroll
            for (int set = 0; set < plane_sets; set++)
                numbers[set] = from.at(set, of.m, of.k)[part];
            move_sums(by, numbers);
#pragma unroll
            for (int set = 0; set < plane_sets; set++)
                to.at(set, of.m, of.k)[part] = numbers[set];
        }
    }

    /* A group's local expansion about a middle: a node of weight 1 there, of sums about the
     * origin. */
    __device__ void add_local(const list_view &lists, std::uint32_t group, const anchor &middle,
                              double exponent, ready_node &room, lane_state &lane)
    {
        if constexpr (Sums::one_origin && !Factors::per_lane) {
            const spot<double> place = spot<double>::at(middle, lane.target.at.x, lane.target.at.y);
            const double h = real_fma(place.x, place.x, place.y * place.y);
            const double weight =
                exp2_in_double(fma(lane.target.lambda, log2(lane.target.unit), exponent));
            const spot<double> its = origin_of(job.total.plane, middle);
            bring_local(lists.planes_of[group], {its.x - origin.x, its.y - origin.y, 1},
                        room.terms);
            __syncthreads();
            if (share.split == 0 && share.count > 0) {
                show({place.x, place.y, h, weight, 0}, exchange[0].view);
                __syncwarp();
                multiply_all<plane_order>(room.terms, exchange[0], lane.sums);
            }
            __syncthreads();
        }
    }

    /* The group's own, of this round, and its parent's. */
    __device__ void add_locals(const anchor &middle, double exponent, ready_node &room,
                               lane_state &lane)
    {
        if (job.lists.head[blockIdx.x].local > 0)
            add_local(job.lists, blockIdx.x, middle, exponent, room, lane);
        const int parent = job.parent_to_add();
        if (parent == no_parent)
            return;
        const parent_place &place = job.parents.place[parent];
        add_local(job.parents.lists, (std::uint32_t)parent, place.middle, place.exponent, room,
                  lane);
    }

    __device__ __forceinline__ void add_node(const ready_node &node, exchange_room &room,
                                             lane_state &lane)
    {
        if (node.order < 0)
            return;
        switch (node.order) {
        case 1:
            multiply_all<1>(node.terms, room, lane.sums);
            break;
        case 3:
            multiply_all<3>(node.terms, room, lane.sums);
            break;
        case 5:
            multiply_all<5>(node.terms, room, lane.sums);
            break;
        case 7:
            multiply_all<7>(node.terms, room, lane.sums);
            break;
        default:
            multiply_all<9>(node.terms, room, lane.sums);
        }
        lane.sums.close_node(node, room);
    }

    /* Of a target of the warp's. Of a second split there is room beside few targets. */
    __device__ double &block_sum(int set, int split, int target) const
    {
        return block.sums[set][split * (targets_most / 2) + share.first + target];
    }

    /* Adds the sums of a part to what there is of the split. */
    __device__ void close_part(lane_state &lane)
    {
        lane.sums.give([&](int set, int target, double sum) {
            if (target < share.count)
                block_sum(set, share.split, target) += sum;
        });
    }

    /* Adds, part by part, what there is of the split, and its last part, to the block's. */
    __device__ void close_split(lane_state &lane)
    {
        lane.sums.give([&](int set, int target, double sum) {
            if (target >= share.count)
                return;
            double &all = block_sum(set, 0, target);
            if (share.split > 0 && share.sets_log2 > 0)
                all += block_sum(set, share.split, target);
            all += sum;
        });
    }

    /* A place in the warp's nodes: their number, and where the part it is in ends. */
    struct cursor {
        int number, end;
    };

    /* Shows some nodes to the warp. */
    __device__ __forceinline__ void look_at_some(const ready_node *nodes, int count,
                                                 const lane_state &lane)
    {
        seen<double> view[together];
#pragma unroll
        for (int i = 0; i < together; i++) {
            const ready_node &node = nodes[min(i, count - 1)];
            view[i] = see<Factors::smooth>(lane.target.at, spot<double>{node.x, node.y}, node.scale,
                                           job.total.smoothing2, [](double r2) { return r2; });
        }
        if (job.total.plane.coarse)
#pragma unroll
            for (int i = 0; i < together; i++)
                view[i].weight = lane.power.of(view[i].weight);
        else
#pragma unroll
            for (int i = 0; i < together; i++)
                view[i].weight = weight_at<Form2>(lane.target, view[i].weight);
#pragma unroll
        for (int i = 0; i < together; i++)
            show(view[i], exchange[i].view);
        factors.look_at(view[0]);
        __syncwarp();
    }

    /* The nodes of a turn that are the warp's. */
    __device__ void add_turn(int turn, cursor &at, lane_state &lane)
    {
        const ready_node *const nodes =
            block.ready[turn % copies] + (share.split << share.sets_log2);
#pragma unroll 1
        for (int first = 0; first < share.sets(); first += together) {
            const int some = min(share.sets() - first, together);
            look_at_some(nodes + first, some, lane);
#pragma unroll 1
            for (int i = 0; i < some; i++) {
                if (at.number == at.end) {
                    close_part(lane);
                    at.end += part_length;
                }
                at.number++;
                add_node(nodes[first + i], exchange[i], lane);
            }
            __syncwarp();
        }
    }

    /* All threads of a block. */
    __device__ void add_nodes(lane_state &lane)
    {
        const int warp = (int)threadIdx.x / 32;
        cursor at = {0, part_length};
        listed_node next = fetch(0);
        prepare(next, block.ready[0][warp]);
        next = fetch(1);
        __syncthreads();
#pragma unroll 1
        for (int turn = 0; turn < part_length; turn++) {
            if (turn + 1 < part_length) {
                prepare(next, block.ready[(turn + 1) % copies][warp]);
                next = fetch(turn + 2);
            }
            if (share.count > 0)
                add_turn(turn, at, lane);
            __syncthreads();
        }
        for (int split = 0; split < share.splits(); split++) {
            if (split == share.split)
                close_split(lane);
            __syncthreads();
        }
    }
};

/* ---- blocks ---------------------------------------------------------------------------------- */

__device__ std::uint32_t target_at(const sum_job &job, const group_record &record, int number)
{
    return job.groups.member[record.first + (unsigned)min(number, (int)record.members - 1)];
}

/* Adds what nodes have given to what is there. */
template <class Sums>
__device__ void keep_sums(const sum_job &job, const group_record &record, int first, int members,
                          const block_room &room, const spot<double> &origin)
{
    const plane_pass &plane = job.total.plane;
    const int i = (int)threadIdx.x;
    if (i >= members)
        return;
    const std::uint32_t t = target_at(job, record, first + i);
    double sums[plane_sets];
#pragma unroll
    for (int set = 0; set < plane_sets; set++)
        sums[set] = room.sums[set][i];
    if (Sums::one_origin)
        move_sums({origin.x - plane.axes[t].x, origin.y - plane.axes[t].y, 1}, sums);
    const auto keep = [&](int row, double sum) {
        plane.sums[(std::size_t)row * job.total.targets.m + t] += sum;
    };
#pragma unroll
    for (int set = 0; set < plane_of_weights; set++)
        if (job.total.column == 0)
            keep(set, sums[set]);
#pragma unroll
    for (int set = 0; set < plane_of_column; set++)
        if (job.total.columns > 0)
            keep(plane_of_weights + plane_of_column * job.total.column + set,
                 sums[plane_of_weights + set]);
}

template <bool Form2, class Factors, class Sums> struct kernel_room {
    block_room block;
    exchange_room exchange[warps][plane_nodes<Form2, Factors, Sums>::together];
    typename Factors::room_type factors;
};

/* Of groups whose sums are of this kind. */
template <bool Form2, class Factors, class Sums>
__global__ void __launch_bounds__(threads, Factors::per_lane ? 2 : 3)
    sum_nodes(const __grid_constant__ sum_job job, const __grid_constant__ far_view<double> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto &room = *reinterpret_cast<kernel_room<Form2, Factors, Sums> *>(shared);
    using work_type = plane_nodes<Form2, Factors, Sums>;
    if (job.lists.head[blockIdx.x].waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    if (has_one_origin(job.total, state, record.group) != Sums::one_origin)
        return;
    Factors::open_group(power_of_group(job.total, state, record.group), room.factors);
    if (threadIdx.x < copies * parts)
        room.block.ready[threadIdx.x / parts][threadIdx.x % parts].terms.clear();
    const anchor middle =
        anchor_of(job.total, state, target_at(job, record, 0), is_alone(record.group));
    const spot<double> origin = origin_of(job.total.plane, middle);
    work_type work(job, far, room.block, room.exchange, room.factors, origin);
#pragma unroll 1
    for (int first = 0; first < (int)record.members; first += targets_most) {
        const int members = min((int)record.members - first, targets_most);
        for (int i = (int)threadIdx.x; i < plane_sets * targets_most; i += threads)
            (&room.block.sums[0][0])[i] = 0;
        __syncthreads();
        const warp_share share = warp_share::of(members);
        const int number =
            first + share.first + min((int)threadIdx.x % 32, max(share.count, 1) - 1);
        const std::uint32_t t = target_at(job, record, number);
        const double lambda = power_of_target(job.total, t) / 2, unit2 = unit2_of(job.total, t);
        typename work_type::lane_state lane = {
            {{job.total.targets.x[t], job.total.targets.y[t]}, lambda, unit2},
            {lambda, unit2},
            Sums(job.total.plane, t)};
        work.share = share;
        work.factors.open(lane.target.lambda);
        if (job.total.local != nullptr)
            work.add_locals(middle,
                            local_exponent(weight_floor_of(job.total, state, record.group),
                                           power_of_group(job.total, state, record.group)),
                            room.block.ready[0][0], lane);
        work.add_nodes(lane);
        keep_sums<Sums>(job, record, first, members, room.block, origin);
        __syncthreads();
    }
}

template <bool Form2, class Factors, class Sums>
void launch_kernel(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    const auto kernel = sum_nodes<Form2, Factors, Sums>;
    constexpr int bytes = (int)sizeof(kernel_room<Form2, Factors, Sums>);
    static_assert(bytes <= 99 * 1024, "more than a block has with compute capability 8.6");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the sums");
    kernel<<<job.groups.count, threads, bytes, stream>>>(job, far);
    check_launch("summing");
}

template <bool Form2, class Factors>
void launch(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    if (job.total.plane.straight)
        launch_kernel<Form2, Factors, sums_from_origin>(job, far, stream);
    launch_kernel<Form2, Factors, sums_in_axes>(job, far, stream);
}

} // namespace

void sum_plane_nodes(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    const bool form2 = job.total.form2, one = form2 || job.of.one_power;
    if (job.total.smoothing2 > 0)
        (form2 ? launch<true, factors_of_node<true>>
         : one ? launch<false, factors_of_node<true>>
               : launch<false, factors_of_node<false>>)(job, far, stream);
    else
        (form2 ? launch<true, factors_in_nodes>
         : one ? launch<false, factors_in_nodes>
               : launch<false, factors_of_target>)(job, far, stream);
}

} // namespace shepard
