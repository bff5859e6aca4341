/* SPDX-License-Identifier: MIT */
/* What nodes give to sums of planes, by expansions, in double. Each warp of a block takes nodes of
 * its own, and each of its lanes some targets: numbers of a node are read from shared memory once
 * for all of these, which takes longer than a multiply-add. Mirrors kernel/sum_double_impl.h. */
#include "backend/cuda/all_points_kernels.cuh"
#include "backend/cuda/groups.cuh"
#include "backend/cuda/sums.cuh"

namespace shepard
{

namespace
{

constexpr int warps = 4, threads = 32 * warps;

/* Targets of a lane, and of a block at a time. */
constexpr int slots_most = 4, targets_most = 32 * slots_most;

/* w, x, y, xx, xy, yy, z, zx, zy: the numbers of a term, and what is to be added for loads of two.
 */
constexpr int plane_sets = plane_of_weights + plane_of_column;
constexpr int raised_pitch = (plane_sets + 1) / 2 * 2;

/* Of sums; two degrees more of the moments serve for x, y and their products (Eq. 35). */
constexpr int order_most = SHEPARD_ORDER(far_orders_planes - 1);
constexpr int degrees_more = 2;

/* Pairs m, k of an order are those up to its degree; the number of the first of a degree. */
__device__ constexpr int first_pair(int degree)
{
    return (degree + 1) * (degree + 1) / 4;
}
constexpr int pairs_most = (order_most + 1) * (order_most + 3) / 4;

/* ---- moments times x and y ------------------------------------------------------------------- */

struct complex_number {
    double re, im;
};

/* mu_jk of Eq. 35. */
__device__ complex_number moment_of(const double *moments, int j, int k)
{
    const int least = min(j, k), m = abs(j - k);
    const double *const own = moments + moment_at(j + k, least);
    if (m == 0)
        return {own[0], 0};
    return {own[0] / 2, j > k ? own[1] / 2 : -own[1] / 2};
}

/* Puts a number for the term m, k. */
__device__ void put_term(const complex_number &number, int m, double *to)
{
    to[0] = m > 0 ? 2 * number.re : number.re;
    if (m > 0)
        to[raised_pitch] = 2 * number.im;
}

/* Half of a + b, and of (a - b) / i. */
__device__ complex_number half_sum(const complex_number &a, const complex_number &b)
{
    return {(a.re + b.re) / 2, (a.im + b.im) / 2};
}
__device__ complex_number half_turned(const complex_number &a, const complex_number &b)
{
    return {(a.im - b.im) / 2, (b.re - a.re) / 2};
}

/* A term's numbers for a charge: its moment, and those times x and y; with second times xx, xy and
 * yy, too. */
__device__ void raise(const double *moments, int m, int k, bool second, double *to)
{
    const int j = m + k;
    const complex_number along = moment_of(moments, j + 1, k);
    const complex_number across = moment_of(moments, j, k + 1);
    put_term(moment_of(moments, j, k), m, to);
    put_term(half_sum(along, across), m, to + 1);
    put_term(half_turned(along, across), m, to + 2);
    if (!second)
        return;
    const complex_number both = moment_of(moments, j + 1, k + 1);
    const complex_number high = moment_of(moments, j + 2, k), low = moment_of(moments, j, k + 2);
    const complex_number xx = half_sum(half_sum(high, low), both);
    const complex_number xy = half_turned(high, low);
    put_term(xx, m, to + 3);
    put_term({xy.re / 2, xy.im / 2}, m, to + 4);
    put_term({both.re - xx.re, both.im - xx.im}, m, to + 5);
}

/* ---- shared memory --------------------------------------------------------------------------- */

/* A warp's node and the next one's, and its part of the targets' sums. */
struct warp_room {
    raw_node raw[copies];
    alignas(16) double moments[copies][2 * moments_apart(order_most + degrees_more)];
    alignas(16) double raised[SHEPARD_TERMS(order_most) * raised_pitch];
    double sums[plane_sets][targets_most];
};

struct block_room {
    warp_room of_warp[warps];
    double x[targets_most], y[targets_most], lambda[targets_most], unit[targets_most];
    shepard_axes axes[targets_most];
    double factor[pairs_most]; /* a_(m + k) a_k of a group's power, by pairs */
};

/* ---- factors of terms ------------------------------------------------------------------------ */

/* Of the term m, k, where h is (rho / R)^2k: of the power that all of a group have. In the numbers
 * of terms they would save three multiplications of 72; measured slower. */
class factors_of_group
{
  public:
    static constexpr bool smooth = false;

    __device__ void open(const block_room &room, double) { factor_ = room.factor; }
    __device__ void look_at(const seen<double> &) {}
    __device__ __forceinline__ double operator()(int m, int k, double h) const
    {
        return real_product(factor_[first_pair(m + 2 * k) + k], h);
    }

  private:
    const double *factor_;
};

/* Of each target's own. */
class factors_of_target
{
  public:
    static constexpr bool smooth = false;

    __device__ void open(const block_room &, double lambda)
    {
        fill_factors<double, order_most>(lambda, a_);
    }
    __device__ void look_at(const seen<double> &) {}
    __device__ __forceinline__ double operator()(int m, int k, double h) const
    {
        return real_product(real_product(a_[m + k], a_[k]), h);
    }

  private:
    double a_[order_most + 1];
};

/* With smoothing (Eq. 28a), of each target's own, powers of h in them. */
class factors_of_node
{
  public:
    static constexpr bool smooth = true;

    __device__ void open(const block_room &, double lambda)
    {
        fill_rising<double, order_most>(lambda, given_);
    }
    __device__ void look_at(const seen<double> &node)
    {
        factors_smoothed<false, double, order_most> all = {given_, {}};
        all.open<order_most>(node);
#pragma unroll
        for (int i = 0; i < pairs_most; i++)
            made_[i] = all.made[i];
    }
    __device__ __forceinline__ double operator()(int m, int k, double) const
    {
        return made_[first_pair(m + 2 * k) + k];
    }

  private:
    double given_[rising_numbers(order_most)];
    double made_[pairs_most];
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

/* So many targets of a lane, 32 apart. */
template <bool Form2, class Factors, int Slots> struct plane_nodes {
    const sum_job &job;
    const far_view<double> &far;
    block_room &block;
    warp_room &own;

    __device__ static int place(int slot) { return 32 * slot + (int)threadIdx.x % 32; }

    /* Begins to copy a node and its moments. */
    __device__ void fetch(std::uint32_t node, int order, int turn) const
    {
        const int apart = moments_apart(order + degrees_more), lane = (int)threadIdx.x % 32;
        const double *const all =
            far.moments + (std::size_t)node * (unsigned)(far.charges * far.stride);
        if (lane < raw_bytes / 16)
            __pipeline_memcpy_async(reinterpret_cast<char *>(&own.raw[turn]) + 16 * lane,
                                    reinterpret_cast<const char *>(&far.nodes[node]) + 16 * lane,
                                    16);
        for (int charge = 0; charge <= job.total.columns; charge++) {
            const int from = charge == 0 ? 0 : job.total.column + charge;
            for (int i = 2 * lane; i < apart; i += 64)
                __pipeline_memcpy_async(own.moments[turn] + charge * apart + i,
                                        all + from * far.stride + i, 16);
        }
    }

    __device__ void prepare(int order, int turn) const
    {
        const double *const moments = own.moments[turn];
        for (int pair = (int)threadIdx.x % 32; pair < first_pair(order + 1); pair += 32) {
            int degree = 0;
            while (first_pair(degree + 1) <= pair)
                degree++;
            const int k = pair - first_pair(degree), m = degree - 2 * k;
            double *const to = own.raised + moment_at(degree, k) * raised_pitch;
            raise(moments, m, k, true, to);
            if (job.total.columns > 0)
                raise(moments + moments_apart(order + degrees_more), m, k, false,
                      to + plane_of_weights);
        }
    }

    struct view {
        seen<double> node;
        double re, im, h; /* powers of the node's re + i im and h */
        double sums[plane_sets];
    };

    /* Adds a term's row times a number for each target. */
    __device__ __forceinline__ void add_row(view (&views)[Slots], const double *row,
                                            const double (&by)[Slots]) const
    {
#pragma unroll
        for (int j = 0; j < plane_sets; j += 2) {
            const double2 two = *reinterpret_cast<const double2 *>(row + j);
#pragma unroll
            for (int s = 0; s < Slots; s++) {
                views[s].sums[j] = real_fma(by[s], two.x, views[s].sums[j]);
                if (j + 1 < plane_sets)
                    views[s].sums[j + 1] = real_fma(by[s], two.y, views[s].sums[j + 1]);
            }
        }
    }

    /* Not unrolled: loads for later terms would take registers. */
    __device__ __forceinline__ void add_terms(int order, const Factors (&factors)[Slots],
                                              view (&views)[Slots]) const
    {
#pragma unroll 1
        for (int m = 0; m <= order; m++) {
#pragma unroll
            for (int s = 0; s < Slots; s++)
                views[s].h = 1;
#pragma unroll 1
            for (int k = 0; m + 2 * k <= order; k++) {
                const double *const row = own.raised + moment_at(m + 2 * k, k) * raised_pitch;
                double along[Slots], across[Slots];
#pragma unroll
                for (int s = 0; s < Slots; s++) {
                    const double factor = factors[s](m, k, views[s].h);
                    along[s] = real_product(factor, views[s].re);
                    across[s] = real_product(factor, views[s].im);
                    views[s].h = real_product(views[s].h, views[s].node.h);
                }
                add_row(views, row, along);
                if (m > 0)
                    add_row(views, row + raised_pitch, across);
            }
#pragma unroll
            for (int s = 0; s < Slots; s++) {
                view &of = views[s];
                const double next = real_fma(of.re, of.node.re, -real_product(of.im, of.node.im));
                of.im = real_fma(of.re, of.node.im, real_product(of.im, of.node.re));
                of.re = next;
            }
        }
    }

    __device__ __forceinline__ view look_at(int turn, int slot) const
    {
        const int at = place(slot);
        const lane_target<double> target = {
            {block.x[at], block.y[at]}, block.lambda[at], block.unit[at]};
        const raw_node &node = own.raw[turn];
        view made = {};
        made.node =
            see<Form2, Factors::smooth>(target, {node.x, node.y}, node.scale, job.total.smoothing2);
        made.re = 1;
        return made;
    }

    /* Turns sums about the node's centre, over its radius, into the target's axes, and adds them.
     * What is fused must not depend on Slots, as no compiler promises. */
    __device__ void add_in_axes(int turn, int slot, const view &of) const
    {
        const raw_node &node = own.raw[turn];
        const shepard_axes axes = block.axes[place(slot)];
        const double w = of.node.weight, w1 = real_product(w, node.scale);
        const double w2 = real_product(w1, node.scale);
        double a = node.x - axes.x, c = node.y - axes.y;
        const double s = real_product(w, of.sums[0]), z = real_product(w, of.sums[6]);
        double x = real_product(w1, of.sums[1]), y = real_product(w1, of.sums[2]);
        double xx = real_product(w2, of.sums[3]), xy = real_product(w2, of.sums[4]);
        double yy = real_product(w2, of.sums[5]);
        double zx = real_product(w1, of.sums[7]), zy = real_product(w1, of.sums[8]);
        if (!job.total.plane.straight) {
            const turned in = {axes.main_x, axes.main_y};
            in.turn(&a, &c);
            in.turn(&x, &y);
            in.turn(&zx, &zy);
            in.turn_second(&xx, &xy, &yy);
        }
        const auto add = [&](int set, double sum) {
            double *const to = &own.sums[set][place(slot)];
            *to = real_sum(*to, sum);
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

    __device__ void add_node(int order, int turn, Factors (&factors)[Slots]) const
    {
        view views[Slots];
#pragma unroll
        for (int s = 0; s < Slots; s++) {
            views[s] = look_at(turn, s);
            factors[s].look_at(views[s].node);
        }
        add_terms(order, factors, views);
#pragma unroll
        for (int s = 0; s < Slots; s++)
            add_in_axes(turn, s, views[s]);
    }

    /* The warp's share of the lists, every so many nodes of each order. */
    struct cursor {
        int order, next; /* the number of the order; past the last: no more */
    };

    __device__ cursor from(cursor at) const
    {
        const list_head &head = job.lists.head[blockIdx.x];
        while (at.order < job.lists.orders && at.next >= head.nodes[at.order])
            at = {at.order + 1, (int)threadIdx.x / 32};
        return at;
    }
    __device__ bool is_there(const cursor &at) const
    {
        return at.order < job.lists.orders;
    }
    __device__ void fetch_at(const cursor &at, int turn) const
    {
        if (is_there(at))
            fetch(job.lists.nodes_of(blockIdx.x, at.order)[at.next], SHEPARD_ORDER(at.order), turn);
        __pipeline_commit();
    }

    __device__ void add_nodes() const
    {
        Factors factors[Slots];
#pragma unroll
        for (int s = 0; s < Slots; s++)
            factors[s].open(block, block.lambda[place(s)]);
        cursor at = from({0, (int)threadIdx.x / 32});
        fetch_at(at, 0);
#pragma unroll 1
        for (int turn = 0; is_there(at); turn ^= 1) {
            const cursor next = from({at.order, at.next + warps});
            const int order = SHEPARD_ORDER(at.order);
            fetch_at(next, turn ^ 1);
            __pipeline_wait_prior(1);
            __syncwarp();
            prepare(order, turn);
            __syncwarp();
            add_node(order, turn, factors);
            __syncwarp();
            at = next;
        }
    }
};

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Brings targets near, the last one again where there are no more. */
__device__ void open_targets(const sum_job &job, const group_record &record, int first, int members,
                             block_room &room)
{
    const all_points_job &total = job.total;
    const int i = (int)threadIdx.x;
    static_assert(threads == targets_most, "each thread brings a target");
    const std::uint32_t t =
        job.groups.member[record.first + (unsigned)(first + min(i, members - 1))];
    room.x[i] = total.targets.x[t];
    room.y[i] = total.targets.y[t];
    room.lambda[i] = power_of_target(total, t) / 2;
    room.unit[i] = unit2_of(total, t);
    room.axes[i] = total.plane.axes[t];
    for (int set = 0; set < plane_sets; set++)
        for (int slot = 0; slot < slots_most; slot++)
            room.of_warp[i / 32].sums[set][32 * slot + i % 32] = 0;
}

/* Factors of a group's power, pair by pair. */
__device__ void open_power(double power, block_room &room)
{
    for (int pair = (int)threadIdx.x; pair < pairs_most; pair += threads) {
        int degree = 0;
        while (first_pair(degree + 1) <= pair)
            degree++;
        const int k = pair - first_pair(degree);
        room.factor[pair] = rising_over(power / 2, degree - k) * rising_over(power / 2, k);
    }
}

/* Adds what the warps have summed to what is there. */
__device__ void keep_sums(const sum_job &job, const group_record &record, int first, int members,
                          const block_room &room)
{
    const plane_pass &plane = job.total.plane;
    const int i = (int)threadIdx.x;
    if (i >= members)
        return;
    const std::uint32_t t = job.groups.member[record.first + (unsigned)(first + i)];
    const auto keep = [&](int row, int set) {
        static_assert(warps == 4, "sums of other warps");
        const auto of = [&](int warp) { return room.of_warp[warp].sums[set][i]; };
        plane.sums[(std::size_t)row * job.total.targets.m + t] += (of(0) + of(1)) + (of(2) + of(3));
    };
    for (int set = 0; job.total.column == 0 && set < plane_of_weights; set++)
        keep(set, set);
    for (int set = 0; set < plane_of_column * job.total.columns; set++)
        keep(plane_of_weights + plane_of_column * job.total.column + set, plane_of_weights + set);
}

template <bool Form2, class Factors, int Slots>
__device__ void add_nodes(const sum_job &job, const far_view<double> &far, block_room &room)
{
    plane_nodes<Form2, Factors, Slots>{job, far, room, room.of_warp[threadIdx.x / 32]}.add_nodes();
}

template <bool Form2, class Factors>
__global__ void __launch_bounds__(threads, 3)
    sum_nodes(const __grid_constant__ sum_job job, const __grid_constant__ far_view<double> far)
{
    extern __shared__ __align__(16) unsigned char shared[];
    block_room &room = *reinterpret_cast<block_room *>(shared);
    if (job.lists.head[blockIdx.x].waiting == list_done)
        return;
    const group_record record = job.groups.records[blockIdx.x];
    if constexpr (std::is_same_v<Factors, factors_of_group>) {
        const item_state state = open_item(job.total, record.item, record.length, record.points);
        open_power(power_of_group(job.total, state, record.group), room);
    }
#pragma unroll 1
    for (int first = 0; first < (int)record.members; first += targets_most) {
        const int members = min((int)record.members - first, targets_most);
        __syncthreads();
        open_targets(job, record, first, members, room);
        __syncthreads();
        switch ((members + 31) / 32) {
        case 1:
            add_nodes<Form2, Factors, 1>(job, far, room);
            break;
        case 2:
            add_nodes<Form2, Factors, 2>(job, far, room);
            break;
        case 3:
            add_nodes<Form2, Factors, 3>(job, far, room);
            break;
        default:
            add_nodes<Form2, Factors, 4>(job, far, room);
        }
        __syncthreads();
        keep_sums(job, record, first, members, room);
    }
}

template <bool Form2, class Factors>
void launch(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    const auto kernel = sum_nodes<Form2, Factors>;
    constexpr int bytes = (int)sizeof(block_room);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "planning the sums");
    kernel<<<job.groups.count, threads, bytes, stream>>>(job, far);
    check_launch("summing");
}

} // namespace

void sum_plane_nodes(const sum_job &job, const far_view<double> &far, cudaStream_t stream)
{
    const bool form2 = job.total.form2;
    if (job.total.smoothing2 > 0)
        (form2 ? launch<true, factors_of_node> : launch<false, factors_of_node>)(job, far, stream);
    else if (form2)
        launch<true, factors_of_group>(job, far, stream);
    else if (job.of.one_power)
        launch<false, factors_of_group>(job, far, stream);
    else
        launch<false, factors_of_target>(job, far, stream);
}

} // namespace shepard
