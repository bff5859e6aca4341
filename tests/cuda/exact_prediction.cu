/* SPDX-License-Identifier: MIT */
#include "exact_prediction.cuh"

#include <algorithm>
#include <cmath>

static bool alike_before(const host_points &points, std::uint32_t a, std::uint32_t b)
{
    std::vector<double> of_a = {points.x[a], points.y[a]}, of_b = {points.x[b], points.y[b]};
    for (int c = 0; c < points.columns; c++) {
        of_a.push_back(points.values[(std::size_t)c * points.n + a]);
        of_b.push_back(points.values[(std::size_t)c * points.n + b]);
    }
    if (!points.weights.empty()) {
        of_a.push_back(points.weights[a]);
        of_b.push_back(points.weights[b]);
    }
    return of_a != of_b ? of_a < of_b : points.index[a] < points.index[b];
}

std::vector<hit> sort_by_distance(const host_points &points, double x, double y)
{
    std::vector<hit> hits;
    for (std::uint32_t i = 0; i < points.n; i++) {
        const double dx = points.x[i] - x, dy = points.y[i] - y;
        hits.push_back({dx * dx + dy * dy, i});
    }
    std::sort(hits.begin(), hits.end(), [&](const hit &a, const hit &b) {
        return a.d2 != b.d2 ? a.d2 < b.d2 : alike_before(points, a.rank, b.rank);
    });
    return hits;
}

long double true_alpha(const shepard_rules &rules, const std::vector<hit> &hits)
{
    if (!rules.adaptive)
        return rules.power;
    const shepard_adapt &adapt = rules.adapt;
    long double sum = 0, mu = 0;
    for (std::size_t i = 0; i < adapt.k; i++)
        sum += std::sqrt((long double)hits[i].d2);
    const long double r = sum / (long double)adapt.k / adapt.r_expected;
    if (r >= adapt.r_max)
        mu = 1;
    else if (r > adapt.r_min)
        mu = 0.5L - 0.5L * std::cos(std::acos(-1.0L) * (r - adapt.r_min) / adapt.r_max);
    for (int i = 0; i < 4; i++) {
        const long double low = 0.1L + 0.2L * (long double)i;
        const long double t = std::min(std::max((mu - low) / 0.2L, 0.0L), 1.0L);
        if (t < 1 || i == 3)
            return adapt.alphas[i] + t * ((long double)adapt.alphas[i + 1] - adapt.alphas[i]);
    }
    return 0;
}

long double true_weight(long double power, long double unit2, long double shifted2, double d2)
{
    if (unit2 == 0)
        return d2 == 0;
    return std::pow(unit2 / shifted2, power / 2);
}

/* ---- predictions ----------------------------------------------------------------------------- */

/* A neighbourhood, its places as seen from the target. */
struct weighted_place {
    long double w, x, y, d2;
    std::uint32_t rank;
};

/* Weighted means and the slopes of the plane with a ridge (Eq. 10 to 12): what it adds to the mean
 * at the target, damped (Eq. 12b). */
static long double true_rise(const std::vector<weighted_place> &list,
                             const std::vector<long double> &z, long double ridge_h2,
                             long double damping)
{
    long double w = 0, x = 0, y = 0, mean = 0, xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
    for (std::size_t i = 0; i < list.size(); i++) {
        w += list[i].w;
        x += list[i].w * list[i].x;
        y += list[i].w * list[i].y;
        mean += list[i].w * z[i];
    }
    x /= w, y /= w, mean /= w;
    for (std::size_t i = 0; i < list.size(); i++) {
        const long double part = list[i].w / w, dx = list[i].x - x, dy = list[i].y - y;
        xx += part * dx * dx;
        xy += part * dx * dy;
        yy += part * dy * dy;
        xz += part * dx * (z[i] - mean);
        yz += part * dy * (z[i] - mean);
    }
    xx += ridge_h2, yy += ridge_h2;
    const long double trace = xx + yy, determinant = xx * yy - xy * xy;
    if (!(trace > 0))
        return 0;
    /* Of points on a line: none across it. */
    if (!(determinant > 1e-15L * trace * trace)) {
        const long double leverage =
            ((xx * x + xy * y) * x + (xy * x + yy * y) * y) / (trace * trace);
        return -((xx * xz + xy * yz) * x + (xy * xz + yy * yz) * y) / (trace * trace) /
               (1 + damping * leverage);
    }
    const long double leverage = ((yy * x - xy * y) * x + (xx * y - xy * x) * y) / determinant;
    return -((yy * xz - xy * yz) * x + (xx * yz - xy * xz) * y) / determinant /
           (1 + damping * leverage);
}

static long double true_h2(const std::vector<weighted_place> &list)
{
    const std::size_t middle = list.size() / 2;
    long double median = std::sqrt(list[middle].d2);
    if (list.size() % 2 == 0)
        median = (median + std::sqrt(list[middle - 1].d2)) / 2;
    return median * median;
}

static void predict_column(const host_points &points, const shepard_rules &rules, int column,
                           const std::vector<weighted_place> &list, exact_prediction *to)
{
    const double *values = points.values.data() + (std::size_t)column * points.n;
    std::vector<long double> z;
    long double w = 0, mean = 0, spread = 0;
    for (const weighted_place &at : list) {
        z.push_back(values[at.rank]);
        w += at.w;
        mean += at.w * z.back();
    }
    mean /= w;
    for (std::size_t i = 0; i < list.size(); i++)
        spread += list[i].w * (z[i] - mean) * (z[i] - mean);
    const long double rise =
        rules.degree == 1 ? true_rise(list, z, rules.ridge * true_h2(list), rules.damping) : 0;
    to->values.push_back(mean + rise);
    to->deviations.push_back(std::sqrt(spread / w));
}

/* Eq. 14. */
static unsigned sector_at(int sectors, double dx, double dy)
{
    const unsigned quadrant = (dx >= 0 ? 1 : 0) + (dy >= 0 ? 2 : 0);
    return sectors == 1                                    ? 0
           : sectors == 8 && std::fabs(dx) > std::fabs(dy) ? quadrant + 4
                                                           : quadrant;
}

/* A point inside, the round in which its sector deals it, and its place by distance. */
struct dealt {
    std::size_t round, place;
    unsigned sector;
    hit at;
};

/* The points that the limits let through, nearest first; *met: the least numbers are there. */
static std::vector<hit> choose(const host_points &points, const shepard_search &search,
                               const std::vector<hit> &hits, double x, double y, bool *met)
{
    std::size_t of_sector[8] = {}, used[8] = {};
    std::vector<dealt> inside;
    for (std::size_t i = 0; i < hits.size(); i++) {
        const double dx = points.x[hits[i].rank] - x, dy = points.y[hits[i].rank] - y;
        const unsigned sector = sector_at(search.sectors, dx, dy);
        if ((search.bounded && !shepard_ellipse_holds(&search.ellipse, dx, dy)) ||
            ++of_sector[sector] > search.max_points_per_sector)
            continue;
        inside.push_back({dx == 0 && dy == 0 ? 0 : of_sector[sector], i, sector, hits[i]});
    }
    std::sort(inside.begin(), inside.end(), [](const dealt &a, const dealt &b) {
        return a.round != b.round ? a.round < b.round : a.place < b.place;
    });
    inside.resize(std::min(inside.size(), search.max_points));
    std::sort(inside.begin(), inside.end(),
              [](const dealt &a, const dealt &b) { return a.place < b.place; });
    std::vector<hit> chosen;
    for (const dealt &one : inside) {
        used[one.sector]++;
        chosen.push_back(one.at);
    }
    *met = !chosen.empty() && chosen.size() >= search.min_points;
    for (int s = 0; s < search.sectors; s++)
        *met = *met && used[s] >= search.min_points_per_sector;
    return chosen;
}

exact_prediction predict_exactly(const host_points &points, const shepard_rules &rules,
                                 std::vector<hit> hits, double x, double y)
{
    exact_prediction to = {};
    to.power = true_alpha(rules, hits);
    hits = choose(points, rules.search, hits, x, y, &to.met);
    to.count = hits.size();
    to.nearest2 = hits.empty() ? 0 : hits[0].d2;
    if (!to.met)
        return to;
    std::vector<weighted_place> list;
    long double w = 0, ww = 0;
    const long double smoothing2 = rules.smoothing2, unit2 = hits[0].d2 + smoothing2;
    for (const hit &at : hits) {
        const double q = points.weights.empty() ? 1 : points.weights[at.rank];
        const long double of = q * true_weight(to.power, unit2, at.d2 + smoothing2, at.d2);
        list.push_back({of, (long double)points.x[at.rank] - x, (long double)points.y[at.rank] - y,
                        at.d2, at.rank});
        w += of;
        ww += of * of;
    }
    to.effective = w * w / ww;
    for (int c = 0; c < points.columns; c++)
        predict_column(points, rules, c, list, &to);
    return to;
}
