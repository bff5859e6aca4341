/* SPDX-License-Identifier: MIT */
/* What nodes give to sums of planes, by expansions, in double: for each node a product of matrices.
 * Its rows are targets, its columns sums, and what it adds up are terms: powers of the target's
 * place seen from the node, times numbers of the node. A block prepares some nodes at a time in
 * shared memory; each of its warps takes up to 32 targets, a lane's each, and of few targets a part
 * of the nodes. Mirrors kernel/sum_double_impl.h. */
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

/* Targets of a block at a time, and of a product. */
constexpr int targets_most = 32 * warps, tile_targets = 8;

/* A list has so many parts of one length, whose sums are added up by themselves: how many warps
 * share a list does not change a sum. */
constexpr int parts = 4;
static_assert(parts == warps, "each warp prepares a node, and sums some parts");

/* ---- shared memory --------------------------------------------------------------------------- */

/* A node, ready to be summed. */
struct ready_node {
    int order; /* -1: no node */
    double x, y, scale;
    plane_terms terms;
};

/* Sums that products have made, and factors that they need, of each lane's target. */
constexpr int lane_pitch = 33;

/* A warp's next node, and what its lanes exchange. */
struct warp_room {
    raw_node raw;
    alignas(16) double moments[2 * moments_apart(plane_order + degrees_more)];
    double sums[plane_sets][lane_pitch];
};

struct block_room {
    ready_node ready[copies][parts];
    warp_room of_warp[warps];
    double sums[2][plane_sets][targets_most]; /* of the first two parts and the others */
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
            room.of_pair[pair] =
                rising_over(power / 2, own.m + own.k) * rising_over(power / 2, own.k);
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
        double a[plane_order + 1];
        fill_factors<double, plane_order>(lambda, a);
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
                room.coefficient[i] = smooth_coefficient(i, power / 2);
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
        factors_smoothed<OnePower, double, plane_order> made = {OnePower ? room_.coefficient
                                                                         : rising_};
        made.template open<plane_order>(node);
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

/* What a warp does: targets first ... first + count - 1 of the block's, which of those that share a
 * list's parts. */
struct warp_share {
    int first, count;
    int sets_log2, split; /* of targets; of the list, into parts / sets */

    __device__ int sets() const { return 1 << sets_log2; }

    /* Sets of targets are as even as products allow. */
    __device__ static warp_share of(int members)
    {
        const int warp = (int)threadIdx.x / 32;
        warp_share share;
        share.sets_log2 = members <= 32 ? 0 : members <= 64 ? 1 : 2;
        share.split = warp >> share.sets_log2;
        constexpr int two_tiles = 2 * tile_targets;
        const int pairs = (members + two_tiles - 1) / two_tiles, set = warp & (share.sets() - 1);
        const int each = pairs >> share.sets_log2, more = pairs & (share.sets() - 1);
        share.first = two_tiles * (set * each + min(set, more));
        share.count = max(min(members - share.first, two_tiles * (each + (set < more))), 0);
        return share;
    }
};

template <bool Form2, class Factors> struct plane_nodes {
    const sum_job &job;
    const far_view<double> &far;
    block_room &block;
    warp_room &own;
    Factors factors;
    warp_share share;
    int listed, part_length; /* nodes in all, and of a part but the last ones */
    term_pair pair;          /* that the lane prepares */

    struct lane_state {
        lane_target<double> target;
        coarse_power power;
        shepard_axes axes;
        double sums[plane_sets]; /* of the part now */
    };

    __device__ plane_nodes(const sum_job &of, const far_view<double> &nodes, block_room &room,
                           typename Factors::room_type &factor_room)
        : job(of), far(nodes), block(room), own(room.of_warp[threadIdx.x / 32]),
          factors(factor_room), listed(0)
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
        if (lane < pairs_most && pair.m + 2 * pair.k <= node.order)
            put_term(numbers_of(own.moments, moments_apart(node.order + degrees_more),
                                job.total.columns > 0, pair),
                     factors.of_node(lane), to.terms);
        __syncwarp();
    }

    /* ---- nodes are summed ---- */

    /* What products take of eight targets, and what they make. */
    struct tile_state {
        int from;             /* the lane's target of the warp's */
        double h, re2, im2;   /* the node as that sees it, squares of re + i im */
        double along, across; /* the weight times a power of re + i im: m of the lane's columns */
        double number;        /* the lane's of the targets' matrix */
        double even[2], odd[2], ninth;
    };

    /* first: of the warp's targets. */
    __device__ __forceinline__ tile_state begin_tile(const seen<double> &view, int first) const
    {
        const int lane = (int)threadIdx.x % 32;
        tile_state tile = {};
        tile.from = first + lane / 4;
        const double re = __shfl_sync(whole_warp, view.re, tile.from);
        const double im = __shfl_sync(whole_warp, view.im, tile.from);
        const double weight = __shfl_sync(whole_warp, view.weight, tile.from);
        tile.h = __shfl_sync(whole_warp, view.h, tile.from);
        tile.re2 = real_fma(re, re, -real_product(im, im));
        tile.im2 = 2 * real_product(re, im);
        tile.along = lane % 4 < 2 ? weight : real_product(weight, re);
        tile.across = lane % 4 < 2 ? 0 : real_product(weight, im);
        return tile;
    }

    /* The lane's number for a step: the factor is in the node's numbers, or the target's own. */
    __device__ __forceinline__ double factored(const tile_state &tile, int m, int k) const
    {
        if constexpr (Factors::per_lane)
            return real_product(
                tile.number,
                factors.at(threadIdx.x % 4 < 2 ? pair_at(m, k) : pair_at(m + 1, k), tile.from));
        return tile.number;
    }

    __device__ __forceinline__ void end_tile(const tile_state &tile)
    {
        const int lane = (int)threadIdx.x % 32;
        double ninth = tile.ninth;
        ninth = real_sum(ninth, __shfl_xor_sync(whole_warp, ninth, 1));
        ninth = real_sum(ninth, __shfl_xor_sync(whole_warp, ninth, 2));
        own.sums[2 * (lane % 4)][tile.from] = real_sum(tile.even[0], tile.odd[0]);
        own.sums[2 * (lane % 4) + 1][tile.from] = real_sum(tile.even[1], tile.odd[1]);
        if (lane % 4 == 0)
            own.sums[last_set][tile.from] = ninth;
    }

    /* What a node gives to eight targets, or 16, from `first` of the warp's on. */
    template <int Order, int Tiles>
    __device__ __forceinline__ void multiply(const seen<double> &view, int first,
                                             const double (&step)[steps_most], const double *last)
    {
        tile_state tiles[Tiles];
#pragma unroll
        for (int i = 0; i < Tiles; i++)
            tiles[i] = begin_tile(view, first + tile_targets * i);
#pragma unroll
        for (int m = 0; m <= Order; m += 2) {
#pragma unroll
            for (int i = 0; i < Tiles; i++)
                tiles[i].number = threadIdx.x % 2 == 0 ? tiles[i].along : tiles[i].across;
#pragma unroll
            for (int k = 0; m + 2 * k <= Order; k++) {
                double a[Tiles];
#pragma unroll
                for (int i = 0; i < Tiles; i++) {
                    a[i] = factored(tiles[i], m, k);
                    tiles[i].ninth = real_fma(a[i], last[4 * step_at(m, k)], tiles[i].ninth);
                    if (!Factors::smooth)
                        tiles[i].number = real_product(tiles[i].number, tiles[i].h);
                }
                const double b = step[step_at(m, k)];
                tile_state &one = tiles[0], &other = tiles[Tiles - 1];
                if constexpr (Tiles == 1)
                    add_product(a[0], b, k % 2 == 0 ? one.even : one.odd);
                else if (k % 2 == 0)
                    add_two_products(a[0], a[1], b, one.even, other.even);
                else
                    add_two_products(a[0], a[1], b, one.odd, other.odd);
            }
#pragma unroll
            for (int i = 0; i < Tiles; i++) {
                tile_state &tile = tiles[i];
                const double next =
                    real_fma(tile.along, tile.re2, -real_product(tile.across, tile.im2));
                tile.across = real_fma(tile.along, tile.im2, real_product(tile.across, tile.re2));
                tile.along = next;
            }
        }
#pragma unroll
        for (int i = 0; i < Tiles; i++)
            end_tile(tiles[i]);
    }

    template <int Order>
    __device__ __forceinline__ void multiply_all(const ready_node &node, const seen<double> &view)
    {
        const int lane = (int)threadIdx.x % 32;
        double step[steps_most];
        const double *const last = node.terms.last + lane % 4;
#pragma unroll
        for (int m = 0; m <= Order; m += 2)
#pragma unroll
            for (int k = 0; m + 2 * k <= Order; k++)
                step[step_at(m, k)] = node.terms.step[step_pitch * step_at(m, k) + lane];
#pragma unroll 1
        for (int first = 0; first < share.count; first += 2 * tile_targets)
            if (share.count - first > tile_targets)
                multiply<Order, 2>(view, first, step, last);
            else
                multiply<Order, 1>(view, first, step, last);
    }

    __device__ __forceinline__ seen<double> look_at(const ready_node &node,
                                                    const lane_state &lane) const
    {
        return see<Factors::smooth>(lane.target.at, spot<double>{node.x, node.y}, node.scale,
                                    job.total.smoothing2, [&](double r2) {
                                        return job.total.plane.coarse
                                                   ? lane.power.of(r2)
                                                   : weight_at<Form2>(lane.target, r2);
                                    });
    }

    /* Turns sums about the node's centre, over its radius, into the target's axes, and adds them.
     */
    __device__ __forceinline__ void add_in_axes(const ready_node &node, lane_state &lane) const
    {
        const shepard_axes axes = lane.axes;
        const auto sum_of = [&](int set) { return own.sums[set][threadIdx.x % 32]; };
        const double by = node.scale, by2 = real_product(by, by);
        double a = node.x - axes.x, c = node.y - axes.y;
        const double s = sum_of(0), z = sum_of(6);
        double x = real_product(by, sum_of(1)), y = real_product(by, sum_of(2));
        double xx = real_product(by2, sum_of(3)), xy = real_product(by2, sum_of(4));
        double yy = real_product(by2, sum_of(5));
        double zx = real_product(by, sum_of(7)), zy = real_product(by, sum_of(8));
        if (!job.total.plane.straight) {
            const turned in = {axes.main_x, axes.main_y};
            in.turn(&a, &c);
            in.turn(&x, &y);
            in.turn(&zx, &zy);
            in.turn_second(&xx, &xy, &yy);
        }
        const auto add = [&](int set, double sum) {
            lane.sums[set] = real_sum(lane.sums[set], sum);
        };
        const double along = real_fma(a, s, x), across = real_fma(c, s, y);
        add(0, s);
        add(1, along);
        add(2, across);
        add(3, real_fma(a, real_sum(x, along), xx));
        add(4, real_fma(a, y, real_fma(c, along, xy)));
        add(5, real_fma(c, real_sum(y, across), yy));
        add(6, z);
        add(7, real_fma(a, z, zx));
        add(8, real_fma(c, z, zy));
    }

    /* Brings a group's local expansion: all threads of a block. */
    __device__ void bring_local(const plane_terms &from, plane_terms &to) const
    {
        constexpr int numbers = (int)(sizeof(plane_terms) / sizeof(double));
        for (int i = (int)threadIdx.x; i < numbers; i += threads)
            reinterpret_cast<double *>(&to)[i] = reinterpret_cast<const double *>(&from)[i];
    }

    /* The local expansion about a cell's middle: a node of weight 1 there. */
    __device__ void add_local(const anchor &middle, double exponent, ready_node &room,
                              lane_state &lane)
    {
        if constexpr (!Factors::per_lane) {
            const spot<double> origin = origin_of(job.total.plane, middle);
            const spot<double> place = spot<double>::at(middle, lane.target.at.x, lane.target.at.y);
            const double h = real_fma(place.x, place.x, place.y * place.y);
            const double weight =
                exp2_in_double(fma(lane.target.lambda, log2(lane.target.unit), exponent));
            bring_local(job.lists.planes[blockIdx.x], room.terms);
            if (threadIdx.x == 0) {
                room.x = origin.x;
                room.y = origin.y;
                room.scale = 1;
            }
            __syncthreads();
            if (share.split == 0 && share.count > 0) {
                multiply_all<plane_order>(room, {place.x, place.y, h, weight, 0});
                __syncwarp();
                add_in_axes(room, lane);
            }
            __syncthreads();
        }
    }

    __device__ __forceinline__ void add_node(const ready_node &node, lane_state &lane)
    {
        if (node.order < 0)
            return;
        const seen<double> view = look_at(node, lane);
        factors.look_at(view);
        __syncwarp();
        switch (node.order) {
        case 1:
            multiply_all<1>(node, view);
            break;
        case 3:
            multiply_all<3>(node, view);
            break;
        case 5:
            multiply_all<5>(node, view);
            break;
        case 7:
            multiply_all<7>(node, view);
            break;
        default:
            multiply_all<9>(node, view);
        }
        __syncwarp();
        add_in_axes(node, lane);
        __syncwarp();
    }

    /* Adds the sums of a part to those of its half. */
    __device__ void close_part(int part, lane_state &lane)
    {
        const int i = (int)threadIdx.x % 32;
        for (int set = 0; set < plane_sets; set++) {
            if (i < share.count)
                block.sums[part / 2][set][share.first + i] += lane.sums[set];
            lane.sums[set] = 0;
        }
    }

    /* A place in the warp's nodes: their number, the part it is in, and where that ends. */
    struct cursor {
        int number, part, end;
    };

    /* The nodes of a turn that are the warp's. */
    __device__ void add_turn(int turn, cursor &at, lane_state &lane)
    {
        const int first = share.split << share.sets_log2;
#pragma unroll 1
        for (int i = first; i < first + share.sets(); i++) {
            if (at.number == at.end) {
                close_part(at.part++, lane);
                at.end += part_length;
            }
            at.number++;
            if (share.count > 0)
                add_node(block.ready[turn % copies][i], lane);
        }
    }

    /* All threads of a block. */
    __device__ void add_nodes(lane_state &lane)
    {
        const int warp = (int)threadIdx.x / 32;
        cursor at = {0, share.split << share.sets_log2, part_length};
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
            add_turn(turn, at, lane);
            __syncthreads();
        }
        /* The first part of a half before the second. */
        for (int now = 0; now < 2; now++) {
            if (at.part % 2 == now)
                close_part(at.part, lane);
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
__device__ void keep_sums(const sum_job &job, const group_record &record, int first, int members,
                          const block_room &room)
{
    const plane_pass &plane = job.total.plane;
    const int i = (int)threadIdx.x;
    if (i >= members)
        return;
    const std::uint32_t t = target_at(job, record, first + i);
    const auto keep = [&](int row, int set) {
        plane.sums[(std::size_t)row * job.total.targets.m + t] +=
            room.sums[0][set][i] + room.sums[1][set][i];
    };
    for (int set = 0; job.total.column == 0 && set < plane_of_weights; set++)
        keep(set, set);
    for (int set = 0; set < plane_of_column * job.total.columns; set++)
        keep(plane_of_weights + plane_of_column * job.total.column + set, plane_of_weights + set);
}

template <class Factors> struct kernel_room {
    block_room block;
    typename Factors::room_type factors;
};

template <bool Form2, class Factors>
__global__ void __launch_bounds__(threads, Factors::per_lane ? 2 : 3)
    sum_nodes(const __grid_constant__ sum_job job, const __grid_constant__ far_view<double> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    auto &room = *reinterpret_cast<kernel_room<Factors> *>(shared);
    using work_type = plane_nodes<Form2, Factors>;
    if (job.lists.head[blockIdx.x].waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    const item_state state = open_item(job.total, record.item, record.length, record.points);
    Factors::open_group(power_of_group(job.total, state, record.group), room.factors);
    if (threadIdx.x < copies * parts)
        room.block.ready[threadIdx.x / parts][threadIdx.x % parts].terms.clear();
    work_type work(job, far, room.block, room.factors);
#pragma unroll 1
    for (int first = 0; first < (int)record.members; first += targets_most) {
        const int members = min((int)record.members - first, targets_most);
        for (int i = (int)threadIdx.x; i < 2 * plane_sets * targets_most; i += threads)
            (&room.block.sums[0][0][0])[i] = 0;
        __syncthreads();
        const warp_share share = warp_share::of(members);
        const int number =
            first + share.first + min((int)threadIdx.x % 32, max(share.count, 1) - 1);
        const std::uint32_t t = target_at(job, record, number);
        const double lambda = power_of_target(job.total, t) / 2, unit2 = unit2_of(job.total, t);
        typename work_type::lane_state lane = {
            {{job.total.targets.x[t], job.total.targets.y[t]}, lambda, unit2},
            {lambda, unit2},
            job.total.plane.axes[t],
            {}};
        work.share = share;
        work.factors.open(lane.target.lambda);
        if (job.total.local != nullptr && job.lists.head[blockIdx.x].local > 0)
            work.add_local(anchor_of(job.total, state, t, false),
                           local_exponent(weight_floor_of(job.total, state, record.group),
                                          power_of_group(job.total, state, record.group)),
                           room.block.ready[0][0], lane);
        work.add_nodes(lane);
        keep_sums(job, record, first, members, room.block);
        __syncthreads();
    }
}

template <bool Form2, class Factors>
void launch(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    const auto kernel = sum_nodes<Form2, Factors>;
    constexpr int bytes = (int)sizeof(kernel_room<Factors>);
    static_assert(bytes <= 99 * 1024, "more than a block has with compute capability 8.6");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the sums");
    kernel<<<job.groups.count, threads, bytes, stream>>>(job, far);
    check_launch("summing");
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
