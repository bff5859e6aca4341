/* SPDX-License-Identifier: MIT */
#include "scene.cuh"

#include <algorithm>
#include <cmath>

const char *shape_name(shape of)
{
    static const char *const names[] = {"uniform", "clustered", "grid", "coincident", "line"};
    return names[(int)of];
}

static std::uint32_t below(shepard_random *random, std::uint32_t n)
{
    return (std::uint32_t)(shepard_random_bits(random) % n);
}

/* ---- points ---------------------------------------------------------------------------------- */

struct place {
    double x, y;
};

static place draw_place(shape of, std::uint32_t n, shepard_random *random)
{
    const double u = shepard_random_uniform(random), v = shepard_random_uniform(random);
    const auto side = (std::uint32_t)std::sqrt((double)n) + 1;
    switch (of) {
    case shape::clustered:
        return {0.25 * (double)below(random, 4) + 1e-3 * shepard_random_normal(random),
                0.5 * u * u * u};
    case shape::grid:
        return {(double)below(random, side) / 64, (double)below(random, side) / 64};
    case shape::coincident:
        return {(double)below(random, 3) / 4, (double)below(random, 3) / 4};
    case shape::line:
        return {u, 0.25 + u / 3};
    default:
        return {u, v};
    }
}

/* Along Morton's curve: any order will do where it keeps runs together. */
static std::uint64_t key_of(double x, double y)
{
    const auto cell = [](double a) {
        return (std::uint64_t)(std::min(std::max(a / 4 + 0.25, 0.0), 0.999) * 65536);
    };
    const std::uint64_t column = cell(x), row = cell(y);
    std::uint64_t key = 0;
    for (int bit = 0; bit < 16; bit++)
        key |= (column >> bit & 1) << 2 * bit | (row >> bit & 1) << (2 * bit + 1);
    return key;
}

static void draw_places(host_points *points, shape of, shepard_random *random)
{
    struct keyed {
        std::uint64_t key;
        place at;
    };
    std::vector<keyed> all(points->n);
    for (keyed &one : all) {
        one.at = draw_place(of, points->n, random);
        one.key = key_of(one.at.x, one.at.y);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const keyed &a, const keyed &b) { return a.key < b.key; });
    const std::size_t unit = shepard::leaf_points * shepard::fan;
    points->x.assign((points->n + unit - 1) / unit * unit, INFINITY);
    points->y = points->x;
    for (std::uint32_t i = 0; i < points->n; i++) {
        points->x[i] = all[i].at.x;
        points->y[i] = all[i].at.y;
        points->key.push_back(all[i].key);
    }
}

/* Few different values and weights: points may be alike but for their index. */
static void draw_values(host_points *points, bool weighted, shepard_random *random)
{
    for (int c = 0; c < points->columns; c++) {
        const auto first = (std::ptrdiff_t)points->values.size();
        const double offset = c == 1 ? 1e6 : -3, size = c == 2 ? 1e-150 : 10;
        for (std::uint32_t i = 0; i < points->n; i++)
            points->values.push_back(offset * size + size * below(random, c == 0 ? 3 : 1000));
        const auto [low, high] =
            std::minmax_element(points->values.begin() + first, points->values.end());
        points->value_min.push_back(*low);
        points->value_max.push_back(*high);
        points->middle.push_back(*low / 2 + *high / 2);
        points->scale.push_back(std::exp2(-std::ceil(std::log2(std::max(*high - *low, 1e-300)))));
    }
    for (std::uint32_t i = 0; weighted && i < points->n; i++)
        points->weights.push_back(below(random, 2) == 0 ? 1 : shepard_random_uniform(random));
    for (std::uint32_t i = 0; i < points->n; i++)
        points->index.push_back(2 * i + 1);
    for (std::uint32_t i = points->n; i > 1; i--)
        std::swap(points->index[i - 1], points->index[below(random, i)]);
}

static shepard::box box_round(const host_points &points, std::size_t first, std::size_t end)
{
    shepard::box around = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (std::size_t i = first; i < std::min(end, (std::size_t)points.n); i++) {
        around.x_min = std::min(around.x_min, points.x[i]);
        around.x_max = std::max(around.x_max, points.x[i]);
        around.y_min = std::min(around.y_min, points.y[i]);
        around.y_max = std::max(around.y_max, points.y[i]);
    }
    return around;
}

static void make_boxes(host_points *points)
{
    std::size_t size = shepard::leaf_points, count;
    do {
        count = (points->n + size - 1) / size;
        std::vector<shepard::box> level;
        for (std::size_t i = 0; i < (count + shepard::fan - 1) / shepard::fan * shepard::fan; i++)
            level.push_back(box_round(*points, i * size, (i + 1) * size));
        points->boxes.push_back(level);
        points->box_count.push_back((std::uint32_t)count);
        size *= shepard::fan;
    } while (count > shepard::fan);
}

host_points make_points(shape of, std::uint32_t n, int columns, bool weighted,
                        shepard_random *random)
{
    host_points points;
    points.n = n;
    points.columns = columns;
    draw_places(&points, of, random);
    draw_values(&points, weighted, random);
    make_boxes(&points);
    return points;
}

/* ---- targets --------------------------------------------------------------------------------- */

static place draw_target(const host_points &points, shepard_random *random)
{
    const std::uint32_t i = below(random, points.n), j = below(random, points.n);
    switch (below(random, 20)) {
    case 0:
        return {NAN, NAN};
    case 1:
        return {0x1p240, -0x1p200};
    case 2:
        return {3 * shepard_random_normal(random), 3 * shepard_random_normal(random)};
    case 3:
    case 4:
    case 5:
        return {points.x[i], points.y[i]};
    case 6:
    case 7:
        return {points.x[i] / 2 + points.x[j] / 2, points.y[i] / 2 + points.y[j] / 2};
    default:
        return {shepard_random_uniform(random), shepard_random_uniform(random)};
    }
}

host_targets make_targets(const host_points &points, std::uint32_t m, bool sorted,
                          shepard_random *random)
{
    std::vector<place> places(m);
    for (place &one : places)
        one = draw_target(points, random);
    if (sorted)
        std::stable_sort(places.begin(), places.end(), [](const place &a, const place &b) {
            return key_of(a.x, a.y) < key_of(b.x, b.y);
        });
    host_targets targets;
    for (std::uint32_t i = 0; i < m; i++) {
        const auto &keys = points.key;
        const std::uint64_t key = key_of(places[i].x, places[i].y);
        const auto before = std::lower_bound(keys.begin(), keys.end(), key) - keys.begin();
        targets.x.push_back(places[i].x);
        targets.y.push_back(places[i].y);
        targets.rank.push_back(std::min((std::uint32_t)before, points.n - 1));
        targets.index.push_back(m - 1 - i);
    }
    return targets;
}

/* ---- on the device --------------------------------------------------------------------------- */

uploaded_points::uploaded_points(const host_points &points)
    : x_(upload(points.x)), y_(upload(points.y)), values_(upload(points.values)),
      weights_(upload(points.weights)), middle_(upload(points.middle)),
      scale_(upload(points.scale)), value_min_(upload(points.value_min)),
      value_max_(upload(points.value_max)), index_(upload(points.index)), key_(upload(points.key))
{
    view_.n = points.n;
    view_.columns = points.columns;
    view_.x = x_.get();
    view_.y = y_.get();
    view_.values = values_.get();
    view_.weights = weights_.get();
    view_.index = index_.get();
    view_.key = key_.get();
    view_.middle = middle_.get();
    view_.scale = scale_.get();
    view_.value_min = value_min_.get();
    view_.value_max = value_max_.get();
    view_.box_levels = (int)points.boxes.size();
    for (std::size_t level = 0; level < points.boxes.size(); level++) {
        boxes_.push_back(upload(points.boxes[level]));
        view_.boxes[level] = boxes_.back().get();
        view_.box_count[level] = points.box_count[level];
    }
}

device_targets::device_targets(const host_targets &targets)
    : x_(upload(targets.x)), y_(upload(targets.y)), index_(upload(targets.index)),
      rank_(upload(targets.rank)), view_{(std::uint32_t)targets.x.size(),
                                         x_.get(),
                                         y_.get(),
                                         index_.get(),
                                         rank_.get(),
                                         nullptr,
                                         nullptr}
{
}
