/* SPDX-License-Identifier: MIT */
/* Boxes, the tree of the curve's cells, nodes and moments that a device makes, against their
 * definitions and sums over the points in long double.
 *
 *     test_far [SEED]           checks
 *     test_far time POINTS      seconds of boxes, the tree, and of a far field of one column
 */
#include "on_device.cuh"

#include "backend/cuda/boxes.cuh"
#include "backend/cuda/cell_tree.cuh"
#include "backend/cuda/hilbert.cuh"
#include "backend/cuda/moments.cuh"
#include "cuda/buffer.cuh"
#include "cuda/stream.cuh"

extern "C" {
#include "core/accuracy.h"
#include "core/circle.h"
#include "kernel/batch.h"

#include "chance.h"
}

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace shepard;

namespace
{

constexpr std::size_t leaves_at_once = leaf_points * fan;

struct tally {
    long passed = 0, failed = 0;

    void check(bool good, const char *what, const char *where)
    {
        (good ? passed : failed)++;
        if (!good && failed <= 20)
            std::printf("FAILED: %s: %s\n", where, what);
    }
};

/* ---- clouds ---------------------------------------------------------------------------------- */

enum kind { RANDOM, WALK, COINCIDENT, COLLINEAR, TINY, KINDS };
const char *const kind_names[KINDS] = {"random", "clustered", "coincident", "collinear", "tiny"};

struct points {
    std::uint32_t n;
    int columns;
    std::vector<double> x, y, values, weights, middle, scale;
    std::vector<std::uint64_t> keys;
    char name[120];
};

void draw_places(points *p, kind kind, struct chance *chance)
{
    const double slope = chance_range(chance, -2, 2),
                 step = std::exp2(-(double)chance_below(chance, 12));
    const std::size_t spots = 1 + chance_below(chance, 3);
    const double unit = kind == TINY ? std::exp2(chance_range(chance, -1010, -990)) : 1;
    double x = chance_range(chance, -1, 1), y = chance_range(chance, -1, 1);
    for (std::uint32_t i = 0; i < p->n; i++) {
        const std::size_t spot = i * spots / p->n;
        switch (kind) {
        case WALK:
            x += step * chance_normal(chance) * std::exp2(-(double)chance_below(chance, 20));
            y += step * chance_normal(chance) * std::exp2(-(double)chance_below(chance, 20));
            break;
        case COINCIDENT:
            x = 1.0 / 3 + (double)spot;
            y = (double)spot * (double)spot - 0.1;
            break;
        case COLLINEAR:
            x = chance_range(chance, -1, 1);
            y = slope * x;
            break;
        default:
            x = unit * chance_range(chance, -1, 1);
            y = unit * chance_range(chance, -1, 1);
        }
        p->x[i] = x;
        p->y[i] = y;
    }
}

void draw_column(points *p, int column, struct chance *chance)
{
    double *z = p->values.data() + (std::size_t)column * p->n;
    const double offset = chance_range(chance, -1e3, 1e3),
                 size = std::exp2(chance_range(chance, -9, 9));
    double low = INFINITY, high = -INFINITY;
    for (std::uint32_t i = 0; i < p->n; i++) {
        z[i] = offset + size * (chance_unit(chance) < 0.2 ? 1 : chance_range(chance, -1, 1));
        low = std::fmin(low, z[i]);
        high = std::fmax(high, z[i]);
    }
    int exponent = 0;
    p->middle[column] = low / 2 + high / 2;
    std::frexp(std::fmax(high - p->middle[column], p->middle[column] - low), &exponent);
    p->scale[column] = high > low ? std::ldexp(1, -exponent) : 1;
}

/* Rising keys: any will do. Many are alike where few bits differ. */
void draw_keys(points *p, kind kind, struct chance *chance)
{
    const int bits = kind == COINCIDENT ? 1 : 1 + (int)chance_below(chance, hilbert_bits);
    const int shift = (int)chance_below(chance, (std::size_t)(hilbert_bits - bits + 1));
    const bool crowded = chance_unit(chance) < 0.3;
    for (std::uint32_t i = 0; i < p->n; i++) {
        const int fewer = crowded ? (int)chance_below(chance, (std::size_t)bits) : 0;
        p->keys.push_back(chance_bits(chance) >> (64 - bits) >> fewer << shift);
    }
    std::sort(p->keys.begin(), p->keys.end());
}

points draw(kind kind, std::uint32_t n, int columns, bool weighted, struct chance *chance)
{
    points p = {n, columns, {}, {}, {}, {}, {}, {}, {}, {}};
    const std::size_t room = (n + leaves_at_once - 1) / leaves_at_once * leaves_at_once;
    p.x.assign(room, INFINITY);
    p.y.assign(room, INFINITY);
    p.values.resize((std::size_t)columns * n);
    p.middle.resize(columns);
    p.scale.resize(columns);
    draw_places(&p, kind, chance);
    draw_keys(&p, kind, chance);
    for (int c = 0; c < columns; c++)
        draw_column(&p, c, chance);
    for (std::uint32_t i = 0; weighted && i < n; i++)
        p.weights.push_back(i == 0 ? 1 : std::exp2(-20 * chance_unit(chance)));
    std::snprintf(p.name, sizeof p.name, "%s, %u points, %d columns%s", kind_names[kind], n,
                  columns, weighted ? ", weights" : "");
    return p;
}

/* ---- on the device --------------------------------------------------------------------------- */

template <class T> block<T> upload(const std::vector<T> &from, const stream &on)
{
    block<T> to(from.size(), on.get());
    if (!from.empty())
        check(cudaMemcpyAsync(to.get(), from.data(), to.bytes(), cudaMemcpyHostToDevice, on.get()),
              "upload");
    return to;
}

template <class T> std::vector<T> download(const T *from, std::size_t count, const stream &on)
{
    std::vector<T> to(count);
    check(cudaMemcpyAsync(to.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost, on.get()),
          "download");
    on.wait("download");
    return to;
}

/* A cloud as the backend sees it; boxes come later. */
class uploaded_points
{
  public:
    uploaded_points(const points &p, const stream &on)
        : x_(upload(p.x, on)), y_(upload(p.y, on)), values_(upload(p.values, on)),
          weights_(upload(p.weights, on)), middle_(upload(p.middle, on)),
          scale_(upload(p.scale, on)), keys_(upload(p.keys, on))
    {
        view.n = p.n;
        view.columns = p.columns;
        view.x = x_.get();
        view.y = y_.get();
        view.values = values_.get();
        view.weights = weights_.get();
        view.middle = middle_.get();
        view.scale = scale_.get();
        view.key = keys_.get();
    }

    points_view view = {};

  private:
    block<double> x_, y_, values_, weights_, middle_, scale_;
    block<std::uint64_t> keys_;
};

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Points [first, end). */
struct run {
    std::size_t first, end;
};

run run_of(const points &p, int level, std::size_t i)
{
    const std::size_t size = (std::size_t)leaf_points << level;
    return {std::min(i * size, (std::size_t)p.n), std::min((i + 1) * size, (std::size_t)p.n)};
}

box box_round(const points &p, const run &run)
{
    box all = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (std::size_t i = run.first; i < run.end; i++) {
        all.x_min = std::fmin(all.x_min, p.x[i]);
        all.x_max = std::fmax(all.x_max, p.x[i]);
        all.y_min = std::fmin(all.y_min, p.y[i]);
        all.y_max = std::fmax(all.y_max, p.y[i]);
    }
    return all;
}

std::size_t nodes_of(const points &p, int level)
{
    const std::size_t size = (std::size_t)leaf_points << level;
    return (p.n + size - 1) / size;
}

void check_boxes(const points &p, const points_view &view, const stream &on, tally *tally)
{
    for (int at = 0; at < view.box_levels; at++) {
        const std::size_t count = nodes_of(p, at * fan_height);
        const std::size_t filled = (count + fan - 1) / fan * fan;
        const std::vector<box> boxes = download(view.boxes[at], filled, on);
        bool same = true;
        for (std::size_t i = 0; i < filled; i++) {
            const box mine = box_round(p, run_of(p, at * fan_height, i)), &found = boxes[i];
            same = same && mine.x_min == found.x_min && mine.x_max == found.x_max &&
                   mine.y_min == found.y_min && mine.y_max == found.y_max;
        }
        tally->check(same, "a box is not that of its points", p.name);
        tally->check(view.box_count[at] == count, "a level's count of boxes is wrong", p.name);
        tally->check((count <= fan) == (at == view.box_levels - 1), "levels end elsewhere", p.name);
    }
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* What is known of each node of a tree. */
struct tree_of_runs {
    std::vector<run> runs;
    std::vector<int> height;
};

/* How many first bits two points' names share: of keys, then of numbers. */
int shared_bits(const points &p, std::size_t i, std::size_t j)
{
    const std::uint64_t differ = p.keys[i] ^ p.keys[j];
    if (differ != 0)
        return __builtin_clzll(differ) - (64 - hilbert_bits);
    return hilbert_bits + __builtin_clz((unsigned)(i ^ j));
}

/* A node of more than leaf_points points, and no neighbour is in its cell. */
bool is_cell(const points &p, const run &run)
{
    const int own = shared_bits(p, run.first, run.end - 1);
    return run.end - run.first > leaf_points &&
           (run.first == 0 || shared_bits(p, run.first - 1, run.first) < own) &&
           (run.end == p.n || shared_bits(p, run.end - 1, run.end) < own);
}

/* Whether runs are one after the other and all. */
bool part_all(const points &p, std::vector<run> runs)
{
    std::sort(runs.begin(), runs.end(),
              [](const run &a, const run &b) { return a.first < b.first; });
    std::size_t next = 0;
    for (const run &run : runs) {
        if (run.first != next || run.end <= run.first)
            return false;
        next = run.end;
    }
    return next == p.n;
}

tree_of_runs check_tree(const points &p, const cell_tree &tree, const stream &on, tally *tally)
{
    const std::uint32_t leaves = tree.view().leaves, nodes = tree.nodes();
    const std::vector<std::uint32_t> first = download(tree.view().first, leaves + 1, on);
    const std::vector<uint2> below = download(tree.view().below, leaves - 1, on);
    const tree_top top = download(tree.view().top, 1, on)[0];
    tree_of_runs found = {{}, std::vector<int>(nodes, 0)};
    bool small = true, after = true, neighbours = true, cells = true;
    for (std::uint32_t i = 0; i < leaves; i++) {
        found.runs.push_back({first[i], first[i + 1]});
        small = small && first[i + 1] > first[i] && first[i + 1] - first[i] <= leaf_points;
    }
    int level = 0;
    for (std::uint32_t i = leaves; i < nodes; i++) {
        while (i >= tree.level_end(level))
            level++;
        const uint2 pair = below[i - leaves];
        after = after && std::max(pair.x, pair.y) < tree.level_end(level - 1);
        if (!after)
            break;
        neighbours = neighbours && found.runs[pair.x].end == found.runs[pair.y].first;
        found.runs.push_back({found.runs[pair.x].first, found.runs[pair.y].end});
        found.height[i] = 1 + std::max(found.height[pair.x], found.height[pair.y]);
        cells = cells && is_cell(p, found.runs[i]);
    }
    tally->check(small, "a leaf has no points or too many", p.name);
    tally->check(after, "a node does not come after its children", p.name);
    tally->check(neighbours, "two children are no neighbours", p.name);
    tally->check(cells, "a node is no cell", p.name);
    tally->check(after && part_all(p, {found.runs.back()}), "the root has not all", p.name);
    std::vector<run> begun;
    for (int i = 0; i < top.count && after; i++)
        begun.push_back(found.runs[top.node[i]]);
    tally->check(top.count <= 32 && part_all(p, begun), "the top has not all", p.name);
    return found;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

struct form {
    charge_kind kind;
    int orders, charges;
    char name[160];
};

/* The far field, brought back. */
template <class Real> struct brought {
    far_view<Real> view;
    std::vector<far_node> nodes;
    std::vector<Real> moments;
};

bool place_fits(const points &p, const run &run, const far_node &node)
{
    const box of = box_round(p, run);
    long double farthest = 0;
    for (std::size_t i = run.first; i < run.end; i++)
        farthest =
            std::fmax(farthest, hypotl((long double)p.x[i] - node.x, (long double)p.y[i] - node.y));
    const double half = std::hypot(of.x_max - of.x_min, of.y_max - of.y_min) / 2;
    const double middle = DBL_EPSILON * (std::fabs(node.x) + std::fabs(node.y));
    return node.x == of.x_min + (of.x_max - of.x_min) / 2 &&
           node.y == of.y_min + (of.y_max - of.y_min) / 2 &&
           (node.scale >= 0x1p-1000 ? farthest <= node.scale
                                    : node.scale == 0 && farthest <= 0x1p-1000) &&
           node.scale <= half * (1 + 0x1p-49) + middle;
}

long double charge_of(const points &p, charge_kind kind, int charge, std::size_t i)
{
    const long double q = p.weights.empty() ? 1 : p.weights[i];
    if (kind == charge_kind::squares)
        return q * q;
    if (charge == 0)
        return q;
    const int c = charge - 1;
    const long double z =
        ((long double)p.values[(std::size_t)c * p.n + i] - p.middle[c]) * p.scale[c];
    return kind == charge_kind::spread ? q * z * z : q * z;
}

/* Adds charge Y^m |Y|^2k by rising m + 2k, then k; doubled for m > 0. */
void add_powers(int degree, long double x, long double y, long double charge, long double *sums)
{
    long double re[SHEPARD_DEGREE_MAX + 1], im[SHEPARD_DEGREE_MAX + 1],
        square[SHEPARD_DEGREE_MAX + 1];
    re[0] = charge;
    im[0] = 0;
    square[0] = 1;
    for (int m = 1; m <= degree; m++) {
        re[m] = re[m - 1] * x - im[m - 1] * y;
        im[m] = im[m - 1] * x + re[m - 1] * y;
        square[m] = square[m - 1] * (x * x + y * y);
    }
    for (int l = 0; l <= degree; l++)
        for (int k = 0; 2 * k <= l; k++) {
            const int m = l - 2 * k;
            *sums++ += (m > 0 ? 2 : 1) * re[m] * square[k];
            if (m > 0)
                *sums++ += 2 * im[m] * square[k];
        }
}

std::vector<long double> sums_of(const points &p, const form &form, int charge, const run &run,
                                 const far_node &node)
{
    const int degree = 2 * form.orders;
    std::vector<long double> sums(SHEPARD_TERMS((std::size_t)degree));
    const long double unit = node.scale > 0 ? 1 / (long double)node.scale : 0;
    for (std::size_t i = run.first; i < run.end; i++)
        add_powers(degree, (p.x[i] - (long double)node.x) * unit,
                   (p.y[i] - (long double)node.y) * unit, charge_of(p, form.kind, charge, i),
                   sums.data());
    return sums;
}

/* What points are moved by where a child's radius counts as 0, over the node's radius. */
long double blur_of(const far_node &node)
{
    return node.scale > 0 ? SHEPARD_SCALE_MIN / (long double)node.scale : 0;
}

/* Within the rounding of Eq. 33c, of charge 0's sum, and that of storing; zeros up to stride. */
template <class Real>
bool moments_fit(const Real *found, const std::vector<long double> &sums, long double total,
                 int level, long double blur, const far_view<Real> &view)
{
    const int order = 2 * view.orders - 1;
    const long double u = sizeof(Real) == 4 ? 0x1p-24L : 0x1p-53L;
    const long double least = sizeof(Real) == 4 ? FLT_TRUE_MIN : DBL_TRUE_MIN;
    int t = 0;
    for (int l = 0; l <= order; l++)
        for (int row = 0; row <= l; row++, t++) {
            const int m = l - row / 2 * 2;
            const long double roundings = (level + 1) * (6 * l + 3) + 17;
            const long double allowed =
                (m > 0 ? 2 : 1) * powl(2, m / 2.0L) * (roundings * 0x1p-53L + l * blur) * total;
            if (!(fabsl(found[t] - sums[t]) <= allowed + u * fabsl(sums[t]) + least))
                return false;
        }
    for (; t < view.stride; t++)
        if (found[t] != 0)
            return false;
    return true;
}

/* Charge and mean radii from charge 0's sums. */
bool mean_radii_fit(const far_node &node, const std::vector<long double> &sums, int orders)
{
    const long double charge = log2l(sums[0]);
    bool good = fabsl(node.charge - charge) <= 1e-6L * (1 + fabsl(charge));
    for (int k = 1; k <= orders; k++) {
        /* Degree 2 k begins at k (2 k + 1); that with m = 0 is the last of its 2 k + 1. */
        const long double part = sums[(k + 1) * (2 * k + 1) - 1] / sums[0];
        const long double scale = log2l(node.scale), least = scale - log2l(SHEPARD_ACCURACY_RATIO);
        const long double sure = part > 0 ? std::fmax(scale + log2l(part) / (2 * k), least) : least;
        const float mean_radius_log2 = node.mean_radius_log2[k - 1];
        good =
            good && (node.scale > 0 ? mean_radius_log2 >= sure && mean_radius_log2 <= sure + 1e-3L
                                    : mean_radius_log2 == (float)SHEPARD_MEAN_RADIUS_NONE);
        /* A reach may well be that of points that are moved. */
        if (blur_of(node) > 1e-4L)
            good = node.scale == 0 || mean_radius_log2 >= least;
    }
    return good;
}

template <class Real>
void check_node(const points &p, const form &form, const brought<Real> &far,
                const tree_of_runs &tree, std::size_t number, tally *tally)
{
    const far_node &node = far.nodes[number];
    const run run = tree.runs[number];
    tally->check(place_fits(p, run, node), "a node's circle does not fit its points", form.name);
    const std::vector<long double> first = sums_of(p, form, 0, run, node);
    tally->check(mean_radii_fit(node, first, form.orders), "a reach is not the moment's",
                 form.name);
    for (int c = 0; c < form.charges; c++) {
        const Real *found = far.moments.data() + (number * form.charges + c) * far.view.stride;
        const std::vector<long double> sums = c == 0 ? first : sums_of(p, form, c, run, node);
        tally->check(
            moments_fit(found, sums, first[0], tree.height[number], blur_of(node), far.view),
            "a moment is not the sum over the node's points", form.name);
    }
}

template <class Real>
void check_field(const points &p, const form &form, const points_view &points,
                 const cell_tree &cells, const tree_of_runs &tree, const stream &on, tally *tally)
{
    const far_field<Real> field(points, cells, form.kind, form.orders, on.get());
    brought<Real> far = {field.view(), {}, {}};
    const std::size_t all = cells.nodes();
    tally->check(far.view.orders == form.orders && far.view.charges == form.charges &&
                     far.view.stride % 4 == 0,
                 "a field's shape is wrong", form.name);
    far.nodes = download(far.view.nodes, all, on);
    far.moments = download(far.view.moments, all * form.charges * far.view.stride, on);
    tally->check(field.bytes() >=
                     far.nodes.size() * sizeof(far_node) + far.moments.size() * sizeof(Real),
                 "bytes are not counted", form.name);
    for (std::size_t i = 0; i < all; i++)
        check_node(p, form, far, tree, i, tally);
}

void check_cloud(const points &p, int orders, const stream &on, tally *tally)
{
    static const char *const kinds[] = {"values", "squares", "spread"};
    uploaded_points points(p, on);
    const boxes made(points.view, on.get());
    made.fill(points.view);
    check_boxes(p, points.view, on, tally);
    const cell_tree cells(points.view.key, p.n, on);
    const tree_of_runs tree = check_tree(p, cells, on, tally);
    for (int kind = 0; kind < 3; kind++) {
        form form = {
            (charge_kind)kind, orders, kind == (int)charge_kind::squares ? 1 : 1 + p.columns, {}};
        std::snprintf(form.name, sizeof form.name, "%s: %s, %d orders", p.name, kinds[kind],
                      orders);
        if (p.n % 2 == 0)
            check_field<float>(p, form, points.view, cells, tree, on, tally);
        else
            check_field<double>(p, form, points.view, cells, tree, on, tally);
    }
}

/* ---- the curve ------------------------------------------------------------------------------- */

/* What is seen of a least square and the four beside it. */
struct beside {
    int before, after; /* how many come just before and just after it along the curve */
    bool nested;       /* keys of a square share their first bits, those of another do not */
};

__global__ void look_beside(const hilbert_place *at, int count, beside *found)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const hilbert_place own = at[i];
    const std::uint64_t key = hilbert_key(own);
    beside seen = {0, 0, true};
    for (int side = 0; side < 4; side++) {
        const std::uint32_t step = side < 2 ? 1 : ~0u;
        const hilbert_place other = {own.column + (side % 2 == 0 ? step : 0),
                                     own.row + (side % 2 == 0 ? 0 : step)};
        if (other.column > hilbert_last || other.row > hilbert_last)
            continue;
        const std::uint64_t theirs = hilbert_key(other);
        seen.before += theirs + 1 == key;
        seen.after += theirs == key + 1;
        for (int bits = 1; bits <= hilbert_digits; bits++) {
            const int up = hilbert_digits - bits;
            const bool same =
                own.column >> up == other.column >> up && own.row >> up == other.row >> up;
            seen.nested = seen.nested && same == (key >> 2 * up == theirs >> 2 * up);
        }
    }
    found[i] = seen;
}

/* Keys follow a curve that goes from a square to one beside it, and fills each quarter, of any
 * size, before the next. */
void check_curve(struct chance *chance, tally *tally)
{
    constexpr int count = 100000;
    std::vector<hilbert_place> places(count);
    for (hilbert_place &place : places) {
        const int shift = (int)chance_below(chance, hilbert_digits);
        place.column = (std::uint32_t)chance_bits(chance) & (hilbert_last >> shift);
        place.row = (std::uint32_t)chance_bits(chance) & hilbert_last;
        if (chance_below(chance, 4) == 0)
            place.row = hilbert_last - place.column;
    }
    const buffer<hilbert_place> uploaded(count);
    const buffer<beside> found(count);
    std::vector<beside> seen(count);
    check(cudaMemcpy(uploaded.get(), places.data(), count * sizeof(hilbert_place),
                     cudaMemcpyHostToDevice),
          "a curve");
    look_beside<<<(count + 255) / 256, 256>>>(uploaded.get(), count, found.get());
    check(cudaMemcpy(seen.data(), found.get(), count * sizeof(beside), cudaMemcpyDeviceToHost),
          "a curve");
    for (int i = 0; i < count; i++) {
        const bool is_end =
            places[i].row == 0 && (places[i].column == 0 || places[i].column == hilbert_last);
        tally->check(seen[i].nested, "a square is left before it is filled", "curve");
        tally->check(seen[i].before + seen[i].after == (is_end ? 1 : 2) && seen[i].before <= 1,
                     "the next square is not beside", "curve");
    }
}

/* Small counts and those round the sizes at which the tree gets a level, and random ones. */
int check_all(unsigned long seed)
{
    static const std::uint32_t counts[] = {1,   2,    15,   16,   17,   33,    511,  512,
                                           513, 1023, 1024, 1025, 8192, 16384, 16385};
    constexpr int fixed = sizeof counts / sizeof *counts, times = 60;
    const stream on;
    struct chance chance = {seed};
    tally tally;
    check_curve(&chance, &tally);
    for (int i = 0; i < times; i++) {
        const std::uint32_t most = i % 4 == 0 ? 20000 : i % 4 == 1 ? 3000 : 200;
        const std::uint32_t n =
            i < fixed ? counts[i] : 1 + (std::uint32_t)chance_below(&chance, most);
        const points p =
            draw((kind)(chance_below(&chance, KINDS)), n, 1 + (int)chance_below(&chance, 3),
                 chance_unit(&chance) < 0.5, &chance);
        check_cloud(p, 1 + i % far_orders_max, on, &tally);
    }
    std::printf("seed %lu: %ld passed, %ld failed\n", seed, tally.passed, tally.failed);
    return tally.failed > 0;
}

/* ---- time ------------------------------------------------------------------------------------ */

int tell_time(std::uint32_t n)
{
    const stream on;
    struct chance chance = {20151107};
    points p = draw(RANDOM, n, 1, false, &chance);
    uploaded_points points(p, on);
    for (int i = 0; i < 5; i++) {
        event start, middle, grown, end;
        start.record(on);
        const boxes made(points.view, on.get());
        made.fill(points.view);
        middle.record(on);
        const cell_tree tree(points.view.key, n, on);
        grown.record(on);
        const far_field<float> field(points.view, tree, charge_kind::values, 4, on.get());
        end.record(on);
        on.wait("a far field");
        std::printf("%u points: boxes %.1f us, %.1f bytes a point; tree of %u nodes %.1f us, %.1f; "
                    "order 7: %.1f us, %.1f\n",
                    n, 1e6 * seconds_between(start, middle), (double)made.bytes() / n, tree.nodes(),
                    1e6 * seconds_between(middle, grown), (double)tree.bytes() / n,
                    1e6 * seconds_between(grown, end), (double)field.bytes() / n);
    }
    return 0;
}

int run_test(int argc, char **argv)
{
    if (argc == 3 && !std::strcmp(argv[1], "time"))
        return tell_time((std::uint32_t)std::strtoul(argv[2], nullptr, 10));
    return check_all(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20151107);
}

} // namespace

int main(int argc, char **argv)
{
    return run_on_device([&] { return run_test(argc, argv); });
}
